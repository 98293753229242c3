import { countTokens, loadTokenizer } from '../../model/tokens.ts';
import type { Check, CheckContext, CheckFinding } from '../check.ts';
import { descriptionFault } from '../format/description.ts';
import { folderSizeFindings } from '../format/folder-size.ts';
import { linkFindings } from '../format/links.ts';
import { referrerFindings } from '../format/referrers.ts';
import { scriptFindings } from '../format/scripts.ts';

const MOST_LINES = 500;
const MOST_TOKENS = 5000;
/** Problems of the files beside `SKILL.md`, which are no part of the specification's verdict. */
const COMPANION_RULES = /^(?:tools|tests|triggers)-file$/;

/** Whether the skill can be read everywhere, says what it is for, is of a bearable size and holds together. */
export const format: Check = {
  id: 'format',
  kind: 'static',
  knowsOld: true,
  async run(context) {
    const scripts = await scriptFindings(context);
    const findings = [
      ...readingFindings(context),
      ...(await skillFindings(context)),
      ...(await folderSizeFindings(context)),
      ...linkFindings(context),
      ...referrerFindings(context),
      ...scripts.findings,
    ];
    return {
      findings: context.imported ? findings.map(softened) : findings,
      ...(scripts.notRun.length > 0 ? { notRun: scripts.notRun } : {}),
    };
  },
};

/** What an import brings is read as leniently as any other skill; only what cannot be read at all is refused. */
function softened(finding: CheckFinding): CheckFinding {
  return finding.severity === 'refuse' && finding.rule !== 'not-loadable'
    ? { ...finding, severity: 'warn' }
    : finding;
}

function readingFindings({ reading, dir, name }: CheckContext): CheckFinding[] {
  const [rule, problems] =
    reading.kind === 'refused'
      ? (['not-loadable', reading.problems] as const)
      : (['not-strict', reading.skill.problems] as const);
  const strict = reading.kind === 'loaded' && reading.skill.strict;
  return problems
    .filter((problem) => reading.kind === 'refused' || COMPANION_RULES.test(problem.rule) || !strict)
    .filter((problem) => problem.severity !== 'info' || problem.rule === 'unknown-field')
    .map((problem) => {
      const companion = COMPANION_RULES.test(problem.rule);
      // The folder that was read may stand elsewhere.
      const message = problem.message.replaceAll(dir, name);
      return {
        rule: companion ? problem.rule : rule,
        severity: companion && problem.severity !== 'error' ? 'warn' : 'refuse',
        message: companion ? message : `${message} (${problem.rule})`,
        file: companion ? (COMPANION_FILES[problem.rule] ?? 'SKILL.md') : 'SKILL.md',
        ...(problem.line === undefined ? {} : { line: problem.line }),
        subject: `${problem.rule} ${problem.message}`,
      } satisfies CheckFinding;
    });
}

const COMPANION_FILES: Readonly<Record<string, string>> = {
  'tools-file': 'tools.yaml',
  'tests-file': 'tests.yaml',
  'triggers-file': 'evals/triggers.json',
};

async function skillFindings({ skill, baseSkill, library }: CheckContext): Promise<CheckFinding[]> {
  if (skill === undefined) return [];
  const fault = descriptionFault(skill);
  const dangling = skill.relatedSkills.filter(
    (related) => library.find(related) === undefined && !baseSkill?.relatedSkills.includes(related),
  );
  return [
    ...(fault === undefined ? [] : [refuse(fault.rule, fault.message, skill.description)]),
    ...(await sizeFindings(skill.body, baseSkill?.body)),
    ...dangling.map((related) =>
      refuse(
        'dangling-related',
        `related_skills names "${related}", which does not exist${suggestion(library.suggest(related))}`,
        related,
      ),
    ),
  ];
}

function suggestion(near: readonly string[]): string {
  return near[0] === undefined ? '' : `: did you mean "${near[0]}"?`;
}

/** A skill beyond the limit may always become smaller. */
async function sizeFindings(body: string, before: string | undefined): Promise<CheckFinding[]> {
  const linesOf = (text: string) => text.trimEnd().split('\n').length;
  // No token is shorter than a byte.
  if (Buffer.byteLength(body) <= MOST_TOKENS && linesOf(body) <= MOST_LINES) return [];
  await loadTokenizer();
  const size = (text: string) => ({ lines: linesOf(text), tokens: countTokens(text) });
  const now = size(body);
  if (now.lines <= MOST_LINES && now.tokens <= MOST_TOKENS) return [];
  const was = before === undefined ? { lines: 0, tokens: 0 } : size(before);
  const wasOver = was.lines > MOST_LINES || was.tokens > MOST_TOKENS;
  const message = `the instructions have ${now.lines} lines and ${now.tokens} tokens; at most ${MOST_LINES} and ${MOST_TOKENS}: move what is rarely needed into references/`;
  if (wasOver && now.lines <= was.lines && now.tokens <= was.tokens)
    return [
      {
        rule: 'too-long',
        severity: 'note',
        message: `${message} (let through: it is no longer than before)`,
        file: 'SKILL.md',
      },
    ];
  return [refuse('too-long', message, `${now.lines} ${now.tokens}`)];
}

function refuse(rule: string, message: string, subject: string): CheckFinding {
  return { rule, severity: 'refuse', message, file: 'SKILL.md', subject };
}
