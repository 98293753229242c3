import { wordsIn } from './scan-words.ts';
import { expandWord } from './tokenize.ts';

/** The terms of a text with the word that each was first met in, as it stands there: for people, who know no stems. */
export function wordsByTerm(text: string): ReadonlyMap<string, string> {
  const words = new Map<string, string>();
  for (const word of wordsIn(text))
    for (const term of expandWord(word)) if (!words.has(term)) words.set(term, word);
  return words;
}
