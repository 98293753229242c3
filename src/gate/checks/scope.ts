import { allMatches } from '../../text/matches.ts';
import { findSecrets } from '../../transcript/redact.ts';
import type { Check, CheckContext, CheckFinding, Severity } from '../check.ts';
import { type MarkdownLine, markdownLines, withoutQuoted } from '../markdown.ts';
import { accidentFindings } from '../scope/accidents.ts';
import { SCOPE_RULES, type ScopeRule } from '../scope/scope-rules.ts';
import { checkedText, historyTexts, isProse } from '../texts.ts';

/** What belongs to one case, one person or one machine and not to a class of tasks. */
export const scope: Check = {
  id: 'scope',
  kind: 'static',
  knowsOld: true,
  run(context) {
    const findings = [...context.candidate.keys()].flatMap((file) => {
      const text = checkedText(context.candidate, file);
      return text === undefined ? [] : findingsIn(file, text, context);
    });
    findings.push(...historyTexts(context).flatMap((text) => personsIn(text, context)));
    return Promise.resolve({ findings: context.imported ? findings.map(softened) : findings });
  },
};

function softened(finding: CheckFinding): CheckFinding {
  return finding.severity === 'refuse' ? { ...finding, severity: 'warn' } : finding;
}

function findingsIn(file: string, text: string, context: CheckContext): CheckFinding[] {
  const lines = markdownLines(text).map((line) =>
    isProse(file) ? line : { ...line, code: true, section: '' },
  );
  return [
    ...lines.flatMap((line) => lineFindings(SCOPE_RULES, file, line)),
    ...emails(file, text),
    ...homeNames(file, lines, context),
    ...(isProse(file) ? accidentFindings(file, lines, context.generated) : []),
  ];
}

/** Rules about a person, whose matches do not belong into the history either. */
const PERSONAL = new Set(['personal-path', 'bank-account', 'card-number']);
const PERSONAL_RULES = SCOPE_RULES.filter(({ rule }) => PERSONAL.has(rule));

/** What the history says may tell of the one case, but of no person and no machine. */
function personsIn(text: string, context: CheckContext): CheckFinding[] {
  const file = 'draft.json';
  const lines = markdownLines(text);
  return [
    ...lines.flatMap((line) => lineFindings(PERSONAL_RULES, file, line)),
    ...emails(file, text),
    ...homeNames(file, lines, context),
  ];
}

function lineFindings(rules: readonly ScopeRule[], file: string, line: MarkdownLine): CheckFinding[] {
  const prose = line.code ? '' : withoutQuoted(line.text);
  return rules.flatMap((rule) => {
    const shown = rule.where === 'prose' ? prose : line.text;
    return shown === '' ? [] : ruleFindings(rule, shown, file, line);
  });
}

function ruleFindings(rule: ScopeRule, shown: string, file: string, line: MarkdownLine): CheckFinding[] {
  return allMatches(shown, rule.pattern).flatMap((match) => {
    if (rule.accepts?.(match[0], shown.slice(0, match.index), line) === false) return [];
    const severity: Severity =
      rule.inCode !== undefined && isCode(line, match.index) ? rule.inCode : rule.severity;
    return [
      finding(
        rule.rule,
        severity,
        `${rule.message}: ${JSON.stringify(match[0].trim())}`,
        file,
        line.number,
        match[0],
      ),
    ];
  });
}

function isCode(line: MarkdownLine, column: number): boolean {
  return line.code || withoutQuoted(line.text).charAt(column) !== line.text.charAt(column);
}

/** Addresses of an example, and those of an office rather than of a person. */
const NOBODY = /^(?:no-?reply|user|you|your[\w.-]*|name|someone|me)@/i;
const OFFICE =
  /^(?:support|info|contact|help|hello|admin|security|abuse|sales|press|privacy|legal|billing|feedback)@/i;

function emails(file: string, text: string): CheckFinding[] {
  return findSecrets(text).flatMap(({ rule, start, end }) => {
    const address = text.slice(start, end);
    if (rule !== 'email' || NOBODY.test(address)) return [];
    const [severity, whose] = OFFICE.test(address)
      ? (['warn', 'an office'] as const)
      : (['refuse', 'somebody'] as const);
    const line = text.slice(0, start).split('\n').length;
    return [finding('email', severity, `holds the e-mail address of ${whose}`, file, line, address)];
  });
}

/** The name that the sessions' own home folders show is a person's. */
function homeNames(
  file: string,
  lines: readonly MarkdownLine[],
  { evidence = [] }: CheckContext,
): CheckFinding[] {
  const names = evidence.flatMap(({ session }) => {
    const name = /(?:\/home|\/Users|\\Users)[/\\]([\p{L}][\p{L}\p{N}._-]{2,})/u.exec(session.cwd ?? '')?.[1];
    return name === undefined || COMMON_HOMES.has(name.toLowerCase()) ? [] : [name];
  });
  return [...new Set(names)].flatMap((name) =>
    lines
      .filter(({ text }) =>
        new RegExp(`(?<![\\p{L}\\p{N}])${escapePattern(name)}(?![\\p{L}\\p{N}])`, 'iu').test(text),
      )
      .map(({ number }) =>
        finding('personal-name', 'refuse', `names a person of the session: "${name}"`, file, number, name),
      ),
  );
}

const COMMON_HOMES = new Set([
  'user',
  'ubuntu',
  'runner',
  'node',
  'root',
  'vscode',
  'shared',
  'dev',
  'app',
  'admin',
  'work',
  'test',
  'code',
  'git',
  'build',
]);

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function finding(
  rule: string,
  severity: Severity,
  message: string,
  file: string,
  line: number,
  subject: string,
): CheckFinding {
  return { rule, severity, message, file, line, subject };
}
