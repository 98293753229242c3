import type { Colours } from './colours.ts';
import { type Canvas, dotRadius } from './dots.ts';
import { createRoom, type Room } from './labels.ts';
import type { State } from './state.ts';

const FONT = 'system-ui, sans-serif';
const NODE_SIZE = 12;
const LONGEST = 34;
/** One name for so much of the window, so that the picture stays one. */
const AREA_A_LABEL = 9000;
/** Below this the dots are too dense for names of their own. */
const FEW_LABELS = 0.75;

/** Names of groups and skills, the important ones first; none over another. */
export function drawLabels(
  canvas: Canvas,
  state: State,
  colours: Colours,
  { focus, isLit }: { readonly focus: number | undefined; readonly isLit: (node: number) => boolean },
): void {
  const room = createRoom();
  canvas.context.lineJoin = 'round';
  canvas.context.textBaseline = 'middle';
  const isSearched = state.matches !== undefined;
  const named = new Set<number>();
  const order = importance(state);
  // The one that is looked at, then what belongs to it, come before the names of groups.
  for (const node of [state.selected, focus])
    if (node !== undefined && !named.has(node)) {
      named.add(node);
      labelNode(canvas, state, colours, { node, room, strong: true });
    }
  if (focus !== undefined)
    for (const node of order)
      if (isLit(node) && !named.has(node)) {
        named.add(node);
        labelNode(canvas, state, colours, { node, room, strong: true });
      }
  labelGroups(canvas, state, colours, room, focus !== undefined);
  // From far only what is lit is named; from near the rest is, too, but faint.
  const dense = state.camera.scale < FEW_LABELS && !isSearched ? 5 : 1;
  let left = Math.round((canvas.width * canvas.height) / AREA_A_LABEL / dense);
  let tries = left * 4;
  for (const node of order) {
    if (left <= 0 || tries <= 0) break;
    const lit = isLit(node);
    if (named.has(node) || (!lit && state.camera.scale < 1)) continue;
    if (!isInWindow(canvas, state, node)) continue;
    tries -= 1;
    canvas.context.globalAlpha = lit ? 1 : 0.4;
    if (labelNode(canvas, state, colours, { node, room, strong: isSearched && lit })) left -= 1;
  }
  canvas.context.globalAlpha = 1;
}

const orders = new WeakMap<State, number[]>();

/** Positions of nodes: well connected ones and often loaded ones first. */
function importance(state: State): number[] {
  const known = orders.get(state);
  if (known !== undefined) return known;
  const weight = (index: number) => {
    const node = state.data.nodes[index];
    return node === undefined ? 0 : node.degree + 2 * Math.log2(1 + node.loads);
  };
  const order = [...state.data.nodes.keys()].sort((a, b) => weight(b) - weight(a) || a - b);
  orders.set(state, order);
  return order;
}

function labelGroups(
  { context, width, height }: Canvas,
  { data, camera }: State,
  colours: Colours,
  room: Room,
  faded: boolean,
): void {
  for (const [index, { label, isDerived, size, x, y, radius }] of data.groups.entries()) {
    const inPixels = radius * camera.scale;
    if (inPixels < 14) continue;
    const font = Math.max(11, Math.min(20, 8 + inPixels / 9));
    // Upright what somebody declared as a tag.
    context.font = `${isDerived ? 'italic ' : ''}600 ${font}px ${FONT}`;
    const text = `${shortened(label)} ${size}`;
    const wide = context.measureText(text).width;
    const left = x * camera.scale + camera.left - wide / 2;
    const middle = y * camera.scale + camera.top;
    const [above, below] = [middle - inPixels + font * 0.7, middle + inPixels - font * 0.7];
    // A long name of a neighbour may stand above already.
    const top = [above, below, above + font + 6, below - font - 6].find(
      (place) =>
        left <= width &&
        left + wide >= 0 &&
        place <= height &&
        place >= -font &&
        room.take(left - 3, place - font / 2 - 2, wide + 6, font + 4),
    );
    if (top === undefined) continue;
    context.globalAlpha = faded ? 0.75 : 1;
    halo(context, { text, left, top, colour: colours.group(index), ground: colours.ground });
    context.globalAlpha = 1;
  }
}

/** Beside the dot where there is room: right, left, below, above. */
function labelNode(
  { context, width, height }: Canvas,
  { data, camera }: State,
  colours: Colours,
  { node, room, strong }: { readonly node: number; readonly room: Room; readonly strong: boolean },
): boolean {
  const skill = data.nodes[node];
  if (skill === undefined) return false;
  const [x, y] = [skill.x * camera.scale + camera.left, skill.y * camera.scale + camera.top];
  if (!isInWindow({ width, height }, { data, camera }, node)) return false;
  context.font = `${strong ? '600 ' : ''}${NODE_SIZE}px ${FONT}`;
  const text = shortened(skill.name);
  const wide = context.measureText(text).width;
  const away = dotRadius(skill, camera.scale) + 4;
  const places = [
    [x + away, y],
    [x - away - wide, y],
    [x - wide / 2, y + away + NODE_SIZE / 2],
    [x - wide / 2, y - away - NODE_SIZE / 2],
  ] as const;
  for (const [left, top] of places) {
    if (left < 2 || left + wide > width - 2) continue;
    if (!room.take(left - 2, top - NODE_SIZE / 2 - 2, wide + 4, NODE_SIZE + 4)) continue;
    halo(context, { text, left, top, colour: colours.ink, ground: colours.ground });
    return true;
  }
  return false;
}

function isInWindow(
  { width, height }: Pick<Canvas, 'width' | 'height'>,
  { data, camera }: Pick<State, 'data' | 'camera'>,
  node: number,
): boolean {
  const skill = data.nodes[node];
  if (skill === undefined) return false;
  const [x, y] = [skill.x * camera.scale + camera.left, skill.y * camera.scale + camera.top];
  return x >= 0 && y >= 0 && x <= width && y <= height;
}

function halo(
  context: CanvasRenderingContext2D,
  {
    text,
    left,
    top,
    colour,
    ground,
  }: { text: string; left: number; top: number; colour: string; ground: string },
): void {
  context.lineWidth = 4;
  context.strokeStyle = ground;
  context.strokeText(text, left, top);
  context.fillStyle = colour;
  context.fillText(text, left, top);
}

function shortened(text: string): string {
  const characters = [...text];
  return characters.length > LONGEST ? `${characters.slice(0, LONGEST - 1).join('')}…` : text;
}
