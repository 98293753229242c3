import type { Library } from '../../library/library.ts';
import type { SkillPair } from '../../library/likeness/near-duplicates.ts';
import { tagIndexOf } from '../../library/tags/tag-index.ts';
import type { GraphData, GraphEdge, GraphNode } from './graph.ts';

export interface GraphRequest {
  readonly loadsOf: (name: string) => number;
  readonly similar: readonly SkillPair[];
  /** The neighbourhood of this skill alone, so many edges far. */
  readonly around?: { readonly name: string; readonly depth: number };
}

/** The whole graph of a library, or the neighbourhood of one skill. */
export function graphOf(library: Library, { loadsOf, similar, around }: GraphRequest): GraphData {
  const edges = [
    ...library
      .edges()
      .filter(({ from, to, kind }) => kind !== 'co-use' || from < to)
      .map(({ from, to, kind, dangling }): GraphEdge => ({ from, to, kind, dangling })),
    ...similar.map(
      ({ left, right, score }): GraphEdge => ({
        from: left,
        to: right,
        kind: 'similar',
        dangling: false,
        score,
      }),
    ),
  ];
  const index = tagIndexOf(library);
  const kept = around === undefined ? undefined : reached(edges, around);
  return {
    nodes: library.skills
      .filter(({ name }) => kept?.has(name) ?? true)
      .map((skill): GraphNode => {
        const { name, label, description, version, tags, path } = skill;
        return {
          name,
          ...(label === undefined ? {} : { title: label }),
          description,
          ...(version === undefined ? {} : { version }),
          tags,
          derivedTags: index.tagsOf(skill).derived,
          root: library.rootOf(skill).name,
          path,
          loads: loadsOf(name),
        };
      }),
    edges: edges.filter(
      ({ from, to, dangling }) => kept === undefined || (kept.has(from) && (dangling || kept.has(to))),
    ),
  };
}

/** Names that are so many edges away or nearer, either way. */
function reached(
  edges: readonly GraphEdge[],
  { name, depth }: { readonly name: string; readonly depth: number },
): Set<string> {
  const near = new Map<string, string[]>();
  const link = (from: string, to: string) => {
    const known = near.get(from);
    if (known === undefined) near.set(from, [to]);
    else known.push(to);
  };
  for (const { from, to, dangling } of edges)
    if (!dangling) {
      link(from, to);
      link(to, from);
    }
  const found = new Set([name]);
  let edge = [name];
  for (let step = 0; step < depth && edge.length > 0; step += 1) {
    edge = [...new Set(edge.flatMap((each) => near.get(each) ?? []))].filter((each) => !found.has(each));
    for (const each of edge) found.add(each);
  }
  return found;
}
