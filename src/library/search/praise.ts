import { termsOf } from '../words/tokenize.ts';

const PRAISE =
  /\b(?:is|was|looks|sounds|seems) (?:very |really )?(?:good|great|fine|nice|perfect|right|okay|ok)\b/giu;
/** Characters: a longer text says something else as well. */
const LONGEST = 160;

/** Whether a text says no more than that something is good, which asks for nothing. */
export function isPraise(text: string): boolean {
  if (text.length > LONGEST || text.search(PRAISE) < 0) return false;
  return termsOf(text.replace(PRAISE, ' ')).length === 0;
}
