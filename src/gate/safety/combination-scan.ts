import type { CheckFinding } from '../check.ts';
import { combinationExcuse } from './combination-excuse.ts';
import type { Combination, Part } from './combinations.ts';
import type { Found } from './found.ts';
import type { Passages } from './passages.ts';
import type { ReadText } from './read-text.ts';
import { firstFrom, type Match, type Reading } from './reading.ts';
import type { WordHit } from './words/word-scan.ts';

const CLAUSE_MARK = /[,;:，；：、。—–]/;

/** Each place where a combination stands, at most one for each sentence in which its first part does. */
export function matchesOf(reading: Reading, combination: Combination): Match[] {
  const [first, ...others] = combination.parts;
  if (first === undefined || others.some((part) => reading.hitsOf(part).length === 0)) return [];
  const matches: Match[] = [];
  let done = -1;
  for (const anchor of reading.hitsOf(first)) {
    const sentence = reading.passages.sentenceAt(anchor.start);
    if (sentence === done) continue;
    const hits = fill(reading, combination, anchor, others);
    if (hits === undefined) continue;
    const match = {
      combination,
      hits,
      start: Math.min(...hits.map(({ start }) => start)),
      end: Math.max(...hits.map(({ end }) => end)),
    };
    if (hits.some(({ start }) => reading.isCode(start))) continue;
    if (combination.unbroken && CLAUSE_MARK.test(reading.folded.text.slice(match.start, match.end))) continue;
    if (hasAny(reading, match, combination.unless ?? [])) continue;
    done = sentence;
    matches.push(match);
  }
  return matches;
}

function fill(
  { passages, hitsOf }: Reading,
  { within, sentences = 1, inOrder = false }: Combination,
  anchor: WordHit,
  parts: readonly Part[],
): WordHit[] | undefined {
  const chosen = [anchor];
  for (const part of parts) {
    const from = inOrder ? (chosen.at(-1) ?? anchor) : anchor;
    const isNear = (hit: WordHit) =>
      Math.abs(passages.sentenceAt(hit.start) - passages.sentenceAt(anchor.start)) < sentences &&
      gap(passages, hit, from) <= 2 * within;
    const next = nearest(hitsOf(part), from, chosen, isNear, inOrder);
    if (next === undefined) return undefined;
    chosen.push(next);
  }
  return chosen;
}

/** Half words between two hits. */
function gap({ stepAt }: Passages, one: WordHit, other: WordHit): number {
  const [first, second] = one.start < other.start ? [one, other] : [other, one];
  return Math.max(0, stepAt(second.start) - stepAt(first.end - 1));
}

/** The closest hit on either side, or behind alone, that shares no character with those that are taken. */
function nearest(
  hits: readonly WordHit[],
  from: WordHit,
  taken: readonly WordHit[],
  isNear: (hit: WordHit) => boolean,
  onlyBehind: boolean,
): WordHit | undefined {
  const at = firstFrom(hits, from.start);
  const isFree = (hit: WordHit) => taken.every(({ start, end }) => hit.end <= start || end <= hit.start);
  let behind: WordHit | undefined;
  for (let index = at; index < hits.length; index += 1) {
    const hit = hits[index];
    if (hit === undefined || !isNear(hit)) break;
    if (!isFree(hit)) continue;
    behind = hit;
    break;
  }
  if (onlyBehind) return behind;
  for (let index = at - 1; index >= 0; index -= 1) {
    const hit = hits[index];
    if (hit === undefined || !isNear(hit)) break;
    if (!isFree(hit)) continue;
    return behind === undefined || from.start - hit.end < behind.start - from.end ? hit : behind;
  }
  return behind;
}

function hasAny({ passages, hitsOf }: Reading, { start, end }: Match, parts: readonly Part[]): boolean {
  const from = passages.startOf(passages.sentenceAt(start));
  const to = passages.startOf(passages.sentenceAt(end - 1) + 1);
  return parts.some((part) => {
    const hit = hitsOf(part)[firstFrom(hitsOf(part), from)];
    return hit !== undefined && hit.start < to;
  });
}

const SHOWN = 160;

/** What the combinations find in a text. */
export function scanCombinations(
  file: string,
  { lines }: ReadText,
  reading: Reading,
  combinations: readonly Combination[],
): Found[] {
  return combinations.flatMap((combination) =>
    matchesOf(reading, combination).map((match) => {
      const { rule, severity, message } = combination;
      const excuse = combinationExcuse(reading, match);
      const said = reading.folded.text.slice(match.start, match.end);
      const shown = said.length > SHOWN ? `${said.slice(0, SHOWN - 3)}...` : said;
      const finding: CheckFinding = {
        rule,
        severity: excuse === undefined ? severity : 'note',
        message: `says ${JSON.stringify(shown)}: ${message}${excuse === undefined ? '' : ` (let through: ${excuse})`}`,
        file,
        line: lines.indexAt(reading.folded.originOf(match.start)) + 1,
        subject: said.toLowerCase(),
      };
      return { finding, start: match.start, end: match.end };
    }),
  );
}
