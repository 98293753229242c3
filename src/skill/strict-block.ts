import { isMap, isScalar, isSeq, type Scalar } from 'yaml';
import { allowedToolsOf, isMapping } from './field-values.ts';
import { knownKey, SPECIFIED } from './fields.ts';
import { quote } from './quote.ts';
import { isInMetadata, isListField, movedText, spellingsIn, textOfList, textsIn } from './strict-moves.ts';
import { type Entries, type Entry, entriesOf } from './yaml-entries.ts';
import { fieldLines, textLine } from './yaml-lines.ts';
import { readMapping, type YamlMapping, type YamlValue } from './yaml-mapping.ts';

/** The block in the strict form, and what has to be set under `metadata` then. */
export interface StrictBlock {
  readonly lines: readonly string[];
  readonly metadata: ReadonlyMap<string, string>;
}

/**
 * Rewrites the fields that are not in the strict form; each other line stays, and so does a value that the form cannot
 * hold without loss. Comments within a field go on lines of their own before it. Of a key that stands twice the value that
 * does not count stays as a comment. `source` is the block as it was read, `original` as it is in the file.
 */
export function strictBlock(
  { source, original, value }: { source: string; original: string; value: YamlMapping },
  wanted: { name: string | undefined; description: string },
): StrictBlock {
  const block = entriesOf(source, original);
  const { leading, entries, indent } = block;
  const metadata = new Map<string, string>();
  const hasName = entries.some(({ key }) => specifiedKey(key, value) === 'name');
  const lines = hasName || wanted.name === undefined ? [] : [`${indent}name: ${nameText(wanted.name)}`];
  for (const entry of entries)
    lines.push(...strictEntry(entry, { block, value, wanted, metadata }), ...entry.after);
  return { lines: [...leading, ...lines], metadata };
}

interface Strict {
  readonly block: Entries;
  readonly value: YamlMapping;
  readonly wanted: { name: string | undefined; description: string };
  readonly metadata: Map<string, string>;
}

function strictEntry(entry: Entry, { block, value, wanted, metadata }: Strict): readonly string[] {
  const { key } = entry;
  const { indent } = block;
  const item = value[key];
  if (!entry.counts || item === undefined) return asComment(entry, indent);
  const specified = specifiedKey(key, value);
  const comments = entry.comments.map((comment) => indent + comment);
  if (specified === undefined) return isMoved(entry, value, metadata) ? comments : entry.own;
  const text = strictText(specified, entry, item, wanted);
  const isMetadata = specified === 'metadata' && isMapping(item);
  if (specified === key && (text ?? item) === item && isStrictAlone(entry, item)) {
    if (
      !isMetadata ||
      !Object.entries(item).some(([name, part]) => isListField(name) && typeof part !== 'string')
    )
      return entry.own;
  }
  const inner = isMetadata ? strictMetadata(entry, specified, item, block) : undefined;
  if (inner !== undefined) return inner;
  if (text !== undefined) return [...comments, withPlainName(textLine(specified, text, indent))];
  const lines = fieldLines(specified, entry.node, { document: block.document, indent });
  return lines === undefined ? renamed(entry, specified) : [...comments, ...lines];
}

