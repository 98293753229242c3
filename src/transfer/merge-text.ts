import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { KnackError, messageOf } from '../errors.ts';
import { makeTemporaryFolder } from '../files/temporary-folder.ts';
import { type Git, openGit } from '../history/git.ts';

/** Three versions of a text file made one. */
export type TextMerge =
  | { readonly kind: 'merged'; readonly text: string }
  | { readonly kind: 'conflict'; readonly clashes: readonly Clash[] };

/** Lines that both sides changed in ways that exclude each other. */
export interface Clash {
  /** First and last line in `ours`, 1-based; where nothing stands there any more, the line before. */
  readonly lines: readonly [number, number];
  /** The text of each side without its last line end, at most 2,000 characters, then `…`; empty where it has none. */
  readonly ours: string;
  readonly theirs: string;
}

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
/** Of one side of a clash. */
const MOST_CHARACTERS = 2000;

/** Merges texts line by line with `git merge-file`, in a temporary folder of its own. */
export async function createTextMerger(environment: {
  readonly path: string;
  readonly home: string;
}): Promise<TextMerger> {
  const dir = await makeTemporaryFolder('knack-merge');
  const git = await openGit(dir, environment);
  return {
    async merge({ base, ours, theirs }, prefer) {
      for (const [name, text] of Object.entries({ base, ours, theirs }))
        await writeFile(join(dir, name), text);
      const merged = await mergeFile(git, prefer);
      const text = await readFile(join(dir, 'ours'), 'utf8');
      return merged ? { kind: 'merged', text } : { kind: 'conflict', clashes: clashesIn(text, ours) };
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

/** The conflicts of a merged text, and where they stand in the text that was merged into. */
function clashesIn(merged: string, ours: string): Clash[] {
  const lines = ours.split('\n');
  const found: Clash[] = [];
  let at = 0;
  let open:
    | { side: 'ours' | 'base' | 'theirs'; ours: string[]; base: string[]; theirs: string[] }
    | undefined;
  for (const line of merged.split('\n')) {
    if (line.startsWith('<'.repeat(MARKER))) open = { side: 'ours', ours: [], base: [], theirs: [] };
    // The style of conflicts is the person's: some show the base too.
    else if (open !== undefined && line.startsWith('|'.repeat(MARKER))) open.side = 'base';
    else if (open !== undefined && line.startsWith('='.repeat(MARKER))) open.side = 'theirs';
    else if (open !== undefined && line.startsWith('>'.repeat(MARKER))) {
      const start = startOf(open.ours, lines, at);
      // Lines that are gone here stand for the line before them.
      const first = Math.max(1, start + (open.ours.length === 0 ? 0 : 1));
      const last = Math.max(1, start + open.ours.length);
      found.push({ lines: [first, last], ours: bounded(open.ours), theirs: bounded(open.theirs) });
      at = start + open.ours.length;
      open = undefined;
    } else if (open !== undefined) open[open.side].push(line);
    else if (lines[at] === line) at += 1;
  }
  return found;
}

function bounded(lines: readonly string[]): string {
  const text = lines.join('\n');
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text;
}

/** The first place from `from` on where the lines stand one after another. */
function startOf(wanted: readonly string[], lines: readonly string[], from: number): number {
  for (let at = from; at + wanted.length <= lines.length; at += 1)
    if (wanted.every((line, index) => lines[at + index] === line)) return at;
  return from;
}
