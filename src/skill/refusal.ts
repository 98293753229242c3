import type { Problem } from '../errors.ts';

/** Why a skill cannot be read at all, each with what to do about it. */
const REMEDIES = {
  'description-missing': 'add a line description: "…" of up to 1024 characters',
  'fence-inside': 'indent or quote it',
  'fence-language': 'it must be exactly ---',
  'fence-unclosed': 'put a line of --- after the last field',
  io: 'check the path and who may read it',
  'no-frontmatter': 'the first line must be ---',
  'no-skill-file': 'make one with a name and a description',
  'not-a-file': 'put the text of the skill into a file of that name',
  'not-a-mapping': 'write one field a line, such as description: "…"',
  'not-text': 'remove it',
  'not-utf8': 'save it as UTF-8',
  'too-large': 'move text into files under references/',
  yaml: 'put the value into double quotes',
  'yaml-aliases': 'write the value out in each place',
} as const;

export type RefusalRule = keyof typeof REMEDIES;

/** A finding that refuses the whole skill: what is wrong, then what to do. A file that is not there has no line. */
export function refusal(rule: RefusalRule, what: string, line?: number): Problem {
  const message = `${what}; ${REMEDIES[rule]}`;
  return { rule, severity: 'error', message, ...(line === undefined ? {} : { line }) };
}
