import type { PageEdge } from '../page-data.ts';

export interface KindStyle {
  readonly kind: PageEdge['kind'];
  readonly label: string;
  /** In pixels: line and gap. */
  readonly dash: readonly number[];
  readonly width: number;
  /** Whether it leads from one to the other. */
  readonly directed: boolean;
  /** How an edge is told from either end. */
  readonly out: string;
  readonly in: string;
}

/** Every kind of edge with its look; its colour is the custom property of its name. */
export const KINDS: readonly KindStyle[] = [
  {
    kind: 'related',
    label: 'related',
    dash: [],
    width: 1.3,
    directed: true,
    out: 'Related to',
    in: 'Named by',
  },
  { kind: 'calls', label: 'calls', dash: [], width: 2.4, directed: true, out: 'Calls', in: 'Called by' },
  {
    kind: 'co-use',
    label: 'used together',
    dash: [7, 4],
    width: 1.4,
    directed: false,
    out: 'Used together with',
    in: 'Used together with',
  },
  {
    kind: 'mention',
    label: 'mentions',
    dash: [2, 3],
    width: 1.2,
    directed: true,
    out: 'Mentions',
    in: 'Mentioned by',
  },
  {
    kind: 'similar',
    label: 'says the same',
    dash: [10, 3, 2, 3],
    width: 1.6,
    directed: false,
    out: 'Says the same as',
    in: 'Says the same as',
  },
];
