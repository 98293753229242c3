import { termsOf } from '../words/tokenize.ts';

/** Into a log something is written, and signs stand in a text. */
const LOGIN =
  /\b(?:log|logs|logged|logging|sign|signs|signed|signing)[ -]in(?=[.,;:!?)]|\s*$|\s+(?:with|to|via|using|through|as|and|or)\b)/giu;
/** About what was done. */
const PRAISE =
  /\b(?:(?:is|was|looks|sounds|seems) (?:very |really )?(?:good|great|fine|nice|perfect|right|okay|ok)|well done|(?:good|great|nice) (?:job|work))\b/giu;
/** Characters: in a longer text the other words say what is meant. */
const LONGEST = 160;

/**
 * A short query without words that do not mean in it what they mean alone: `log in` asks for no logs, and what says no more
 * than that something is good asks for nothing.
 */
export function asMeant(query: string): string {
  if (query.length > LONGEST) return query;
  const meant = query.replace(LOGIN, 'login');
  return termsOf(meant.replace(PRAISE, ' ')).length === 0 ? '' : meant;
}
