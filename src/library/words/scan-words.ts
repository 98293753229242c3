import { toNfkc } from '../../text/nfkc.ts';
import { spelledOut } from './spelled-names.ts';

/**
 * The words of one text in its order, in lists that the next text is written over: no string is made of a word, and none
 * is handed over by a call.
 */
export interface ScannedWords {
  /** UTF-16: the text, and behind it words that do not stand there in the form that they are compared in. */
  units: Uint16Array;
  count: number;
  /** Two for each word: where it begins among the units, and where it ends. */
  bounds: Uint32Array;
  /**
   * Two for each word, the second of which is not 0 where they say all of a word of at most `SHORT` units: ASCII letters
   * in six bits each, or two units of other scripts in the second.
   */
  keys: Int32Array;
}

/** ASCII letters that the two numbers of a key hold; a longer word's key holds its last ones. */
export const SHORT = 10;

const LETTER = /[\p{L}\p{N}\p{M}]/u;
/** The prolonged sound mark and the voicing marks, full, half-width and combining, belong to no script, but to Japanese words. */
export const CJK =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々\u3099-\u309C\uFF70\uFF9E\uFF9F]/u;

/** Kinds of characters; between `GAP` and `FOREIGN` are the ASCII letters and digits, one each. */
const GAP = 0;
const FOREIGN = 64;
const PAIRED = 65;
/** Paired, and of those that normalising does not change, whatever stands beside one in a row of them. */
const SETTLED = 66;
const UNKNOWN = 67;
/** The first number of a key of two units: above those of ASCII letters. */
const TWO_UNITS = 1 << 30;
/** The kind of each character outside of the astral planes; of others than ASCII found out when it is first met. */
const kinds = new Uint8Array(0x10000).fill(UNKNOWN);
kinds.fill(GAP, 0, 128);
for (const [index, letter] of [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'].entries())
  kinds[letter.charCodeAt(0)] = index + 1;
for (const [first, last] of ['一鿿', 'ぁゖ', 'ァヺ', 'ーー', '가힣'])
  kinds.fill(SETTLED, first?.charCodeAt(0), (last?.charCodeAt(0) ?? 0) + 1);

/** Units of a text and its words that are kept for the next; for more, new blocks are made. */
const KEPT_UNITS = 1 << 16;
const kept = {
  units: new Uint16Array(KEPT_UNITS),
  bounds: new Uint32Array(KEPT_UNITS),
  keys: new Int32Array(KEPT_UNITS),
};
const words: ScannedWords = { ...kept, count: 0 };
/** Where the next word goes that the text does not have as it is. */
let free = 0;

/**
 * Every word of a text in its order: runs of ASCII letters and digits as they are written, words of other scripts
 * without accents, and for Chinese, Japanese and Korean each pair of neighbouring characters.
 */
export function scanWords(source: string): ScannedWords {
  const text = spelledOut(source);
  const { length } = text;
  begin(text);
  const { units } = words;
  let at = 0;
  while (at < length) {
    at = scanPlain(at, length);
    if (at >= length) break;
    const kind = kindAt(units, at, length);
    // ASCII letters before it belong to the word.
    if (kind === FOREIGN) at = takeForeignWord(text, at, withdrawOpen(at));
    else at = kind === GAP ? at + 1 : takePairs(text, at);
  }
  return words;
}

/** Takes the plain words from a place on, and says where something else stands. The text ends with a gap. */
function scanPlain(from: number, length: number): number {
  makeRoom(length - from + 2);
  const { units, bounds, keys } = words;
  let bound = 2 * words.count;
  let at = from;
  for (;;) {
    let kind = kinds[units[at] ?? 0] ?? 0;
    while (kind === GAP && at < length) {
      at += 1;
      kind = kinds[units[at] ?? 0] ?? 0;
    }
    if (at >= length || kind >= FOREIGN) break;
    bounds[bound] = at;
    let high = 0;
    let low = 0;
    do {
      high = (high << 6) | (low >>> 26);
      low = (low << 6) | kind;
      at += 1;
      kind = kinds[units[at] ?? 0] ?? 0;
    } while ((kind - 1) >>> 0 < FOREIGN - 1);
    bounds[bound + 1] = at;
    keys[bound] = high;
    keys[bound + 1] = low;
    bound += 2;
  }
  words.count = bound >> 1;
  return at;
}

/** A word as a string. */
export function wordAt({ units, bounds }: ScannedWords, index: number): string {
  let word = '';
  for (let at = bounds[2 * index] ?? 0; at < (bounds[2 * index + 1] ?? 0); at += 1)
    word += String.fromCharCode(units[at] ?? 0);
  return word;
}

/** The words of a text as strings, in their order. */
export function wordsIn(text: string): string[] {
  const found = scanWords(text);
  return Array.from({ length: found.count }, (_, index) => wordAt(found, index));
}

/** Writes the text where its words are looked for. */
function begin(text: string): void {
  Object.assign(words, kept);
  words.count = 0;
  free = 0;
  append(text);
  append('\0');
}

/** Writes a piece behind what stands there. */
function append(piece: string): void {
  const end = free + piece.length;
  if (end > words.units.length) {
    const larger = new Uint16Array(2 * end);
    larger.set(words.units.subarray(0, free));
    words.units = larger;
  }
  const { buffer, byteOffset } = words.units;
  Buffer.from(buffer, byteOffset + 2 * free).write(piece, 'utf16le');
  free = end;
}

/** For so many more bounds. */
function makeRoom(more: number): void {
  const wanted = 2 * words.count + more;
  if (wanted <= words.bounds.length) return;
  const { bounds, keys } = words;
  words.bounds = new Uint32Array(2 * wanted);
  words.keys = new Int32Array(2 * wanted);
  words.bounds.set(bounds);
  words.keys.set(keys);
}

/** Takes back a plain word that ends at a place, and says where it began; the place itself if there is none. */
function withdrawOpen(at: number): number {
  const { units, bounds, count } = words;
  const before = at === 0 ? GAP : (kinds[units[at - 1] ?? 0] ?? GAP);
  if (before === GAP || before >= FOREIGN) return at;
  words.count = count - 1;
  return bounds[2 * count - 2] ?? at;
}

function takePairs(text: string, start: number): number {
  const { units } = words;
  const { length } = text;
  let settled = start;
  while (kinds[units[settled] ?? 0] === SETTLED) settled += 1;
  const end = endOf(units, settled, length, PAIRED);
  if (end === settled && end > start + 1) {
    putPairs(start, end);
    return end;
  }
  const characters = [...toNfkc(text.slice(start, end))];
  if (characters.length === 1) putApart(characters.join(''));
  for (let index = 1; index < characters.length; index += 1)
    putApart(`${characters[index - 1]}${characters[index]}`);
  return end;
}

/** `start` is before `at` where plain letters begin the word. */
function takeForeignWord(text: string, at: number, start: number): number {
  const end = endOf(words.units, at, text.length, FOREIGN);
  const word = toNfkc(text.slice(start, end)).normalize('NFD').replace(/\p{M}/gu, '');
  // Full-width letters and ligatures become ASCII, which may hold several words.
  for (const part of word.split(/[^\p{L}\p{N}]+/u)) if (part !== '') putApart(part);
  return end;
}

function putApart(word: string): void {
  const start = free;
  append(word);
  if (word.length === 2) putPairs(start, free);
  else put(start, free, 0, 0);
}

/** Each two neighbours of a row. */
function putPairs(start: number, end: number): void {
  makeRoom(2 * (end - start));
  const { units } = words;
  for (let at = start + 1; at < end; at += 1)
    put(at - 1, at + 1, TWO_UNITS, ((units[at - 1] ?? 0) << 16) | (units[at] ?? 0));
}

/** A word that is no plain one. */
function put(start: number, end: number, high: number, low: number): void {
  makeRoom(2);
  const { bounds, keys } = words;
  const bound = 2 * words.count;
  bounds[bound] = start;
  bounds[bound + 1] = end;
  keys[bound] = high;
  keys[bound + 1] = low;
  words.count += 1;
}

function kindAt(units: Uint16Array, at: number, length: number): number {
  const code = units[at] ?? 0;
  // The second half of a surrogate pair has been judged with the first.
  if (code >= 0xdc00 && code <= 0xdfff) return GAP;
  if (code >= 0xd800 && code < 0xdc00) {
    const second = at + 1 < length ? (units[at + 1] ?? 0) : 0;
    return second >= 0xdc00 && second <= 0xdfff ? kindOf(String.fromCharCode(code, second)) : GAP;
  }
  if (kinds[code] === UNKNOWN) kinds[code] = kindOf(String.fromCharCode(code));
  return kinds[code] ?? GAP;
}

function kindOf(character: string): number {
  return CJK.test(character) ? PAIRED : LETTER.test(character) ? FOREIGN : GAP;
}

/** Where the run of this kind ends; ASCII letters belong to words. */
function endOf(units: Uint16Array, start: number, length: number, kind: number): number {
  let at = start;
  while (at < length) {
    const code = units[at] ?? 0;
    const found = kindAt(units, at, length);
    const isOfIt =
      kind === FOREIGN ? found !== GAP && found <= FOREIGN : found === PAIRED || found === SETTLED;
    if (!isOfIt) break;
    at += code >= 0xd800 && code <= 0xdbff ? 2 : 1;
  }
  return at;
}
