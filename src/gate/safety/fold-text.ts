/** A text as the rules see it, with the way back to where each character came from. */
export interface FoldedText {
  readonly text: string;
  originOf(index: number): number;
}

/** Letters of other scripts that pass for Latin ones; only folded in words that also hold Latin letters. */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  а: 'a',
  е: 'e',
  о: 'o',
  р: 'p',
  с: 'c',
  у: 'y',
  х: 'x',
  і: 'i',
  ј: 'j',
  ѕ: 's',
  к: 'k',
  м: 'm',
  т: 't',
  в: 'b',
  н: 'h',
  А: 'A',
  В: 'B',
  Е: 'E',
  К: 'K',
  М: 'M',
  Н: 'H',
  О: 'O',
  Р: 'P',
  С: 'C',
  Т: 'T',
  Х: 'X',
  І: 'I',
  α: 'a',
  ε: 'e',
  ι: 'i',
  ο: 'o',
  ρ: 'p',
  υ: 'u',
  ν: 'v',
  τ: 't',
  κ: 'k',
};
const DROPPED =
  /[\0\ufffd\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff*]|\p{Variation_Selector}/u;

/**
 * Folds what hides a phrase from a pattern and not from a reader: compatibility forms, invisible characters, replaced bytes,
 * emphasis marks, look-alike letters, line breaks and runs of blanks, curly apostrophes.
 */
export function foldText(text: string): FoldedText {
  const origins: number[] = [];
  let folded = '';
  let blank = true;
  const mixed = mixedWords(text);
  for (let at = 0; at < text.length; ) {
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
    const plain = mixed(at) ? (LOOK_ALIKES[character] ?? character) : character;
    const put = /\s/.test(plain) ? ' ' : DROPPED.test(plain) ? '' : straight(plain.normalize('NFKC'));
    if (put !== '' && !(put === ' ' && blank)) {
      for (let unit = 0; unit < put.length; unit += 1) origins.push(at);
      folded += put;
    }
    if (put !== '') blank = put === ' ';
    at += character.length;
  }
  return { text: folded, originOf: (index) => origins[index] ?? text.length };
}

function straight(character: string): string {
  return character === '\u2019' || character === '\u2018' ? "'" : character;
}

function mixedWords(text: string): (at: number) => boolean {
  if (!/[\u0370-\u04ff]/.test(text)) return () => false;
  const spans: [number, number][] = [];
  for (const word of text.matchAll(/[\p{L}\p{M}\u00ad\u200b-\u200d\u2060]+/gu))
    if (/[\u0370-\u04ff]/.test(word[0]) && /[a-z]/i.test(word[0]))
      spans.push([word.index, word.index + word[0].length]);
  return (at) => spans.some(([start, end]) => at >= start && at < end);
}
