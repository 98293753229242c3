import { KnackError } from '../errors.ts';
import type { Folder } from '../folder.ts';
import type { History } from './history.ts';
import { NO_VERSION } from './records.ts';
import type { Revision } from './revision.ts';

/** What a trial says of one version: `skip` where it cannot tell. */
export type Trial = 'good' | 'bad' | 'skip';

export interface BisectResult {
  /** The first version that fails. */
  readonly broken: Revision;
  /** The last one before it that passes; versions between them could not be told. */
  readonly before: Revision;
  readonly untold: readonly Revision[];
  readonly trials: number;
}

/**
 * Finds the revision with which a trial began to fail, by halving. The newest version must fail and the oldest pass;
 * throws `refused` where they do not, with what was found.
 */
export async function bisect(
  history: History,
  skill: string,
  trial: (folder: Folder, revision: Revision) => Promise<Trial>,
): Promise<BisectResult> {
  const revisions = (await history.log(skill)).filter(({ version }) => version !== NO_VERSION).reverse();
  const verdicts = new Map<number, Trial>();
  const at = async (index: number): Promise<Trial> => {
    const revision = revisions[index];
    if (revision === undefined) throw new KnackError('not-found', `${skill} has no version to try`);
    const known = verdicts.get(index);
    if (known !== undefined) return known;
    const verdict = await trial(await history.folderAt(skill, revision.sha), revision);
    verdicts.set(index, verdict);
    return verdict;
  };
  let [good, bad] = [0, revisions.length - 1];
  if ((await at(bad)) !== 'bad')
    throw new KnackError(
      'refused',
      `nothing to find: the newest version of ${skill} passes, so nothing broke`,
    );
  if ((await at(good)) !== 'good')
    throw new KnackError(
      'refused',
      `the first version of ${skill} does not pass either, so no version broke it`,
    );
  const untold = new Set<number>();
  const middle = () => {
    const open = [...Array(bad - good - 1).keys()]
      .map((step) => good + 1 + step)
      .filter((each) => !untold.has(each));
    return open[Math.floor(open.length / 2)];
  };
  for (let next = middle(); next !== undefined; next = middle()) {
    const verdict = await at(next);
    if (verdict === 'skip') untold.add(next);
    else if (verdict === 'good') good = next;
    else bad = next;
  }
  const [broken, before] = [revisions[bad], revisions[good]];
  if (broken === undefined || before === undefined)
    throw new KnackError('not-found', `${skill} has no versions`);
  return {
    broken,
    before,
    untold: revisions.filter((_, index) => index > good && index < bad),
    trials: verdicts.size,
  };
}
