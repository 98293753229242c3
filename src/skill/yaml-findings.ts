import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  type Pair,
  visit,
  type YAMLMap,
} from 'yaml';
import type { Problem } from '../errors.ts';

/** Keys that reach into objects instead of standing in them. */
export const DANGEROUS_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** What can be said of a document that parsed. */
export interface DocumentFindings {
  readonly problems: readonly Problem[];
  /** Lines of the keys of the outermost mapping. */
  readonly lines: ReadonlyMap<string, number>;
  /** The line of the first alias. */
  readonly alias: number | undefined;
  readonly aliases: number;
  /** The first alias whose anchor does not stand before it. */
  readonly strayAlias: { readonly source: string; readonly offset: number } | undefined;
}

type Note = (rule: string, message: string, offset: number, severity?: Problem['severity']) => void;

/**
 * Goes over a parsed document once: duplicate and dangerous keys, a description that a comment cuts, and what the
 * specification's narrower YAML does not take, such as flow style. Each finding once, at its first place.
 */
export function findInDocument(
  document: Document.Parsed,
  lineOf: (offset: number) => number,
): DocumentFindings {
  const found = new Map<string, Problem>();
  const note: Note = (rule, message, offset, severity = 'warning') => {
    if (!found.has(message)) found.set(message, { rule, severity, message, line: lineOf(offset) });
  };
  const anchors = new Set<string>();
  let alias: number | undefined;
  let aliases = 0;
  let strayAlias: DocumentFindings['strayAlias'];
  visit(document, {
    Alias: (_, { source, range }) => {
      const offset = range?.[0] ?? 0;
      alias ??= lineOf(offset);
      aliases += 1;
      if (!anchors.has(source)) strayAlias ??= { source, offset };
    },
    Node: (_, node) => {
      if (!isAlias(node) && node.anchor !== undefined) anchors.add(node.anchor);
      noteDialect(node, note);
      if (isMap(node)) noteKeys(node, note);
    },
  });
  if (isMap(document.contents)) noteCutDescription(document.contents, note);
  return {
    problems: [...found.values()],
    lines: linesOf(document.contents, lineOf),
    alias,
    aliases,
    strayAlias,
  };
}

function noteDialect(node: unknown, note: Note): void {
  if (!isNode(node)) return;
  const [offset = 0] = node.range ?? [];
  const say = (what: string) => {
    const message = `${what} is not part of the specification's YAML; other readers may refuse it`;
    note('yaml-dialect', message, offset, 'info');
  };
  if (isCollection(node) && node.flow === true)
    say(node.items.length > 0 ? 'flow style ([…] or {…})' : 'an empty list or map ([] or {})');
  if (isAlias(node)) return say('an alias');
  if ('anchor' in node && node.anchor) say('an anchor');
  if (node.tag !== undefined) say('a tag');
}

function noteKeys(map: YAMLMap, note: Note): void {
  const seen = new Set<string>();
  for (const pair of map.items) {
    const key = keyOf(pair);
    if (key === undefined) continue;
    if (seen.has(key))
      note('duplicate-key', `the key ${key} stands twice; the last one counts`, offsetOf(pair));
    if (DANGEROUS_KEYS.has(key)) note('dangerous-key', `the key ${key} is ignored`, offsetOf(pair));
    seen.add(key);
  }
}

/** A plain description is cut at ` #`, which its author seldom meant. */
function noteCutDescription(map: YAMLMap, note: Note): void {
  const node = map.get('description', true);
  if (!isScalar(node) || node.type !== 'PLAIN' || node.source === '' || !node.comment) return;
  const message = 'the description ends at " #", as YAML reads a comment there; quote it if that is text';
  note('comment-in-value', message, node.range?.[0] ?? 0);
}

function linesOf(contents: unknown, lineOf: (offset: number) => number): Map<string, number> {
  const pairs = isMap(contents) ? contents.items : [];
  return new Map(pairs.map((pair) => [keyOf(pair) ?? '', lineOf(offsetOf(pair))]));
}

function keyOf(pair: unknown): string | undefined {
  return isPair(pair) && isScalar(pair.key) ? String(pair.key.value) : undefined;
}

function offsetOf(pair: Pair): number {
  return isNode(pair.key) ? (pair.key.range?.[0] ?? 0) : 0;
}
