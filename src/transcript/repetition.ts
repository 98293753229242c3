/** Of the texts that share the rarest word, how many of the latest are looked at: a long session has tens of thousands. */
const MOST_COMPARED = 64;
const LONGEST = 1200;
const FEWEST_WORDS = 5;

/** Words that may differ between two wordings of one demand. */
const SMALL_WORDS = new Set(
  'a an the this that it of to in on for with and or please again still now once more just i you me my your is are be do as at by 请 再 bitte noch mal nochmal das die der den es por favor otra vez el la lo'.split(
    ' ',
  ),
);

/** What the user has said so far. */
export interface SaidTexts {
  add(text: string): void;
  /**
   * The same demand once more, in nearly the same words and with no new one: "a light theme" after "a dark theme" is
   * the next request.
   */
  isRepeated(text: string): boolean;
  /** How many pairs of texts were compared so far: at most `MOST_COMPARED` a question. */
  readonly compared: number;
}

/** The different words of a text, in lower case. */
export const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);

/** Remembers texts by their words, so that each new one is compared with a bounded number of earlier ones. */
export function createSaidTexts(): SaidTexts {
  const texts: ReadonlySet<string>[] = [];
  const byWord = new Map<string, number[]>();
  let compared = 0;

  /** Places of the texts that may say the same: they have every word of it that is not small. */
  function candidates(words: ReadonlySet<string>): readonly number[] {
    let rarest: readonly number[] | undefined;
    for (const word of words) {
      if (SMALL_WORDS.has(word)) continue;
      const places = byWord.get(word);
      if (places === undefined) return [];
      if (rarest === undefined || places.length < rarest.length) rarest = places;
    }
    if (rarest !== undefined) return rarest.slice(-MOST_COMPARED);
    const from = Math.max(0, texts.length - MOST_COMPARED);
    return Array.from({ length: texts.length - from }, (_, at) => from + at);
  }

  return {
    get compared() {
      return compared;
    },
    add(text) {
      const words = wordsOf(text.slice(0, 2000));
      for (const word of words) {
        const places = byWord.get(word);
        if (places) places.push(texts.length);
        else byWord.set(word, [texts.length]);
      }
      texts.push(words);
    },
    isRepeated(text) {
      if (text.length > LONGEST) return false;
      const words = wordsOf(text);
      if (words.size < FEWEST_WORDS) return false;
      return candidates(words).some((place) => {
        compared += 1;
        const other = texts[place] ?? new Set();
        const all = [...words];
        const common = all.filter((word) => other.has(word)).length;
        return (
          common / (words.size + other.size - common) >= 0.6 &&
          all.every((word) => other.has(word) || SMALL_WORDS.has(word))
        );
      });
    },
  };
}
