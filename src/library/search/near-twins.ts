import type { Skill } from '../../skill/skill.ts';
import type { Vocabulary } from '../words/vocabulary.ts';

/** Share of their words in common from which two descriptions say the same. */
const ALIKE = 0.9;
/** The same for skills whose names differ in a number at the end alone. */
const ALIKE_COPIES = 0.25;
/** Of fewer words two short descriptions of different things could be made. */
const FEWEST_WORDS = 8;
/** Of fewer words even the same description says little. */
const FEWEST_SAME = 3;

/** What tells near-twins: bodies would too, but at many times the cost. */
export interface TwinText {
  readonly name: string;
  readonly description: string;
  /** The terms of the description. */
  readonly terms: ReadonlySet<number>;
}

/** Gives the twin text of a skill; each is made once. */
export function createTwinTexts(
  vocabulary: Pick<Vocabulary, 'numbersOf'>,
): (skill: Skill | undefined) => TwinText | undefined {
  const known = new WeakMap<Skill, TwinText>();
  return (skill) => {
    if (skill === undefined) return undefined;
    const text = known.get(skill) ?? {
      name: skill.name,
      description: skill.description,
      terms: new Set(vocabulary.numbersOf(skill.description)),
    };
    known.set(skill, text);
    return text;
  };
}

interface Explained {
  readonly why: () => readonly string[];
}

/** How far hits are looked through for near-twins: the first `among`, and further until so many `different` ones are found. */
export interface TwinReach {
  readonly among: number;
  readonly different: number;
}

/**
 * Hits with those behind the others looked at whose description a better one has nearly word for word, so that copies do
 * not crowd out the rest; each says of the other in its reasons. None is lost.
 */
export function behindTwins<Hit extends Explained>(
  sorted: readonly (readonly [name: string, hit: Hit])[],
  textOf: (name: string) => TwinText | undefined,
  { among, different }: TwinReach,
): [name: string, hit: Hit][] {
  const leaders: TwinText[] = [];
  // Most twins are copies: those need not be compared with each.
  const byText = new Map<string, string>();
  const twins = new Map<string, string[]>();
  const behind: [string, Hit][] = [];
  const first: [string, Hit][] = [];
  for (const [index, [name, hit]] of sorted.entries()) {
    if (index >= among && first.length >= different) break;
    const text = textOf(name);
    const leader = text && (byText.get(text.description) ?? leaders.find((each) => isTwin(each, text))?.name);
    if (text !== undefined && leader === undefined) leaders.push(text);
    if (text !== undefined && text.terms.size >= FEWEST_SAME) byText.set(text.description, leader ?? name);
    if (leader === undefined) first.push([name, hit]);
    else {
      twins.set(leader, [...(twins.get(leader) ?? []), name]);
      behind.push([name, { ...hit, why: () => [`nearly the same as ${leader}`, ...hit.why()] }]);
    }
  }
  const named = first.map(([name, hit]): [string, Hit] => {
    const same = twins.get(name);
    if (same === undefined) return [name, hit];
    return [name, { ...hit, why: () => [...hit.why(), `nearly the same: ${same.join(', ')}`] }];
  });
  const rest = sorted.slice(first.length + behind.length).map(([name, hit]): [string, Hit] => [name, hit]);
  return [...named, ...behind, ...rest];
}

function isTwin(left: TwinText, right: TwinText): boolean {
  const least = stemOf(left.name) === stemOf(right.name) ? ALIKE_COPIES : ALIKE;
  const [small, large] =
    left.terms.size < right.terms.size ? [left.terms, right.terms] : [right.terms, left.terms];
  if (small.size < FEWEST_SAME || small.size < least * large.size) return false;
  let shared = 0;
  for (const term of small) if (large.has(term)) shared += 1;
  if (shared === large.size) return true;
  return small.size >= FEWEST_WORDS && shared >= least * (small.size + large.size - shared);
}

/** The name without the number that a copy gets. */
function stemOf(name: string): string {
  return name.replace(/-\d{1,2}$/, '');
}
