import { isAlias, isMap, isNode, isScalar, isSeq, type Pair, parseDocument, type YAMLMap } from 'yaml';
import { KnackError } from '../errors.ts';
import { type BlockRange, blockRange } from './block-range.ts';
import { isMapping } from './field-values.ts';
import { knownKey } from './fields.ts';
import { quote } from './quote.ts';
import { type MappingReading, readMapping, type YamlMapping, type YamlValue } from './yaml-mapping.ts';

/** Text that takes the place of a part of the block. */
interface Piece {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/**
 * Sets one front matter field, `description` or `metadata.version`, in the text as it is on disk: every other byte
 * stays, byte-order mark and line ends too. A list becomes a text. A field that is missing is added at the end of its
 * mapping; one in another spelling that is read too keeps that. Throws `skill-invalid` where the front matter is too broken to be edited, or a map would be lost.
 */
export function setField(text: string, key: string, value: string): string {
  const range = blockRange(text);
  const block = text.slice(range.start, range.end);
  const before = readMapping(block);
  const root = parseRoot(block);
  if (before.kind === 'refused' || root === undefined)
    throw fault(`the front matter does not parse, so ${key} cannot be set; mend it first`);
  const [outer = key, inner] = key.split('.');
  const first = spelled(outer, before.value);
  const second = inner === undefined ? undefined : spelled(inner, before.value[first]);
  const pair = lastPair(root, first);
  const {
    from,
    to,
    text: piece,
  } = second === undefined
    ? pieceFor({ block, range, map: root, key: first, value })
    : pieceInside({ block, range, root, pair, keys: [first, second], value });
  const edited = block.slice(0, from) + piece + block.slice(to);
  if (!differsIn(before.value, readMapping(edited), [first, second], value))
    throw fault(`${key} cannot be set without changing what stands beside it; mend it first`);
  return text.slice(0, range.start) + edited + text.slice(range.end);
}

/** The key as the block has it: beside `METADATA:`, which is read as well, a `metadata:` would hide it. */
function spelled(key: string, map: YamlValue | undefined): string {
  if (!isMapping(map) || key in map) return key;
  return Object.keys(map).find((other) => knownKey(other) === key) ?? key;
}

/** Whether the field has the new value and every other is as it was: the last word on a splice. */
function differsIn(
  before: YamlMapping,
  after: MappingReading,
  [first, second]: readonly [string, string | undefined],
  value: string,
): boolean {
  const inside = before[first];
  const wanted = second === undefined ? value : { ...(isMapping(inside) ? inside : {}), [second]: value };
  return (
    after.kind === 'mapping' && JSON.stringify(after.value) === JSON.stringify({ ...before, [first]: wanted })
  );
}

function parseRoot(block: string): YAMLMap | undefined {
  const { contents } = parseDocument(block, {
    schema: 'failsafe',
    uniqueKeys: false,
    merge: false,
    prettyErrors: false,
    logLevel: 'error',
  });
  return isMap(contents) ? contents : undefined;
}

function fault(message: string): KnackError {
  return new KnackError('skill-invalid', message);
}

interface Place {
  readonly block: string;
  readonly range: BlockRange;
  readonly value: string;
}

/** A field of the map `first`, which may be missing or empty. */
function pieceInside(
  place: Place & { root: YAMLMap; pair: Pair | undefined; keys: readonly [string, string] },
): Piece {
  const { block, range, root, pair, keys, value } = place;
  const [first, second] = keys;
  const parent = pair?.value;
  if (isMap(parent) && parent.items.length > 0)
    return pieceFor({ block, range, map: parent, key: second, value });
  if (pair === undefined) {
    if (root.flow === true) return addToFlow(root, `${quote(first)}: {${quote(second)}: ${quote(value)}}`);
    const indent = indentOf(block, root);
    return addLines(block, block.length, range, [
      `${indent}${first}:`,
      `${indent}  ${second}: ${quote(value)}`,
    ]);
  }
  if (isMap(parent)) return addToFlow(parent, `${quote(second)}: ${quote(value)}`);
  const isEmpty =
    parent === null ||
    (isScalar(parent) && parent.type === 'PLAIN' && parent.source === '' && !parent.anchor);
  if (!isEmpty || root.flow === true)
    throw fault(`${first} is not a map of key: value pairs; make it one first`);
  const at = lineEndAfter(block, endOfNode(pair.key));
  return addLines(block, at, range, [`${indentOf(block, root)}  ${second}: ${quote(value)}`]);
}

function pieceFor({ block, range, map, key, value }: Place & { map: YAMLMap; key: string }): Piece {
  const pair = lastPair(map, key);
  if (pair !== undefined) return pieceInPlace(block, pair, key, value);
  if (map.flow === true) return addToFlow(map, `${quote(key)}: ${quote(value)}`);
  const line = `${indentOf(block, map)}${key}: ${quote(value)}`;
  return addLines(block, endOfMap(block, map), range, [line]);
}

/** The new text in the place of the old, or of a list. */
function pieceInPlace(block: string, pair: Pair, key: string, value: string): Piece {
  const node = pair.value;
  if (isMap(node)) throw fault(`${key} holds a map; make it a text first`);
  const keyEnd = endOfNode(pair.key);
  const colon = keyEnd + (/^\s*:/.exec(block.slice(keyEnd))?.[0].length ?? 0);
  if (!isNode(node) || !node.range) return { from: keyEnd, to: colon, text: `: ${quote(value)}` };
  const isBlockList = isSeq(node) && node.flow !== true;
  if (!isScalar(node) && !isAlias(node) && !isSeq(node)) throw fault(`${key} cannot be set; mend it first`);
  const from = isBlockList ? colon : node.range[0];
  const to = isBlockList ? endOfNode(node) : node.range[1];
  // The range of a block scalar or list may hold its last line break, which has to stay.
  const kept = /(?:\r?\n)?(?:[ \t]*\r?\n)*$/.exec(block.slice(from, to))?.[0] ?? '';
  const lead = from > 0 && /[:-]$/.test(block.slice(0, from)) ? ' ' : '';
  const tail = block[to] === '#' ? ' ' : '';
  return { from, to, text: `${lead}${quote(value)}${kept === '' ? tail : kept}` };
}

function addToFlow(map: YAMLMap, entry: string): Piece {
  const last = map.items.at(-1);
  if (last === undefined) {
    const at = (map.range?.[0] ?? 0) + 1;
    return { from: at, to: at, text: entry };
  }
  const at = Math.max(endOfNode(last.key), endOfNode(last.value));
  return { from: at, to: at, text: `, ${entry}` };
}

function addLines(block: string, at: number, { newline }: BlockRange, lines: readonly string[]): Piece {
  const before = at > 0 && block[at - 1] !== '\n' ? newline : '';
  return { from: at, to: at, text: before + lines.map((line) => line + newline).join('') };
}

/** Of a key that stands twice the last one counts. */
function lastPair(map: YAMLMap, key: string): Pair | undefined {
  return map.items.findLast((pair) => isScalar(pair.key) && pair.key.value === key);
}

function indentOf(block: string, map: YAMLMap): string {
  const [first] = map.items;
  const at = isNode(first?.key) ? (first.key.range?.[0] ?? 0) : 0;
  return /^ */.exec(block.slice(block.lastIndexOf('\n', at - 1) + 1, at))?.[0] ?? '';
}

/** Behind the last line of the last value of a block mapping. */
function endOfMap(block: string, map: YAMLMap): number {
  const last = map.items.at(-1);
  return lineEndAfter(block, Math.max(endOfNode(last?.key), endOfNode(last?.value)));
}

function lineEndAfter(block: string, offset: number): number {
  if (offset > 0 && block[offset - 1] === '\n') return offset;
  const lineEnd = block.indexOf('\n', offset);
  return lineEnd < 0 ? block.length : lineEnd + 1;
}

function endOfNode(node: unknown): number {
  return isNode(node) ? (node.range?.[1] ?? 0) : 0;
}
