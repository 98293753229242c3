import type { DerivedTag } from '../../library/tags/tags.ts';

export interface GraphNode {
  readonly name: string;
  /** As declared, where it differs from the name. */
  readonly title?: string;
  readonly description: string;
  readonly version?: string;
  readonly tags: readonly string[];
  /** What it is about besides, which nobody declared. */
  readonly derivedTags: readonly DerivedTag[];
  readonly root: string;
  /** Absolute path of its `SKILL.md`. */
  readonly path: string;
  readonly loads: number;
}

export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  /** `co-use` and `similar` hold both ways and stand there once. */
  readonly kind: 'related' | 'mention' | 'calls' | 'co-use' | 'similar';
  /** `to` is no skill of the library. */
  readonly dangling: boolean;
  /** Of `similar` alone, 0 to 1. */
  readonly score?: number;
}

/** A library, or a part of it, as nodes and edges: nodes by name, edges by both ends and kind. */
export interface GraphData {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}
