const VOWEL = /[aeiouy]/;

/**
 * The stem of a lower-case English word, light: plurals, `-ing`, `-ed`, `-ion`, `-ment`, `-ator`, `-ize` and a final
 * `e`. Words that are not English pass nearly unchanged. Only for comparing: a stem need not be a word.
 */
export function stem(word: string): string {
  if (word.length < 4 || /\d/.test(word)) return word;
  if (word.endsWith('ysis')) return `${word.slice(0, -4)}yz`;
  if (word.endsWith('is')) return word;
  return withoutFinal(withoutNoun(withoutVerb(withoutPlural(word))));
}

function withoutPlural(word: string): string {
  if (!word.endsWith('s') || /(?:ss|us)$/.test(word)) return word;
  if (word.endsWith('ies')) return word.length > 4 ? `${word.slice(0, -3)}y` : word.slice(0, -1);
  if (/(?:s|x|z|ch|sh)es$/.test(word)) return word.slice(0, -2);
  return word.slice(0, -1);
}

function withoutVerb(word: string): string {
  const rest = word.endsWith('ing')
    ? word.slice(0, -3)
    : word.endsWith('ed') && !word.endsWith('eed')
      ? word.slice(0, -2)
      : undefined;
  if (rest === undefined || rest.length < 3 || !VOWEL.test(rest)) return word;
  // stopping → stop, but calling → call
  return /([bdgmnprt])\1$/.test(rest) ? rest.slice(0, -1) : rest;
}

function withoutNoun(word: string): string {
  if (word.length >= 9 && /i[sz]ation$/.test(word)) return `${word.slice(0, -7)}iz`;
  if (word.length >= 6 && /[st]ion$/.test(word)) return word.slice(0, -3);
  if (word.length >= 7 && /at(?:or|ive)$/.test(word)) return word.replace(/(?:or|ive)$/, '');
  if (word.length >= 8 && word.endsWith('ment')) return word.slice(0, -4);
  if (word.length >= 6 && word.endsWith('ly')) return word.slice(0, -2);
  return word;
}

function withoutFinal(word: string): string {
  const plain = word.length >= 6 ? word.replace(/is(e?)$/, 'iz$1').replace(/ys(e?)$/, 'yz$1') : word;
  return plain.length >= 4 && plain.endsWith('e') ? plain.slice(0, -1) : plain;
}
