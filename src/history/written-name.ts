import { basename } from 'node:path';
import { KnackError } from '../errors.ts';

/** Whether history writes a skill of this name, and asks git about it. */
export function isName(skill: string): boolean {
  return /^[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*$/u.test(skill);
}

/** Throws `refused` for a name that history does not write. */
export function checkName(skill: string): void {
  if (!isName(skill))
    throw new KnackError(
      'refused',
      `"${skill}" is no name of a skill that knack writes: letters, digits and single hyphens`,
    );
}

/** Whether this can name a folder of the root, and is no path. */
export function isFolderName(skill: string): boolean {
  return basename(skill) === skill && !/^\.*$/.test(skill);
}
