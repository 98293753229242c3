import { closeSync, openSync, readSync } from 'node:fs';
import { basename } from 'node:path';
import { hasSystemCode, isSystemError, messageOf, type Problem } from '../../errors.ts';

const PROSE = /^(?:readme|changelog|agents|claude|license|licence|contributing|index|skill)\.md$/i;
/** Front matter that names or describes something. */
const LOOSE = /^\uFEFF?---[ \t]*\r?\n(?:[\s\S]*\n)?(?:name|description):/;
/** Bytes that are looked into. */
const START = 4096;

/** Whether a file may be meant as a skill by its name, so that it is worth a look. */
export function mayBeLoose(path: string): boolean {
  return path.endsWith('.md') && !PROSE.test(basename(path));
}

/**
 * What is to be said of a Markdown file that stands where a skill's folder would: that it is not used, or, as
 * `unreadable`, why that cannot be told. Undefined for one without the front matter of a skill.
 */
export function looseFileProblem(path: string): Problem | undefined {
  const isLoose = hasFrontMatter(path);
  if (isLoose === false) return undefined;
  return {
    severity: 'warning',
    ...(isLoose === true
      ? {
          rule: 'loose-file',
          message: `${path} is not used: a skill is a folder; move it to ${path.replace(/\.md$/, '')}/SKILL.md`,
        }
      : { rule: 'unreadable', message: `${path} cannot be read and is passed over: ${isLoose}` }),
  };
}

/** A text says why it cannot be told. */
function hasFrontMatter(path: string): boolean | string {
  try {
    const file = openSync(path, 'r');
    try {
      const start = Buffer.alloc(START);
      const length = readSync(file, start, 0, start.length, 0);
      return LOOSE.test(start.toString('utf8', 0, length));
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (hasSystemCode(error, 'ENOENT', 'EACCES')) return false;
    if (!isSystemError(error)) throw error;
    return messageOf(error);
  }
}
