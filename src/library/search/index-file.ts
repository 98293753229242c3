import { readFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { hasSystemCode } from '../../errors.ts';
import { isRegularFile } from '../../files/folder.ts';
import { cacheHeader, HEADER_BYTES, NOT_READABLE, writeCacheFile } from '../reading/cache-file.ts';
import { type PackedTerms, packTerms } from '../words/term-list.ts';
import { ownersIn, type Postings } from './postings.ts';

/** What a document was made from. */
export interface DocumentKey {
  readonly path: string;
  readonly contentHash: string;
  readonly category: string;
}

/** What an index keeps for the next process. Nothing in it was learned from use. */
export interface KeptIndex {
  readonly postings: Postings;
  readonly terms: PackedTerms;
  /** The number of the document that was made from this; undefined if there is none. */
  numberOf(key: DocumentKey): number | undefined;
  /** Of each document: the names that its body mentions. */
  mentions(number: number): readonly string[];
}

/** What `KeptIndex` is made from. */
export interface IndexContent {
  readonly postings: Postings;
  readonly termOf: (number: number) => string;
  /** Of each document, in the order of their numbers; paths differ. */
  readonly keys: readonly DocumentKey[];
  readonly mentions: readonly (readonly string[])[];
}

interface Texts {
  /** Of each document, as its key has them: a list of each kind is read faster than a list of keys. */
  readonly paths: readonly string[];
  readonly hashes: readonly string[];
  readonly categories: readonly string[];
  /** Each name that is mentioned, once. */
  readonly names: readonly string[];
}

/** Blocks in the file, each at a multiple of this many bytes. */
const ALIGNED = 8;
const BLOCKS = 11;

/**
 * The index that an earlier process kept; undefined where there is none, where another build wrote it, or where a byte of
 * it is not as it was written.
 */
export function loadIndex(file: string): KeptIndex | undefined {
  try {
    if (!isRegularFile(file)) return undefined;
    const bytes = readFileSync(file);
    const content = bytes.subarray(HEADER_BYTES);
    const isOurs =
      bytes.length >= HEADER_BYTES &&
      bytes.toString('utf8', 0, HEADER_BYTES) === cacheHeader(crc32(content), content.length);
    return isOurs ? indexIn(content) : undefined;
  } catch (error) {
    if (hasSystemCode(error, ...NOT_READABLE, 'ERR_FS_FILE_TOO_LARGE')) return undefined;
    throw error;
  }
}

function indexIn(content: Buffer): KeptIndex {
  // A small file is read into a block that is shared and may begin anywhere.
  const from = content.byteOffset % ALIGNED === 0 ? content : Buffer.from(new Uint8Array(content).buffer);
  const { buffer, byteOffset } = from;
  const lengths = new Uint32Array(buffer, byteOffset, BLOCKS);
  let next = byteOffset + aligned(BLOCKS * 4);
  const places = Array.from(lengths, (length) => {
    const start = next;
    next += aligned(length);
    return { start, length };
  });
  const block = (index: number) => places[index] ?? { start: 0, length: 0 };
  const numbers = (index: number) => new Uint32Array(buffer, block(index).start, block(index).length / 4);
  const bytes = (index: number) => Buffer.from(buffer, block(index).start, block(index).length);
  const texts: Texts = JSON.parse(bytes(0).toString('utf8'));
  const size = texts.paths.length;
  const mentionStarts = numbers(8);
  const mentionNames = numbers(9);
  return {
    postings: {
      size,
      starts: numbers(1),
      meant: numbers(10),
      owners: ownersIn(size, buffer, block(2).start, block(2).length),
      purpose: new Float32Array(buffer, block(3).start, block(3).length / 4),
      detail: new Uint16Array(buffer, block(4).start, block(4).length / 2),
      fields: bytes(5),
    },
    terms: { text: bytes(6).toString('utf16le'), ...splitTerms(numbers(7)) },
    numberOf: numbering(texts),
    mentions(number) {
      const found: string[] = [];
      const end = mentionStarts[number + 1] ?? 0;
      for (let at = mentionStarts[number] ?? 0; at < end; at += 1)
        found.push(texts.names[mentionNames[at] ?? 0] ?? '');
      return found;
    },
  };
}

/** Skills are mostly asked for in the order that they were kept in, so that no table of them is needed. */
function numbering({ paths, hashes, categories }: Texts): KeptIndex['numberOf'] {
  let next = 0;
  let table: Map<string, number> | undefined;
  const find = (path: string) => {
    if (paths[next] === path) return next;
    table ??= new Map(paths.map((each, number) => [each, number]));
    return table.get(path);
  };
  return ({ path, contentHash, category }) => {
    const number = find(path);
    if (number === undefined) return undefined;
    next = number + 1;
    return hashes[number] === contentHash && categories[number] === category ? number : undefined;
  };
}

/** Keeps an index; terms that no document holds are left out, so that no query is kept. `now` is in milliseconds. */
export function saveIndex(
  file: string,
  { postings, termOf, keys, mentions }: IndexContent,
  now: number,
): void {
  const held: string[] = [];
  const starts: number[] = [0];
  const meant: number[] = [0];
  for (let term = 0; term + 1 < postings.starts.length; term += 1) {
    const end = postings.starts[term + 1] ?? 0;
    if (end === postings.starts[term]) continue;
    held.push(termOf(term));
    starts.push(end);
    meant.push(postings.meant[term + 1] ?? 0);
  }
  const terms = packTerms(held);
  const names = new Map<string, number>();
  const mentionStarts: number[] = [0];
  const mentionNames: number[] = [];
  for (const each of mentions) {
    for (const name of each) {
      const number = names.get(name) ?? names.size;
      names.set(name, number);
      mentionNames.push(number);
    }
    mentionStarts.push(mentionNames.length);
  }
  const texts: Texts = {
    paths: keys.map(({ path }) => path),
    hashes: keys.map(({ contentHash }) => contentHash),
    categories: keys.map(({ category }) => category),
    names: [...names.keys()],
  };
  const blocks = [
    Buffer.from(JSON.stringify(texts)),
    Uint32Array.from(starts),
    postings.owners,
    postings.purpose,
    postings.detail,
    postings.fields,
    Buffer.from(terms.text, 'utf16le'),
    joinTerms(terms),
    Uint32Array.from(mentionStarts),
    Uint32Array.from(mentionNames),
    Uint32Array.from(meant),
  ];
  const lengths = Uint32Array.from(blocks, (block) => block.byteLength);
  writeCacheFile(file, [lengths, ...blocks].flatMap(padded), now);
}

/** Beginnings and slots in one block, with the number of the former in front. */
function joinTerms({ starts, slots }: PackedTerms): Uint32Array {
  const joined = new Uint32Array(1 + starts.length + slots.length);
  joined[0] = starts.length;
  joined.set(starts, 1);
  joined.set(slots, 1 + starts.length);
  return joined;
}

function splitTerms(joined: Uint32Array): Pick<PackedTerms, 'starts' | 'slots'> {
  const end = 1 + (joined[0] ?? 0);
  return { starts: joined.subarray(1, end), slots: joined.subarray(end) };
}

function padded(block: Uint8Array | Uint32Array | Uint16Array | Float32Array): Uint8Array[] {
  const bytes = new Uint8Array(block.buffer, block.byteOffset, block.byteLength);
  return [bytes, new Uint8Array(aligned(bytes.length) - bytes.length)];
}

function aligned(length: number): number {
  return Math.ceil(length / ALIGNED) * ALIGNED;
}
