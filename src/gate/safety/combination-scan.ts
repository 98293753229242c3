import type { CheckFinding } from '../check.ts';
import { codeLines } from './code-lines.ts';
import { combinationExcuse } from './combination-excuse.ts';
import type { Combination, Part } from './combinations.ts';
import type { FoldedText } from './fold-text.ts';
import type { Found } from './found.ts';
import { type Passages, passagesOf } from './passages.ts';
import type { ReadText } from './read-text.ts';
import { type Sign, scanSigns } from './signs.ts';
import type { WordClass } from './words/word-class.ts';
import { scanWords, type WordHit } from './words/word-scan.ts';

/** A text with everything that a combination may be made of. */
export interface Reading {
  readonly folded: FoldedText;
  readonly passages: Passages;
  /** The hits of a part, in the order of the text. */
  hitsOf(part: Part): readonly WordHit[];
  /** Whether what stands there is a statement of a program and says nothing to a reader. */
  isCode(index: number): boolean;
}

/** A combination as it stands in a text: what filled its parts, the first part first. */
export interface Match {
  readonly combination: Combination;
  readonly hits: readonly WordHit[];
  readonly start: number;
  readonly end: number;
}

const CLAUSE_MARK = /[,;:，；：、。—–]/;

/** Reads a text once for all combinations. */
export function readingOf(file: string, { text, folded, lines }: ReadText): Reading {
  const hits = new Map<string, readonly WordHit[]>([...scanWords(folded.text), ...scanSigns(folded.text)]);
  const isCode = codeLines(file, lines);
  return {
    folded,
    passages: passagesOf(text, folded),
    isCode: (index) => isCode(folded.originOf(index)),
    hitsOf(part) {
      const known = hits.get(part);
      if (known !== undefined) return known;
      const merged = part
        .split('|')
        .flatMap((name) => hits.get(name as WordClass | Sign) ?? [])
        .sort((left, right) => left.start - right.start);
      hits.set(part, merged);
      return merged;
    },
  };
}

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

/** The index of the first hit that begins there or later. */
export function firstFrom(hits: readonly WordHit[], offset: number): number {
  let low = 0;
  let high = hits.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((hits[middle]?.start ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
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
