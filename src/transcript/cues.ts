import type { LanguageCues } from './cues/language.ts';
import { LANGUAGES } from './cues/languages.ts';
import { withoutInjected } from './injected.ts';

/** How strictly words are taken. A customer who declines or asks for more has corrected nobody. */
export interface CueContext {
  /** The assistant had just asked something, so that "no" is an answer. */
  readonly afterQuestion?: boolean;
  /** A customer talks to a service, rather than a person to the assistant that works for them. */
  readonly isCustomer?: boolean;
}

const patternsOf = (pick: (language: LanguageCues) => readonly RegExp[]) => LANGUAGES.flatMap(pick);
const OPENINGS = patternsOf(({ correction }) => correction.openings);
const PLAIN = patternsOf(({ correction }) => correction.plain);
const PHRASES = patternsOf(({ correction }) => correction.phrases);
const ACCEPTANCE = patternsOf(({ acceptance }) => acceptance);
const STANDING_WISH = patternsOf(({ standingWish }) => standingWish);
const COURSE_CHANGE = patternsOf(({ courseChange }) => courseChange);
const CONCESSION = patternsOf(({ concession }) => concession);

/** The piece of a text (verbatim) that says that something was wrong; undefined if none does. */
export function correctionIn(text: string, context: CueContext = {}): string | undefined {
  return cueIn(text, [
    ...(context.afterQuestion || context.isCustomer ? [] : OPENINGS),
    ...PLAIN,
    ...(context.isCustomer || isAcceptance(text) ? [] : PHRASES),
  ]);
}

/** The piece of a text (verbatim) that says what shall hold from now on; a question says nothing of the kind. */
export function standingWishIn(text: string): string | undefined {
  const found = cueIn(text, STANDING_WISH);
  return found !== undefined && /[?？]$/.test(found.trimEnd()) ? undefined : found;
}

/** The piece of the assistant's text (verbatim) that takes its own way back. */
export function courseChangeIn(text: string): string | undefined {
  return cueIn(text, COURSE_CHANGE);
}

export const isCorrection = (text: string): boolean => correctionIn(text) !== undefined;
/** Whether the assistant gives in with the first words of its answer. */
export const isConcession = (text: string): boolean => CONCESSION.some((pattern) => pattern.test(text));
/** Whether a text begins by taking what was done as good, so that what follows is the next request. */
export const isAcceptance = (text: string): boolean =>
  ACCEPTANCE.some((pattern) => pattern.test(spokenPart(text).trimStart()));

const LONG = 1200;
const EDGE = 500;
const LONGEST_QUOTE = 400;
/** What fills the place of words that do not count, of which a quote must hold none. */
const GAP = '\u0000';

/** The text with code, quotations and what a program put in blanked out; places in it are places in the text. */
function spokenPart(text: string): string {
  return withoutInjected(text).replace(/```[\s\S]*?(?:```|$)|^>.*$/gm, (code) => ' '.repeat(code.length));
}

/** Longer texts hold such words by chance, pasted output for one, so only their beginning and end count. */
function cueIn(text: string, patterns: readonly RegExp[]): string | undefined {
  const plain = spokenPart(text);
  const start = plain.search(/\S/);
  if (start < 0) return undefined;
  const parts =
    plain.length - start <= LONG
      ? [{ from: start, part: plain.slice(start) }]
      : [
          { from: start, part: plain.slice(start, start + EDGE) },
          { from: plain.length - EDGE, part: plain.slice(-EDGE) },
        ];
  for (const { from, part } of parts) {
    for (const pattern of patterns) {
      const match = pattern.exec(part);
      if (match) return quoteAround(text, from + match.index);
    }
  }
  return undefined;
}

/** The whole text if it is short, else the sentence at that place; nothing in it that a program put there. */
export function quoteAround(text: string, at: number): string {
  const own = withoutInjected(text, GAP);
  const from = own.lastIndexOf(GAP, at) + 1;
  const end = own.indexOf(GAP, at);
  const piece = own.slice(from, end < 0 ? undefined : end);
  const place = at - from;
  const whole = piece.trim();
  if (whole.length <= LONGEST_QUOTE) return whole;
  const before = piece.slice(Math.max(0, place - 200), place);
  const start = place - before.length + Math.max(before.search(/[^.!?。！？\n]*$/), 0);
  return (
    piece
      .slice(start, start + LONGEST_QUOTE)
      .split(/(?<=[.!?。！？])\s|\n\s*\n/)[0]
      ?.trim() || piece.slice(place, place + LONGEST_QUOTE).trim()
  );
}
