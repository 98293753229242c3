import { type Folder, type FolderFile, fileText, textFile } from '../files/folder.ts';
import type { Revision, RevisionOperation } from './revision.ts';
import { type Texts, undoLines } from './undo-lines.ts';

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
