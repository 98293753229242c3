import { isMap, isNode, isScalar, LineCounter, type Pair, parseDocument } from 'yaml';
import { allowedToolsOf, isMapping, listOf } from './field-values.ts';
import { knownKey, SPECIFIED } from './fields.ts';
import { quote } from './quote.ts';
import { fieldLines } from './yaml-lines.ts';
import { readMapping, type YamlMapping, type YamlValue } from './yaml-mapping.ts';

/** The block in the strict form, and what has to be set under `metadata` then. */
export interface StrictBlock {
  readonly lines: readonly string[];
  readonly metadata: ReadonlyMap<string, string>;
}

interface Entry {
  readonly key: string;
  /** Lines of the key and its value, and of the comments and blanks behind it. */
  readonly own: readonly string[];
  readonly after: readonly string[];
  readonly counts: boolean;
}

const LISTS = new Set(['tags', 'keywords', 'triggers', 'related_skills', 'aliases']);
/** What others read at the top level alone: moved, it would lift a restriction or lose a tool. */
const KEPT = new Set(['disable-model-invocation', 'user-invocable', 'params', 'hooks']);

/**
 * Rewrites the fields that are not in the strict form; each other line stays. Of a key that stands twice the value that
 * does not count stays as a comment. `source` is the block as it was read, `original` as it is in the file.
 */
export function strictBlock(
  { source, original, value }: { source: string; original: string; value: YamlMapping },
  wanted: { name: string | undefined; description: string },
): StrictBlock {
  const { leading, entries, indent } = entriesOf(source, original);
  const metadata = new Map<string, string>();
  const hasName = entries.some(({ key }) => specifiedKey(key, value) === 'name');
  const lines = hasName || wanted.name === undefined ? [] : [`${indent}name: ${nameText(wanted.name)}`];
  for (const entry of entries) {
    lines.push(...strictEntry({ entry, indent, value, wanted, metadata }), ...entry.after);
  }
  return { lines: [...leading, ...lines], metadata };
}

interface Strict {
  readonly entry: Entry;
  readonly indent: string;
  readonly value: YamlMapping;
  readonly wanted: { name: string | undefined; description: string };
  readonly metadata: Map<string, string>;
}

function strictEntry({ entry, indent, value, wanted, metadata }: Strict): readonly string[] {
  const { key, own } = entry;
  const item = value[key];
  if (!entry.counts || item === undefined) return own.map((line) => `${indent}# ${line.trimEnd()}`);
  const specified = specifiedKey(key, value);
  if (specified === undefined) return moved(key, item, value, metadata) ? [] : own;
  const text = strictValue(specified, item, wanted);
  const isKept = specified === key && text === item && isStrictAlone(own, key, item);
  return isKept ? own : fieldLines(specified, text, indent).map((line) => withPlainName(line));
}

/** The value that the field has in the strict form. */
function strictValue(key: string, item: YamlValue, wanted: Strict['wanted']): YamlValue {
  if (key === 'name') return wanted.name ?? item;
  if (key === 'description')
    return typeof item === 'string' && item.trim() === wanted.description ? item : wanted.description;
  if (key === 'allowed-tools')
    return typeof item === 'string' && !item.includes(',') ? item : allowedToolsOf(item).join(' ');
  if (key === 'metadata' && isMapping(item)) return withTexts(item);
  return Array.isArray(item) && item.every((part) => typeof part === 'string') && key !== 'metadata'
    ? item.join(', ')
    : item;
}

/** Lists of fields that are read from texts as well become texts. */
function withTexts(metadata: YamlMapping): YamlMapping {
  const entries = Object.entries(metadata).map(([key, item]): [string, YamlValue] => {
    const isText = typeof item === 'string' || !LISTS.has(knownKey(key) ?? '');
    const text = isText ? undefined : textOfList(item);
    return [key, text ?? item];
  });
  return entries.every(([key, item]) => metadata[key] === item) ? metadata : Object.fromEntries(entries);
}

/** Notes a field to be set under `metadata`. False where something would be lost by that. */
function moved(key: string, item: YamlValue, value: YamlMapping, metadata: Map<string, string>): boolean {
  const name = knownKey(key) ?? key;
  const text = LISTS.has(name) ? textOfList(item) : typeof item === 'string' ? item : textOfTexts(item);
  const inside = value['metadata'] ?? '';
  const takesMore = isMapping(inside) || inside === '';
  if (KEPT.has(name) || !/^[\w-]+$/.test(name) || text === undefined || !takesMore) return false;
  const present = isMapping(inside)
    ? Object.keys(inside).filter((other) => (knownKey(other) ?? other) === name)
    : [];
  if (present.length === 0 && !metadata.has(name)) {
    metadata.set(name, text);
    return true;
  }
  return present.some((other) => isMapping(inside) && isSame(inside[other], text));
}

