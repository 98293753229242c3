import { toNfkc } from '../../text/nfkc.ts';

const RUN = /[ァ-ヺー]{2,}/g;
/** A shorter one has one pair, which says all of it. */
const SHORTEST = 3;

/** Words in katakana, full-width, in the order of the text; what is written together is one word. */
export function katakanaRuns(text: string): string[] {
  return toNfkc(text).match(RUN) ?? [];
}

/** The words in katakana of a text whose pairs may by chance be those of other words, distinct. */
export function longKatakana(text: string): string[] {
  return [...new Set(katakanaRuns(text).filter(({ length }) => length >= SHORTEST))];
}

/** The sound mark that some write at the end of a word and some do not: サーバ, サーバー. */
export function withoutLength(word: string): string {
  return word.replaceAll('ー', '');
}
