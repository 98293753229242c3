import type { CheckFinding } from '../check.ts';

/** A finding with the words of the folded text that it is about, the end excluded. */
export interface Found {
  readonly finding: CheckFinding;
  readonly start: number;
  readonly end: number;
}

const RANK = { refuse: 0, ask: 1, warn: 2, note: 3 } as const;

/**
 * Phrases, and of the combinations those that say something new: one that shares words with a phrase or with a worse
 * or earlier combination of its rule says the same. Words that were let through as a whole are not brought up again.
 */
export function withoutRepeats(phrases: readonly Found[], combinations: readonly Found[]): CheckFinding[] {
  const sorted = [...combinations].sort(
    (left, right) => RANK[left.finding.severity] - RANK[right.finding.severity] || left.start - right.start,
  );
  const known = new Map<string, Spans>();
  const spansOf = (rule: string) => {
    const spans = known.get(rule) ?? new Spans();
    known.set(rule, spans);
    return spans;
  };
  for (const { finding, start, end } of phrases)
    spansOf(finding.rule).add(start, end, finding.severity === 'note');
  const fresh = sorted.filter(({ finding, start, end }) => {
    const spans = spansOf(finding.rule);
    if (spans.has(start, end, finding.severity === 'note')) return false;
    spans.add(start, end, finding.severity === 'note');
    return true;
  });
  return [...phrases, ...fresh.sort((left, right) => left.start - right.start)].map(({ finding }) => finding);
}

/** Stretches of a text, known again by the block in which they lie, so that a look-up takes no longer as they grow. */
class Spans {
  readonly #blocks = new Map<number, { start: number; end: number; wholeOnly: boolean }[]>();

  add(start: number, end: number, wholeOnly: boolean): void {
    for (const block of blocksOf(start, end)) {
      const held = this.#blocks.get(block) ?? [];
      if (held.length < MOST_IN_BLOCK) held.push({ start, end, wholeOnly });
      this.#blocks.set(block, held);
    }
  }

  /** Whether these words are known; those of a note are as soon as they share one with anything. */
  has(start: number, end: number, isNote: boolean): boolean {
    return blocksOf(start, end).some((block) =>
      (this.#blocks.get(block) ?? []).some((span) =>
        span.wholeOnly && !isNote
          ? span.start <= start && end <= span.end
          : span.start < end && start < span.end,
      ),
    );
  }
}

const BLOCK = 256;
const MOST_IN_BLOCK = 64;

function blocksOf(start: number, end: number): number[] {
  const first = Math.floor(start / BLOCK);
  return Array.from(
    { length: Math.floor(Math.max(start, end - 1) / BLOCK) - first + 1 },
    (_, at) => first + at,
  );
}
