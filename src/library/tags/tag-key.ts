import { wordsIn } from '../words/scan-words.ts';
import { otherForms } from '../words/short-forms.ts';
import { stem } from '../words/stem.ts';

/** The stems of a text's words in their order, camelCase split. Stop words and single letters count: `R` is a tag. */
export function tagStems(text: string): string[] {
  return wordsOf(text).map((word) => stem(word));
}

/**
 * The keys of a tag as it is written, the first of which is enough for most: one is equal for upper and lower case,
 * singular and plural, parts joined by blanks, hyphens or camelCase. Never empty.
 */
export function spellingKeys(tag: string): [string, ...string[]] {
  const words = wordsOf(tag);
  // Of signs alone no word is left.
  if (words.length === 0) return [tag.trim().toLowerCase()];
  const key = words.map((word) => stem(word)).join('');
  // An ending may hide in what is written as one word: `fine-tuning` and `finetuning`.
  const asOne = stem(words.join(''));
  return asOne === key ? [key] : [key, asOne];
}

/** The keys of a tag that is asked for: also of what search knows to be written for it in short, or in full. */
export function askedKeys(tag: string): string[] {
  return [tag, ...otherForms(wordsOf(tag).join(' '))].flatMap(spellingKeys);
}

function wordsOf(text: string): string[] {
  const split = text
    // `PDFs` is a plural, not camelCase.
    .replace(/\b([A-Z]{2,})s\b/g, '$1')
    .replace(/([a-z\d])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3 $2');
  return wordsIn(split).map((word) => word.toLowerCase());
}
