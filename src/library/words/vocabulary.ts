import { scanWords } from './scan-words.ts';
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
  readonly size: number;
}

/** Begins with the terms that an earlier process kept. */
export function createVocabulary(kept?: PackedTerms): Vocabulary {
  const terms = createTermList(kept);

  // Texts repeat their words: each is split and stemmed once.
  const words = createWordTable((word) => expandWord(word).map(terms.add));

  const stop = new Set<number>();
  const plain = createWordTable((word) => {
    const lower = plainWord(word);
    if (lower === undefined) return [];
    const number = terms.add(stem(lower));
    if (STOP_WORDS.has(lower) && !FILLER_WORDS.has(lower)) stop.add(number);
    return [number];
  });
  const readNumbers = (text: string) => words.numbersOf(scanWords(text));

  return {
    numbersOf: (text) => Array.from(readNumbers(text)),
    readNumbers,
    wordsOf: (text) => Array.from(plain.numbersOf(scanWords(text))),
    isStop: (number) => stop.has(number),
    numberOf: terms.numberOf,
    termOf: terms.termOf,
    isWeak: (number) => WEAK_STEMS.has(terms.termOf(number)),
    get size() {
      return terms.size;
    },
  };
}
