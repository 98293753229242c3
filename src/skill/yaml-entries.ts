import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  LineCounter,
  type Pair,
  parseDocument,
  type Scalar,
  type YAMLMap,
} from 'yaml';
import { commentsOf } from './yaml-comments.ts';

/** One key of a mapping, with the lines that are about it. */
export interface Entry {
  readonly key: string;
  /** The key as it was read: a text or something that only looks like one. */
  readonly keyNode: Scalar | string;
  /** The value, as it was read; of an alias what it stands for. */
  readonly node: unknown;
  /** Lines of the key and its value as the file has them, and of the comments and blanks behind it. */
  readonly own: readonly string[];
  readonly after: readonly string[];
  /** Comments among its own lines. */
  readonly comments: readonly string[];
  /** The last one of this key. */
  readonly counts: boolean;
}

/** The entries of a mapping; `leading` are the lines before the first. */
export interface Entries {
  readonly document: Document;
  readonly leading: readonly string[];
  readonly entries: readonly Entry[];
  readonly indent: string;
  /** The entries of a map in block style that an entry holds on lines of its own; else undefined. */
  readonly within: (entry: Entry) => Pick<Entries, 'leading' | 'entries' | 'indent'> | undefined;
}

/** The lines of each key of the block, with the text of the file (`original`) where no repair changed it. */
export function entriesOf(source: string, original: string): Entries {
  const counter = new LineCounter();
  const document = parseDocument(`${source}\n`, {
    schema: 'failsafe',
    uniqueKeys: false,
    merge: false,
    lineCounter: counter,
    prettyErrors: false,
    logLevel: 'error',
  });
  const lines = original.split('\n');
  const text = {
    document,
    lines,
    read: source.split('\n'),
    lineOf: (at: number) => counter.linePos(at).line - 1,
  };
  const starts = new Map<Entry, Span>();
  const within: Entries['within'] = (entry) => {
    const span = starts.get(entry);
    const { node } = entry;
    if (span === undefined || !isMap(node) || node.flow === true || node.anchor || node.tag) return undefined;
    const [first] = node.items;
    return first === undefined || text.lineOf(startOf(first)) <= span.from
      ? undefined
      : entriesIn(node, text, { from: span.from + 1, to: span.to }, starts);
  };
  const { contents } = document;
  if (isMap(contents) && contents.flow !== true)
    return { document, within, ...entriesIn(contents, text, { from: 0, to: lines.length }, starts) };
  const pairs = isMap(contents) ? contents.items : [];
  const last = lastOfKeys(pairs);
  const entries = pairs.map((pair, index): Entry => {
    return {
      key: keyOf(pair),
      keyNode: isScalar(pair.key) ? pair.key : '',
      node: nodeOf(pair, document),
      own: [],
      after: [],
      comments: [],
      counts: last.get(keyOf(pair)) === index,
    };
  });
  return { document, within, leading: commentsOf(source), entries, indent: '' };
}

interface Span {
  readonly from: number;
  readonly to: number;
}

interface Text {
  readonly document: Document;
  readonly lines: readonly string[];
  readonly read: readonly string[];
  readonly lineOf: (offset: number) => number;
}

function entriesIn(
  map: YAMLMap,
  { document, lines, read, lineOf }: Text,
  { from, to }: Span,
  spans: Map<Entry, Span>,
) {
  // A repair draws the text of several lines onto the first and leaves the others empty.
  const isDrawn = (index: number) => read[index]?.trim() === '' && lines[index]?.trim() !== '';
  const pairs = map.items;
  const last = lastOfKeys(pairs);
  const starts = pairs.map((pair) => lineOf(startOf(pair)));
  const entries = pairs.map((pair, index): Entry => {
    const start = starts[index] ?? from;
    const next = starts[index + 1] ?? to;
    // A range that ends with a line break ends on the line before.
    let end = Math.min(next, Math.max(start, lineOf(endOf(pair) - 1)) + 1);
    while (end < next && isDrawn(end)) end += 1;
    const entry = {
      key: keyOf(pair),
      keyNode: isScalar(pair.key) ? pair.key : '',
      node: nodeOf(pair, document),
      own: lines.slice(start, end),
      after: lines.slice(end, next),
      comments: commentsOf(read.slice(start, end).join('\n')),
      counts: last.get(keyOf(pair)) === index,
    };
    spans.set(entry, { from: start, to: end });
    return entry;
  });
  const [first = from] = starts;
  const indent = /^ */.exec(lines[first] ?? '')?.[0] ?? '';
  return { leading: lines.slice(from, first), entries, indent };
}

/** The index of the last pair of each key. */
function lastOfKeys(pairs: readonly Pair[]): ReadonlyMap<string, number> {
  return new Map(pairs.map((pair, index) => [keyOf(pair), index]));
}

function keyOf(pair: Pair): string {
  return isScalar(pair.key) ? String(pair.key.value) : '';
}

function nodeOf({ value }: Pair, document: Document): unknown {
  return isAlias(value) ? value.resolve(document) : value;
}

function startOf(pair: Pair): number {
  return isNode(pair.key) ? (pair.key.range?.[0] ?? 0) : 0;
}

function endOf(pair: Pair): number {
  const ends = [pair.key, pair.value].map((node) => (isNode(node) ? (node.range?.[1] ?? 0) : 0));
  return Math.max(...ends, 1);
}
