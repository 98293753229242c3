import { CJK, wordsIn } from './scan-words.ts';
import { stem } from './stem.ts';
import { STOP_WORDS } from './stop-words.ts';

/** Letters; what is longer is a hash or a key, and no term. */
export const LONGEST_WORD = 40;
/** Most of all words. */
const LOWER = /^[a-z]{2,40}$/;
/** Pairs of characters that have no case and no number in them. */
const SETTLED = /^[\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]{2}$/;
/** Words with nothing to split: most of all that there are. */
const ONE_FORM = /^(?:[A-Z]?[^A-Z\d]+|[A-Z]+)$/;

/** The terms of one word as scanned: lower case, split at camelCase (the whole stays too), stemmed; none for a stop word. */
export function expandWord(word: string): string[] {
  if (LOWER.test(word)) return termOf(word);
  if (SETTLED.test(word)) return STOP_WORDS.has(word) ? [] : [word];
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
  return wordsIn(text).flatMap(expandWord);
}

function termOf(word: string): string[] {
  if (word.length < 2 && !CJK.test(word)) return [];
  return STOP_WORDS.has(word) ? [] : [stem(word)];
}
