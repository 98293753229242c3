import type { Library, RankShare, RankShares, SearchHit } from '../library/library.ts';
import { type Narrowing, tagNames } from '../library/search/narrowing.ts';
import { FITS } from '../library/search/ranking.ts';
import { counted } from '../text/counted.ts';
import { clip } from './output.ts';
import { inOneLine } from './project-notes.ts';
import { columnsOf } from './text-width.ts';

/** What a list of hits is shown with. */
export interface HitsView {
  readonly library: Library;
  readonly narrowing?: Narrowing | undefined;
  /** Whether the hits are all the skills of some tags, and not the answer to words. */
  readonly isListing: boolean;
  readonly why: boolean;
  /** Characters of a hit, but for its reasons. */
  readonly most: number;
}

/** Where no terminal says it. */
export const COLUMNS = 100;
/** What stands before the name of a hit. */
const INDENT = 13;
const MARGIN = ' '.repeat(INDENT);
const LONGEST_CLAUSE = 80;

const ORDER = `Best first, by rank: all that matches, also in the body. The fit says how well what a skill is for answers the query: from ${FITS.toFixed(2)} on it fits by itself, below it may fit beside one that does.`;

/** The hits, numbered, with a line before those that are outside of the tags that were asked for. */
export function hitsText(hits: readonly SearchHit[], view: HitsView): string {
  const { library, narrowing, isListing } = view;
  const isWithin = (name: string) => {
    const skill = library.find(name);
    return narrowing === undefined || (skill !== undefined && narrowing.holds(skill));
  };
  const firstOutside = narrowing?.tags.length ? hits.findIndex(({ name }) => !isWithin(name)) : -1;
  const lines = hits.flatMap((hit, index) => [
    ...(narrowing !== undefined && index === firstOutside ? [outsideLine(narrowing, index)] : []),
    describe(hit, index, view),
  ]);
  if (isListing && narrowing !== undefined) {
    const { skills, tags } = narrowing;
    const more = skills.length > hits.length ? `, ${hits.length} of them here; --limit shows more` : '';
    lines.push(`${counted(skills.length, 'skill')} with ${inOneLine(tagNames(tags))}${more}.`);
  } else if (view.why) lines.push(ORDER);
  return lines.join('\n');
}

function outsideLine({ tags }: Narrowing, before: number): string {
  const named = inOneLine(tagNames(tags));
  return before === 0 ? `Nothing with ${named} fits; without:` : `Without ${named}:`;
}

/** Without the score: it says how sure a hit is, and the order is by more than that. */
function describe(
  hit: SearchHit,
  index: number,
  { library, narrowing, isListing, why, most }: HitsView,
): string {
  const skill = library.find(hit.name);
  const head = INDENT + columnsOf(hit.name) + 2;
  const description = clip(skill?.description ?? '', Math.max(most - head - 1, COLUMNS));
  const isDeclared = skill !== undefined && narrowing?.isDeclared(skill) === true;
  const mark = isListing ? (isDeclared ? 'tagged ' : 'derived') : hit.score >= FITS ? 'fits   ' : 'may fit';
  const reasons = why
    ? [
        `fit ${hit.score.toFixed(2)}; ${hit.why.join('; ')}`,
        ...(hit.shares ? [sharesText(hit.shares)] : []),
      ].map(inOneLine)
    : [];
  return [
    `${String(index + 1).padStart(2)}. ${mark}  ${inOneLine(hit.name)}: ${description}`,
    ...reasons,
  ].join(`\n${MARGIN}`);
}

/** `rank 9.31 = name 6.20 + body 2.08 + edge 1.03 (related to pdf-forms)`: what is shown adds up. */
function sharesText({ rank, parts }: RankShares): string {
  if (rank === Number.POSITIVE_INFINITY) return 'rank: before all others, as the query names it';
  const digits = rank < 1 ? 3 : 2;
  const shown = parts.map((part) => ({ part, value: Number(part.value.toFixed(digits)) }));
  const [largest, ...others] = shown.toSorted((left, right) => right.value - left.value);
  // The largest takes what rounding leaves over.
  if (largest !== undefined)
    largest.value = others.reduce((left, { value }) => left - value, Number(rank.toFixed(digits)));
  const terms = shown
    .filter(({ value }) => Math.abs(value) >= 10 ** -digits / 2)
    .map(({ part, value }) => `${part.part} ${value.toFixed(digits)}${noteOf(part)}`);
  const nested = parts.flatMap(({ part, shares }) => (shares ? [`; ${part}: ${sharesText(shares)}`] : []));
  return `rank ${rank.toFixed(digits)} = ${terms.join(' + ')}${nested.join('')}`;
}

function noteOf({ of }: RankShare): string {
  if (of === undefined) return '';
  const text = of.replace(/\s+/g, ' ').trim();
  return ` (${text.length > LONGEST_CLAUSE ? `${text.slice(0, LONGEST_CLAUSE)}…` : text})`;
}
