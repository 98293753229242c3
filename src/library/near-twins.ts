import type { SkillDocument } from './skill-document.ts';

/** Share of their words in common from which two skills are as good as one. */
const ALIKE = 0.75;
/** The same for skills whose names differ in a number at the end alone. */
const ALIKE_COPIES = 0.25;
/** Of fewer words in one text two short skills for different things could be made. */
const FEWEST_WORDS = 30;

interface Explained {
  readonly why: () => readonly string[];
}

/**
 * Hits with those behind the first `among` that a better one says nearly word for word, so that copies do not crowd
 * out the rest; each says of the other in its reasons. None is lost.
 */
export function behindTwins<Hit extends Explained>(
  sorted: readonly (readonly [name: string, hit: Hit])[],
  documentOf: (name: string) => SkillDocument | undefined,
  among: number,
): [name: string, hit: Hit][] {
  const leaders: SkillDocument[] = [];
  const twins = new Map<string, string[]>();
  const behind: [string, Hit][] = [];
  const first: [string, Hit][] = [];
  for (const [name, hit] of sorted.slice(0, among)) {
    const document = documentOf(name);
    const leader = document && leaders.find((each) => isTwin(each, document))?.skill.name;
    if (document !== undefined && leader === undefined) leaders.push(document);
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
  const rest = sorted.slice(among).map(([name, hit]): [string, Hit] => [name, hit]);
  return [...named, ...behind, ...rest];
}

function isTwin(left: SkillDocument, right: SkillDocument): boolean {
  const [small, large] = [left, right].sort((a, b) => a.terms.length - b.terms.length) as [
    SkillDocument,
    SkillDocument,
  ];
  const least = stemOf(left.skill.name) === stemOf(right.skill.name) ? ALIKE_COPIES : ALIKE;
  if (small.terms.length < FEWEST_WORDS || small.terms.length < least * large.terms.length) return false;
  const shared = sharedTerms(small.terms, large.terms);
  return shared >= least * (small.terms.length + large.terms.length - shared);
}

/** The name without the number that a copy gets. */
function stemOf(name: string): string {
  return name.replace(/-\d{1,2}$/, '');
}

function sharedTerms(left: Uint32Array, right: Uint32Array): number {
  let [shared, i, j] = [0, 0, 0];
  while (i < left.length && j < right.length) {
    const [a, b] = [left[i] ?? 0, right[j] ?? 0];
    if (a === b) shared += 1;
    if (a <= b) i += 1;
    if (b <= a) j += 1;
  }
  return shared;
}
