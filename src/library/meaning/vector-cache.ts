import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { appendFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hasSystemCode } from '../../errors.ts';
import { isRegularFile } from '../../files/folder.ts';
import { NOT_WRITABLE } from '../reading/cache-file.ts';

/** A vector of which only the direction is kept, in one byte a number: cosines of two differ by less than 0.01. */
export interface KeptVector {
  readonly numbers: Int8Array;
  /** Its length, for cosines. */
  readonly norm: number;
}

/** Vectors by the key of their text, in memory and in a file of one embedder. */
export interface VectorCache {
  readonly file: string;
  readonly size: number;
  /** Of every vector in it; undefined while there is none. */
  readonly dimensions: number | undefined;
  get(key: string): KeptVector | undefined;
  /**
   * Takes vectors in and appends them to the file; one that is missing, damaged or foreign is written anew, whole or not
   * at all. Where it cannot be written they stay in memory, and the answer says why. Throws `RangeError` for a vector of
   * other dimensions.
   */
  add(vectors: ReadonlyMap<string, Float32Array>): Promise<string | undefined>;
  /** Forgets all but these and writes the file anew. */
  keepOnly(keys: ReadonlySet<string>): Promise<string | undefined>;
}

const FORMAT = 1;
/** Bytes of a key, and of the digest that a record ends with. */
const KEY_BYTES = 16;
const CHECK_BYTES = 4;

/** Of this process, so that no two have one name while they are written. */
let writes = 0;

/** The key of a text: what it is and how it was made, never the text itself. */
export function keyOfText(text: string): string {
  return createHash('sha256')
    .update(text)
    .digest('hex')
    .slice(0, 2 * KEY_BYTES);
}

/**
 * Opens the vectors that an embedder made, in a file of their own under `dir`. Whatever in it is not as it was written
 * is left out, so that it is made anew.
 */
export async function openVectorCache(dir: string, embedder: string): Promise<VectorCache> {
  const maker = keyOfText(embedder);
  const file = join(dir, `vectors-${maker.slice(0, 12)}.bin`);
  const vectors = new Map<string, KeptVector>();
  const read = readRecords(await bytesOf(file), maker);
  let { dimensions, isWhole } = read;
  for (const [key, numbers] of read.records) vectors.set(key, kept(numbers));
  let writing: Promise<unknown> = Promise.resolve();

  /** One after the other, and never with an error: what is in memory serves all the same. */
  function write(action: () => Promise<void>): Promise<string | undefined> {
    const next = writing.then(async () => {
      try {
        await mkdir(dirname(file), { recursive: true, mode: 0o700 });
        await action();
        return undefined;
      } catch (error) {
        if (hasSystemCode(error, ...NOT_WRITABLE)) return (error as Error).message;
        throw error;
      }
    });
    writing = next.catch(() => undefined);
    return next;
  }

  async function writeWhole(): Promise<void> {
    const header = `${JSON.stringify({ knackVectors: FORMAT, maker, dimensions })}\n`;
    writes += 1;
    const fresh = `${file}.${process.pid}-${writes}.new`;
    try {
      await writeFile(fresh, Buffer.concat([Buffer.from(header), ...[...vectors].map(recordOf)]), {
        mode: 0o600,
        flush: true,
      });
      await rename(fresh, file);
      isWhole = true;
    } catch (error) {
      await rm(fresh, { force: true });
      throw error;
    }
  }

  return {
    file,
    get size() {
      return vectors.size;
    },
    get dimensions() {
      return dimensions;
    },
    get: (key) => vectors.get(key),
    add(added) {
      const records: Buffer[] = [];
      for (const [key, vector] of added) {
        dimensions ??= vector.length;
        if (vector.length !== dimensions)
          throw new RangeError(`a vector of ${vector.length} numbers among those of ${dimensions}`);
        const small = kept(quantised(vector));
        vectors.set(key, small);
        records.push(recordOf([key, small]));
      }
      return write(async () => {
        if (!isWhole) return writeWhole();
        isWhole = false;
        // One that was removed meanwhile is not begun without its first line.
        await appendFile(file, Buffer.concat(records), { flag: constants.O_WRONLY | constants.O_APPEND });
        isWhole = true;
      });
    },
    keepOnly(keys) {
      for (const key of vectors.keys()) if (!keys.has(key)) vectors.delete(key);
      return write(writeWhole);
    },
  };
}

