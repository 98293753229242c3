import { type Folder, type FolderFile, fileText, textFile } from '../folder.ts';
import { hunksOf, linesKept } from '../text-diff.ts';
import type { Revision, RevisionOperation } from './revision.ts';

/** What one revision did, with the folder before and after it. */
export interface DoneRevision {
  readonly revision: Pick<Revision, 'operations' | 'sessions'>;
  readonly before: Folder | undefined;
  readonly after: Folder;
}

/**
 * The present folder without what one revision learned from this session alone: its lines go, and what they took the
 * place of comes back. Lines that somebody changed since stay as they are, as do those that another session taught too.
 * Front matter that the revision made is kept; a file that it made goes once nothing of it is left.
 */
export function undoRevision(present: Folder, done: DoneRevision, session: string): Folder {
  const files = new Map<string, FolderFile>(present);
  const { operations, sessions } = done.revision;
  const isAlone = sessions.every(({ id }) => id === session);
  const mine = operations.filter((operation) => isTaughtOnlyBy(operation, session));
  for (const path of new Set([...(done.before?.keys() ?? []), ...done.after.keys()])) {
    const [before, after, now] = [done.before ?? new Map(), done.after, present].map((folder) =>
      fileText(folder, path),
    );
    if (before === after || (!isAlone && !mine.some(({ file }) => file === path))) continue;
    const ranges = mine.flatMap(({ file, lines }) => (file === path && lines ? [lines] : []));
    if (after === undefined) {
      const old = done.before?.get(path);
      if (isAlone && now === undefined && old !== undefined) files.set(path, old);
    } else if (now !== undefined) {
      const texts = { before: before ?? '', after, now };
      const text = path.endsWith('.json') ? undoItems(texts) : undoLines(texts, isAlone ? undefined : ranges);
      if (before === undefined && path !== 'SKILL.md' && text.trim() === '') files.delete(path);
      else if (text !== now) files.set(path, textFile(text, present.get(path)?.executable));
    }
  }
  return files;
}

/** Whether an operation rests on this session and on no other. */
export function isTaughtOnlyBy({ evidence }: RevisionOperation, session: string): boolean {
  return evidence.length > 0 && evidence.every((each) => each.session === session);
}

interface Texts {
  readonly before: string;
  readonly after: string;
  readonly now: string;
}

/** `ranges`: the lines of `after` that are to go, 1-based; all that were added if undefined. */
function undoLines(texts: Texts, ranges: readonly (readonly [number, number])[] | undefined): string {
  const [before, after, now] = [texts.before, texts.after, texts.now].map((text) => text.split('\n')) as [
    string[],
    string[],
    string[],
  ];
  const isMine = (line: number) =>
    ranges === undefined || ranges.some(([first, last]) => line + 1 >= first && line + 1 <= last);
  const front = frontMatterEnd(after);
  const kept = linesKept(after, now);
  const gone = new Set<number>();
  const back = new Map<number, readonly string[]>();
  for (const { at, removed, added } of hunksOf(before, after)) {
    const isNewField = removed.length === 0 && at <= front;
    const lines = added.map((_, index) => at + index).filter(isMine);
    if (isNewField || (added.length > 0 && lines.length === 0)) continue;
    const stand = lines.flatMap((line) => kept.get(line) ?? []);
    for (const line of stand) gone.add(line);
    const place = added.length > 0 ? stand[0] : ranges === undefined ? placeOf(kept, at) : undefined;
    const isBack = place !== undefined && added.length === 0 && hasRun(now, removed);
    if (place !== undefined && removed.length > 0 && !isBack) back.set(place, removed);
  }
  return [...now, undefined]
    .flatMap((line, index) => [
      ...(back.get(index) ?? []),
      ...(line === undefined || gone.has(index) ? [] : [line]),
    ])
    .join('\n');
}

/** Whether these lines stand there one after the other, as after a rollback. */
function hasRun(lines: readonly string[], run: readonly string[]): boolean {
  return lines.some((_, start) => run.every((line, index) => lines[start + index] === line));
}

/** For a file of JSON with a list of items, which lines say little of; any other stays as it is. */
function undoItems({ before, after, now }: Texts): string {
  const [old, done, present] = [before || '[]', after, now].map(itemsOf);
  if (old === undefined || done === undefined || present === undefined) return now;
  const key = (item: unknown) => JSON.stringify(item);
  const [keysBefore, keysAfter] = [old, done].map((items) => new Set(items.map(key))) as [
    Set<string>,
    Set<string>,
  ];
  const kept = present.filter((item) => keysBefore.has(key(item)) || !keysAfter.has(key(item)));
  if (kept.length === present.length) return now;
  return kept.length === 0 ? '' : `${JSON.stringify(kept, null, 2)}\n`;
}

function itemsOf(text: string): unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Where a line that was only taken out belongs now: before the line that followed it, or behind the one before it. */
function placeOf(kept: ReadonlyMap<number, number>, at: number): number | undefined {
  const before = kept.get(at - 1);
  return kept.get(at) ?? (before === undefined ? undefined : before + 1);
}

/** Position of the closing fence, -1 without front matter. */
function frontMatterEnd(lines: readonly string[]): number {
  return lines[0]?.trimEnd() === '---'
    ? lines.findIndex((line, index) => index > 0 && line.trimEnd() === '---')
    : -1;
}
