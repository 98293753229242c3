import { findSecrets } from '../../transcript/redact.ts';
import type { Check, CheckContext, CheckFinding } from '../check.ts';
import { wordsOf } from '../markdown.ts';
import { scanCombinations } from '../safety/combination-scan.ts';
import { COMBINATIONS } from '../safety/combinations.ts';
import { COMMAND_RULES } from '../safety/command-rules.ts';
import { COVERT_RULES } from '../safety/covert-rules.ts';
import { withoutRepeats } from '../safety/found.ts';
import { findHiddenUnicode } from '../safety/hidden-unicode.ts';
import { INSTRUCTION_RULES } from '../safety/instruction-rules.ts';
import { MACHINE_RULES } from '../safety/machine-rules.ts';
import { isMadeUp } from '../safety/made-up-secret.ts';
import { type PhraseRule, scanPhrases } from '../safety/phrase-scan.ts';
import { readText } from '../safety/read-text.ts';
import { readingOf } from '../safety/reading.ts';
import { findScriptFlows } from '../safety/script-flow.ts';
import { lintSecrets } from '../safety/secretlint.ts';
import { SHELL_RULES } from '../safety/shell-rules.ts';
import { TAKEOVER_RULES } from '../safety/takeover-rules.ts';
import { TYPOSQUATS } from '../safety/typosquats.ts';
import { type SkillText, skillTexts } from '../texts.ts';

const RULES: readonly PhraseRule[] = [
  ...INSTRUCTION_RULES,
  ...TAKEOVER_RULES,
  ...COVERT_RULES,
  ...COMMAND_RULES,
  ...MACHINE_RULES,
  ...SHELL_RULES,
  TYPOSQUATS,
];

/** Words in a row that make a text a copy of knack's own prompt. */
const OWN_PROMPT_RUN = 8;

/** Secrets, injected instructions, hidden characters, exfiltration, unseen code and disabled safeguards, everywhere. */
export const safety: Check = {
  id: 'safety',
  kind: 'static',
  knowsOld: true,
  async run(context) {
    const rules = rulesFor(context);
    const seen = new Set<string>();
    const findings: CheckFinding[] = [];
    for (const text of skillTexts(context)) {
      for (const finding of await scan(text, rules, context)) {
        // What a field holds was found in its file already, unless an escape hid it there or quotes of YAML excused it.
        const key = JSON.stringify([finding.rule, finding.severity, finding.file, finding.subject]);
        if (text.kind !== 'file' && seen.has(key)) continue;
        seen.add(key);
        findings.push(text.kind === 'file' ? finding : withoutLine(finding));
      }
    }
    return { findings };
  },
};

/** Pressing words are a matter of style in what people write and are not let into what is generated. */
function rulesFor({ generated }: CheckContext): readonly PhraseRule[] {
  if (!generated) return RULES;
  return RULES.map((rule) =>
    rule.rule === 'coercive-wording' ? { ...rule, severity: 'ask' as const } : rule,
  );
}

async function scan(
  { file, text }: SkillText,
  rules: readonly PhraseRule[],
  { ownPrompts = [], generated }: CheckContext,
): Promise<CheckFinding[]> {
  const phrases = saidIn(file, text, rules);
  const isKnown = (flow: CheckFinding) =>
    phrases.some(
      ({ rule, line, severity }) => rule === flow.rule && line === flow.line && severity !== 'note',
    );
  return [
    ...(await secretsIn(file, text, generated)),
    ...findHiddenUnicode(file, text),
    ...phrases,
    ...unshownPhrases(file, text, rules),
    ...encodedPhrases(file, text, rules),
    ...findScriptFlows(file, text).filter((flow) => !isKnown(flow)),
    ...copiesOf(ownPrompts, file, text),
  ];
}

