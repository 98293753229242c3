import { normaliseName } from '../skill/name.ts';
import type { Skill } from '../skill/skill.ts';
import type { SkillEdge } from './library.ts';

export interface SkillGraph {
  readonly edges: readonly SkillEdge[];
  from(name: string): readonly SkillEdge[];
  /** Names that stand in relation to `name`, either way, nearest kind first. */
  neighbours(name: string): readonly { readonly name: string; readonly kind: SkillEdge['kind'] }[];
  /** A cycle among `calls`, as the names along it; undefined if there is none. */
  callCycle(): readonly string[] | undefined;
}

const NEARNESS: Record<SkillEdge['kind'], number> = { calls: 0, related: 1, 'co-use': 2, mention: 3 };

/** The edges between skills. `find` resolves a name or alias; `coUse` holds pairs that were used together. */
export function buildGraph(
  skills: readonly Skill[],
  find: (name: string) => Skill | undefined,
  coUse: readonly (readonly [string, string])[] = [],
): SkillGraph {
  const edges = new Map<string, SkillEdge>();
  const add = (from: string, wanted: string, kind: SkillEdge['kind'], keepDangling: boolean) => {
    const target = find(wanted);
    if (target?.name === from || (target === undefined && !keepDangling)) return;
    const to = target?.name ?? wanted;
    edges.set(`${from}\0${to}\0${kind}`, { from, to, kind, dangling: target === undefined });
  };
  for (const skill of skills) {
    for (const related of skill.relatedSkills) add(skill.name, related, 'related', true);
    for (const call of skill.tools.flatMap((tool) => tool.calls))
      add(skill.name, call.split('/')[0] ?? call, 'calls', true);
    for (const mention of mentionsIn(skill.body)) add(skill.name, mention, 'mention', false);
  }
  for (const [left, right] of coUse) {
    add(left, right, 'co-use', false);
    add(right, left, 'co-use', false);
  }
  const sorted = [...edges.values()].sort((left, right) =>
    `${left.from} ${left.to}` < `${right.from} ${right.to}` ? -1 : 1,
  );
  const byName = new Map<string, SkillEdge[]>();
  for (const edge of sorted)
    for (const end of new Set([edge.from, edge.to])) byName.set(end, [...(byName.get(end) ?? []), edge]);
  return {
    edges: sorted,
    from: (name) => (byName.get(name) ?? []).filter((edge) => edge.from === name),
    neighbours(name) {
      const found = new Map<string, SkillEdge['kind']>();
      const near = (byName.get(name) ?? [])
        .filter((edge) => !edge.dangling)
        .sort((left, right) => NEARNESS[left.kind] - NEARNESS[right.kind]);
      for (const edge of near) {
        const other = edge.from === name ? edge.to : edge.from;
        if (!found.has(other)) found.set(other, edge.kind);
      }
      return [...found].map(([other, kind]) => ({ name: other, kind }));
    },
    callCycle: () => findCycle(sorted.filter((edge) => edge.kind === 'calls' && !edge.dangling)),
  };
}

/** In backticks, bare, after a slash or a namespace. */
const QUOTED = /`(\/)?([\w-]+:)?([A-Za-z][\w-]{1,63})`( skill\b)?/g;
const SIBLING_PATH = /\.\.\/([\w-]{2,64})\/SKILL\.md/g;

/**
 * Names that a body gives as names: in a path to a sibling, or in backticks after a slash or a namespace, before the word
 * skill, or with a hyphen. A plain word in backticks is mostly a command.
 */
function mentionsIn(body: string): Set<string> {
  const found = new Set<string>();
  for (const [, slash, namespace, name = '', after] of body.matchAll(QUOTED))
    if (slash !== undefined || namespace !== undefined || after !== undefined || name.includes('-'))
      found.add(normaliseName(name));
  for (const [, name = ''] of body.matchAll(SIBLING_PATH)) found.add(normaliseName(name));
  return found;
}

function findCycle(calls: readonly SkillEdge[]): string[] | undefined {
  const done = new Set<string>();
  const next = (name: string) => calls.filter((edge) => edge.from === name).map((edge) => edge.to);
  const walk = (name: string, trail: readonly string[]): string[] | undefined => {
    const at = trail.indexOf(name);
    if (at >= 0) return [...trail.slice(at), name];
    if (done.has(name)) return undefined;
    for (const other of next(name)) {
      const cycle = walk(other, [...trail, name]);
      if (cycle !== undefined) return cycle;
    }
    done.add(name);
    return undefined;
  };
  for (const { from } of calls) {
    const cycle = walk(from, []);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}
