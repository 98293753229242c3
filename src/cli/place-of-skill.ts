import { lstatSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { KnackError } from '../errors.ts';
import type { SkillRoot } from '../library/library.ts';
import { normaliseName } from '../skill/name.ts';
import type { CommandContext } from './command.ts';
import { withLookingRuntime } from './with-runtime.ts';

/** Where what was asked for stands; absolute. */
export interface SkillPlace {
  readonly place: string;
  /** Of a skill that was asked for by name: its root, where that is only read. */
  readonly readOnlyRoot?: string;
  readonly isByName: boolean;
}

/**
 * Each of them as a path, or where there is nothing as the name of a skill of the library, also of one that cannot be
 * read. Throws `not-found` for what is neither.
 */
export async function placesOf(context: CommandContext, given: readonly string[]): Promise<SkillPlace[]> {
  const paths = given.map((path) => ({ path, place: resolve(context.cwd, path) }));
  const isThere = (place: string) => lstatSync(place, { throwIfNoEntry: false }) !== undefined;
  if (paths.every(({ place }) => isThere(place)))
    return paths.map(({ place }) => ({ place, isByName: false }));
  return withLookingRuntime(context, async (runtime) => {
    const library = await runtime.library();
    return paths.map(({ path, place }) => {
      if (isThere(place)) return { place, isByName: false };
      if (path.includes('/')) throw new KnackError('not-found', `${place} does not exist`);
      const name = normaliseName(path);
      const skill = library.find(path);
      if (skill !== undefined) return named(skill.dir, library.rootOf(skill));
      const broken = library.entries.find(
        (entry) => entry.state === 'refused' && normaliseName(basename(dirname(entry.path))) === name,
      );
      if (broken?.state === 'refused') return named(broken.path, broken.root);
      const near = library.suggest(path);
      throw new KnackError(
        'not-found',
        `${place} does not exist, and the library has no skill ${JSON.stringify(path)}${near.length > 0 ? `; did you mean ${near.join(', ')}?` : '; knack skills list shows those that there are'}`,
      );
    });
  });
}

function named(place: string, { writable, dir }: SkillRoot): SkillPlace {
  return { place, isByName: true, ...(writable ? {} : { readOnlyRoot: dir }) };
}
