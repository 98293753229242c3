import { usualSpelling } from './spellings.ts';

const VOWEL = /[aeiouy]/;
const NO_PLURAL = ['ss', 'us'];
const LONG_PLURAL = ['ses', 'xes', 'zes', 'ches', 'shes'];
const IZATION = ['isation', 'ization'];
const IZE = ['is', 'ys'];
const IZER = ['izer', 'iser', 'yzer', 'yser'];

/**
 * The stem of a lower-case English word, light: plurals, `-ing`, `-ed`, `-ion`, `-ment`, `-ator`, `-ctor`, `-ize`,
 * `-izer` and a final `e`. Words that are not English pass nearly unchanged. Only for comparing: a stem need not be a word.
 */
export function stem(written: string): string {
  if (written.length < 3 || hasDigit(written)) return written;
  const word = usualSpelling(written);
  if (word.length < 4) return word;
  if (word.endsWith('is')) return word.endsWith('ysis') ? `${word.slice(0, -4)}yz` : word;
  return withoutFinal(withoutNoun(withoutVerb(withoutPlural(word))));
}

/** Here and below without regular expressions, which take several times as long for the many words of an index. */
function hasDigit(word: string): boolean {
  for (let at = 0; at < word.length; at += 1) {
    const code = word.charCodeAt(at);
    if (code >= 48 && code <= 57) return true;
  }
  return false;
}

function endsWithAny(word: string, ends: readonly string[]): boolean {
  for (let at = 0; at < ends.length; at += 1) if (word.endsWith(ends[at] ?? '')) return true;
  return false;
}

function withoutPlural(word: string): string {
  if (!word.endsWith('s') || endsWithAny(word, NO_PLURAL)) return word;
  if (word.endsWith('ies')) return word.length > 4 ? `${word.slice(0, -3)}y` : word.slice(0, -1);
  if (endsWithAny(word, LONG_PLURAL)) return word.slice(0, -2);
  return word.slice(0, -1);
}

function withoutVerb(word: string): string {
  const rest = word.endsWith('ing')
    ? word.slice(0, -3)
    : word.endsWith('ed') && !word.endsWith('eed')
      ? word.slice(0, -2)
      : undefined;
  if (rest === undefined || rest.length < 3 || !VOWEL.test(rest)) return word;
  // modelling → model, but spelling → spell
  if (rest.length >= 6 && rest.endsWith('ell')) return rest.slice(0, -1);
  // stopping → stop, but calling → call
  return /([bdgmnprt])\1$/.test(rest) ? rest.slice(0, -1) : rest;
}

function withoutNoun(word: string): string {
  const { length } = word;
  if (length >= 9 && endsWithAny(word, IZATION)) return `${word.slice(0, -7)}iz`;
  if (length >= 6 && word.endsWith('ion') && (word[length - 4] === 's' || word[length - 4] === 't'))
    // action → act, but notion is none of notes
    return length === 6 && VOWEL.test(word[1] ?? '') ? word : word.slice(0, -3);
  if (length >= 7 && word.endsWith('ator')) return word.slice(0, -2);
  if (length >= 8 && endsWithAny(word, IZER)) return word.slice(0, -2);
  if (length >= 8 && word.endsWith('ctor')) return word.slice(0, -2);
  if (length >= 7 && word.endsWith('ative')) return word.slice(0, -3);
  if (length >= 8 && word.endsWith('ment')) return word.slice(0, -4);
  // vulnerability → vulnerable, accessibility → accessible
  if (length >= 9 && endsWithAny(word, ['ability', 'ibility'])) return `${word.slice(0, -5)}l`;
  if (length >= 6 && word.endsWith('ly')) return word.slice(0, -2);
  return word;
}

/** A final `e` goes where four letters are there, `ie` becomes `y` as `ies` does, and `is` and `ys` of a long word become `iz` and `yz`. */
function withoutFinal(word: string): string {
  if (word.length >= 5 && word.endsWith('ie')) return `${word.slice(0, -2)}y`;
  const plain = word.length >= 4 && word.endsWith('e') ? word.slice(0, -1) : word;
  const isLong = word.length >= 6;
  return isLong && endsWithAny(plain, IZE) ? `${plain.slice(0, -1)}z` : plain;
}
