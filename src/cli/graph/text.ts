import { counted } from '../../text/counted.ts';
import type { Output } from '../output.ts';
import { inOneLine } from '../project-notes.ts';
import type { GraphData, GraphEdge } from './graph.ts';

const KINDS = {
  calls: { out: 'calls', in: 'called by' },
  related: { out: 'related to', in: 'named by' },
  'co-use': { out: 'used with', in: 'used with' },
  mention: { out: 'mentions', in: 'mentioned by' },
  similar: { out: 'says the same as', in: 'says the same as' },
} satisfies Record<GraphEdge['kind'], { out: string; in: string }>;

type Side = { readonly other: string; readonly way: 'out' | 'in'; readonly edge: GraphEdge };

/** The graph as a tree for a person: each skill with what it stands in relation to; those without any are counted. */
export function renderGraph({ nodes, edges }: GraphData, output: Output): string {
  if (nodes.length === 0) return 'no skills; put one into the workspace or add a root to knack.json';
  const sides = new Map<string, Side[]>(nodes.map(({ name }) => [name, []]));
  for (const edge of edges) {
    sides.get(edge.from)?.push({ other: edge.to, way: 'out', edge });
    if (!edge.dangling) sides.get(edge.to)?.push({ other: edge.from, way: 'in', edge });
  }
  const alone = nodes.filter(({ name }) => sides.get(name)?.length === 0).length;
  const blocks = nodes.flatMap(({ name, version }) => {
    const own = sides.get(name) ?? [];
    if (own.length === 0 && nodes.length > 1) return [];
    const head = `${output.style('bold', inOneLine(name))}${version === undefined ? '' : ` ${inOneLine(version)}`}`;
    return [[head, ...branches(own, output)].join('\n')];
  });
  const dangling = edges.filter((edge) => edge.dangling).length;
  return [
    ...blocks,
    [
      `${counted(nodes.length, 'skill')}, ${counted(edges.length, 'edge')}`,
      ...(dangling === 0 ? [] : [`${dangling} of them to skills that do not exist`]),
      ...(alone === 0 ? [] : [`${counted(alone, 'skill stands', 'skills stand')} alone`]),
    ].join('; '),
  ].join('\n\n');
}

function branches(sides: readonly Side[], output: Output): string[] {
  const lines = (Object.keys(KINDS) as GraphEdge['kind'][]).flatMap((kind) =>
    (['out', 'in'] as const).flatMap((way) =>
      sides
        .filter((side) => side.edge.kind === kind && side.way === way)
        .map(({ other, edge }) => {
          const score = edge.score === undefined ? '' : ` (${edge.score.toFixed(2)})`;
          const missing = edge.dangling ? output.style('red', ' (does not exist)') : '';
          return `${KINDS[kind][way]} ${inOneLine(other)}${score}${missing}`;
        }),
    ),
  );
  return lines.map((line, index) => `${index === lines.length - 1 ? '└─' : '├─'} ${line}`);
}