/** How near two directions are, -1 to 1. */
export function cosine(left: KeptVector, right: KeptVector): number {
  const [a, b] = [left.numbers, right.numbers];
  let sum = 0;
  for (let index = 0; index < a.length; index += 1) sum += (a[index] ?? 0) * (b[index] ?? 0);
  return sum / (left.norm * right.norm);
}

/** A vector as it is kept. */
export function keptVector(vector: Float32Array): KeptVector {
  return kept(quantised(vector));
}

function quantised(vector: Float32Array): Int8Array {
  const most = vector.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);
  return Int8Array.from(vector, (value) => Math.round((value / most) * 127));
}

function kept(numbers: Int8Array): KeptVector {
  let squares = 0;
  for (const value of numbers) squares += value * value;
  return { numbers, norm: Math.sqrt(squares) };
}

/** Key, numbers, and the beginning of their digest. */
function recordOf([key, { numbers }]: readonly [string, KeptVector]): Buffer {
  const content = Buffer.concat([
    Buffer.from(key, 'hex'),
    Buffer.from(numbers.buffer, numbers.byteOffset, numbers.length),
  ]);
  return Buffer.concat([content, checkOf(content)]);
}

function checkOf(content: Uint8Array): Buffer {
  return createHash('sha256').update(content).digest().subarray(0, CHECK_BYTES);
}

interface Records {
  readonly dimensions: number | undefined;
  /** More may be appended to the file. */
  readonly isWhole: boolean;
  readonly records: readonly (readonly [string, Int8Array])[];
}

const NOTHING: Records = { dimensions: undefined, isWhole: false, records: [] };

function readRecords(bytes: Buffer, maker: string): Records {
  const end = bytes.indexOf('\n');
  const dimensions = dimensionsIn(bytes.toString('utf8', 0, Math.max(0, end)), maker);
  if (dimensions === undefined) return NOTHING;
  const size = KEY_BYTES + dimensions + CHECK_BYTES;
  const records: (readonly [string, Int8Array])[] = [];
  let at = end + 1;
  for (; at + size <= bytes.length; at += size) {
    const content = bytes.subarray(at, at + size - CHECK_BYTES);
    // What follows a torn record may stand anywhere.
    if (!checkOf(content).equals(bytes.subarray(at + size - CHECK_BYTES, at + size))) break;
    const numbers = new Int8Array(content.subarray(KEY_BYTES));
    // Zeros have no direction, and none is ever written.
    if (numbers.some((value) => value !== 0)) records.push([content.toString('hex', 0, KEY_BYTES), numbers]);
  }
  return {
    dimensions: records.length === 0 ? undefined : dimensions,
    isWhole: records.length > 0 && at === bytes.length,
    records,
  };
}

function dimensionsIn(header: string, maker: string): number | undefined {
  const [, dimensions] =
    /^\{"knackVectors":1,"maker":"[0-9a-f]+","dimensions":([1-9]\d{0,5})\}$/.exec(header) ?? [];
  const wanted = `{"knackVectors":${FORMAT},"maker":"${maker}","dimensions":${dimensions}}`;
  return dimensions !== undefined && header === wanted ? Number(dimensions) : undefined;
}

async function bytesOf(file: string): Promise<Buffer> {
  try {
    return isRegularFile(file) ? await readFile(file) : Buffer.alloc(0);
  } catch (error) {
    // Whatever keeps the system from reading it, it can be made anew.
    if (error instanceof Error && 'code' in error) return Buffer.alloc(0);
    throw error;
  }
}
