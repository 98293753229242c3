import { vetoes, vetoing } from '../gate/verdict.ts';
import { copyLine } from '../history/copied.ts';
import { deletedByHand, whyDeleted } from '../history/deleted.ts';
import type { History } from '../history/history.ts';
import type { Override } from '../history/revision.ts';
import { digestOf } from '../history/tree.ts';
import { isTrust } from '../history/trust.ts';
import type { Library } from '../library/library.ts';
import type { Prompts } from '../model/prompts.ts';
import { isAppliedAlready } from './applied-already.ts';
import { applyChange } from './apply.ts';
import { buildCandidate, locateTarget, type Target } from './candidate.ts';
import { gateDraft } from './gate-draft.ts';
import type { Ledger } from './ledger.ts';
import { ownPrompts } from './own-prompts.ts';
import type { StoredEntry } from './pending-files.ts';
import { finishMerge, locateRetiring } from './retiring.ts';

/** What an approval came to. Refused, it keeps waiting, or is stale; the reasons say what to do. */
export type ApprovalOutcome =
  | {
      readonly kind: 'committed';
      readonly skill: string;
      readonly version: string;
      readonly sha: string;
      /** What of the gate was let pass by it. */
      readonly overrides?: readonly Override[];
      /** Of a merge: what became of the skill that goes. */
      readonly notes?: readonly string[];
    }
  | { readonly kind: 'refused'; readonly skill: string; readonly reasons: readonly string[] };

/** What pending changes are kept and approved with. */
export interface PendingParts {
  /** Where the entries are kept. */
  readonly dir: string;
  /** The writable root. */
  readonly skillsDir: string;
  readonly library: Library;
  readonly history: History;
  readonly ledger: Ledger;
  readonly prompts: Prompts;
  readonly path?: string;
  readonly now: () => Date;
  readonly newId: () => string;
}

/** Has the gate look at a pending change as things are now, and commits it. */
export async function commitPending(
  parts: PendingParts,
  entry: StoredEntry,
  signal: AbortSignal | undefined,
): Promise<ApprovalOutcome> {
  const { draft, skill } = entry;
  const { library, history } = parts;
  const refused = (...reasons: string[]): ApprovalOutcome => ({ kind: 'refused', skill, reasons });
  await history.settled(() => library.refresh());
  const deleted = await whyDeleted(history, skill);
  if (deleted !== undefined) return refused(deleted);
  const target = await locateTarget(draft, parts);
  if (target.place === 'elsewhere')
    return refused(
      `${skill} stands in ${target.dir}; move it to a folder named ${skill} directly in ${parts.skillsDir} and approve again`,
    );
  const half = await finishedHere(parts, entry);
  if (half !== undefined) return half;
  if (target.base !== undefined && isAppliedAlready(draft, target.base))
    return refused(`${skill} says this already; \`knack skills reject ${entry.id}\` drops the change`);
  const retiring = await locateRetiring(draft, parts);
  if (draft.decision === 'merge' && retiring === undefined)
    return refused(
      `there is no skill ${draft.retires} any more; \`knack skills reject ${entry.id}\` drops the change`,
    );
  if (retiring?.blocked !== undefined)
    return refused(whyNotCommitted(retiring.name, { kind: 'unavailable', why: retiring.blocked }));
  if (retiring !== undefined && retiring.dirty.length > 0)
    return refused(whyNotCommitted(retiring.name, { kind: 'dirty', files: retiring.dirty }));
  const gate = await gateDraft(draft, target, await buildCandidate(draft, target, { history, retiring }), {
    library,
    title: entry.summary,
    ...(retiring === undefined ? {} : { retires: retiring.base }),
    ownPrompts: await ownPrompts(parts.prompts),
    ...(parts.path === undefined ? {} : { path: parts.path }),
    ...(signal === undefined ? {} : { signal }),
  });
  if (gate.verdict === 'reject') {
    const moved = entry.base === digestOf(target.base) ? [] : [`${skill} changed since this was drafted`];
    return refused(...moved, ...vetoes(gate), `\`knack skills reject ${entry.id}\` drops it`);
  }
  const overrides = vetoing(gate).map(({ check, rule }) => ({
    rule: `${check}/${rule}`,
    why: 'approved by a person',
  }));
  const place = target.place === 'read-only' ? await copyIntoWorkspace(parts, target, entry) : target;
  if ('kind' in place) return place;
  const trusts = entry.trusts?.map((trust) => (isTrust(trust) ? trust : undefined));
  const candidate = await buildCandidate(draft, place, { history, retiring, trusts });
  if ('faults' in candidate) return refused(...candidate.faults.map((fault) => fault.message));
  const outcome = await applyChange(history, place, candidate, {
    draft,
    title: entry.summary,
    review: entry.review,
    gate: `${entry.gate}; approved by a person`,
    ...(overrides.length > 0 ? { overrides } : {}),
  });
  if (outcome.kind !== 'committed') return refused(whyNotCommitted(skill, outcome));
  for (const override of overrides)
    await parts.ledger.append({ type: 'override', at: parts.now().toISOString(), skill, ...override });
  const { version, sha } = outcome.revision;
  const told = await finishMerge(draft, outcome.revision, parts);
  return {
    kind: 'committed',
    skill,
    version,
    sha,
    ...(overrides.length > 0 ? { overrides } : {}),
    ...(told.length > 0 ? { notes: told } : {}),
  };
}

/** A merge whose approval was cut off after the first of its two commits: the other half. */
async function finishedHere(parts: PendingParts, entry: StoredEntry): Promise<ApprovalOutcome | undefined> {
  const { draft, skill, review, summary } = entry;
  if (draft.decision !== 'merge') return undefined;
  const revisions = await parts.history.logAll();
  const done = revisions.find(
    (each) => each.review === review && each.skill === skill && each.what === summary,
  );
  if (done === undefined) return undefined;
  const notes = await finishMerge(draft, done, parts);
  return { kind: 'committed', skill, version: done.version, sha: done.sha, notes };
}

/** Commits a read-only root's skill as it is, so that the change after it shows for what it is and its owner stays. */
async function copyIntoWorkspace(
  parts: PendingParts,
  target: Target,
  entry: StoredEntry,
): Promise<Target | ApprovalOutcome> {
  const { skill } = entry;
  if (target.base === undefined)
    return { kind: 'refused', skill, reasons: [`${target.dir} is no longer there`] };
  const outcome = await parts.history.commit({
    skill: target.name,
    base: undefined,
    target: target.base,
    to: target.from ?? '1.0.0',
    what: copyLine(target.root ?? ''),
    why: `A change of it was approved (${entry.id}), and the root it comes from is read-only.`,
    actor: 'import',
    sessions: [],
    operations: [],
  });
  if (outcome.kind !== 'committed')
    return { kind: 'refused', skill, reasons: [whyNotCommitted(skill, outcome)] };
  await parts.history.settled(() => parts.library.refresh());
  return locateTarget(entry.draft, parts);
}

function whyNotCommitted(
  skill: string,
  outcome: Exclude<Awaited<ReturnType<History['commit']>>, { kind: 'committed' }>,
): string {
  switch (outcome.kind) {
    case 'unchanged':
      return `${skill} says this already; reject the change to drop it`;
    case 'moved':
      return `${skill} changed at this moment; look at it and approve again`;
    case 'dirty':
      if (outcome.deleted !== undefined) return deletedByHand(skill, outcome.deleted);
      return `${skill} has edits of yours that are not committed (${outcome.files.slice(0, 5).join(', ')}); commit them with git in the skills folder and approve again`;
    case 'unavailable':
      return `${outcome.why}, then approve again`;
  }
}
