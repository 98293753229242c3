import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** One thing in a folder; `path` is relative to where the walk began, with `/`. */
export interface WalkedEntry {
  readonly path: string;
  readonly kind: 'file' | 'folder' | 'link' | 'other';
}

/** Folders whose content is never what somebody looks for. */
const SKIPPED = new Set(['.git', 'node_modules', '.venv', '__pycache__']);

/**
 * What lies below `dir`, sorted, a folder before its content. Links are named and never followed; `.git`,
 * `node_modules` and their kin are left out.
 */
export async function* walkFiles(
  dir: string,
  options: { depth: number; signal: AbortSignal },
): AsyncGenerator<WalkedEntry> {
  async function* visit(relative: string, depth: number): AsyncGenerator<WalkedEntry> {
    options.signal.throwIfAborted();
    const entries = await readdir(join(dir, relative), { withFileTypes: true });
    entries.sort((left, right) => (left.name < right.name ? -1 : 1));
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
  yield* visit('', options.depth);
}
