import { otherForms } from '../words/short-forms.ts';
import { stem } from '../words/stem.ts';
import { LONGEST_WORD } from '../words/tokenize.ts';
import type { QueryVocabulary } from '../words/vocabulary.ts';
import type { IndexedWords } from './mend-query.ts';

/** Another way to write a short query. */
export interface Reading {
  readonly text: string;
  /** The terms of its new words: a skill that is not for all of them is not found by it. */
  readonly wanted: readonly number[];
  /** What it is worth beside the query as it is written, 0 to 1. */
  readonly share: number;
  /** A word that stands for another one of the query, by their terms: it is worth no more than that. */
  readonly stands?: { readonly term: number; readonly for: number };
}

/** Words of a query that is read in other ways; in a longer one the other words say what is meant. */
const MOST_WORDS = 4;
const LONGEST_TEXT = MOST_WORDS * (LONGEST_WORD + 1);
const MOST_READINGS = 4;
const LONGEST_PHRASE = 3;
/** What another word is worth; the same letters are the same word. */
const OTHER_WORD = 0.8;
/** Letters of each part of a word that is written as two. */
const SHORTEST_PART = 3;

/**
 * Other ways to write a short query that skills may be for: a short form for a long one and the reverse (`k8s`), two
 * words as one (`web app`) and one as two. Only those whose new words all stand in what some skill is for.
 */
export function otherReadings(
  text: string,
  vocabulary: QueryVocabulary,
  words: Pick<IndexedWords, 'purposesWith'>,
): Reading[] {
  const short = text.trim();
  // Without blanks any text is one word: Chinese prose, a key, a line of brackets.
  if (short.length > LONGEST_TEXT) return [];
  const written = short.toLowerCase().split(/[\s/-]+/);
  if (written.length > MOST_WORDS) return [];
  const purposesWith = (word: string) => {
    const term = vocabulary.numberOf(stem(word));
    return term === undefined ? 0 : words.purposesWith(term);
  };
  const found: Reading[] = [];
  const put = (start: number, end: number, instead: string, more: Partial<Reading> = {}) => {
    const text = [...written.slice(0, start), instead, ...written.slice(end)].join(' ');
    found.push({ text, wanted: vocabulary.numbersOf(instead), share: 1, ...more });
  };
  for (const [start, word] of written.entries()) {
    for (let end = start + 1; end <= Math.min(start + LONGEST_PHRASE, written.length); end += 1) {
      const phrase = written.slice(start, end).join(' ');
      for (const form of otherForms(phrase))
        if (vocabulary.numbersOf(form).every((term) => words.purposesWith(term) > 0))
          put(start, end, form, { share: OTHER_WORD, ...standing(phrase, form, vocabulary) });
    }
    const next = written[start + 1];
    if (next !== undefined && purposesWith(word + next) > 0) put(start, start + 2, word + next);
    const parts = purposesWith(word) > 0 ? undefined : partsOf(word, purposesWith);
    if (parts !== undefined) put(start, start + 1, parts.join(' '));
  }
  return found.slice(0, MOST_READINGS);
}

/** One word for one word. */
function standing(phrase: string, form: string, vocabulary: QueryVocabulary): Pick<Reading, 'stands'> {
  const [before, ...more] = vocabulary.numbersOf(phrase);
  const [term, ...others] = vocabulary.numbersOf(form);
  if (before === undefined || term === undefined || more.length + others.length > 0) return {};
  return { stands: { term, for: before } };
}

/** A word as two that skills are for, the split whose rarer part is the most usual. */
function partsOf(word: string, purposesWith: (word: string) => number): [string, string] | undefined {
  if (word.length > LONGEST_WORD) return undefined;
  let best: { readonly parts: [string, string]; readonly purposes: number } | undefined;
  for (let at = SHORTEST_PART; at <= word.length - SHORTEST_PART; at += 1) {
    const parts: [string, string] = [word.slice(0, at), word.slice(at)];
    const purposes = Math.min(...parts.map(purposesWith));
    if (purposes > (best?.purposes ?? 0)) best = { parts, purposes };
  }
  return best?.parts;
}
