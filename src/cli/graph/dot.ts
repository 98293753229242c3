import { clip, shownWhole } from '../output.ts';
import type { GraphData, GraphEdge } from './graph.ts';

const STYLES = {
  calls: 'color="#b45309", penwidth=1.5',
  related: 'color="#2563eb"',
  'co-use': 'color="#059669", style=dashed, dir=none',
  mention: 'color="#6b7280", style=dotted',
  similar: 'color="#be185d", style=bold, dir=none',
} satisfies Record<GraphEdge['kind'], string>;

const LONGEST = 300;

/** The graph in the language of Graphviz; every text is a quoted string in which nothing can end it. */
export function renderDot({ nodes, edges }: GraphData): string {
  const missing = new Set(edges.flatMap(({ to, dangling }) => (dangling ? [to] : [])));
  return [
    'digraph skills {',
    '  rankdir=LR;',
    '  node [shape=box, style=rounded, fontname="sans-serif"];',
    ...nodes.map(
      ({ name, description }) =>
        `  ${quoted(name)} [label=${quoted(name)}, tooltip=${quoted(clip(description, LONGEST))}];`,
    ),
    ...[...missing].map(
      (name) =>
        `  ${quoted(`missing: ${name}`)} [label=${quoted(name)}, tooltip="does not exist", style="rounded,dashed", color="#dc2626", fontcolor="#dc2626"];`,
    ),
    ...edges.map(({ from, to, kind, dangling }) => {
      const label = `label=${quoted(kind)}, fontsize=9, ${STYLES[kind]}`;
      return `  ${quoted(from)} -> ${quoted(dangling ? `missing: ${to}` : to)} [${label}];`;
    }),
    '}',
    '',
  ].join('\n');
}

/** Graphviz reads entities and backslash sequences in labels, so both are taken from the text. */
function quoted(text: string): string {
  const plain = shownWhole(text).replace(/\s+/g, ' ').replaceAll('&', '&amp;');
  return `"${plain.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
