import type { PageData, PageEdge } from '../page-data.ts';
import type { Camera } from './camera.ts';

/** What the page shows now. */
export interface State {
  readonly data: PageData;
  readonly camera: Camera;
  /** Positions of nodes. */
  selected: number | undefined;
  hovered: number | undefined;
  /** Of a search; undefined where nothing is searched for. */
  matches: ReadonlySet<number> | undefined;
  readonly hiddenKinds: Set<PageEdge['kind']>;
  /** Edges of each node, by its position. */
  readonly edgesOf: readonly (readonly PageEdge[])[];
}

export function createState(data: PageData): State {
  const edgesOf: PageEdge[][] = data.nodes.map(() => []);
  for (const edge of data.edges) {
    edgesOf[edge.from]?.push(edge);
    if (edge.to >= 0) edgesOf[edge.to]?.push(edge);
  }
  return {
    data,
    camera: { scale: 1, left: 0, top: 0 },
    selected: undefined,
    hovered: undefined,
    matches: undefined,
    hiddenKinds: new Set(),
    edgesOf,
  };
}

/** The other end of each shown edge of a node, and itself. */
export function nearTo(state: State, node: number): Set<number> {
  const near = new Set([node]);
  for (const { from, to, kind } of state.edgesOf[node] ?? [])
    if (!state.hiddenKinds.has(kind)) {
      near.add(from);
      if (to >= 0) near.add(to);
    }
  return near;
}

/** The nodes whose name, tags and description hold every word; those whose name does come first. */
export function searchNodes({ nodes }: PageData, query: string): ReadonlySet<number> | undefined {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return undefined;
  const holds = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  const indices = [...nodes.keys()];
  const byName = indices.filter((index) => holds(`${nodes[index]?.name}\n${nodes[index]?.title ?? ''}`));
  const byAll = indices.filter((index) => {
    const node = nodes[index];
    if (node === undefined) return false;
    const tags = [...node.tags, ...node.derivedTags.map(({ tag }) => tag)];
    return holds([node.name, node.title ?? '', ...tags, node.description].join('\n'));
  });
  return new Set([...byName, ...byAll]);
}
