import type { GraphNode } from './graph.ts';

/** Skills that are drawn as one cluster. */
export interface Group {
  readonly label: string;
  /** No member declares the label as a tag: it is a folder or a word of names, or what is left. */
  readonly isDerived: boolean;
  /** Positions in the list of nodes. */
  readonly members: readonly number[];
}

/** A picture with more clusters has no room for their names. */
const MOST_GROUPS = 40;
const FEWEST_MEMBERS = 3;
/** A tag that more of a large library share tells nothing apart. */
const LARGEST_SHARE = 0.35;
const SMALL_LIBRARY = 12;
const OTHER = 'others';

/**
 * Each skill in one group: by the tag, folder or first telling word of the name that it shares with most others, but not
 * with most of all; where it shares none with enough others, by whatever derived tag. Largest group first, what fits nowhere last.
 */
export function groupNodes(nodes: readonly GraphNode[]): Group[] {
  const most = nodes.length <= SMALL_LIBRARY ? nodes.length : Math.max(3, nodes.length * LARGEST_SHARE);
  const [near, far] = [nodes.map(topicsOf), nodes.map(spokenOf)].map((topics) => mostShared(topics, most));
  const groups = new Map<string, number[]>();
  for (const index of nodes.keys()) {
    const label = near?.[index] ?? far?.[index] ?? OTHER;
    const known = groups.get(label);
    if (known === undefined) groups.set(label, [index]);
    else known.push(index);
  }
  const declared = new Set(nodes.flatMap(({ tags }) => tags.map(labelOf)));
  const sorted = [...groups]
    .filter(([label]) => label !== OTHER)
    .map(([label, members]) => ({ label, isDerived: !declared.has(label), members }))
    .sort((left, right) => right.members.length - left.members.length || (left.label < right.label ? -1 : 1));
  const fewest = nodes.length <= SMALL_LIBRARY ? 2 : FEWEST_MEMBERS;
  const kept = sorted.filter(({ members }, at) => at < MOST_GROUPS && members.length >= fewest);
  const rest = sorted.filter((group) => !kept.includes(group)).flatMap(({ members }) => members);
  const others = [...(groups.get(OTHER) ?? []), ...rest].sort((left, right) => left - right);
  if (others.length === 0) return kept;
  return [...kept, { label: kept.length === 0 ? 'skills' : OTHER, isDerived: true, members: others }];
}

/** For each list of topics the one that most others have too, but not more than `most`; undefined where too few have any. */
function mostShared(topics: readonly (readonly string[])[], most: number): (string | undefined)[] {
  const counts = new Map<string, number>();
  for (const topic of topics.flat()) counts.set(topic, (counts.get(topic) ?? 0) + 1);
  const weight = (topic: string) => {
    const count = counts.get(topic) ?? 0;
    return count > most ? 0 : count;
  };
  return topics.map((own) => {
    const best = own.reduce<string | undefined>(
      (left, right) => (left !== undefined && weight(left) >= weight(right) ? left : right),
      undefined,
    );
    return best === undefined || weight(best) < FEWEST_MEMBERS ? undefined : best;
  });
}

/** Tags first, since people chose them; then the folder; then the first telling word of the name. */
function topicsOf({ tags, derivedTags }: GraphNode): string[] {
  const derived = (['folder', 'name'] as const).flatMap(
    (from) => derivedTags.find((each) => each.from === from)?.tag ?? [],
  );
  return distinct([...tags, ...derived]);
}

/** All that it is found by as a tag. */
function spokenOf({ tags, derivedTags }: GraphNode): string[] {
  return distinct([...tags, ...derivedTags.map(({ tag }) => tag)]);
}

function distinct(tags: readonly string[]): string[] {
  return [...new Set(tags.map(labelOf))].filter((topic) => topic !== '' && topic !== OTHER);
}

function labelOf(tag: string): string {
  return tag.trim().toLowerCase();
}
