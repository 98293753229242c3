import { KnackError } from '../errors.ts';
import type { GateResult } from '../gate/check.ts';
import { vetoes, vetoing } from '../gate/verdict.ts';
import type { History } from '../history/history.ts';
import { withLock } from '../history/lock.ts';
import { digestOf } from '../history/tree.ts';
import type { Library } from '../library/library.ts';
import type { Prompts } from '../model/prompts.ts';
import { isAppliedAlready } from './applied-already.ts';
import { applyChange, type Proposal, sessionsOf } from './apply.ts';
import { buildCandidate, folderAt, locateTarget, type Target } from './candidate.ts';
import { diffFolders } from './folder-diff.ts';
import { gateDraft } from './gate-draft.ts';
import type { Ledger } from './ledger.ts';
import { ownPrompts } from './own-prompts.ts';
import {
  createPendingFiles,
  evidenceOf,
  type PendingEntry,
  type PendingView,
  type StoredEntry,
} from './pending-files.ts';

export type { PendingEntry, PendingView } from './pending-files.ts';

/** A change that is to wait. */
export interface StagedProposal extends Proposal {
  readonly target: Target;
  readonly verdict: GateResult['verdict'];
  readonly why: readonly string[];
}

/** What an approval came to. Refused, it keeps waiting, or is stale; the reasons say what to do. */
export type ApprovalOutcome =
  | { readonly kind: 'committed'; readonly skill: string; readonly version: string; readonly sha: string }
  | { readonly kind: 'refused'; readonly skill: string; readonly reasons: readonly string[] };

/** The changes that wait for a person. Every state but the two final ones leads to one: approve or reject. */
export interface PendingStore {
  stage(proposal: StagedProposal): Promise<PendingEntry>;
  /** Oldest first: those that wait or are stale, with `all` also those that were answered. */
  list(options?: { all?: boolean }): Promise<PendingEntry[]>;
  /** Throws `not-found`. */
  show(id: string): Promise<PendingView>;
  /**
   * Applies the operations to what is there now, runs the static checks, and commits. A skill of a read-only root is
   * first copied as it is. What the gate asks about counts as answered, and is recorded as overridden; what it refuses
   * is refused. Throws `not-found`, and `conflict` for one that was answered before.
   */
  approve(id: string, signal?: AbortSignal): Promise<ApprovalOutcome>;
  /** Changes nothing but the entry. Throws `not-found`, and `conflict` for one that was answered before. */
  reject(id: string, why: string): Promise<PendingEntry>;
}

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

const ID_LENGTH = 6;

export function createPendingStore(parts: PendingParts): PendingStore {
  const files = createPendingFiles(parts.dir);
  return {
    async stage({ draft, title, review, gate, target, verdict, why }) {
      const entry: StoredEntry = {
        id: parts.newId().slice(0, ID_LENGTH),
        skill: target.name,
        decision: draft.decision,
        state: 'waiting',
        summary: title,
        verdict,
        created: parts.now().toISOString(),
        why,
        lesson: draft.lesson,
        review,
        sessions: sessionsOf(draft).map((session) => session.id),
        draft,
        gate,
        dir: target.dir,
        base: digestOf(target.base),
      };
      await files.write(entry);
      return published(entry);
    },
    async list(options = {}) {
      const entries = await Promise.all((await files.all()).map((entry) => withPresentState(parts, entry)));
      return entries.filter((entry) => options.all === true || !isFinal(entry)).map(published);
    },
    async show(id) {
      const entry = await withPresentState(parts, (await files.find(id)).entry);
      const view = { entry: published(entry), evidence: evidenceOf(entry.draft) };
      if (isFinal(entry)) return { ...view, diff: '' };
      const target = await locateTarget(entry.draft, parts);
      const candidate = await buildCandidate(entry.draft, target, parts.history);
      const diff =
        'faults' in candidate
          ? `${[`no longer fits ${entry.skill} as it is now:`, ...candidate.faults.map((fault) => `- ${fault.message}`)].join('\n')}\n`
          : diffFolders(target.base, candidate.folder);
      return { ...view, diff };
    },
    async approve(id, signal) {
      const { file } = await files.find(id);
      return withLock(file, async () => {
        const entry = (await files.find(id)).entry;
        if (isFinal(entry))
          throw new KnackError('conflict', `${entry.id} is ${entry.state} already; nothing was changed`);
        const outcome = await commitPending(parts, entry, signal);
        if (outcome.kind === 'committed') {
          const { version, sha } = outcome;
          await files.write({ ...entry, state: 'approved', version, sha });
          await parts.history.settled(() => parts.library.refresh());
        }
        return outcome;
      });
    },
    async reject(id, why) {
      const { file } = await files.find(id);
      return withLock(file, async () => {
        const entry = (await files.find(id)).entry;
        if (entry.state === 'approved')
          throw new KnackError(
            'conflict',
            `${entry.id} is approved already (${entry.skill} ${entry.version}); \`knack skills rollback ${entry.skill}\` takes it back`,
          );
        if (entry.state === 'rejected')
          throw new KnackError('conflict', `${entry.id} is rejected already; nothing was changed`);
        const rejected: StoredEntry = {
          ...entry,
          state: 'rejected',
          ...(why === '' ? {} : { answer: why }),
        };
        await files.write(rejected);
        return published(rejected);
      });
    },
  };
}

async function commitPending(
  parts: PendingParts,
  entry: StoredEntry,
  signal: AbortSignal | undefined,
): Promise<ApprovalOutcome> {
  const { draft, skill } = entry;
  const { library, history } = parts;
  const refused = (...reasons: string[]): ApprovalOutcome => ({ kind: 'refused', skill, reasons });
  await history.settled(() => library.refresh());
  const target = await locateTarget(draft, parts);
  if (target.place === 'elsewhere')
    return refused(
      `${skill} stands in ${target.dir}; move it to a folder named ${skill} directly in ${parts.skillsDir} and approve again`,
    );
  if (target.base !== undefined && isAppliedAlready(draft, target.base))
    return refused(`${skill} says this already; \`knack skills reject ${entry.id}\` drops the change`);
  const gate = await gateDraft(draft, target, await buildCandidate(draft, target, history), {
    library,
    title: entry.summary,
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
  const candidate = await buildCandidate(draft, place, history);
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
  return { kind: 'committed', skill, version, sha };
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
    what: `copy from the root ${target.root}`,
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
      return `${skill} has edits of yours that are not committed (${outcome.files.slice(0, 5).join(', ')}); commit them with git in the skills folder and approve again`;
    case 'unavailable':
      return `${outcome.why}, then approve again`;
  }
}

function isFinal({ state }: PendingEntry): boolean {
  return state === 'approved' || state === 'rejected';
}

async function withPresentState(parts: PendingParts, entry: StoredEntry): Promise<StoredEntry> {
  if (isFinal(entry)) return entry;
  const present = digestOf(await folderAt(entry.dir, parts));
  return { ...entry, state: present === entry.base ? 'waiting' : 'stale' };
}

function published({ draft: _, gate: __, dir: ___, base: ____, ...entry }: StoredEntry): PendingEntry {
  return entry;
}
