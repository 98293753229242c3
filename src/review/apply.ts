import type { GateResult } from '../gate/check.ts';
import type { Draft } from '../gate/draft.ts';
import { gateLine } from '../gate/verdict.ts';
import type { CommitOutcome, History } from '../history/history.ts';
import { NO_VERSION } from '../history/records.ts';
import type { Change } from '../history/revision.ts';
import type { Trust } from '../history/trust.ts';
import { createRedactor } from '../transcript/redact.ts';
import type { Candidate, Target } from './candidate.ts';
import { sessionsOf } from './sessions-of.ts';

/** A draft with all that its commit says of it. */
export interface Proposal {
  readonly draft: Draft;
  /** Subject line: the change in a few words. */
  readonly title: string;
  readonly review: string;
  readonly gate: string;
  readonly overrides?: Change['overrides'];
  /** Of each operation of the draft; see `trustsOf`. */
  readonly trusts?: readonly (Trust | undefined)[];
}

/** The longest subject text of a commit. */
const LONGEST_TITLE = 72;

/** Whether the change may be committed without a person, and if not, why. */
export function whyStaged(
  { decision }: Pick<Draft, 'decision'>,
  target: Target,
  gate: GateResult,
  autonomy: 'commit' | 'propose' | 'off',
): string | undefined {
  if (gate.verdict === 'ask') return 'the gate asks for a person';
  if (autonomy !== 'commit') return `review.autonomy is "${autonomy}"`;
  if (target.place === 'read-only')
    return `${target.name} comes from the read-only root ${target.root}; on approval it is copied into the workspace`;
  if (target.place === 'elsewhere')
    return `${target.name} does not stand in a folder of its name directly in the workspace's skills (${target.dir})`;
  // No other check sees whether the quotes speak against the whole of it.
  if (decision === 'retire' && gate.notRun.some(({ check }) => check === 'judge'))
    return `${target.name} would be retired, and no judge looked at it`;
  if (target.base === undefined) return undefined;
  if (target.dirty.length > 0)
    return `${target.name} has uncommitted edits: ${target.dirty.slice(0, 5).join(', ')}`;
  if (target.owner === 'learned') return undefined;
  return target.owner === 'imported'
    ? `${target.name} was imported`
    : `${target.name} was written or edited by a person`;
}

const redactor = createRedactor();

/**
 * Commits a candidate as one revision, with its operations and the turns that taught them, redacted. A skill to retire
 * is taken out by it; the turns then stand in its words, since no line is left that would rest on them.
 */
export function applyChange(
  history: History,
  target: Target,
  candidate: Exclude<Candidate, { faults: unknown }>,
  proposal: Proposal,
): Promise<CommitOutcome> {
  const { draft } = proposal;
  const isRetired = draft.decision === 'retire';
  return history.commit({
    skill: target.name,
    base: target.base,
    target: isRetired ? undefined : candidate.folder,
    ...(target.from === undefined ? {} : { from: target.from }),
    to: isRetired ? NO_VERSION : candidate.version,
    what: shortTitle(proposal.title),
    why: redactor.text(isRetired ? whyRetired(draft) : draft.lesson),
    actor: 'reviewer',
    review: proposal.review,
    sessions: sessionsOf({
      operations: isRetired ? draft.operations : [...draft.operations, ...candidate.operations],
    }),
    operations: isRetired ? [] : redactor.value(candidate.operations),
    gate: proposal.gate,
    ...(proposal.overrides === undefined ? {} : { overrides: proposal.overrides }),
  });
}

/** A proposal as it stands after the gate. */
export function proposalOf(draft: Draft, title: string, review: string, gate: GateResult): Proposal {
  return { draft, title: shortTitle(title), review, gate: gateLine(gate) };
}

function shortTitle(title: string): string {
  const line = redactor.text(title).replace(/\s+/g, ' ').trim();
  if (line.length <= LONGEST_TITLE) return line;
  const cut = line.slice(0, LONGEST_TITLE + 1);
  return cut.slice(0, cut.lastIndexOf(' ') > 20 ? cut.lastIndexOf(' ') : LONGEST_TITLE);
}

function whyRetired({ lesson, operations }: Draft): string {
  const places = operations.map(({ anchor = '', evidence }) =>
    [
      `- wrong: ${anchor.replace(/\s+/g, ' ').trim()}`,
      ...evidence.map(
        ({ session, event, quote }) => `  by ${event} of ${session}: ${quote.replace(/\s+/g, ' ')}`,
      ),
    ].join('\n'),
  );
  return [lesson, '', ...places].join('\n');
}
