/** A script as what matches one of its letters; the last one stands for all that are not named. */
const SCRIPTS = [
  /[\p{Script=Hiragana}\p{Script=Katakana}]/u,
  /\p{Script=Han}/u,
  /\p{Script=Hangul}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Arabic}/u,
  /\p{Script=Hebrew}/u,
  /\p{Script=Devanagari}/u,
  /\p{Script=Thai}/u,
  /(?!\p{Script=Latin})\p{L}/u,
];
const ASCII = /^\p{ASCII}*$/u;

/** The script of a term that has letters of another one than the Latin, which names and code have in every language. */
export function scriptOf(term: string): RegExp | undefined {
  return ASCII.test(term) ? undefined : SCRIPTS.find((script) => script.test(term));
}
