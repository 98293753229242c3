import { stem } from './stem.ts';
import { STOP_WORDS } from './stop-words.ts';

const LONGEST_WORD = 40;
const LETTER = /[\p{L}\p{N}\p{M}]/u;
/** The prolonged sound mark belongs to no script, but to Japanese words. */
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々]/u;

/**
 * Hands every word of a text to `take`, as it is written: runs of ASCII letters and digits, words of other scripts
 * without accents, and for Chinese, Japanese and Korean each pair of neighbouring characters.
 */
export function scanWords(text: string, take: (word: string) => void): void {
  const length = text.length;
  let at = 0;
  while (at < length) {
    const code = text.charCodeAt(at);
    if (isAlphanumeric(code)) {
      const start = at;
      do at += 1;
      while (at < length && isAlphanumeric(text.charCodeAt(at)));
      if (at < length && text.charCodeAt(at) > 127 && isWordAt(text, at) && !isCjkAt(text, at))
        at = takeForeignWord(text, start, take);
      else take(text.slice(start, at));
    } else if (code < 128 || !isWordAt(text, at)) at += 1;
    else at = isCjkAt(text, at) ? takePairs(text, at, take) : takeForeignWord(text, at, take);
  }
}

/** The terms of one word as scanned: lower case, split at camelCase (the whole stays too), stemmed; none for a stop word. */
export function expandWord(word: string): string[] {
  if (word.length > LONGEST_WORD || /^\d{5,}$/.test(word)) return [];
  const parts = word.replace(/([a-z\d])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3 $2').split(' ');
  const versioned = /^([A-Za-z]{4,})\d{1,2}$/.exec(word)?.[1];
  const forms = [...(parts.length > 1 ? parts : []), ...(versioned ? [versioned] : []), word];
  return [...new Set(forms.flatMap((form) => termOf(form.toLowerCase())))];
}

/** All terms of a text in their order, as the index and queries know them. */
export function termsOf(text: string): string[] {
  const terms: string[] = [];
  scanWords(text, (word) => terms.push(...expandWord(word)));
  return terms;
}

function termOf(word: string): string[] {
  if (word.length < 2 && !CJK.test(word)) return [];
  return STOP_WORDS.has(word) ? [] : [stem(word)];
}

function isAlphanumeric(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);
}

function characterAt(text: string, at: number): string {
  return String.fromCodePoint(text.codePointAt(at) ?? 0);
}

function isWordAt(text: string, at: number): boolean {
  return LETTER.test(characterAt(text, at));
}

function isCjkAt(text: string, at: number): boolean {
  return text.charCodeAt(at) > 127 && CJK.test(characterAt(text, at));
}

function takePairs(text: string, start: number, take: (word: string) => void): number {
  let at = start;
  while (at < text.length && isCjkAt(text, at)) at += characterAt(text, at).length;
  const characters = [...text.slice(start, at).normalize('NFKC')];
  if (characters.length === 1) take(characters.join(''));
  for (let index = 1; index < characters.length; index += 1)
    take(characters.slice(index - 1, index + 1).join(''));
  return at;
}

function takeForeignWord(text: string, start: number, take: (word: string) => void): number {
  let at = start;
  while (at < text.length && isWordAt(text, at) && !isCjkAt(text, at)) at += characterAt(text, at).length;
  const word = text.slice(start, at).normalize('NFKC').normalize('NFD').replace(/\p{M}/gu, '');
  // Full-width letters and ligatures become ASCII, which may hold several words.
  for (const part of word.split(/[^\p{L}\p{N}]+/u)) if (part !== '') take(part);
  return at;
}
