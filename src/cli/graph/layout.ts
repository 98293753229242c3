import type { GraphData } from './graph.ts';
import type { Group } from './groups.ts';

export interface Circle {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

/** Where everything stands, in units of the picture; the middle is at 0, 0. */
export interface Layout {
  /** By position of the node. */
  readonly points: readonly { readonly x: number; readonly y: number }[];
  /** By position of the group. */
  readonly circles: readonly Circle[];
}

/** Between neighbours in a group. */
const SPACING = 30;
const MARGIN = 26;
const GAP = 22;
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));
/** Screens are wider than high. */
const WIDTH_TO_HEIGHT = 1.5;
/** How much nearness to what a group has edges with counts beside nearness to the middle. */
const PULL = 0.35;

/**
 * Groups as circles that touch, the large ones in the middle and those with many edges between them side by side; in each
 * the skills in a spiral of even density, the best connected ones inside. The same data gives the same layout.
 */
export function layOut({ nodes, edges }: GraphData, groups: readonly Group[]): Layout {
  const degree = degreesOf({ nodes, edges });
  const groupAt = new Map(groups.flatMap(({ members }, group) => members.map((member) => [member, group])));
  const indexOf = new Map(nodes.map(({ name }, index) => [name, index]));
  const bonds = new Map<string, number>();
  for (const { from, to } of edges) {
    const [a, b] = [groupAt.get(indexOf.get(from) ?? -1), groupAt.get(indexOf.get(to) ?? -1)];
    if (a === undefined || b === undefined || a === b) continue;
    for (const key of [`${a} ${b}`, `${b} ${a}`]) bonds.set(key, (bonds.get(key) ?? 0) + 1);
  }
  const circles = placeCircles(
    groups.map(({ members }) => SPACING * Math.sqrt(members.length) * 0.6 + MARGIN),
    (a, b) => bonds.get(`${a} ${b}`) ?? 0,
  );
  const points: { x: number; y: number }[] = nodes.map(() => ({ x: 0, y: 0 }));
  for (const [group, { members }] of groups.entries()) {
    const { x, y } = circles[group] ?? { x: 0, y: 0 };
    const inside = [...members].sort((a, b) => (degree[b] ?? 0) - (degree[a] ?? 0) || a - b);
    for (const [place, member] of inside.entries()) {
      const distance = inside.length === 1 ? 0 : SPACING * 0.6 * Math.sqrt(place + 0.3);
      const angle = place * GOLDEN_ANGLE + group;
      points[member] = { x: x + distance * Math.cos(angle), y: y + distance * Math.sin(angle) };
    }
  }
  return { points, circles };
}

/** Edges of each node, by its position. */
export function degreesOf({ nodes, edges }: GraphData): number[] {
  const counts = new Map<string, number>();
  for (const { from, to, dangling } of edges) {
    counts.set(from, (counts.get(from) ?? 0) + 1);
    if (!dangling) counts.set(to, (counts.get(to) ?? 0) + 1);
  }
  return nodes.map(({ name }) => counts.get(name) ?? 0);
}

/** Each circle touches two that stand already, in the best of all such places. */
function placeCircles(radii: readonly number[], bond: (a: number, b: number) => number): Circle[] {
  const placed: Circle[] = [];
  const order = [...radii.keys()].sort((a, b) => (radii[b] ?? 0) - (radii[a] ?? 0) || a - b);
  for (const index of order) {
    const radius = radii[index] ?? 0;
    const spots = placed.length === 0 ? [{ x: 0, y: 0, radius }] : spotsFor(radius, placed);
    const badness = ({ x, y }: Circle) => {
      let sum = Math.hypot(x / WIDTH_TO_HEIGHT, y);
      let [weight, far] = [0, 0];
      for (const [other, circle] of placed.entries()) {
        const strength = bond(index, order[other] ?? 0);
        weight += strength;
        far += strength * Math.hypot(x - circle.x, y - circle.y);
      }
      if (weight > 0) sum += (PULL * far) / weight;
      return sum;
    };
    let [best, least] = [spots[0], Number.POSITIVE_INFINITY];
    for (const spot of spots) {
      const bad = badness(spot);
      if (bad < least - 1e-6) [best, least] = [spot, bad];
    }
    if (best !== undefined) placed.push(best);
  }
  const at = new Map(order.map((index, place) => [index, placed[place]]));
  return radii.map((radius, index) => at.get(index) ?? { x: 0, y: 0, radius });
}

function spotsFor(radius: number, placed: readonly Circle[]): Circle[] {
  const [first] = placed;
  if (placed.length === 1 && first !== undefined)
    return [{ x: first.x + first.radius + radius + GAP, y: first.y, radius }];
  const spots: Circle[] = [];
  for (const [at, a] of placed.entries())
    for (const b of placed.slice(at + 1))
      for (const spot of touching(radius, a, b)) if (isFree(spot, placed)) spots.push(spot);
  return spots;
}

/** The two places where a circle touches two others, if they are near enough to each other. */
function touching(radius: number, a: Circle, b: Circle): Circle[] {
  const [toA, toB] = [a.radius + radius + GAP, b.radius + radius + GAP];
  const apart = Math.hypot(b.x - a.x, b.y - a.y);
  if (apart > toA + toB || apart === 0) return [];
  const along = (toA ** 2 - toB ** 2 + apart ** 2) / (2 * apart);
  const aside = Math.sqrt(Math.max(0, toA ** 2 - along ** 2));
  const [ux, uy] = [(b.x - a.x) / apart, (b.y - a.y) / apart];
  return [1, -1].map((side) => ({
    x: a.x + ux * along - uy * aside * side,
    y: a.y + uy * along + ux * aside * side,
    radius,
  }));
}

function isFree({ x, y, radius }: Circle, placed: readonly Circle[]): boolean {
  return placed.every((other) => Math.hypot(x - other.x, y - other.y) >= other.radius + radius + GAP - 1e-6);
}
