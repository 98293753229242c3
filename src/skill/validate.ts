import type { Problem } from '../errors.ts';
import { toNfkc } from '../text/nfkc.ts';
import { SPECIFIED } from './fields.ts';
import { isReadAtTop } from './others-fields.ts';
import type { YamlMapping, YamlValue } from './yaml-mapping.ts';

/** What the verdict needs to know of one `SKILL.md`. */
export interface StrictInput {
  /** The front matter as it is written. */
  readonly raw: YamlMapping;
  /** Name of the folder that holds the file. */
  readonly directory: string;
  /** What reading found: repairs, encoding, dialect. */
  readonly reading: readonly Problem[];
  /** Line of a top-level key in the file. */
  readonly lineOf: (key: string) => number;
}

/** Findings of the reader after which the reference validator would refuse the file as well. */
const REFUSED_ELSEWHERE = new Set([
  'leading-blank',
  'text-before-frontmatter',
  'fence-unclosed',
  'yaml-repaired',
  'yaml-salvaged',
  'tab-indent',
  'duplicate-key',
  'yaml-dialect',
  'yaml-warning',
  'byte-order-mark',
  'control-character',
  'dangerous-key',
]);

/** Whether a finding of this rule keeps a skill from being strict, though here it may only be worth a remark. */
export function isRefusedElsewhere(rule: string): boolean {
  return rule === 'unknown-field' || REFUSED_ELSEWHERE.has(rule);
}

const LONGEST_NAME = 64;
const LONGEST_DESCRIPTION = 1024;
const LONGEST_COMPATIBILITY = 500;

/** Why the file does not pass the Agent Skills specification; empty if it does. Lengths count code points. */
export function validateStrict({ raw, directory, reading, lineOf }: StrictInput): Problem[] {
  const found: Problem[] = [];
  const noteOf = (key: string) => (rule: string, message: string) =>
    found.push({ rule, severity: 'warning', message, line: lineOf(key) });
  const noteUnknown = ([first, ...others]: readonly string[], remedy: string) => {
    if (first === undefined) return;
    const message = `not in the specification: ${[first, ...others].join(', ')}; ${remedy}`;
    found.push({ rule: 'unknown-field', severity: 'info', message, line: lineOf(first) });
  };
  checkName(raw['name'], directory, noteOf('name'));
  checkDescription(raw['description'], noteOf('description'));
  checkCompatibility(raw['compatibility'], noteOf('compatibility'));
  const unknown = Object.keys(raw).filter((key) => !SPECIFIED.includes(key));
  const kept = unknown.filter(isReadAtTop);
  const others = unknown.filter((key) => !kept.includes(key));
  noteUnknown(others, 'put them under metadata');
  noteUnknown(
    kept,
    'agents may read that at the top level alone, and moved it would no longer hold: judge yourself',
  );
  return [...found, ...reading.filter((problem) => REFUSED_ELSEWHERE.has(problem.rule))];
}

type Note = (rule: string, message: string) => void;

function checkName(value: YamlValue | undefined, directory: string, note: Note): void {
  const name = typeof value === 'string' ? toNfkc(value.trim()) : '';
  if (name === '') {
    note('name-missing', 'name is required; it equals the name of the folder');
    return;
  }
  const length = [...name].length;
  if (length > LONGEST_NAME)
    note('name-too-long', `the name has ${length} characters; at most ${LONGEST_NAME}`);
  const faults = nameFaults(name);
  if (faults.length > 0) note('name-format', `the name "${name}" ${faults.join(' and ')}`);
  if (name !== directory.normalize('NFKC')) {
    note(
      'name-mismatch',
      `the folder is called "${directory}" and the skill "${name}"; they must be the same`,
    );
  }
}

function nameFaults(name: string): string[] {
  const faults: readonly (readonly [fails: boolean, what: string])[] = [
    [name !== name.toLowerCase(), 'must be lower case'],
    [/^-|-$/.test(name), 'cannot start or end with a hyphen'],
    [name.includes('--'), 'cannot contain two hyphens in a row'],
    [!/^[\p{L}\p{N}-]+$/u.test(name), 'may hold letters, digits and hyphens only'],
  ];
  return faults.flatMap(([fails, what]) => (fails ? [what] : []));
}

/** Whether the specification takes it for a name. */
export function isStrictName(name: string): boolean {
  const length = [...name].length;
  return length > 0 && length <= LONGEST_NAME && nameFaults(name).length === 0;
}

function checkDescription(value: YamlValue | undefined, note: Note): void {
  const description = typeof value === 'string' ? value : '';
  const length = [...description].length;
  if (description.trim() === '') {
    note('description-missing', `description is required (text, up to ${LONGEST_DESCRIPTION} characters)`);
  } else if (length > LONGEST_DESCRIPTION) {
    note('description-too-long', `the description has ${length} characters; at most ${LONGEST_DESCRIPTION}`);
  }
}

function checkCompatibility(value: YamlValue | undefined, note: Note): void {
  if (value === undefined) return;
  if (typeof value !== 'string') {
    note('compatibility-form', 'compatibility must be a text');
  } else if ([...value].length > LONGEST_COMPATIBILITY) {
    note(
      'compatibility-too-long',
      `compatibility has ${[...value].length} characters; at most ${LONGEST_COMPATIBILITY}`,
    );
  }
}
