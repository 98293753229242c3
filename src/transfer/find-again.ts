import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Origin } from '../history/revision.ts';
import type { OpenSource } from './fetch.ts';
import { type FoundSkill, findInSource, type SourceContent } from './find.ts';
import { type Source, sourceName, sourceText } from './source.ts';
import type { Imported, Updated } from './update.ts';

const MOST_NEW = 5;

/** What the source holds and nothing here was taken from: one of them may be what a skill is called now. */
function newThere(
  skills: readonly FoundSkill[],
  taken: readonly Imported[],
  { source, ref }: Origin,
): string {
  const paths = new Set(taken.map(({ origin }) => placeOf(skills, origin)?.path));
  const fresh = skills.filter(({ path }) => !paths.has(path)).map(({ name }) => name);
  if (fresh.length === 0) return '';
  const more = fresh.length > MOST_NEW ? ` and ${fresh.length - MOST_NEW} more` : '';
  return `. New there, if it was renamed: ${fresh.slice(0, MOST_NEW).join(', ')}${more}; knack skills add ${source}${ref === undefined ? '' : `#${ref}`} --skill ${fresh[0]} adds it`;
}

function placeOf(skills: readonly FoundSkill[], { path, name }: Origin): FoundSkill | undefined {
  return skills.find((skill) => skill.path === path) ?? skills.find((skill) => skill.name === name);
}

/**
 * Finds skills of a source where they were, else by their name; the source is read as a whole once at most. `taken` are
 * all that came from it.
 */
export function finder(
  open: OpenSource,
  source: Source,
  { signal, taken }: { signal: AbortSignal; taken: () => Promise<readonly Imported[]> },
): (origin: Origin) => Promise<FoundSkill | Pick<Updated, 'outcome' | 'reason'>> {
  let all: Promise<SourceContent> | undefined;
  const name = sourceName(source);
  return async (origin) => {
    const there = existsSync(join(open.dir, origin.path))
      ? await findInSource(open, { name, within: origin.path, signal })
      : undefined;
    const same = there?.skills.find(({ path }) => path === origin.path);
    if (same !== undefined) return same;
    const fault = there?.faults.find(({ path }) => path === origin.path);
    if (fault !== undefined)
      return {
        outcome: 'failed',
        reason: `${fault.path === '' ? '' : `${fault.path} of `}${sourceText(source)}: ${fault.reason}`,
      };
    all ??= findInSource(open, { name, signal });
    const { skills } = await all;
    const moved = skills.find((skill) => skill.name === origin.name);
    return (
      moved ?? {
        outcome: 'removed-at-source',
        reason: `the source has no skill "${origin.name}" any more; the one here stays as it is${newThere(skills, await taken(), origin)}`,
      }
    );
  };
}
