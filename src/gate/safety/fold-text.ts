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

/** Marks that a reader of the page does not see: tags and comments inside a word or between words. */
const INLINE_MARK =
  /<!--(?:[^-]|-(?!->)){0,200}-->|<\/?(?:a|abbr|b|big|code|del|em|font|i|ins|kbd|mark|q|s|small|span|strong|sub|sup|u|wbr)(?:\s[^<>]{0,200})?>/iy;
const ENTITY = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(nbsp|amp|lt|gt|quot|apos));/iy;
const NAMED: Readonly<Record<string, string>> = {
  nbsp: ' ',
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

/**
 * Folds what hides a phrase from a pattern and not from a reader: compatibility forms, invisible characters, replaced bytes,
 * emphasis marks, inline tags, comments and entities of HTML, look-alike letters, line breaks and runs of blanks, curly
 * apostrophes.
 */
export function foldText(text: string): FoldedText {
  const origins: number[] = [];
  let folded = '';
  let blank = true;
  const mixed = mixedWords(text);
  for (let at = 0; at < text.length; ) {
    const mark = markAt(text, at);
    const source = mark?.source ?? String.fromCodePoint(text.codePointAt(at) ?? 0);
    const character = mark?.character ?? source;
    const plain = mixed(at) ? (LOOK_ALIKES[character] ?? character) : character;
    const put = /\s/.test(plain)
      ? ' '
      : plain === '' || DROPPED.test(plain)
        ? ''
        : straight(plain.normalize('NFKC'));
    if (put !== '' && !(put === ' ' && blank)) {
      for (let unit = 0; unit < put.length; unit += 1) origins.push(at);
      folded += put;
    }
    if (put !== '') blank = put === ' ';
    at += source.length;
  }
  return { text: folded, originOf: (index) => origins[index] ?? text.length };
}

/** A mark that stands at this place, and the character that a reader sees there: none for a tag or an emphasis. */
function markAt(text: string, at: number): { source: string; character: string } | undefined {
  const first = text[at];
  if (first === '<') {
    INLINE_MARK.lastIndex = at;
    const source = INLINE_MARK.exec(text)?.[0];
    return source === undefined ? undefined : { source, character: '' };
  }
  if (first === '&') {
    ENTITY.lastIndex = at;
    const [source, decimal, hex, name] = ENTITY.exec(text) ?? [];
    if (source === undefined) return undefined;
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    if (name !== undefined) return { source, character: NAMED[name.toLowerCase()] ?? '' };
    return code > 0 && code <= 0x10ffff ? { source, character: String.fromCodePoint(code) } : undefined;
  }
  if (first === '_' && isEmphasis(text, at)) return { source: '_', character: '' };
  return undefined;
}

/** `_word_` is emphasis, `a_b` is a name. */
function isEmphasis(text: string, at: number): boolean {
  let start = at;
  let end = at + 1;
  while (text[start - 1] === '_') start -= 1;
  while (text[end] === '_') end += 1;
  return !/[\p{L}\p{N}]/u.test(text[start - 1] ?? '') || !/[\p{L}\p{N}]/u.test(text[end] ?? '');
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
