import { spelledOut } from './spelled-names.ts';
import { stem } from './stem.ts';
import { STOP_WORDS } from './stop-words.ts';

const LONGEST_WORD = 40;
const LETTER = /[\p{L}\p{N}\p{M}]/u;
/** The prolonged sound mark and the voicing marks, full, half-width and combining, belong to no script, but to Japanese words. */
const CJK =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々\u3099-\u309C\uFF70\uFF9E\uFF9F]/u;

/** Words with nothing to split: most of all that there are. */
const ONE_FORM = /^(?:[A-Z]?[^A-Z\d]+|[A-Z]+)$/;

/** Gets a word as UTF-16 units between two places, with its hash. The units are overwritten later: they are not kept. */
export type TakeWord = (units: Uint16Array, start: number, end: number, hash: number) => void;

const HASH_START = 0x811c9dc5;
const HASH_FACTOR = 0x01000193;
/** UTF-16 units that are kept for the next text; a longer one gets its own. */
const KEPT_UNITS = 1 << 16;
/** Reading the units of a string one by one takes several times as long. */
const textUnits = Buffer.alloc(KEPT_UNITS * 2);
const wordUnits = Buffer.alloc(KEPT_UNITS * 2);

type Kind = 0 | 1 | 2 | 3;
const UNKNOWN = 0;
const GAP = 1;
const WORD = 2;
const PAIRED = 3;
/** The kind of each character outside of the astral planes, found out when it is first met. */
const kinds = new Uint8Array(0x10000);

/**
 * Hands every word of a text to `take` as a piece of a string: runs of ASCII letters and digits as they are written,
 * words of other scripts without accents, and for Chinese, Japanese and Korean each pair of neighbouring characters.
 */
export function scanWords(source: string, take: TakeWord): void {
  const text = spelledOut(source);
  const length = text.length;
  const units = unitsOf(text, textUnits);
  let at = 0;
  while (at < length) {
    const code = units[at] ?? 0;
    if (isAlphanumeric(code)) {
      const start = at;
      let hash = HASH_START;
      let next = code;
      do {
        hash = Math.imul(hash ^ next, HASH_FACTOR);
        at += 1;
        next = at < length ? (units[at] ?? 0) : 0;
      } while (isAlphanumeric(next));
      if (next > 127 && kindAt(text, at) === WORD) at = takeForeignWord(text, start, take);
      else take(units, start, at, hash);
      continue;
    }
    const kind = code < 128 ? GAP : kindAt(text, at);
    if (kind === GAP) at += 1;
    else at = kind === PAIRED ? takePairs(text, units, at, take) : takeForeignWord(text, at, take);
  }
}

/** The terms of one word as scanned: lower case, split at camelCase (the whole stays too), stemmed; none for a stop word. */
export function expandWord(word: string): string[] {
  if (plainWord(word) === undefined) return [];
  if (ONE_FORM.test(word)) return termOf(word.toLowerCase());
  // `PDFs` is a plural, not camelCase.
  const plain = word.replace(/^([A-Z]{2,})s$/, '$1');
  const parts = plain.replace(/([a-z\d])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3 $2').split(' ');
  const versioned = /^([A-Za-z]{4,})\d{1,2}$/.exec(plain)?.[1];
  const forms = [...(parts.length > 1 ? parts : []), ...(versioned ? [versioned] : []), plain];
  return [...new Set(forms.flatMap((form) => termOf(form.toLowerCase())))];
}

/** A word as scanned in lower case; undefined for what is too long to be one and for long numbers. */
export function plainWord(word: string): string | undefined {
  return word.length > LONGEST_WORD || /^\d{5,}$/.test(word) ? undefined : word.toLowerCase();
}

/** All terms of a text in their order, as the index and queries know them. */
export function termsOf(text: string): string[] {
  const terms: string[] = [];
  scanWords(text, (units, start, end) => terms.push(...expandWord(wordOf(units, start, end))));
  return terms;
}

/** A word that was taken, as a string. */
export function wordOf(units: Uint16Array, start: number, end: number): string {
  return Buffer.from(units.buffer, units.byteOffset + start * 2, (end - start) * 2).toString('utf16le');
}

function unitsOf(text: string, kept: Buffer): Uint16Array {
  const bytes = text.length <= KEPT_UNITS ? kept : Buffer.alloc(text.length * 2);
  bytes.write(text, 'utf16le');
  return new Uint16Array(bytes.buffer, bytes.byteOffset, text.length);
}

function takeText(text: string, take: TakeWord): void {
  const units = unitsOf(text, wordUnits);
  take(units, 0, units.length, hashOf(units, 0, units.length));
}

function hashOf(units: Uint16Array, start: number, end: number): number {
  let hash = HASH_START;
  for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ (units[at] ?? 0), HASH_FACTOR);
  return hash;
}

/** Whole ideographs, kana and Hangul syllables: normalising changes none of them, whatever stands beside it in a row of them. */
function isSettled(code: number): boolean {
  return (
    (code >= 0x4e00 && code <= 0x9fff) ||
    (code >= 0x3041 && code <= 0x3096) ||
    (code >= 0x30a1 && code <= 0x30fa) ||
    code === 0x30fc ||
    (code >= 0xac00 && code <= 0xd7a3)
  );
}

function termOf(word: string): string[] {
  if (word.length < 2 && !CJK.test(word)) return [];
  return STOP_WORDS.has(word) ? [] : [stem(word)];
}

function isAlphanumeric(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);
}

function kindAt(text: string, at: number): Kind {
  const code = text.charCodeAt(at);
  // The second half of a surrogate pair has been judged with the first.
  if (code >= 0xd800 && code <= 0xdfff)
    return code < 0xdc00 ? kindOf(String.fromCodePoint(text.codePointAt(at) ?? 0)) : GAP;
  if (kinds[code] === UNKNOWN) kinds[code] = kindOf(String.fromCharCode(code));
  return kinds[code] as Kind;
}

function kindOf(character: string): Kind {
  return CJK.test(character) ? PAIRED : LETTER.test(character) ? WORD : GAP;
}

/** Where the run of this kind ends; ASCII letters belong to words. */
function endOf(text: string, start: number, kind: Kind): number {
  let at = start;
  while (at < text.length && kindAt(text, at) === kind)
    at += text.charCodeAt(at) >= 0xd800 && text.charCodeAt(at) <= 0xdbff ? 2 : 1;
  return at;
}

function takePairs(text: string, units: Uint16Array, start: number, take: TakeWord): number {
  let settled = start;
  while (settled < text.length && isSettled(units[settled] ?? 0) && kindAt(text, settled) === PAIRED)
    settled += 1;
  const end = endOf(text, settled, PAIRED);
  if (end === settled && end > start + 1) {
    for (let at = start + 2; at <= end; at += 1) take(units, at - 2, at, hashOf(units, at - 2, at));
    return end;
  }
  const characters = [...text.slice(start, end).normalize('NFKC')];
  if (characters.length === 1) takeText(characters.join(''), take);
  for (let index = 1; index < characters.length; index += 1) {
    takeText(`${characters[index - 1]}${characters[index]}`, take);
  }
  return end;
}

function takeForeignWord(text: string, start: number, take: TakeWord): number {
  const end = endOf(text, start, WORD);
  const word = text.slice(start, end).normalize('NFKC').normalize('NFD').replace(/\p{M}/gu, '');
  // Full-width letters and ligatures become ASCII, which may hold several words.
  for (const part of word.split(/[^\p{L}\p{N}]+/u)) if (part !== '') takeText(part, take);
  return end;
}
