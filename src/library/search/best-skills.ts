import type { Skill } from '../../skill/skill.ts';

/** A skill by its number, with copies of it that are among the best too. */
export interface BestSkill {
  readonly number: number;
  readonly copies: readonly number[];
}

export interface Searched {
  /** With a hole for what is not to be found. */
  readonly skills: readonly (Skill | undefined)[];
  /** Numbers of skills that have something of their own beside their text, and so are no copies. */
  readonly own: Pick<ReadonlySet<number>, 'has'>;
}

/** Copies of a skill that are allowed for. */
const COPIES = 4;
/** Characters: of a shorter description even the same says little. */
const SHORTEST = 12;

/**
 * The best `count` different skills by their scores above 0, best first, ties by name. Of copies, which say the same of
 * themselves under other names, the best stands for all.
 */
export function bestSkills(scores: Float64Array, searched: Searched, count: number): BestSkill[] {
  const best = different(chosen(scores, searched.skills, count), searched, count);
  return best.every(({ copies }) => copies.length === 0)
    ? best
    : different(chosen(scores, searched.skills, COPIES * count), searched, count);
}

function different(numbers: readonly number[], { skills, own }: Searched, count: number): BestSkill[] {
  const found = new Map<string | number, { number: number; copies: number[] }>();
  for (const number of numbers) {
    const text = skills[number]?.description ?? '';
    const meaning = own.has(number) || text.length < SHORTEST ? number : text;
    const known = found.get(meaning);
    if (known !== undefined) known.copies.push(number);
    else if (found.size < count) found.set(meaning, { number, copies: [] });
  }
  return [...found.values()];
}

function chosen(scores: Float64Array, skills: readonly (Skill | undefined)[], count: number): number[] {
  const least = leastOfBest(scores, skills, count);
  const found: number[] = [];
  for (let number = 0; number < scores.length; number += 1) {
    const score = scores[number] ?? 0;
    if (score > 0 && score >= least && skills[number] !== undefined) found.push(number);
  }
  const nameOf = (number: number) => skills[number]?.name ?? '';
  return found
    .sort(
      (left, right) => (scores[right] ?? 0) - (scores[left] ?? 0) || (nameOf(left) < nameOf(right) ? -1 : 1),
    )
    .slice(0, count);
}

/** The score of the last of so many best skills; 0 if there are fewer. */
function leastOfBest(scores: Float64Array, skills: readonly (Skill | undefined)[], count: number): number {
  // A heap with the least on top: few scores get in, and each moves few others.
  const heap = new Float64Array(count);
  for (let number = 0; number < scores.length; number += 1) {
    const score = scores[number] ?? 0;
    if (score <= (heap[0] ?? 0) || skills[number] === undefined) continue;
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      if (child + 1 < count && (heap[child + 1] ?? 0) < (heap[child] ?? 0)) child += 1;
      if (child >= count || (heap[child] ?? 0) >= score) break;
      heap[place] = heap[child] ?? 0;
      place = child;
    }
    heap[place] = score;
  }
  return heap[0] ?? 0;
}