function isSame(left: YamlValue | undefined, right: YamlValue): boolean {
  return JSON.stringify(listOf(left)) === JSON.stringify(listOf(right));
}

/** `a, b` for a list in whatever shape, if it reads back from that. */
function textOfList(item: YamlValue): string | undefined {
  const text = listOf(item).join(', ');
  return isWholeList(item) && isSame(text, item) ? text : undefined;
}

/** Whether nothing of it is lost in the list that is read from it. */
function isWholeList(item: YamlValue): boolean {
  if (isMapping(item)) return Object.values(item).every((part) => part === '');
  if (!Array.isArray(item)) return true;
  return item.every(
    (part) => typeof part === 'string' || (isMapping(part) && Object.keys(part).join() === 'name'),
  );
}

function textOfTexts(item: YamlValue): string | undefined {
  const isList = Array.isArray(item) && item.every((part) => typeof part === 'string');
  return isList ? textOfList(item) : undefined;
}

/** The key of the specification that is meant, if no other entry is spelled so. */
function specifiedKey(key: string, value: YamlMapping): string | undefined {
  const known = SPECIFIED.includes(key) ? key : (knownKey(key) ?? '');
  return SPECIFIED.includes(known) && (known === key || !(known in value)) ? known : undefined;
}

/** Whether the lines alone read as this value, in the YAML of the specification. */
function isStrictAlone(own: readonly string[], key: string, item: YamlValue): boolean {
  const reading = readMapping(own.join('\n'));
  const isClean =
    reading.kind === 'mapping' && reading.problems.every(({ rule }) => rule === 'comment-in-value');
  const hasControl = /[\x00-\x08\x0b-\x1f\x7f-\x84\x86-\x9f]/.test(own.join('\n'));
  return isClean && !hasControl && JSON.stringify(reading.value[key]) === JSON.stringify(item);
}

function withPlainName(line: string): string {
  return line.replace(/^(\s*name: )"([a-z][a-z0-9-]*)"$/, '$1$2');
}

function nameText(name: string): string {
  return /^[a-z][a-z0-9-]*$/.test(name) ? name : quote(name);
}

/** The lines of each key, with the text of the file where no repair changed it. */
function entriesOf(source: string, original: string) {
  const counter = new LineCounter();
  const { contents } = parseDocument(`${source}\n`, {
    schema: 'failsafe',
    uniqueKeys: false,
    merge: false,
    lineCounter: counter,
    prettyErrors: false,
    logLevel: 'error',
  });
  const pairs = isMap(contents) ? contents.items : [];
  const lines = original.split('\n');
  const read = source.split('\n');
  // A repair draws the text of several lines onto the first and leaves the others empty.
  const isDrawn = (index: number) => read[index]?.trim() === '' && lines[index]?.trim() !== '';
  const lineOf = (offset: number) => counter.linePos(offset).line - 1;
  const starts = pairs.map((pair) => lineOf(startOf(pair)));
  const isFlow = isMap(contents) && contents.flow === true;
  const entries = pairs.map((pair, index): Entry => {
    const start = starts[index] ?? 0;
    const next = starts[index + 1] ?? lines.length;
    // A range that ends with a line break ends on the line before.
    let end = isFlow ? next : Math.min(next, Math.max(start, lineOf(endOf(pair) - 1)) + 1);
    while (end < next && isDrawn(end)) end += 1;
    const key = keyOf(pair);
    return {
      key,
      own: isFlow ? [] : lines.slice(start, end),
      after: isFlow ? [] : lines.slice(end, next),
      counts: !pairs.slice(index + 1).some((other) => keyOf(other) === key),
    };
  });
  const [first = 0] = starts;
  const indent = isFlow ? '' : (/^ */.exec(lines[first] ?? '')?.[0] ?? '');
  return { leading: isFlow ? [] : lines.slice(0, first), entries, indent };
}

function keyOf(pair: Pair): string {
  return isScalar(pair.key) ? String(pair.key.value) : '';
}

function startOf(pair: Pair): number {
  return isNode(pair.key) ? (pair.key.range?.[0] ?? 0) : 0;
}

function endOf(pair: Pair): number {
  const ends = [pair.key, pair.value].map((node) => (isNode(node) ? (node.range?.[1] ?? 0) : 0));
  return Math.max(...ends, 1);
}
