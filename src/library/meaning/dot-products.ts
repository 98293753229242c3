/** The part of the platform's interface that is used; Node's types have none of its values. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
};

interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  /** Addresses and lengths in bytes; `length` is a multiple of `LANES`, and more than 0. */
  dots(rows: number, count: number, query: number, length: number, out: number): void;
}

/** Vectors of one length, one after the other in a memory of their own. */
export interface Rows {
  /** The products of each with this one, in their order; valid until the next call. */
  dots(query: Int8Array): Int32Array;
}

/** Numbers that one step takes. */
const LANES = 16;
const PAGE = 65_536;

/**
 * Rows for products by the vector instructions of the processor: ten thousand of 768 numbers take about half a
 * millisecond, where numbers one by one take fifteen. `length` is that of each vector, at least 1 and at most 100,000 numbers, so
 * that no sum is too large.
 */
export function rowsOf(vectors: readonly Int8Array[], length: number): Rows {
  const padded = Math.ceil(length / LANES) * LANES;
  const { memory, dots } = instance();
  const query = vectors.length * padded;
  const out = query + padded;
  const bytes = out + 4 * vectors.length;
  memory.grow(Math.ceil(bytes / PAGE));
  const all = new Int8Array(memory.buffer);
  for (const [index, vector] of vectors.entries()) all.set(vector, index * padded);
  const products = new Int32Array(memory.buffer, out, vectors.length);
  return {
    dots(vector) {
      all.set(vector, query);
      dots(0, vectors.length, query, padded, out);
      return products;
    },
  };
}

function instance(): Exports {
  compiled ??= new WebAssembly.Module(Uint8Array.from(moduleBytes()));
  return new WebAssembly.Instance(compiled).exports as Exports;
}
let compiled: object | undefined;

/** Opcodes of WebAssembly, by their names in its specification. */
const BLOCK = [0x02, 0x40];
const LOOP = [0x03, 0x40];
const END = [0x0b];
const BR = (depth: number) => [0x0c, depth];
const BR_IF = (depth: number) => [0x0d, depth];
const GET = (local: number) => [0x20, local];
const SET = (local: number) => [0x21, local];
const I32_CONST = (value: number) => [0x41, value];
const I32_STORE = [0x36, 2, 0];
const I32_EQZ = [0x45];
const I32_LT_U = [0x49];
const I32_ADD = [0x6a];
const I32_SUB = [0x6b];
const V128_LOAD = [0xfd, 0x00, 0, 0];
const V128_ZERO = [0xfd, 0x0c, ...new Array<number>(16).fill(0)];
const I32X4_EXTRACT_LANE = (lane: number) => [0xfd, 0x1b, lane];
const I16X8_EXTEND_LOW_I8X16_S = [0xfd, 0x87, 0x01];
const I16X8_EXTEND_HIGH_I8X16_S = [0xfd, 0x88, 0x01];
const I32X4_ADD = [0xfd, 0xae, 0x01];
const I32X4_DOT_I16X8_S = [0xfd, 0xba, 0x01];
const I32 = 0x7f;
const V128 = 0x7b;

/** The locals of `dots`: its parameters, and what it counts with. */
const [ROW, COUNT, QUERY, LENGTH, OUT, STOP, AT, SUM] = [0, 1, 2, 3, 4, 5, 6, 7];

/** The module: a memory, and the function `dots` over it. */
function moduleBytes(): number[] {
  const add = (local: number, value: number) => [
    ...GET(local),
    ...I32_CONST(value),
    ...I32_ADD,
    ...SET(local),
  ];
  const half = (extend: readonly number[]) => [
    ...[ROW, AT].flatMap((local) => [...GET(local), ...V128_LOAD, ...extend]),
    ...I32X4_DOT_I16X8_S,
    ...I32X4_ADD,
  ];
  const oneRow = [
    ...[...V128_ZERO, ...SET(SUM)],
    ...[...GET(ROW), ...GET(LENGTH), ...I32_ADD, ...SET(STOP)],
    ...[...GET(QUERY), ...SET(AT)],
    ...LOOP,
    ...[...GET(SUM), ...half(I16X8_EXTEND_LOW_I8X16_S), ...half(I16X8_EXTEND_HIGH_I8X16_S), ...SET(SUM)],
    ...[...add(ROW, LANES), ...add(AT, LANES)],
    ...[...GET(ROW), ...GET(STOP), ...I32_LT_U, ...BR_IF(0)],
    ...END,
    ...GET(OUT),
    ...[0, 1, 2, 3].flatMap((lane) => [
      ...GET(SUM),
      ...I32X4_EXTRACT_LANE(lane),
      ...(lane === 0 ? [] : I32_ADD),
    ]),
    ...I32_STORE,
  ];
  const body = [
    ...[2, 2, I32, 1, V128],
    ...BLOCK,
    ...LOOP,
    ...[...GET(COUNT), ...I32_EQZ, ...BR_IF(1)],
    ...oneRow,
    ...add(OUT, 4),
    ...[...GET(COUNT), ...I32_CONST(1), ...I32_SUB, ...SET(COUNT)],
    ...BR(0),
    ...END,
    ...END,
    ...END,
  ];
  const name = (text: string) => [text.length, ...Buffer.from(text)];
  return [
    ...Buffer.from('\0asm\u0001\0\0\0', 'latin1'),
    ...section(1, [1, 0x60, 5, I32, I32, I32, I32, I32, 0]),
    ...section(3, [1, 0]),
    ...section(5, [1, 0, 1]),
    ...section(7, [2, ...name('memory'), 2, 0, ...name('dots'), 0, 0]),
    ...section(10, [1, ...sized(body)]),
  ];
}

function section(id: number, content: readonly number[]): number[] {
  return [id, ...sized(content)];
}

/** Preceded by its size, in the variable length that the format has. */
function sized(content: readonly number[]): number[] {
  const { length } = content;
  return [...(length < 128 ? [length] : [(length % 128) + 128, Math.floor(length / 128)]), ...content];
}
