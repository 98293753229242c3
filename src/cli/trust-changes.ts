import type { ProjectContent } from '../library/project/project-content.ts';
import { changesSince, type TrustChange, type TrustRecord } from '../library/project/trust.ts';
import { counted } from '../text/counted.ts';
import { unifiedDiffWithin } from '../text/text-diff.ts';
import { inOneLine } from './project-notes.ts';

/** A change with what it does, for a person who decides about it. */
export interface SeenChange extends TrustChange {
  /** The hunks of a unified diff, at most `MOST_LINES` lines of it; absent where a text of either side is not known. */
  readonly diff?: string;
  /** Set where who may run the file changed. */
  readonly mode?: 'executable' | 'not executable';
}

const MOST_CHANGES = 20;
const MOST_LINES = 200;
const MOST_EDITS = 2000;
const LONGEST_LINE = 2000;

/** What changed since a place was trusted; `before` are the texts that it had then. */
export function seenChanges(
  record: TrustRecord,
  before: ReadonlyMap<string, string>,
  content: Pick<ProjectContent, 'files' | 'texts'>,
): SeenChange[] {
  return changesSince(record, content).map((change) => {
    const { kind, path } = change;
    const [old, now] = [record.files.get(path), content.files.get(path)];
    const mode = kind === 'changed' && old?.[0] !== now?.[0] ? modeOf(now) : undefined;
    const [oldText, newText] = [before.get(path), content.texts.get(path)];
    const isKnown =
      (kind === 'added' || oldText !== undefined) && (kind === 'removed' || newText !== undefined);
    const diff = isKnown ? hunksIn(oldText, newText) : '';
    return { ...change, ...(diff === '' ? {} : { diff }), ...(mode === undefined ? {} : { mode }) };
  });
}

/** The changes as lines, each text of the checkout behind a bar with what does not show written out. */
export function seenChangeLines(changes: readonly SeenChange[]): string[] {
  const shown = changes
    .slice(0, MOST_CHANGES)
    .flatMap(({ kind, path, diff, mode }) => [
      `  since it was trusted: ${kind} ${inOneLine(path.replace('\0', ' '))}${mode === undefined ? '' : `, now ${mode}`}`,
      ...(diff === undefined ? [] : diff.split('\n').map((line) => `  │ ${inOneLine(line)}`)),
    ]);
  return changes.length > MOST_CHANGES
    ? [...shown, `  since it was trusted: and ${changes.length - MOST_CHANGES} more`]
    : shown;
}

function hunksIn(before: string | undefined, after: string | undefined): string {
  // Without the path, which may hold anything.
  const diff = unifiedDiffWithin(MOST_EDITS, 'file', before, after);
  if (diff === undefined) return `(more than ${MOST_EDITS} lines come and go)`;
  const lines = diff.split('\n');
  const from = lines.findIndex((line) => line.startsWith('@@'));
  if (from < 0) return '';
  const hunks = lines.slice(from, lines.at(-1) === '' ? -1 : undefined);
  const shown = hunks
    .slice(0, MOST_LINES)
    .map((line) => (line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line));
  return [
    ...shown,
    ...(hunks.length > MOST_LINES ? [`(and ${counted(hunks.length - MOST_LINES, 'line')} more)`] : []),
  ].join('\n');
}

function modeOf(hash: string | undefined): SeenChange['mode'] {
  return hash?.startsWith('x ') ? 'executable' : hash?.startsWith('- ') ? 'not executable' : undefined;
}
