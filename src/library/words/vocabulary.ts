import { scanWords, wordsIn } from './scan-words.ts';
import { stem } from './stem.ts';
import { FILLER_WORDS, STOP_WORDS, WEAK_STEMS } from './stop-words.ts';
import { createTermList, type PackedTerms } from './term-list.ts';
import { expandWord, plainWord } from './tokenize.ts';
import { createWordTable } from './word-table.ts';

/** Numbers for terms, so that a body is a few kilobytes of numbers. Only ever grows; shared by libraries of one origin. */
export interface Vocabulary {
  /** The numbers of all terms of a text, in order, with repetitions. Unknown terms get a number. */
  numbersOf(text: string): number[];
  /** The same in a block that the next text is written over: no list is made of a long text. */
  readNumbers(text: string): Uint32Array;
  /** The same of plain words: one for each, stop words too. */
  wordsOf(text: string): number[];
  /** The number of a term, or undefined if no text had it. */
  numberOf(term: string): number | undefined;
  termOf(number: number): string;
  /** Whether the term is one that hardly tells requests apart. */
  isWeak(number: number): boolean;
  /** Whether it is a stop word and no filler, which only `wordsOf` knows. */
  isStop(number: number): boolean;
  /** What reads one query over the numbers of this vocabulary; only stop words and weak ones stay in it. */
  forQuery(): QueryVocabulary;
  readonly size: number;
}

/**
 * A vocabulary as one query sees it: a term that no text has gets a number that means nothing to another query, so that
 * what people ask and paste does not stay in memory.
 */
export type QueryVocabulary = Pick<Vocabulary, 'numbersOf' | 'wordsOf' | 'numberOf' | 'termOf' | 'isStop'>;

/** The first number of terms that only a query has: above those of texts, below those of pairs of words. */
const FIRST_ASKED = 2 ** 24;

/** Begins with the terms that an earlier process kept. */
export function createVocabulary(kept?: PackedTerms): Vocabulary {
  const terms = createTermList(kept);

  // Texts repeat their words: each is split and stemmed once.
  const words = createWordTable((word) => expandWord(word).map(terms.add));

  const stop = new Set<number>();
  const plain = createWordTable((word) => {
    const lower = plainWord(word);
    if (lower === undefined) return [];
    const isStopWord = STOP_WORDS.has(lower) && !FILLER_WORDS.has(lower);
    const number = terms.add(isStopWord ? stopTerm(lower) : stem(lower));
    if (isStopWord) stop.add(number);
    return [number];
  });
  const isStop = (number: number) => stop.has(number);
  const readNumbers = (text: string) => words.numbersOf(scanWords(text));
  const plainNumbers = (text: string) => Array.from(plain.numbersOf(scanWords(text)));

  function forQuery(): QueryVocabulary {
    const asked: string[] = [];
    const numbers = new Map<string, number>();
    const numberFor = (term: string): number => {
      const known = terms.numberOf(term) ?? numbers.get(term);
      if (known !== undefined) return known;
      if (WEAK_STEMS.has(term)) return terms.add(term);
      const number = FIRST_ASKED + asked.push(term) - 1;
      numbers.set(term, number);
      return number;
    };
    const expanded = new Map<string, readonly number[]>();
    const numbersFor = (word: string): readonly number[] => {
      const found = expanded.get(word) ?? expandWord(word).map(numberFor);
      expanded.set(word, found);
      return found;
    };
    const plainFor = (word: string): readonly number[] => {
      const lower = plainWord(word);
      if (lower === undefined) return [];
      return STOP_WORDS.has(lower) ? plainNumbers(word) : [numberFor(stem(lower))];
    };
    return {
      numbersOf: (text) => wordsIn(text).flatMap(numbersFor),
      wordsOf: (text) => wordsIn(text).flatMap(plainFor),
      numberOf: terms.numberOf,
      termOf: (number) => (number < FIRST_ASKED ? terms.termOf(number) : (asked[number - FIRST_ASKED] ?? '')),
      isStop,
    };
  }

  return {
    forQuery,
    numbersOf: (text) => Array.from(readNumbers(text)),
    readNumbers,
    wordsOf: plainNumbers,
    isStop,
    numberOf: terms.numberOf,
    termOf: terms.termOf,
    isWeak: (number) => WEAK_STEMS.has(terms.termOf(number)),
    get size() {
      return terms.size;
    },
  };
}

/** No other word has it: `not` has the stem of `notion`. */
function stopTerm(word: string): string {
  return `${stem(word)} `;
}
