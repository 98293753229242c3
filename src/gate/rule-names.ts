import { nearNames } from '../library/near-names.ts';
import { CHECK_IDS } from './check.ts';

/** The rule of a check that failed itself, whichever it is. */
const OF_ALL = ['check-failed'];

/** Every rule that a finding of a check may have. */
export const RULES_BY_CHECK = {
  format:
    'adds-too-much broken-link dangling-related description-without-what description-without-when folder-too-large leaves-dangling link-outside loses-name missing-file not-loadable not-strict script-broken script-unparsed tests-file too-long tools-file triggers-file',
  bounds:
    'allowed-tools-widened anchor-ambiguous anchor-missing context-collapse draft-not-applied field-not-settable file-missing leaves-dangling loses-file name-changed name-reserved outside-skill overwrites-file retire-edits retire-without-place section-full skill-exists skill-unknown triggers-written unexplained-change unfit-path unreadable unspoken-removal',
  evidence:
    'event-unknown fact-from-failure fact-without-source negative-from-failure negative-without-proof no-evidence preference-without-user procedure-without-success quote-not-found quote-too-short session-unknown tool-authority',
  scope:
    'bank-account card-number commit-hash date email environment-accident one-off-narrative personal-name personal-path redacted-value ticket transient-error',
  safety:
    'coercive-wording control-character crypto-mining destroys-data disables-safeguard download-and-run exfiltration fake-prerequisite hidden-unicode hides-from-user injected-instruction made-up-secret own-prompt payment-redirect persistence reverse-shell secret untrusted-index',
  novelty: 'alias-taken name-collision name-reserved near-duplicate said-already similar-skill',
  retrieval: 'claims-query found-wrongly not-found steals-query takes-first-place',
  tests: 'no-sandbox test-broken test-changed test-failed test-failed-before test-removed untested-tool',
  judge:
    'judge-contradicts judge-cut judge-differs judge-follows judge-general judge-harmful judge-malformed judge-no-better judge-shown judge-undone judge-understood judge-unseen judge-worst-defect judge-worth',
  replay: 'replay-tie replay-worse',
} satisfies Record<(typeof CHECK_IDS)[number], string>;

const NAMES = [
  ...new Set([...OF_ALL, ...Object.values(RULES_BY_CHECK).flatMap((names) => names.split(' '))]),
];

/** What is wrong with the name of a rule, as `rule` or `check/rule`, and which was meant; undefined where there is one. */
export function ruleFault(given: string): string | undefined {
  const [, check, rule = ''] = /^(?:([^/]*)\/)?(.*)$/s.exec(given) ?? [];
  if (check !== undefined && !CHECK_IDS.some((id) => id === check))
    return `there is no check ${JSON.stringify(check)}; there are ${CHECK_IDS.join(', ')}`;
  if (NAMES.includes(rule)) return undefined;
  const near = nearNames(rule, NAMES);
  return `the gate has no rule ${JSON.stringify(rule)}; ${near.length > 0 ? `did you mean ${near.join(', ')}?` : 'each finding names its own, as in safety/download-and-run'}`;
}
