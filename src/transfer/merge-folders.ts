import { type Folder, type FolderFile, readableText, textFile } from '../files/folder.ts';
import { withOneLineEnd } from './line-ends.ts';
import type { Clash, TextMerger } from './merge-text.ts';

/** A file that both sides changed in ways that exclude each other. */
export interface Conflict {
  readonly file: string;
  /** In the present file; empty where it concerns the file as a whole. */
  readonly lines: readonly (readonly [number, number])[];
  /** What stands on each side, for each of `lines`. */
  readonly clashes: readonly Clash[];
  readonly reason: string;
}

export type FolderMerge =
  | { readonly kind: 'merged'; readonly folder: Folder }
  | { readonly kind: 'conflict'; readonly conflicts: readonly Conflict[] };

interface Sides<T> {
  readonly base: T | undefined;
  readonly ours: T | undefined;
  readonly theirs: T | undefined;
}

/**
 * Merges what changed at the source since `base` into what stands here, file by file and in text files line by line:
 * what only one side changed is taken, what both changed alike too. With `prefer` that side wins the rest.
 */
export async function mergeFolders(
  {
    base,
    ours,
    theirs,
  }: { readonly base: Folder | undefined; readonly ours: Folder; readonly theirs: Folder },
  merger: TextMerger,
  prefer?: 'ours' | 'theirs',
): Promise<FolderMerge> {
  const conflicts: Conflict[] = [];
  const files = new Map<string, FolderFile>();
  for (const path of [...new Set([...ours.keys(), ...theirs.keys()])].sort(byText)) {
    const sides = { base: base?.get(path), ours: ours.get(path), theirs: theirs.get(path) };
    const merged = await mergeFile(sides, merger, prefer);
    if (merged.kind === 'conflict')
      conflicts.push({
        file: path,
        lines: merged.clashes.map(({ lines }) => lines),
        clashes: merged.clashes,
        reason: merged.reason,
      });
    else if (merged.file !== undefined) files.set(path, merged.file);
  }
  for (const path of [...files.keys()]) {
    // What the side that wins has there took its place.
    if (!files.has(path)) continue;
    const above = path
      .split('/')
      .map((_, index, parts) => parts.slice(0, index).join('/'))
      .find((part) => files.has(part));
    if (above !== undefined && prefer !== undefined)
      takeAllBelow(files, above, prefer === 'ours' ? ours : theirs);
    else if (above !== undefined)
      conflicts.push({
        file: path,
        lines: [],
        clashes: [],
        reason: `"${above}" is a file on one side and a folder on the other`,
      });
  }
  if (conflicts.length > 0) return { kind: 'conflict', conflicts };
  return { kind: 'merged', folder: new Map([...files].sort(([left], [right]) => byText(left, right))) };
}

/** What one side has under a name, the file or all of the folder, in place of what both sides came to. */
function takeAllBelow(files: Map<string, FolderFile>, name: string, side: Folder): void {
  const isBelow = (path: string) => path === name || path.startsWith(`${name}/`);
  for (const path of [...files.keys()]) if (isBelow(path)) files.delete(path);
  for (const [path, file] of side) if (isBelow(path)) files.set(path, file);
}

type FileMerge =
  | { readonly kind: 'merged'; readonly file: FolderFile | undefined }
  | { readonly kind: 'conflict'; readonly clashes: Conflict['clashes']; readonly reason: string };

async function mergeFile(
  sides: Sides<FolderFile>,
  merger: TextMerger,
  prefer: 'ours' | 'theirs' | undefined,
): Promise<FileMerge> {
  const { base, ours, theirs } = sides;
  if (isSame(ours, theirs) || isSame(base, theirs)) return { kind: 'merged', file: ours };
  if (isSame(base, ours)) return { kind: 'merged', file: theirs };
  const whole = (reason: string): FileMerge =>
    prefer === undefined
      ? { kind: 'conflict', clashes: [], reason }
      : { kind: 'merged', file: sides[prefer] };
  if (ours === undefined) return whole('removed here and changed at the source');
  if (theirs === undefined) return whole('changed here and removed at the source');
  const executable = ours.executable === base?.executable ? theirs.executable : ours.executable;
  const texts = {
    base: base === undefined ? '' : readableText(base.bytes),
    ours: readableText(ours.bytes),
    theirs: readableText(theirs.bytes),
  };
  if (isEqual(ours.bytes, theirs.bytes)) return { kind: 'merged', file: { bytes: ours.bytes, executable } };
  if (texts.base === undefined || texts.ours === undefined || texts.theirs === undefined)
    return whole('changed here and at the source, and no text');
  const { base: was, ours: here, theirs: there } = texts;
  const { plain, finish } = withOneLineEnd({ base: was, ours: here, theirs: there });
  const merged = await merger.merge(plain, prefer);
  if (merged.kind === 'merged') return { kind: 'merged', file: textFile(finish(merged.text), executable) };
  const reason =
    base === undefined ? 'differs here and at the source' : 'the same lines changed here and at the source';
  return { kind: 'conflict', clashes: merged.clashes, reason };
}

function isSame(left: FolderFile | undefined, right: FolderFile | undefined): boolean {
  if (left === undefined || right === undefined) return left === right;
  return left.executable === right.executable && isEqual(left.bytes, right.bytes);
}

function byText(left: string, right: string): number {
  return left < right ? -1 : 1;
}

function isEqual(left: Uint8Array, right: Uint8Array): boolean {
  return Buffer.compare(left, right) === 0;
}
