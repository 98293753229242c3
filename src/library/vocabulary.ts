import { stem } from './stem.ts';
import { STOP_WORDS, WEAK_STEMS } from './stop-words.ts';
import { expandWord, plainWord, scanWords } from './tokenize.ts';
import { createWordTable, type WordTable } from './word-table.ts';

/** Numbers for terms, so that a body is a few kilobytes of numbers. Only ever grows; shared by libraries of one origin. */
export interface Vocabulary {
  /** The numbers of all terms of a text, in order, with repetitions. Unknown terms get a number. */
  numbersOf(text: string): number[];
  /** The same of plain words: one for each, stop words too. */
  wordsOf(text: string): number[];
  /** The number of a term, or undefined if no text had it. */
  numberOf(term: string): number | undefined;
  termOf(number: number): string;
  /** Whether the term is one that hardly tells requests apart. */
  isWeak(number: number): boolean;
  /** Whether it is a stop word, which only `wordsOf` knows. */
  isStop(number: number): boolean;
  readonly size: number;
}

export function createVocabulary(): Vocabulary {
  const terms: string[] = [];
  const weak: boolean[] = [];
  const stop = new Set<number>();
  const numbers = new Map<string, number>();

  const intern = (term: string): number => {
    const known = numbers.get(term);
    if (known !== undefined) return known;
    const number = terms.length;
    terms.push(term);
    weak.push(WEAK_STEMS.has(term));
    numbers.set(term, number);
    return number;
  };

  // Texts repeat their words: each is split and stemmed once.
  const words = createWordTable((word) => expandWord(word).map(intern));

  const plain = createWordTable((word) => {
    const lower = plainWord(word);
    if (lower === undefined) return [];
    const number = intern(stem(lower));
    if (STOP_WORDS.has(lower)) stop.add(number);
    return [number];
  });

  return {
    numbersOf: (text) => numbersIn(text, words),
    wordsOf: (text) => numbersIn(text, plain),
    isStop: (number) => stop.has(number),
    numberOf: (term) => numbers.get(term),
    termOf: (number) => terms[number] ?? '',
    isWeak: (number) => weak[number] ?? false,
    get size() {
      return terms.length;
    },
  };
}

function numbersIn(text: string, table: WordTable<readonly number[]>): number[] {
  const found: number[] = [];
  scanWords(text, (source, start, end) => {
    const numbers = table.get(source, start, end);
    for (let at = 0; at < numbers.length; at += 1) found.push(numbers[at] ?? 0);
  });
  return found;
}