/** What the rules find: phrases, and classes of words that stand together where no phrase has said the same. */
function saidIn(file: string, text: string, rules: readonly PhraseRule[]): CheckFinding[] {
  const read = readText(text);
  const reading = readingOf(file, read);
  return withoutRepeats(
    scanPhrases(file, read, reading, rules),
    scanCombinations(file, read, reading, COMBINATIONS),
  );
}

/** A made-up secret is a matter of taste in what people write; what is generated holds none. */
async function secretsIn(file: string, text: string, generated: boolean): Promise<CheckFinding[]> {
  const own = findSecrets(text).filter(({ rule }) => rule !== 'email');
  const others = (await lintSecrets(text)).filter(
    ({ start, end }) => !own.some((span) => span.start < end && start < span.end),
  );
  return [...own, ...others].map(({ rule, start, end }) => {
    const value = text.slice(start, end);
    const before = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
    const madeUp = !generated && isMadeUp({ rule, value, before });
    return {
      rule: madeUp ? 'made-up-secret' : 'secret',
      severity: madeUp ? 'note' : 'refuse',
      message: madeUp
        ? `holds what looks like a secret and seems made up (${rule}, ${end - start} characters)`
        : `holds a secret (${rule}, ${end - start} characters): take it out and say where the reader finds their own`,
      file,
      line: lineAt(text, start),
      subject: value,
    };
  });
}

/** What stands in a comment or in the attributes of a tag: a page does not show it, and a model reads it all the same. */
function unshownPhrases(file: string, text: string, rules: readonly PhraseRule[]): CheckFinding[] {
  return [...text.matchAll(/<!--([\s\S]{1,20000}?)-->|<[a-z]{1,10}\s([^<>]{1,400})>/gi)].flatMap((match) =>
    saidIn('unshown.md', match[1] ?? match[2] ?? '', rules)
      .filter(({ severity }) => severity !== 'note')
      .map((finding) => ({ ...finding, file, line: lineAt(text, match.index) })),
  );
}

/** Instructions and commands inside base64, which a model can read and a person does not. */
function encodedPhrases(file: string, text: string, rules: readonly PhraseRule[]): CheckFinding[] {
  return [...text.matchAll(/(?<![A-Za-z0-9+/=_-])[A-Za-z0-9+/]{32,20000}={0,2}(?![A-Za-z0-9+/=])/g)].flatMap(
    (match) => {
      const decoded = Buffer.from(match[0], 'base64').toString('utf8');
      if (!/^[\t\n\r\x20-\x7e]+$/.test(decoded)) return [];
      return saidIn('decoded.sh', decoded, rules)
        .filter(({ severity }) => severity === 'refuse')
        .map((finding) => ({
          ...finding,
          message: `in base64, ${finding.message}`,
          file,
          line: lineAt(text, match.index),
        }));
    },
  );
}

function copiesOf(prompts: readonly string[], file: string, text: string): CheckFinding[] {
  if (prompts.length === 0) return [];
  const own = runsOfPrompts(prompts);
  const copied = runsOf(wordsOf(text)).find((run) => own.has(run));
  if (copied === undefined) return [];
  return [
    {
      rule: 'own-prompt',
      severity: 'refuse',
      message: `repeats knack's own prompt: "${copied}"`,
      file,
      subject: copied,
    },
  ];
}

/** The same prompts are held against many texts. */
const promptRuns = new WeakMap<readonly string[], ReadonlySet<string>>();

function runsOfPrompts(prompts: readonly string[]): ReadonlySet<string> {
  const known = promptRuns.get(prompts);
  if (known !== undefined) return known;
  const runs = new Set(prompts.flatMap((prompt) => runsOf(wordsOf(prompt))));
  promptRuns.set(prompts, runs);
  return runs;
}

function runsOf(words: readonly string[]): string[] {
  return words.slice(OWN_PROMPT_RUN - 1).map((_, at) => words.slice(at, at + OWN_PROMPT_RUN).join(' '));
}

function withoutLine({ line: _, ...finding }: CheckFinding): CheckFinding {
  return finding;
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