/** Entry by entry where each has lines of its own, so that its comments stay with it. Undefined where something has no form. */
function strictMetadata(
  entry: Entry,
  key: string,
  item: YamlMapping,
  { document, within, indent: outer }: Entries,
): string[] | undefined {
  const write = (key: string | Scalar, node: unknown, indent: string) => {
    const name = typeof key === 'string' ? key : String(key.value);
    const text = isListField(name) ? textOfList(node) : undefined;
    return text === undefined ? fieldLines(key, node, { document, indent }) : [textLine(name, text, indent)];
  };
  const [head = '', ...others] = renamed(entry, key);
  const inside = /^\s*metadata:\s*(?:#.*)?$/.test(head) && others.length > 0 ? within(entry) : undefined;
  if (inside === undefined) {
    const isWhole = fieldLines(key, entry.node, { document, indent: outer }) !== undefined;
    if (!isWhole || !isMap(entry.node)) return undefined;
    const below = entry.node.items.map(
      (pair) => write(isScalar(pair.key) ? pair.key : '', pair.value, `${outer}  `) ?? [],
    );
    return [...entry.comments.map((comment) => outer + comment), `${outer}${key}:`, ...below.flat()];
  }
  const { indent } = inside;
  const lines = inside.entries.flatMap((each) => {
    const value = item[each.key];
    if (!each.counts || value === undefined) return [...asComment(each, indent), ...each.after];
    const isKept = isStrictAlone(each, value) && !(isListField(each.key) && typeof value !== 'string');
    const written = isKept ? undefined : write(each.keyNode, each.node, indent);
    if (written === undefined) return [...each.own, ...each.after];
    return [...each.comments.map((comment) => indent + comment), ...written, ...each.after];
  });
  return [head, ...inside.leading, ...lines];
}

function asComment({ own }: Entry, indent: string): string[] {
  return own.map((line) => `${indent}# ${line.trimEnd()}`);
}

/** Its lines with the key in the spelling of the specification, if nothing else has to change. */
function renamed({ key, own }: Entry, specified: string): string[] {
  const [first = '', ...others] = own;
  const at = first.indexOf(key);
  const isPlain = first.slice(0, Math.max(0, at)).trim() === '' && /^\s*:/.test(first.slice(at + key.length));
  return isPlain ? [first.slice(0, at) + specified + first.slice(at + key.length), ...others] : [...own];
}

/** The text that the field becomes; undefined for one that stays what it is. */
function strictText(
  key: string,
  { node }: Entry,
  item: YamlValue,
  wanted: Strict['wanted'],
): string | undefined {
  if (key === 'name') return wanted.name ?? (typeof item === 'string' ? item : undefined);
  if (key === 'description')
    return typeof item === 'string' && item.trim() === wanted.description ? item : wanted.description;
  if (key === 'allowed-tools') return textOfTools(node);
  return key !== 'metadata' && isSeq(node) ? textOfList(node) : undefined;
}

/** One tool with what it is limited to, in a form that every reader splits alike. */
const TOOL = String.raw`[^\s,()[\]"']+(?:\([^()"']*\))?`;
const ONE_TOOL = new RegExp(`^${TOOL}$`);
const TOOLS = new RegExp(`^\\s*${TOOL}(?:[\\s,]+${TOOL})*[\\s,]*$`);

/** Tools with blanks between them. */
function textOfTools(node: unknown): string | undefined {
  if (isScalar(node)) {
    const text = String(node.value ?? '');
    return text.includes(',') && TOOLS.test(text) ? allowedToolsOf(text).join(' ') : undefined;
  }
  const items = textsIn(node) ?? [];
  return items.length > 0 && items.every((tool) => ONE_TOOL.test(tool)) ? items.join(' ') : undefined;
}

/** Notes a field to be set under `metadata`. False where something would be lost by that. */
function isMoved({ key, node }: Entry, value: YamlMapping, metadata: Map<string, string>): boolean {
  const name = knownKey(key) ?? key;
  const text = movedText(name, node);
  const inside = value['metadata'] ?? '';
  const takesMore = isMapping(inside) || inside === '';
  if (text === undefined || !takesMore) return false;
  if (isMapping(inside) && spellingsIn(name, inside).length > 0) return isInMetadata(name, text, inside);
  if (metadata.has(name)) return false;
  metadata.set(name, text);
  return true;
}

/** The key of the specification that is meant, if no other entry is spelled so. */
function specifiedKey(key: string, value: YamlMapping): string | undefined {
  const known = SPECIFIED.includes(key) ? key : (knownKey(key) ?? '');
  return SPECIFIED.includes(known) && (known === key || !(known in value)) ? known : undefined;
}

/** Whether the lines alone read as this value, in the YAML of the specification. */
function isStrictAlone({ own, key }: Entry, item: YamlValue): boolean {
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
