import { KnackError } from '../errors.ts';
import type { GateResult } from '../gate/check.ts';
import { withLock } from '../history/lock.ts';
import { digestOf } from '../history/tree.ts';
import type { Proposal } from './apply.ts';
import { type ApprovalOutcome, commitPending, type PendingParts } from './approve-pending.ts';
import { buildCandidate, folderAt, locateTarget, type Target } from './candidate.ts';
import { diffFolders } from './folder-diff.ts';
import {
  createPendingFiles,
  evidenceOf,
  type PendingEntry,
  type PendingView,
  type StoredEntry,
} from './pending-files.ts';
import { locateRetiring } from './retiring.ts';
import { sessionsOf } from './sessions-of.ts';

export type { ApprovalOutcome, PendingParts } from './approve-pending.ts';
export type { PendingEntry, PendingView } from './pending-files.ts';

/** A change that is to wait. */
export interface StagedProposal extends Proposal {
  readonly target: Target;
  readonly verdict: GateResult['verdict'];
  readonly why: readonly string[];
}

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

const ID_LENGTH = 6;

export function createPendingStore(parts: PendingParts): PendingStore {
  const files = createPendingFiles(parts.dir);
  return {
    async stage({ draft, title, review, gate, target, verdict, why, trusts = [] }) {
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
        trusts: trusts.map((trust) => trust ?? 'unknown'),
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
      const retiring = await locateRetiring(entry.draft, parts);
      const candidate = await buildCandidate(entry.draft, target, { history: parts.history, retiring });
      const diff =
        'faults' in candidate
          ? `${[`no longer fits ${entry.skill} as it is now:`, ...candidate.faults.map((fault) => `- ${fault.message}`)].join('\n')}\n`
          : diffFolders(target.base, entry.decision === 'retire' ? new Map() : candidate.folder);
      const goes = retiring && `${retiring.name} goes; ${entry.skill} answers to its name\n`;
      return { ...view, diff: `${diff}${goes ?? ''}` };
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

function isFinal({ state }: PendingEntry): boolean {
  return state === 'approved' || state === 'rejected';
}

async function withPresentState(parts: PendingParts, entry: StoredEntry): Promise<StoredEntry> {
  if (isFinal(entry)) return entry;
  const present = digestOf(await folderAt(entry.dir, parts));
  return { ...entry, state: present === entry.base ? 'waiting' : 'stale' };
}

function published({
  draft: _,
  gate: __,
  dir: ___,
  base: ____,
  trusts: _____,
  ...entry
}: StoredEntry): PendingEntry {
  return entry;
}
