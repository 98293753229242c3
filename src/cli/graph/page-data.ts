import type { GraphEdge, GraphNode } from './graph.ts';

/** What the page is given, as JSON: everything with its place, ends of edges as positions in `nodes`. */
export interface PageData {
  readonly nodes: readonly PageNode[];
  readonly groups: readonly PageGroup[];
  readonly edges: readonly PageEdge[];
}

export interface PageNode extends GraphNode {
  readonly x: number;
  readonly y: number;
  /** Position in `groups`. */
  readonly group: number;
  /** Number of its edges. */
  readonly degree: number;
}

export interface PageGroup {
  readonly label: string;
  readonly isDerived: boolean;
  readonly size: number;
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

export interface PageEdge {
  readonly from: number;
  /** -1 where the target does not exist; `missing` is its name then. */
  readonly to: number;
  readonly missing?: string;
  readonly kind: GraphEdge['kind'];
  readonly score?: number;
}
