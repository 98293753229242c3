import { KnackError } from '../errors.ts';
import { type Folder, fileText } from '../files/folder.ts';
import type { Draft, DraftOperation } from '../gate/draft.ts';
import { setField } from '../skill/edit.ts';

/**
 * Whether all that a draft would bring stands in the skill already, as after the same draft of another process, of a
 * copy of the session or of an earlier review. A draft that brings nothing, or does more than change one skill, never is.
 */
export function isAppliedAlready(draft: Draft, present: Folder): boolean {
  if (draft.decision !== 'patch' && draft.decision !== 'create') return false;
  return (
    draft.operations.some(({ op, text }) => op !== 'delete' && (text ?? '').trim() !== '') &&
    draft.operations.every((operation) => isDone(operation, fileText(present, operation.file)))
  );
}

function isDone({ op, file, anchor = '', text = '' }: DraftOperation, present: string | undefined): boolean {
  if (present === undefined) return op === 'delete';
  switch (op) {
    case 'delete':
      return !present.includes(anchor);
    case 'replace':
      if (present.includes(anchor) && !text.includes(anchor)) return false;
      return (
        text.trim() === '' || hasLines(present, text) || (isProse(file) && present.includes(text.trim()))
      );
    case 'insert_after':
      // A line of a program may well be wanted in two places.
      return hasLines(present, isProse(file) ? text : `${lastLine(anchor)}\n${text}`);
    case 'set':
      return isSet(present, anchor, text);
    case 'write_file':
      return file === 'SKILL.md' ? hasParts(present, text) : present.trim() === text.trim();
  }
}

function isProse(file: string): boolean {
  return file.endsWith('.md');
}

/** Whether the lines of `text` stand in `present` one after the other, however they are indented. */
function hasLines(present: string, text: string): boolean {
  return trimmed(present).includes(trimmed(text.trim()));
}

function trimmed(text: string): string {
  return `\n${text
    .split('\n')
    .map((line) => line.trim())
    .join('\n')}\n`;
}

function lastLine(anchor: string): string {
  return anchor.trim().split('\n').at(-1) ?? '';
}

/** A new skill: its body as a whole, and each line of its front matter, among which knack sets the version. */
function hasParts(present: string, text: string): boolean {
  const [, fields = '', body = text] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? [];
  return (
    body.trim() !== '' &&
    hasLines(present, body) &&
    fields.split('\n').every((line) => /^\s+version:/.test(line) || hasLines(present, line))
  );
}

function isSet(present: string, field: string, value: string): boolean {
  try {
    return setField(present, field, value.trim()) === present;
  } catch (error) {
    if (error instanceof KnackError && error.code === 'skill-invalid') return false;
    throw error;
  }
}
