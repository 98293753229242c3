import type { Skill } from '../skill/skill.ts';
import type { SkillEdge } from './library.ts';

export interface SkillGraph {
  readonly edges: readonly SkillEdge[];
  from(name: string): readonly SkillEdge[];
  /** Names that stand in relation to `name`, either way, nearest kind first. */
  neighbours(
    name: string,
    withoutCoUse?: boolean,
  ): readonly { readonly name: string; readonly kind: SkillEdge['kind'] }[];
}

const NONE: readonly string[] = [];
const NEARNESS: Record<SkillEdge['kind'], number> = { calls: 0, related: 1, 'co-use': 2, mention: 3 };

/**
 * The edges between skills. `find` resolves a name or alias; `mentionsOf` gives what `mentionsIn` finds in a body; `coUse`
 * holds pairs that were used together.
 */
export function buildGraph(
  skills: readonly Skill[],
  find: (name: string) => Skill | undefined,
  mentionsOf: (skill: Skill) => readonly string[],
  coUse: readonly (readonly [string, string])[] = [],
): SkillGraph {
  const edges = new Map<string, SkillEdge>();
  // Bodies name the same few things, most of which are no skills.
  const targets = new Map<string, string | undefined>();
  const targetOf = (wanted: string) => {
    if (!targets.has(wanted)) targets.set(wanted, find(wanted)?.name);
    return targets.get(wanted);
  };
  const add = (from: string, wanted: string, kind: SkillEdge['kind'], keepDangling: boolean) => {
    const target = targetOf(wanted);
    if (target === from || (target === undefined && !keepDangling)) return;
    const to = target ?? wanted;
    edges.set(keyOf({ from, to, kind }), { from, to, kind, dangling: target === undefined });
  };
  for (const skill of skills) {
    for (const related of skill.relatedSkills) add(skill.name, related, 'related', true);
    for (const call of callsOf(skill)) add(skill.name, call, 'calls', true);
    for (const mention of mentionsOf(skill)) add(skill.name, mention, 'mention', false);
  }
  for (const pair of coUse) {
    // What was used may have gone or been renamed since.
    const [left, right] = pair.map(targetOf);
    if (left === undefined || right === undefined) continue;
    add(left, right, 'co-use', false);
    add(right, left, 'co-use', false);
  }
  const sorted = [...edges].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, edge]) => edge);
  const byName = new Map<string, SkillEdge[]>();
  for (const edge of sorted)
    for (const end of [edge.from, edge.to]) {
      const known = byName.get(end);
      if (known === undefined) byName.set(end, [edge]);
      else known.push(edge);
    }
  return {
    edges: sorted,
    from: (name) => (byName.get(name) ?? []).filter((edge) => edge.from === name),
    neighbours(name, withoutCoUse = false) {
      const found = new Map<string, SkillEdge['kind']>();
      const near = (byName.get(name) ?? [])
        .filter((edge) => !edge.dangling && !(withoutCoUse && edge.kind === 'co-use'))
        .sort((left, right) => NEARNESS[left.kind] - NEARNESS[right.kind]);
      for (const edge of near) {
        const other = edge.from === name ? edge.to : edge.from;
        if (!found.has(other)) found.set(other, edge.kind);
      }
      return [...found].map(([other, kind]) => ({ name: other, kind }));
    },
  };
}

/** A circle among the tools that call each other, as the names along it; undefined if there is none. */
export function findCallCycle(
  skills: readonly Skill[],
  find: (name: string) => Skill | undefined,
): readonly string[] | undefined {
  const targets = (skill: Skill) =>
    [...new Set(callsOf(skill).flatMap((call) => find(call)?.name ?? []))]
      .filter((name) => name !== skill.name)
      .sort((left, right) => (left < right ? -1 : 1));
  const calls = new Map(skills.map((skill) => [skill.name, targets(skill)]));
  const done = new Set<string>();
  for (const start of calls.keys()) {
    // Steps in a list of our own: a chain of calls may be longer than the stack is deep.
    const way: { readonly name: string; at: number }[] = done.has(start) ? [] : [{ name: start, at: 0 }];
    const onWay = new Set(way.map(({ name }) => name));
    for (let here = way.at(-1); here !== undefined; here = way.at(-1)) {
      const next = calls.get(here.name)?.[here.at];
      here.at += 1;
      if (next === undefined) {
        way.pop();
        onWay.delete(here.name);
        done.add(here.name);
      } else if (onWay.has(next)) {
        const names = way.map(({ name }) => name);
        return [...names.slice(names.indexOf(next)), next];
      } else if (!done.has(next)) {
        way.push({ name: next, at: 0 });
        onWay.add(next);
      }
    }
  }
  return undefined;
}

/** Names of skills whose tools a skill's tools call. */
function callsOf(skill: Skill): readonly string[] {
  if (skill.tools.length === 0) return NONE;
  return skill.tools.flatMap((tool) => tool.calls.map((call) => call.split('/')[0] ?? call));
}

function keyOf({ from, to, kind }: Omit<SkillEdge, 'dangling'>): string {
  return `${from}\0${to}\0${kind}`;
}
