import { type Stats, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { hasSystemCode } from '../../errors.ts';

/**
 * Numbers that a file or folder has as long as it is as it was: four of each file, times in milliseconds. Numbers and no
 * text, as the text of each would take longer to make than the file system takes to tell.
 */
export type Stamp = readonly number[];

/** Milliseconds in which a file can change again without its times telling. */
const TICK = 2000;
/** Where the time of a change stands in the first four, and how far from there it is to that of the next file. */
const CHANGED_AT = 2;
const NEXT = 5;
const GONE: Stamp = [-1, -1, -1, -1];

/** What tells that nothing came into a folder or went; undefined for one that cannot be looked at. `known` itself if it is the same. */
export function folderStampOf(path: string, known?: Stamp): Stamp | undefined {
  const found = statOf(path);
  return found && knownOr(known, [found.dev, found.mtimeMs, found.ctimeMs, found.ino]);
}

/**
 * What tells that a file and those that belong to it, by their places below its folder, have not changed. What is not
 * there is told by that. `known` itself if it is the same.
 */
export function signatureOf(
  path: string,
  others: readonly (string | undefined)[],
  known: Stamp | undefined,
): Stamp {
  const found = statOf(path);
  const signature = found === undefined ? [...GONE] : [found.size, found.mtimeMs, found.ctimeMs, found.ino];
  for (const [index, other] of others.entries()) {
    const beside = other === undefined ? undefined : statOf(join(dirname(path), other));
    if (beside !== undefined) signature.push(index, beside.size, beside.mtimeMs, beside.ctimeMs, beside.ino);
  }
  return knownOr(known, signature);
}

/**
 * Whether all that is stamped last changed well before `now` (milliseconds). By the time that nobody sets at will: with
 * one that lies ahead of the clock nothing is settled.
 */
export function isSettled(stamp: Stamp, now: number): boolean {
  for (let at = CHANGED_AT; at < stamp.length; at += NEXT) if (!((stamp[at] ?? 0) < now - TICK)) return false;
  return true;
}

export function isSameStamp(left: Stamp, right: Stamp): boolean {
  return left === right || (left.length === right.length && left.every((number, at) => number === right[at]));
}

function knownOr(known: Stamp | undefined, found: Stamp): Stamp {
  return known !== undefined && isSameStamp(known, found) ? known : found;
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (hasSystemCode(error, 'EACCES', 'ENOTDIR', 'ELOOP')) return undefined;
    throw error;
  }
}
