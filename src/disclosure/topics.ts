import type { Library } from '../library/library.ts';
import { derivedTags, isTelling, topicKey } from '../library/tags/skill-tags.ts';
import type { Skill } from '../skill/skill.ts';
import { escapeMarkup } from './entry.ts';
import { topicFolders } from './topic-folders.ts';

/** What skills are about: for each its topics, as keys under which `agent` and `agents` are one. */
export interface Topics {
  readonly keysOf: ReadonlyMap<Skill, readonly string[]>;
  /** Each topic as it is written most often. */
  readonly labels: ReadonlyMap<string, string>;
}

/** The topics of a library: tags, the folders that skills are sorted into, and the telling words of names. */
export function topicsOf(library: Library, skills: readonly Skill[]): Topics {
  const keys = new Map<string, string>();
  const counts = new Map<string, Map<string, number>>();
  const topicOf = (label: string): string => {
    const key = keys.get(label) ?? (isTelling(label) ? topicKey(label) : '');
    keys.set(label, key);
    return key;
  };
  const keysOf = new Map<Skill, readonly string[]>();
  const folderOf = topicFolders(library, skills);
  for (const skill of skills) {
    const own = new Set<string>();
    for (const label of labelsOf(skill, folderOf(skill))) {
      const key = topicOf(label);
      if (key === '') continue;
      own.add(key);
      const written = counts.get(key) ?? new Map<string, number>();
      counts.set(key, written.set(label, (written.get(label) ?? 0) + 1));
    }
    keysOf.set(skill, [...own]);
  }
  return { keysOf, labels: new Map([...counts].map(([key, written]) => [key, mostFrequent(written)])) };
}

interface Topic {
  readonly label: string;
  readonly all: readonly Skill[];
  /** How many of them no chosen topic reaches yet. */
  fresh: number;
  isChosen: boolean;
}

/**
 * Says for any number of topics which ones together reach the most of these skills, with how many each has, the largest
 * first, and how many skills are under none of them. Empty where no topic has two.
 */
export function describeTopics(
  topics: Topics,
  skills: readonly Skill[],
  most: number,
): (count: number) => string {
  const members = membersOf(topics, skills);
  const open = [...members.values()].filter(({ all }) => all.length > 1).sort(largestFirst);
  const reached = new Set<Skill>();
  const steps: { readonly topic: Topic; readonly reached: number }[] = [];
  while (steps.length < Math.min(most, open.length)) {
    let best: Topic | undefined;
    for (const topic of open)
      if (!topic.isChosen && (best === undefined || topic.fresh > best.fresh)) best = topic;
    if (best === undefined) break;
    best.isChosen = true;
    for (const skill of best.all) {
      if (reached.has(skill)) continue;
      reached.add(skill);
      for (const key of topics.keysOf.get(skill) ?? []) {
        const topic = members.get(key);
        if (topic !== undefined) topic.fresh -= 1;
      }
    }
    steps.push({ topic: best, reached: reached.size });
  }
  return (count) => {
    const chosen = steps.slice(0, count);
    const listed = chosen
      .map(({ topic }) => topic)
      .sort(largestFirst)
      .map(({ label, all }) => `${label} (${all.length})`);
    const left = skills.length - (chosen.at(-1)?.reached ?? 0);
    if (listed.length === 0) return '';
    return `All by topic: ${listed.join(', ')}${left > 0 ? `; ${left} on other topics` : ''}`;
  };
}

/** Turns in which the skill of a topic is chosen for what else it is about: of more a catalog shows few. */
const CHOSEN_TURNS = 3;

/**
 * The skills by turns, one of each topic, the largest topic first, then a second of each: so that however few are taken
 * show what there is. Each stands under the largest of its topics; in the first turns the one comes that shares the fewest
 * topics with those before it, else by name.
 */
export function byTurns(topics: Topics, skills: readonly Skill[]): Skill[] {
  const members = membersOf(topics, skills);
  const sizeOf = (key: string) => members.get(key)?.all.length ?? 0;
  const groups = new Map<string, Skill[]>();
  for (const skill of [...skills].sort((left, right) => (left.name < right.name ? -1 : 1))) {
    const [key = ''] = [...(topics.keysOf.get(skill) ?? [])].sort(
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
      const at = indexOfFreshest(group, (skill) => topics.keysOf.get(skill) ?? [], met);
      for (const skill of group.splice(at, 1)) {
        taken.push(skill);
        for (const key of topics.keysOf.get(skill) ?? []) met.add(key);
      }
    }
  const rest = inOrder.flatMap((group) => group.map((skill, turn) => ({ skill, turn })));
  return [...taken, ...rest.sort((left, right) => left.turn - right.turn).map(({ skill }) => skill)];
}

/** Of the one with the fewest topics that were met, the first of several. */
function indexOfFreshest(
  group: readonly Skill[],
  keysOf: (skill: Skill) => readonly string[],
  met: ReadonlySet<string>,
): number {
  let [best, least] = [0, Number.POSITIVE_INFINITY];
  for (const [index, skill] of group.entries()) {
    const shared = keysOf(skill).reduce((sum, key) => sum + Number(met.has(key)), 0);
    if (shared < least) [best, least] = [index, shared];
  }
  return best;
}

function membersOf({ keysOf, labels }: Topics, skills: readonly Skill[]): Map<string, Topic> {
  const members = new Map<string, Skill[]>();
  for (const skill of skills)
    for (const key of keysOf.get(skill) ?? []) {
      const known = members.get(key);
      if (known === undefined) members.set(key, [skill]);
      else known.push(skill);
    }
  return new Map(
    [...members].map(([key, all]) => [
      key,
      { label: labels.get(key) ?? key, all, fresh: all.length, isChosen: false },
    ]),
  );
}

function largestFirst(left: Topic, right: Topic): number {
  return right.all.length - left.all.length || (left.label < right.label ? -1 : 1);
}

/** Not of keywords and descriptions: a catalog names what many skills are sorted under. */
function labelsOf(skill: Skill, folder: string): string[] {
  const tags = skill.tags.map((tag) => escapeMarkup(tag.toLowerCase().replace(/[,;:()<>&]+/g, ' ')));
  const derived = derivedTags(skill, folder)
    .filter(({ from }) => from === 'folder' || from === 'name')
    .map(({ tag }) => escapeMarkup(tag));
  return [...new Set([...tags, ...derived])];
}

function mostFrequent(labels: ReadonlyMap<string, number>): string {
  const [first] = [...labels].sort(([a, left], [b, right]) => right - left || (a < b ? -1 : 1));
  return first?.[0] ?? '';
}
