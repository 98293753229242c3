import { codeLines } from './code-lines.ts';
import type { Combination, Part } from './combinations.ts';
import type { FoldedText } from './fold-text.ts';
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
