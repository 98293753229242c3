import { KnackError } from '../errors.ts';
import type { Folder } from '../files/folder.ts';
import { absorbedNames } from '../gate/absorbed.ts';
import type { Draft } from '../gate/draft.ts';
import { deletedByHand } from '../history/deleted.ts';
import type { CommitOutcome, History, Ownership } from '../history/history.ts';
import { NO_VERSION } from '../history/records.ts';
import type { Revision, RevisionOperation } from '../history/revision.ts';
import { mergeInto } from '../history/taken-out.ts';
import type { Library } from '../library/library.ts';
import { sessionsOf } from './sessions-of.ts';

/** The skill that a merge takes out, as it stands. */
export interface Retiring {
  readonly name: string;
  readonly base: Folder;
  /** The version that it declares. */
  readonly from?: string;
  readonly dirty: readonly string[];
  /** Why no change of it can be written now. */
  readonly blocked?: string;
  readonly owner: Ownership;
  /** What else it answers to, which goes over with its name. */
  readonly aliases: readonly string[];
}

/** Finds it and reads it from the disk. Undefined for a draft that is no merge, and where it is gone already. */
export async function locateRetiring(
  { decision, retires }: Pick<Draft, 'decision' | 'retires'>,
  { library, history }: { readonly library: Library; readonly history: History },
): Promise<Retiring | undefined> {
  if (decision !== 'merge' || retires === undefined) return undefined;
  const skill = library.find(retires);
  const { folder, dirty, owner, blocked } = await history.standing(retires);
  if (folder === undefined || skill?.name !== retires) return undefined;
  const from = skill.version === undefined ? {} : { from: skill.version };
  const aliases = absorbedNames(library, retires);
  const why = blocked === undefined ? {} : { blocked };
  return { name: retires, base: folder, ...from, dirty, ...why, owner, aliases };
}

/** Whether it may go without a person, and if not, why. */
export function whyRetiringStaged({ name, dirty, blocked, owner }: Retiring): string | undefined {
  if (blocked !== undefined) return `${name}, which would go, cannot be taken out now: ${blocked}`;
  if (dirty.length > 0)
    return `${name}, which would go, has uncommitted edits: ${dirty.slice(0, 5).join(', ')}`;
  if (owner === 'learned') return undefined;
  return `${name}, which would go, was ${owner === 'imported' ? 'imported' : 'written or edited by a person'}`;
}

/**
 * Takes out what a merge absorbed, by the second of its two commits. One commit holds one skill's paths, so a merge has
 * two, and in this order: whatever stops it between them, the retired name answers, first as the skill and by then as an
 * alias too, and `finishMerge` does the rest. It rests on the sessions of the draft, not on those that taught what moves.
 */
export function takeOut(
  history: History,
  { name, base, from }: Pick<Retiring, 'name' | 'base' | 'from'>,
  {
    into,
    review,
    gate,
    why,
    draft,
  }: {
    readonly into: string;
    readonly review: string;
    readonly gate: string;
    readonly why: string;
    readonly draft: Pick<Draft, 'operations'>;
  },
): Promise<CommitOutcome> {
  return history.commit({
    skill: name,
    base,
    target: undefined,
    ...(from === undefined ? {} : { from }),
    to: NO_VERSION,
    what: mergeInto(into),
    why,
    actor: 'reviewer',
    review,
    gate,
    sessions: sessionsOf(draft),
    operations: [],
  });
}

/**
 * Does the second half of a merge whose first is committed as `done`, if nobody changed the other skill since. Answers
 * with what a person is to be told.
 */
export async function finishMerge(
  draft: Pick<Draft, 'decision' | 'retires' | 'skill' | 'operations'> | undefined,
  done: Pick<Revision, 'skill' | 'sha' | 'review' | 'gate' | 'why'>,
  parts: { readonly library: Library; readonly history: History },
): Promise<string[]> {
  const { history, library } = parts;
  if (draft?.retires === undefined || draft.skill !== done.skill) return [];
  await history.settled(() => library.refresh());
  const retiring = await locateRetiring(draft, parts);
  if (retiring === undefined) return [];
  const all = await history.logAll();
  const since = all.slice(
    0,
    all.findIndex(({ sha }) => sha === done.sha),
  );
  if (since.some(({ skill }) => skill === retiring.name))
    return [`${retiring.name} changed after ${done.skill} had absorbed it, and stays`];
  const { review = '', gate = '', why } = done;
  const outcome = await takeOut(history, retiring, { into: done.skill, review, gate, why, draft });
  await history.settled(() => library.refresh());
  return [describeTakenOut(retiring.name, done.skill, outcome)];
}

/** What a person is told of the second commit. */
export function describeTakenOut(name: string, into: string, outcome: CommitOutcome): string {
  switch (outcome.kind) {
    case 'committed':
    case 'unchanged':
      return `${name} is retired, ${into} answers to its name`;
    case 'moved':
      return `${name} changed at this moment and stays; \`knack skills retire ${name}\` takes it out`;
    case 'dirty':
      if (outcome.deleted !== undefined) return deletedByHand(name, outcome.deleted);
      return `${name} has uncommitted edits and stays: ${outcome.files.slice(0, 5).join(', ')}`;
    case 'unavailable':
      return `${name} stays: ${outcome.why}`;
  }
}

/** The operations of a merge, where a text that moved rests on the turns that taught it where it comes from. */
export async function withOrigins(
  operations: readonly RevisionOperation[],
  draft: Draft,
  history: History,
): Promise<readonly RevisionOperation[]> {
  if (draft.decision !== 'merge' || draft.retires === undefined) return operations;
  const texts = draft.operations.filter(({ skill }) => skill === draft.skill).map(({ text = '' }) => text);
  const lines = await history.blame(draft.retires).catch((error: unknown) => {
    // It was never committed.
    if (error instanceof KnackError && error.code === 'not-found') return [];
    throw error;
  });
  return operations.map((operation, index) => {
    if (operation.evidence.length > 0) return operation;
    const moved = new Set((texts[index] ?? '').split('\n').map((line) => line.trim()));
    const evidence = lines.flatMap(({ text, session, events, quote = '' }) =>
      session === undefined || text.trim() === '' || !moved.has(text.trim())
        ? []
        : [{ session, event: events?.[0] ?? '', quote }],
    );
    return { ...operation, evidence };
  });
}
