import { WEAK_STEMS } from './stop-words.ts';
import { expandWord, scanWords } from './tokenize.ts';
import { createWordTable } from './word-table.ts';

/** Numbers for terms, so that a body is a few kilobytes of numbers. Only ever grows; shared by libraries of one origin. */
export interface Vocabulary {
  /** The numbers of all terms of a text, in order, with repetitions. Unknown terms get a number. */
  numbersOf(text: string): number[];
  /** The number of a term, or undefined if no text had it. */
  numberOf(term: string): number | undefined;
  termOf(number: number): string;
  /** Whether the term is one that hardly tells requests apart. */
  isWeak(number: number): boolean;
  readonly size: number;
}

export function createVocabulary(): Vocabulary {
  const terms: string[] = [];
  const weak: boolean[] = [];
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

  return {
    numbersOf(text) {
      const found: number[] = [];
      scanWords(text, (source, start, end) => words.addNumbers(found, source, start, end));
      return found;
    },
    numberOf: (term) => numbers.get(term),
    termOf: (number) => terms[number] ?? '',
    isWeak: (number) => weak[number] ?? false,
    get size() {
      return terms.length;
    },
  };
}
