import { ORDER } from './excuse.ts';
import { firstFrom, type Match, type Reading } from './reading.ts';

const DOUBLE =
  /\b(?:hesitate|forget|fail|worry|be afraid|bother|skip|delay|mind|stop|omit|miss|neglect|only)\b|\bnur\b|\bsolo\b|\bseulement\b|\bapenas\b|только|不仅|だけでなく/iu;
/** Another clause begins. */
const CLAUSE =
  /[,;:—–，；：、]|\s-\s|\b(?:and|but|then|und|aber|y|pero|et|mais|e|mas)\b|(?<!\p{L})(?:и|а|но)(?!\p{L})/giu;
const STRONG_CLAUSE = /[;:—–；：]|\s-\s|\b(?:but|then|so)\b/giu;
/** A verb of Japanese or Korean is negated behind. */
const NEGATED_BEHIND =
  /^.{0,5}?(?:し?ないで|しない|しては(?:いけ|なら)|てはいけ|てはなら|禁止|せず|지 ?마|지 ?않)/u;
const QUOTED =
  /(`+)[^`]{1,600}\1|"[^"]{2,600}"|“[^”]{1,600}”|„[^“”]{1,600}[“”]|«[^»]{1,600}»|「[^」]{1,600}」|『[^』]{1,600}』/gu;
const FARTHEST = 300;

/** Why a combination may stand: advice against it, an attack that is told of, or a quotation in a sentence that teaches. */
export function combinationExcuse(reading: Reading, match: Match): string | undefined {
  const { passages } = reading;
  const [anchor] = match.hits;
  if (anchor === undefined) return undefined;
  const from = Math.max(passages.startOf(passages.sentenceAt(anchor.start)), anchor.start - FARTHEST);
  return isNegated(reading, match, from) ? 'it is advice against it' : teachingExcuse(reading, match);
}

/** The words before tell of an attacker or of what to look for, or it is quoted in a sentence that does. */
export function teachingExcuse(
  reading: Reading,
  match: { readonly start: number; readonly end: number },
): string | undefined {
  const { passages } = reading;
  const { text } = reading.folded;
  const sentence = passages.sentenceAt(match.start);
  const from = Math.max(passages.startOf(sentence), match.start - FARTHEST);
  const to = Math.min(passages.startOf(passages.sentenceAt(match.end - 1) + 1), match.end + FARTHEST);
  const before = text.slice(from, match.start);
  if (teaches(reading, from + lastEnd(before, STRONG_CLAUSE), match.start)) return 'it tells of an attack';
  if (isQuoted(text, from, to, match) && teaches(reading, from, to) && !ordersOutside(text.slice(from, to)))
    return 'it is quoted in a text about such attacks';
  return undefined;
}

/** A negation right before the act, in its clause; in German and Dutch also between the act and its object. */
function isNegated(
  { folded: { text }, passages, hitsOf }: Reading,
  { hits, end }: Match,
  from: number,
): boolean {
  const [anchor] = hits;
  if (anchor === undefined) return false;
  const behind = NEGATED_BEHIND.exec(text.slice(anchor.end, anchor.end + 12))?.[0];
  if (
    behind !== undefined &&
    !hits.some(({ start }) => start >= anchor.end && start < anchor.end + behind.length)
  )
    return true;
  const negations = hitsOf('not');
  const clause = from + lastEnd(text.slice(from, anchor.start), CLAUSE);
  const at = firstFrom(negations, clause);
  const negation = negations[at];
  if (negation !== undefined && negation.end <= anchor.start)
    return (
      passages.stepAt(anchor.start) - passages.stepAt(negation.start) <= 16 &&
      !DOUBLE.test(text.slice(negation.start, anchor.end))
    );
  if (![...anchor.languages].some((language) => language === 'de' || language === 'nl')) return false;
  const inner = negations[firstFrom(negations, anchor.end)];
  const isPart = inner !== undefined && hits.some((hit) => hit.start < inner.end && inner.start < hit.end);
  return (
    inner !== undefined &&
    !isPart &&
    inner.end <= end &&
    inner.languages.has('de') &&
    !DOUBLE.test(text.slice(inner.start, inner.end + 8))
  );
}

function teaches({ hitsOf }: Reading, from: number, to: number): boolean {
  return (['attacker', 'watch-for'] as const).some((name) => {
    const hits = hitsOf(name);
    const hit = hits[firstFrom(hits, from)];
    return hit !== undefined && hit.end <= to;
  });
}

function ordersOutside(sentences: string): boolean {
  return ORDER.test(sentences.replace(QUOTED, ' '));
}

function isQuoted(
  text: string,
  from: number,
  to: number,
  { start, end }: { readonly start: number; readonly end: number },
): boolean {
  return [...text.slice(from, to).matchAll(QUOTED)].some(
    ({ index, 0: quoted }) => from + index <= start && end <= from + index + quoted.length,
  );
}

/** Where the last match of a pattern ends, or 0. */
function lastEnd(text: string, pattern: RegExp): number {
  const last = [...text.matchAll(pattern)].at(-1);
  return last === undefined ? 0 : last.index + last[0].length;
}
