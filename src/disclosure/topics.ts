import type { Library } from '../library/library.ts';
import { tagIndexOf } from '../library/tags/tag-index.ts';
import { askedKeys } from '../library/tags/tag-key.ts';
import type { Skill } from '../skill/skill.ts';
import { escapeMarkup } from './entry.ts';

/** What skills are about, by labels that can be given as tags. */
export interface Topics {
  /** What each skill is sorted under: not what only its keywords or its description speak of. */
  readonly of: ReadonlyMap<Skill, readonly string[]>;
  /** The skills with a label, as a search by that tag finds them. */
  with(label: string): readonly Skill[];
}

/** The topics of these skills of a library: declared tags, folders and the telling words of names. */
export function topicsOf(library: Library, skills: readonly Skill[]): Topics {
  const index = tagIndexOf(library);
  const labels = new Map<string, string>();
  const labelOf = (tag: string) => {
    const label = labels.get(tag) ?? plainLabel(tag);
    labels.set(tag, label);
    return label;
  };
  const of = new Map(skills.map((skill) => [skill, index.topicsOf(skill).map(labelOf)]));
  return { of, with: (label) => [...index.skillsWith(label).keys()].filter((skill) => of.has(skill)) };
}

interface Topic {
  readonly label: string;
  /** Sorted under it. */
  readonly all: readonly Skill[];
  /** How many of them no chosen topic reaches yet. */
  fresh: number;
  isMet: boolean;
}

/** A topic that is told, with all that a search by its label finds. */
interface Told {
  readonly label: string;
  readonly found: readonly Skill[];
}

/**
 * Says for any number of topics which ones together reach the most of these skills, with how many a search by each as a
 * tag finds, the largest first, and how many skills are under none of them. Empty where no topic has two.
 */
export function describeTopics(
  topics: Topics,
  skills: readonly Skill[],
  most: number,
): (count: number) => string {
  const chosen = chooseTopics(topics, skills, most);
  return (count) => {
    const told = chosen.slice(0, count).sort(largestFirst);
    if (told.length === 0) return '';
    const named = told.map(({ label, found }) => `${label} (${found.length})`).join(', ');
    const left = skills.length - new Set(told.flatMap(({ found }) => found)).size;
    return `All by topic: ${named}${left > 0 ? `; ${left} on other topics` : ''}`;
  };
}

/** So many as reach the most skills that are sorted under them, each the best one beside those before it. */
function chooseTopics(topics: Topics, skills: readonly Skill[], most: number): Told[] {
  const members = membersOf(topics, skills);
  const open = [...members.values()].filter(({ all }) => all.length > 1).sort(mostMembersFirst);
  const reached = new Set<Skill>();
  const chosen: Told[] = [];
  const known = new Map<string, Told>();
  for (let met = 0; met < open.length && chosen.length < most; met += 1) {
    const best = open.reduce((left, right) =>
      left.isMet || (!right.isMet && right.fresh > left.fresh) ? right : left,
    );
    best.isMet = true;
    for (const skill of best.all) {
      if (reached.has(skill)) continue;
      reached.add(skill);
      for (const label of topics.of.get(skill) ?? []) {
        const topic = members.get(label);
        if (topic !== undefined) topic.fresh -= 1;
      }
    }
    const told = { label: best.label, found: topics.with(best.label) };
    const keys = askedKeys(best.label);
    // `k8s` and `kubernetes` find the same.
    if (keys.some((key) => known.get(key)?.found.length === told.found.length)) continue;
    for (const key of keys) known.set(key, told);
    chosen.push(told);
  }
  return chosen;
}

function membersOf({ of }: Topics, skills: readonly Skill[]): Map<string, Topic> {
  const members = new Map<string, Skill[]>();
  for (const skill of skills)
    for (const label of of.get(skill) ?? []) {
      const all = members.get(label);
      if (all === undefined) members.set(label, [skill]);
      else all.push(skill);
    }
  return new Map(
    [...members].map(([label, all]) => [label, { label, all, fresh: all.length, isMet: false }]),
  );
}

function mostMembersFirst(left: Topic, right: Topic): number {
  return right.all.length - left.all.length || (left.label < right.label ? -1 : 1);
}

function largestFirst(left: Told, right: Told): number {
  return right.found.length - left.found.length || (left.label < right.label ? -1 : 1);
}

/** Turns in which the skill of a topic is chosen for what else it is about: of more a catalog shows few. */
const CHOSEN_TURNS = 3;

/**
 * The skills by turns, one of each topic, the largest topic first, then a second of each: so that however few are taken
 * show what there is. Each stands under the largest of its topics; in the first turns the one comes that shares the fewest
 * topics with those before it, of several the one with the most, else by name.
 */
export function byTurns(topics: Topics, skills: readonly Skill[]): Skill[] {
  const members = membersOf(topics, skills);
  const sizeOf = (label: string) => members.get(label)?.all.length ?? 0;
  const groups = new Map<string, Skill[]>();
  for (const skill of [...skills].sort((left, right) => (left.name < right.name ? -1 : 1))) {
    const [key = ''] = [...(topics.of.get(skill) ?? [])].sort(
      (left, right) => sizeOf(right) - sizeOf(left) || (left < right ? -1 : 1),
    );
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [skill]);
    else known.push(skill);
  }
  const inOrder = [...groups]
    .sort(([a], [b]) => sizeOf(b) - sizeOf(a) || (a < b ? -1 : 1))
    .map(([, group]) => group);
  const met = new Set<string>();
  const taken: Skill[] = [];
  for (let turn = 0; turn < CHOSEN_TURNS; turn += 1)
    for (const group of inOrder) {
      const at = indexOfFreshest(group, (skill) => topics.of.get(skill) ?? [], met);
      for (const skill of group.splice(at, 1)) {
        taken.push(skill);
        for (const key of topics.of.get(skill) ?? []) met.add(key);
      }
    }
  const rest = inOrder.flatMap((group) => group.map((skill, turn) => ({ skill, turn })));
  return [...taken, ...rest.sort((left, right) => left.turn - right.turn).map(({ skill }) => skill)];
}

/** Of the one with the fewest topics that were met, of several the first with the most others. */
function indexOfFreshest(
  group: readonly Skill[],
  keysOf: (skill: Skill) => readonly string[],
  met: ReadonlySet<string>,
): number {
  let [best, least, most] = [0, Number.POSITIVE_INFINITY, 0];
  for (const [index, skill] of group.entries()) {
    const keys = keysOf(skill);
    const shared = keys.reduce((sum, key) => sum + Number(met.has(key)), 0);
    if (shared < least || (shared === least && keys.length > most))
      [best, least, most] = [index, shared, keys.length];
  }
  return best;
}

/** Without what would end a list or open markup: a tag is found without it too. */
function plainLabel(label: string): string {
  return escapeMarkup(label.replace(/[\s,;:()<>&-]+/g, '-').replace(/^-|-$/g, ''));
}
