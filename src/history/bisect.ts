import { KnackError } from '../errors.ts';
import type { Folder } from '../files/folder.ts';
import type { History } from './history.ts';
import { NO_VERSION } from './records.ts';
import type { Revision } from './revision.ts';
import { digestOf } from './tree.ts';

/** What a trial says of one version: `skip` where it cannot tell. */
export type Trial = 'good' | 'bad' | 'skip';

export interface BisectResult {
  /** The first version that fails after `before`. */
  readonly broken: Revision;
  /** The last one before it that passes; versions between them could not be told. */
  readonly before: Revision;
  readonly untold: readonly Revision[];
  readonly trials: number;
}

/**
 * Finds a revision with which a trial began to fail: the one before it that can be told passes. It goes back from the
 * newest in growing steps until one passes, and halves between; so a fault that came, went and came again is found where
 * it came last. A revision that brings older files back counts as the one that had them first. Throws `refused` where
 * the newest does not fail, or none before it passes.
 */
export async function bisect(
  history: History,
  skill: string,
  trial: (folder: Folder, revision: Revision) => Promise<Trial>,
): Promise<BisectResult> {
  const revisions = await distinctOf(history, skill);
  const verdicts = new Map<number, Trial>();
  const revisionAt = (index: number): Revision => {
    const revision = revisions[index];
    if (revision === undefined) throw new KnackError('not-found', `${skill} has no version to try`);
    return revision;
  };
  const at = async (index: number): Promise<Trial> => {
    const revision = revisionAt(index);
    const verdict =
      verdicts.get(index) ?? (await trial(await history.folderAt(skill, revision.sha), revision));
    verdicts.set(index, verdict);
    return verdict;
  };
  const newest = revisions.length - 1;
  const last = await at(newest);
  if (last !== 'bad')
    throw new KnackError(
      'refused',
      last === 'good'
        ? `nothing to find: the newest version of ${skill} passes, so nothing broke`
        : `nothing to find: the newest version of ${skill} cannot be told`,
    );
  let good = await passingBefore(newest, at);
  if (good === undefined) {
    const cut = await history.cut(skill);
    throw new KnackError(
      'refused',
      `no earlier version of ${skill} passes, ${cut === undefined ? 'so no version broke it' : `but ${cut}`}`,
    );
  }
  let bad = Math.min(
    ...[...verdicts].flatMap(([index, verdict]) =>
      verdict === 'bad' && index > Number(good) ? [index] : [],
    ),
  );
  for (let next = middle(good, bad, verdicts); next !== undefined; next = middle(good, bad, verdicts)) {
    const verdict = await at(next);
    if (verdict === 'good') good = next;
    else if (verdict === 'bad') bad = next;
  }
  return {
    broken: revisionAt(bad),
    before: revisionAt(good),
    untold: revisions.slice(good + 1, bad),
    trials: verdicts.size,
  };
}

/** The revisions up to the files that stand now, oldest first, those with the same files once: where they came first. */
async function distinctOf(history: History, skill: string): Promise<Revision[]> {
  const places = new Map<string, Revision>();
  let latest = '';
  for (const revision of (await history.log(skill)).reverse()) {
    if (revision.version === NO_VERSION) continue;
    latest = digestOf(await history.folderAt(skill, revision.sha));
    if (!places.has(latest)) places.set(latest, revision);
  }
  return [...places.values()].slice(0, [...places.keys()].indexOf(latest) + 1);
}

/** One that passes: in steps of 1, 2, 4, … back, and where those are of no help any. */
async function passingBefore(
  newest: number,
  at: (index: number) => Promise<Trial>,
): Promise<number | undefined> {
  const steps: number[] = [];
  for (let back = 1; newest - back > 0; back *= 2) steps.push(newest - back);
  const rest = [...Array(newest).keys()].reverse().filter((index) => index > 0 && !steps.includes(index));
  for (const index of [...steps, ...(newest > 0 ? [0] : []), ...rest])
    if ((await at(index)) === 'good') return index;
  return undefined;
}

/** The middle of those between that were not tried. */
function middle(good: number, bad: number, verdicts: ReadonlyMap<number, Trial>): number | undefined {
  const open = [...Array(bad - good - 1).keys()]
    .map((step) => good + 1 + step)
    .filter((index) => !verdicts.has(index));
  return open[Math.floor(open.length / 2)];
}
