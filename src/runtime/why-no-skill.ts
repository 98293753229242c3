import { KnackError } from '../errors.ts';
import { whyDeleted } from '../history/deleted.ts';
import type { History } from '../history/history.ts';
import type { Revision } from '../history/revision.ts';
import { isEmptied } from '../history/taken-out.ts';
import { isName } from '../history/written-name.ts';
import { brokenSkills } from '../library/broken-skills.ts';
import type { Library } from '../library/library.ts';
import { normaliseName } from '../skill/name.ts';

/**
 * Why no skill answers to a name, as the `not-found` to throw: it is broken, was taken out, was deleted by hand, or
 * never was. Without `history` only the library is asked.
 */
export async function whyNoSkill(
  name: string,
  library: Library,
  history: (() => Promise<History>) | undefined,
): Promise<KnackError> {
  const broken = brokenSkills(library).find((each) => each.name === normaliseName(name));
  if (broken !== undefined) return new KnackError('not-found', broken.message);
  const past = await pastOf(name, await history?.().catch(undefinedWithoutGit));
  if (past !== undefined) return new KnackError('not-found', past);
  const near = library.suggest(name);
  const hint =
    near.length === 0
      ? '; `knack skills list` shows those that there are'
      : `; did you mean ${near.join(', ')}?`;
  return new KnackError('not-found', `there is no skill "${name}"${hint}`);
}

async function pastOf(name: string, history: History | undefined): Promise<string | undefined> {
  const latest = await lastRevision(history, name);
  if (history === undefined || latest === undefined) return undefined;
  if (latest.version === 'none') {
    const taken = `${name} was taken out of the library on ${latest.date.slice(0, 10)}`;
    return isEmptied(latest)
      ? `${taken}: all that it said came from sessions that were revoked, so nothing of it is brought back`
      : `${taken}; \`knack skills restore ${name}\` brings it back`;
  }
  return whyDeleted(history, name);
}

/** A library can be looked at without git. */
function undefinedWithoutGit(error: unknown): undefined {
  if (!(error instanceof KnackError && error.code === 'git-missing')) throw error;
}

/** Undefined for a name without a history, and for what is no name of a skill. */
async function lastRevision(history: History | undefined, name: string): Promise<Revision | undefined> {
  if (history === undefined || !isName(name)) return undefined;
  try {
    return (await history.log(name))[0];
  } catch (error) {
    if (error instanceof KnackError && error.code === 'not-found') return undefined;
    throw error;
  }
}
