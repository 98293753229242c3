import { KnackError } from '../errors.ts';
import { fileText, textFile, withFile } from '../files/folder.ts';
import { setVersion } from '../skill/set-version.ts';
import { whyDeleted } from './deleted.ts';
import type { CommitOutcome, History, Ownership } from './history.ts';
import { NO_VERSION, type Recorded } from './records.ts';
import { isEmptied } from './taken-out.ts';

/**
 * Who owns a skill, by its revisions, newest first. What a person made or touched is theirs until they hand it over;
 * approval and rollback change nothing; a skill without a revision is a person's.
 */
export function ownerOf(records: readonly Pick<Recorded, 'ours' | 'actor' | 'owner'>[]): Ownership {
  const handed = records.find(({ owner }) => owner !== undefined);
  const since = handed === undefined ? records : records.slice(0, records.indexOf(handed));
  if (since.some((record) => !record.ours || record.actor === 'user')) return 'written';
  if (handed?.owner !== undefined) return handed.owner;
  if (records.length === 0) return 'written';
  // Also one that was imported where a learned one had been taken out.
  return records.some(({ actor }) => actor === 'import') ? 'imported' : 'learned';
}

const HAND_OVER = { learned: 'hand over to knack', written: 'hand over to its person' } as const;

/** Whether a revision says no more than whose the skill is. */
export function isHandOver({ owner, what }: Pick<Recorded, 'owner' | 'what'>): boolean {
  return owner !== undefined && Object.values<string>(HAND_OVER).includes(what);
}

/**
 * Hands a skill to knack (`learned`: the reviewer may change it without asking) or to its person (`written`). A commit
 * that changes the version alone. Throws `not-found` for a skill without a history.
 */
export async function handOver(
  history: History,
  skill: string,
  { owner, why }: { readonly owner: 'learned' | 'written'; readonly why: string },
): Promise<CommitOutcome> {
  const [latest] = await history.log(skill);
  await refuseDeleted(history, skill);
  if ((await history.ownership(skill)) === owner && latest !== undefined) return { kind: 'unchanged' };
  return editSkill(history, skill, { size: 'patch', what: HAND_OVER[owner], why, owner }, (text) => text);
}

/** Commits a person's change of `SKILL.md` under the next number. Throws `not-found` for a skill that is not there. */
export async function editSkill(
  history: History,
  skill: string,
  {
    size,
    ...said
  }: {
    readonly size: 'patch' | 'minor';
    readonly what: string;
    readonly why: string;
    readonly owner: Ownership;
  },
  change: (text: string) => string,
): Promise<CommitOutcome> {
  const base = await history.present(skill);
  const text = base === undefined ? undefined : fileText(base, 'SKILL.md');
  if (base === undefined) await refuseDeleted(history, skill);
  if (base === undefined || text === undefined)
    throw new KnackError(
      'not-found',
      `${skill} is not in the library now; if it was retired, \`knack skills restore ${skill}\` brings it back`,
    );
  const [latest] = await history.log(skill);
  const to = await history.nextVersion(skill, size);
  return history.commit({
    ...said,
    skill,
    base,
    target: withFile(base, 'SKILL.md', textFile(setVersion(change(text), to))),
    ...(latest === undefined ? {} : { from: latest.version }),
    to,
    actor: 'user',
    sessions: [],
    operations: [],
  });
}

/** Throws `refused` for a skill that somebody deleted without a commit. */
async function refuseDeleted(history: History, skill: string): Promise<void> {
  const deleted = await whyDeleted(history, skill);
  if (deleted !== undefined) throw new KnackError('refused', deleted);
}

/**
 * Brings a skill back that was taken out. Undefined if it is in the library; throws `not-found` for an unknown name, and
 * `refused` where sessions that were revoked had taught all of it.
 */
export async function restore(
  history: History,
  skill: string,
  why: string,
): Promise<CommitOutcome | undefined> {
  const revisions = await history.log(skill);
  const [latest] = revisions;
  const last = revisions.find(({ version }) => version !== NO_VERSION);
  if (latest?.version !== NO_VERSION || last === undefined) return undefined;
  if (isEmptied(latest))
    throw new KnackError(
      'refused',
      `all that ${skill} said came from sessions that were revoked (${latest.date.slice(0, 10)}: ${latest.why}), so nothing of it is brought back; \`knack skills rollback ${skill}\` does so all the same`,
    );
  return history.rollback(skill, last.sha, why);
}
