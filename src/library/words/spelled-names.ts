/** Names of languages and platforms that are told by signs, and the words that people also write for them. */
const NAMES: readonly (readonly [pattern: RegExp, word: string])[] = [
  [/(?<![\p{L}\p{N}])c\+\+(?!\+)/giu, ' cpp '],
  [/(?<![\p{L}\p{N}])c#/giu, ' csharp '],
  [/(?<![\p{L}\p{N}])f#/giu, ' fsharp '],
  [/(?<![\p{L}\p{N}])\.net(?![\p{L}\p{N}])/giu, ' dotnet '],
];

/** The text with such names as words: without their signs nothing of them would be left. */
export function spelledOut(text: string): string {
  // Most texts hold none, and this alone is fast.
  if (!/c\+\+|[cf]#|\.net/i.test(text)) return text;
  return NAMES.reduce((spelled, [pattern, word]) => spelled.replace(pattern, word), text);
}
