import { join } from 'node:path';
import { hasSystemCode, KnackError, messageOf } from '../errors.ts';
import { readOwnFile } from '../files/own-file.ts';
import type { Draft } from '../gate/draft.ts';
import type { Abstract } from './abstract.ts';
import type { LessonOutcome } from './outcome.ts';
import { lastFile, type ReviewLog } from './review-log.ts';

/** How far a review of several lessons came; nothing of either where it begins. */
export interface Progress {
  readonly lessons: readonly Abstract[];
  readonly ends: readonly LessonOutcome[];
}

export const BEGINNING: Progress = { lessons: [], ends: [] };

const FILE = 'lessons.json';

/** The id of a lesson: that of its review for the first, which is the only one of most. `index` counts from 1. */
export function lessonId(review: string, index: number): string {
  return index === 1 ? review : `${review}-${index}`;
}

/** Keeps what a session teaches, where it is several. */
export function keepLessons(log: ReviewLog, lessons: readonly Abstract[]): Promise<void> {
  return log.json(FILE, lessons);
}

/** The lessons that a review kept in its folder; none where it kept none, or not as a whole. Throws `io`. */
export async function keptLessons(dir: string): Promise<readonly Abstract[]> {
  const value = await readJson(join(dir, FILE));
  const isWhole = (each: Partial<Abstract> | null) =>
    typeof each?.skill === 'string' && typeof each.lesson === 'string' && Array.isArray(each.evidence);
  return Array.isArray(value) && value.every(isWhole) ? (value as Abstract[]) : [];
}

/** The last draft of a review or of one of its lessons; undefined where there is none. Throws `io`. */
export async function lastDraft(dir: string): Promise<Draft | undefined> {
  const name = await lastFile(dir, /^draft-\d+\.json$/);
  return name === undefined ? undefined : ((await readJson(join(dir, name))) as Draft | undefined);
}

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readOwnFile(file));
  } catch (error) {
    if (hasSystemCode(error, 'ENOENT') || error instanceof SyntaxError) return undefined;
    throw new KnackError('io', `cannot read ${file}: ${messageOf(error)}`, { cause: error });
  }
}
