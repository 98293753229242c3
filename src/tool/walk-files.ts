import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { listFolder } from '../library/reading/folder-entries.ts';

/** One thing in a folder; `path` is relative to where the walk began, with `/`. */
export interface WalkedEntry {
  readonly path: string;
  readonly kind: 'file' | 'folder' | 'link' | 'other' | 'unreadable';
}

/** Folders whose content is never what somebody looks for. */
const SKIPPED = new Set(['.git', 'node_modules', '.venv', '__pycache__']);
const EVERY_NAME = /(?:)/;

/**
 * What lies below `dir`, sorted, a folder before its content. Links are named and never followed; `.git`,
 * `node_modules` and their kin are left out. A folder below `dir` that cannot be looked into, and what has a name that is
 * not UTF-8 (`\\xNN` is a byte), is `unreadable` and hides nothing else. Throws what the system says of `dir` itself.
 */
export async function* walkFiles(
  dir: string,
  options: { depth: number; signal: AbortSignal },
): AsyncGenerator<WalkedEntry> {
  async function* visit(relative: string, depth: number): AsyncGenerator<WalkedEntry> {
    options.signal.throwIfAborted();
    const { entries, unnamed, fault } = listFolder(join(dir, relative), EVERY_NAME);
    if (fault !== undefined) yield { path: relative, kind: 'unreadable' };
    for (const name of unnamed)
      yield { path: relative === '' ? name : `${relative}/${name}`, kind: 'unreadable' };
    for (const entry of entries) {
      const path = relative === '' ? entry.name : `${relative}/${entry.name}`;
      if (entry.isDirectory()) {
        if (SKIPPED.has(entry.name)) continue;
        yield { path, kind: 'folder' };
        if (depth > 1) yield* visit(path, depth - 1);
      } else {
        yield { path, kind: entry.isFile() ? 'file' : entry.isSymbolicLink() ? 'link' : 'other' };
      }
    }
  }
  await readdir(dir);
  yield* visit('', options.depth);
}
