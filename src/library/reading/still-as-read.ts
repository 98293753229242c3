import { isDeepStrictEqual } from 'node:util';
import type { Skill } from '../../skill/skill.ts';
import type { SkillRoot } from '../library.ts';
import { type RootsReading, signatureNow } from './read-roots.ts';
import { folderStampOf, isSettled } from './stamps.ts';

/** Whether two lists of roots are the same. */
export function sameRoots(left: readonly SkillRoot[], right: readonly SkillRoot[]): boolean {
  const keys = (roots: readonly SkillRoot[]) => roots.map(({ name, dir }) => `${name}\0${dir}`).join('\n');
  return left === right || keys(left) === keys(right);
}

/**
 * Whether these skills are on disk as they were read, and nothing came to the first level of a root or went: a few looks
 * where reading again takes one for each skill. What is not sure, as of a folder that changed after `now` (milliseconds),
 * is no.
 */
export function isStillAsRead(
  { files, stamps }: Pick<RootsReading, 'files' | 'stamps'>,
  skills: readonly Skill[],
  now = Number.NEGATIVE_INFINITY,
): boolean {
  for (const [dir, stamp] of stamps)
    if (folderStampOf(dir, stamp) !== stamp || !(stamp === undefined || isSettled(stamp, now))) return false;
  return skills.every(({ path, dir }) => {
    const file = files.get(path);
    const folder = file?.folder;
    return (
      file !== undefined &&
      folder !== undefined &&
      folder.stamp === folderStampOf(dir, folder.stamp) &&
      file.signature === signatureNow({ path, beside: folder.beside }, file.signature)
    );
  });
}

/** Whether another look found everything as it was. */
export function isSameReading(left: RootsReading, right: RootsReading): boolean {
  if (left.files.size !== right.files.size || left.entries.length !== right.entries.length) return false;
  for (const [path, file] of left.files) if (right.files.get(path) !== file) return false;
  if (!isDeepStrictEqual(left.stamps, right.stamps)) return false;
  // What is refused before it is read stands in no file.
  const others = ({ entries }: RootsReading) => entries.slice(0, entries.length - left.files.size);
  return isDeepStrictEqual(others(left), others(right)) && isDeepStrictEqual(left.problems, right.problems);
}
