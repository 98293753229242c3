import { type Document, isMap, LineCounter, parseDocument } from 'yaml';
import type { Problem } from '../errors.ts';
import { refusal } from './refusal.ts';
import { DANGEROUS_KEYS, findInDocument } from './yaml-findings.ts';

/** A value of the front matter: every scalar is its source text, so that `1.10`, `yes` and `~` stay as written. */
export type YamlValue = string | readonly YamlValue[] | YamlMapping;
export interface YamlMapping {
  readonly [key: string]: YamlValue;
}

export type MappingReading =
  | {
      readonly kind: 'mapping';
      readonly value: YamlMapping;
      /** The line of the file on which each key of the mapping stands. */
      readonly lines: ReadonlyMap<string, number>;
      readonly problems: readonly Problem[];
    }
  | { readonly kind: 'refused'; readonly problem: Problem };

/** What one anchor may be multiplied to. */
const MOST_ALIASES = 20;
/** Each alias is looked for in the whole document. */
const MOST_LOOKED_FOR = 100;
const DEEPEST = 64;

/**
 * Reads YAML as a mapping of texts. Any parse error refuses the whole: partial values of a broken document are
 * wrong values. `firstLine` is the file's line of the first line of `source`. Never throws.
 */
export function readMapping(source: string, firstLine = 1): MappingReading {
  const counter = new LineCounter();
  const lineOf = (offset: number) => firstLine - 1 + Math.max(1, counter.linePos(offset).line);
  const refuse = (rule: 'yaml' | 'yaml-aliases' | 'not-a-mapping', what: string, line = firstLine) =>
    ({ kind: 'refused', problem: refusal(rule, what, line) }) as const;
  const broken = (message: string, offset: number) =>
    refuse('yaml', `line ${lineOf(offset)}: ${firstSentence(message)}`, lineOf(offset));
  const deep = deepLine(source);
  if (deep !== undefined)
    return refuse('yaml', `line ${firstLine + deep}: nested too deeply to be read`, firstLine + deep);
  try {
    const document = parse(source, counter);
    const [error] = document.errors;
    if (error !== undefined) return broken(error.message, error.pos[0]);
    if (!isMap(document.contents)) return refuse('not-a-mapping', 'front matter must be key: value pairs');
    const found = findInDocument(document, lineOf);
    if (found.strayAlias !== undefined)
      return broken(`the alias *${found.strayAlias.source} has no anchor`, found.strayAlias.offset);
    const content = found.aliases > MOST_LOOKED_FOR ? undefined : contentOf(document);
    if (content === undefined) return refuse('yaml-aliases', 'there are too many YAML aliases', found.alias);
    return {
      kind: 'mapping',
      value: plain(content, 0) as YamlMapping,
      lines: found.lines,
      problems: [
        ...document.warnings.map((warning): Problem => {
          const message = firstSentence(warning.message);
          return { rule: 'yaml-warning', severity: 'warning', message, line: lineOf(warning.pos[0]) };
        }),
        ...found.problems,
      ],
    };
  } catch (error) {
    // The parser and the walks over its answer call themselves once a level.
    if (error instanceof RangeError) return broken('nested too deeply to be read', 0);
    throw error;
  }
}

/** Marks of lists and maps within each other, before the parser sees them: it calls itself once a level. */
const DEEPEST_MARKS = 200;

/** The 0-based line on which lists or maps lie too deep in each other, by their marks alone. */
function deepLine(source: string): number | undefined {
  let open = 0;
  for (const [index, line] of source.split('\n').entries()) {
    for (const mark of line) {
      if (mark === '[' || mark === '{') open += 1;
      else if (mark === ']' || mark === '}') open = Math.max(0, open - 1);
      if (open > DEEPEST_MARKS) return index;
    }
    // `- - - x` and `? ? ? x` nest without brackets.
    if (/^[ \t]*(?:[-?][ \t]+){200}/.test(line)) return index;
  }
  return undefined;
}

/** Whether it can be read as a mapping. */
export function isReadable(source: string): boolean {
  return readMapping(source).kind === 'mapping';
}

/** Duplicate keys are found by us: the parser compares each key with each other one. */
function parse(source: string, lineCounter: LineCounter): Document.Parsed {
  return parseDocument(`${source}\n`, {
    schema: 'failsafe',
    uniqueKeys: false,
    merge: false,
    lineCounter,
    prettyErrors: false,
    logLevel: 'error',
  });
}

/** Undefined for an alias bomb. */
function contentOf(document: Document.Parsed): unknown {
  try {
    return document.toJS({ maxAliasCount: MOST_ALIASES, mapAsMap: true });
  } catch (error) {
    if (error instanceof ReferenceError) return undefined;
    throw error;
  }
}

/** Maps, lists and texts only, without the keys that reach into objects. */
function plain(value: unknown, depth: number): YamlValue {
  if (depth > DEEPEST) throw new RangeError('too deep');
  if (Array.isArray(value)) return value.map((item) => plain(item, depth + 1));
  if (!(value instanceof Map)) return value === null || value === undefined ? '' : String(value);
  const mapping: Record<string, YamlValue> = Object.create(null) as Record<string, YamlValue>;
  for (const [key, item] of value) {
    const name = typeof key === 'string' ? key : textOfKey(key);
    if (!DANGEROUS_KEYS.has(name)) mapping[name] = plain(item, depth + 1);
  }
  return mapping;
}

/** A key that is itself a list or a map, or none. */
function textOfKey(key: unknown): string {
  if (key === null || key === undefined) return '';
  const value = plain(key, 0);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function firstSentence(message: string): string {
  return (message.split('\n')[0] ?? message).slice(0, 200).trim();
}
