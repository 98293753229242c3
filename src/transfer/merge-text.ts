import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KnackError, messageOf } from '../errors.ts';
import { type Git, openGit } from '../history/git.ts';

/** Three versions of a text file made one. */
export type TextMerge =
  | { readonly kind: 'merged'; readonly text: string }
  /** First and last line of each conflict in `ours`, 1-based. */
  | { readonly kind: 'conflict'; readonly lines: readonly (readonly [number, number])[] };

export interface TextMerger {
  /** With `prefer` that side wins where both changed the same lines, and there alone. */
  merge(
    texts: { readonly base: string; readonly ours: string; readonly theirs: string },
    prefer?: 'ours' | 'theirs',
  ): Promise<TextMerge>;
  close(): Promise<void>;
}

/** Longer than any run of these characters in a text that is worth merging. */
const MARKER = 61;

/** Merges texts line by line with `git merge-file`, in a temporary folder of its own. */
export async function createTextMerger(environment: {
  readonly path: string;
  readonly home: string;
}): Promise<TextMerger> {
  const dir = await mkdtemp(join(tmpdir(), 'knack-merge-'));
  const git = await openGit(dir, environment);
  return {
    async merge({ base, ours, theirs }, prefer) {
      for (const [name, text] of Object.entries({ base, ours, theirs }))
        await writeFile(join(dir, name), text);
      const merged = await mergeFile(git, prefer);
      const text = await readFile(join(dir, 'ours'), 'utf8');
      return merged ? { kind: 'merged', text } : { kind: 'conflict', lines: conflictsIn(text, ours) };
    },
    close: () => rm(dir, { recursive: true, force: true }),
  };
}

/** Whether everything merged; git leaves the result in the file `ours` either way. */
async function mergeFile(git: Git, prefer: 'ours' | 'theirs' | undefined): Promise<boolean> {
  const how = prefer === undefined ? [] : [`--${prefer}`];
  try {
    await git.run('merge-file', '--quiet', `--marker-size=${MARKER}`, ...how, 'ours', 'base', 'theirs');
    return true;
  } catch (error) {
    const code = Number(/\(exit code (\d+)\)/.exec(messageOf(error))?.[1]);
    // The number of conflicts, at most 127; above that git itself failed.
    if (code > 0 && code < 128) return false;
    throw error instanceof KnackError
      ? error
      : new KnackError('git-failed', messageOf(error), { cause: error });
  }
}

/** Where the conflicts of a merged text stand in the text that was merged into. */
function conflictsIn(merged: string, ours: string): [number, number][] {
  const lines = ours.split('\n');
  const found: [number, number][] = [];
  let at = 0;
  let open: { side: 'ours' | 'theirs'; lines: string[] } | undefined;
  for (const line of merged.split('\n')) {
    if (line.startsWith('<'.repeat(MARKER))) open = { side: 'ours', lines: [] };
    // The style of conflicts is the person's: some show the base too.
    else if (
      open !== undefined &&
      (line.startsWith('='.repeat(MARKER)) || line.startsWith('|'.repeat(MARKER)))
    )
      open.side = 'theirs';
    else if (open !== undefined && line.startsWith('>'.repeat(MARKER))) {
      const start = startOf(open.lines, lines, at);
      // Lines that are gone here stand for the line before them.
      found.push([
        Math.max(1, start + (open.lines.length === 0 ? 0 : 1)),
        Math.max(1, start + open.lines.length),
      ]);
      at = start + open.lines.length;
      open = undefined;
    } else if (open?.side === 'ours') open.lines.push(line);
    else if (open === undefined && lines[at] === line) at += 1;
  }
  return found;
}

/** The first place from `from` on where the lines stand one after another. */
function startOf(wanted: readonly string[], lines: readonly string[], from: number): number {
  for (let at = from; at + wanted.length <= lines.length; at += 1)
    if (wanted.every((line, index) => lines[at + index] === line)) return at;
  return from;
}
