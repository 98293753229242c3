import type { PageEdge, PageNode } from '../page-data.ts';
import type { Colours } from './colours.ts';
import { type Canvas, dotRadius } from './dots.ts';
import { drawLabels } from './draw-labels.ts';
import { KINDS } from './kinds.ts';
import { nearTo, type State } from './state.ts';

const FULL_CIRCLE = 2 * Math.PI;
/** Edges in one path: one by one they are slow to draw, and all in one path slower still. */
const A_PATH = 40;
/** More dashed lines than this, seen from far, are drawn without gaps, which nobody could see. */
const MOST_DASHED = 600;

/** Draws the picture anew as a whole. */
export function draw(canvas: Canvas, state: State, colours: Colours): void {
  const { context, width, height } = canvas;
  context.clearRect(0, 0, width, height);
  const focus = state.hovered ?? state.selected;
  const near = focus === undefined ? undefined : nearTo(state, focus);
  const isFound = (node: number) => state.matches?.has(node) ?? false;
  const isLit = (node: number) =>
    near === undefined ? state.matches === undefined || isFound(node) : near.has(node) || isFound(node);
  drawGroups(canvas, state, colours);
  const isOfFocus = (edge: PageEdge) => focus !== undefined && (edge.from === focus || edge.to === focus);
  const isFaded = (edge: PageEdge) =>
    focus !== undefined || (state.matches !== undefined && !(isLit(edge.from) && isLit(edge.to)));
  drawEdges(canvas, state, colours, {
    edges: state.data.edges.filter((edge) => isFaded(edge) && !isOfFocus(edge)),
    alpha: 0.06,
  });
  drawEdges(canvas, state, colours, {
    edges: state.data.edges.filter((edge) => !isFaded(edge)),
    alpha: edgeAlpha(state),
  });
  drawEdges(canvas, state, colours, { edges: state.data.edges.filter(isOfFocus), alpha: 1 });
  for (const [index, node] of state.data.nodes.entries())
    drawNode(canvas, state, colours, { node, index, isLit: isLit(index) });
  drawLabels(canvas, state, colours, { focus, isLit });
}

/** Many edges seen from far would hide what they connect. */
function edgeAlpha({ data, camera }: State): number {
  const crowd = Math.max(0.1, Math.min(1, 250 / Math.max(1, data.edges.length)));
  const nearness = Math.min(1, camera.scale / 2);
  return 0.85 * (crowd + (1 - crowd) * nearness ** 2);
}

function drawGroups({ context }: Canvas, { data, camera }: State, colours: Colours): void {
  for (const [index, { x, y, radius }] of data.groups.entries()) {
    context.beginPath();
    context.arc(
      x * camera.scale + camera.left,
      y * camera.scale + camera.top,
      radius * camera.scale,
      0,
      FULL_CIRCLE,
    );
    context.fillStyle = colours.group(index, 0.08);
    context.fill();
    context.lineWidth = 1;
    context.strokeStyle = colours.group(index, 0.35);
    context.stroke();
  }
}

function drawNode(
  { context, width, height }: Canvas,
  { camera, selected, hovered }: State,
  colours: Colours,
  { node, index, isLit }: { readonly node: PageNode; readonly index: number; readonly isLit: boolean },
): void {
  const [x, y] = [node.x * camera.scale + camera.left, node.y * camera.scale + camera.top];
  if (x < -20 || y < -20 || x > width + 20 || y > height + 20) return;
  const radius = dotRadius(node, camera.scale);
  context.fillStyle = colours.group(node.group, isLit ? 1 : 0.28);
  if (radius < 2) context.fillRect(x - radius, y - radius, 2 * radius, 2 * radius);
  else {
    context.beginPath();
    context.arc(x, y, radius, 0, FULL_CIRCLE);
    context.fill();
  }
  if (index !== selected && index !== hovered) return;
  context.beginPath();
  context.arc(x, y, radius + 3, 0, FULL_CIRCLE);
  context.lineWidth = index === selected ? 2.5 : 1.5;
  context.strokeStyle = index === selected ? colours.accent : colours.ink;
  context.stroke();
}

function drawEdges(
  canvas: Canvas,
  state: State,
  colours: Colours,
  { edges, alpha }: { readonly edges: readonly PageEdge[]; readonly alpha: number },
): void {
  const { context } = canvas;
  context.globalAlpha = alpha;
  for (const { kind, dash, width, directed } of KINDS) {
    if (state.hiddenKinds.has(kind)) continue;
    const own = edges.filter((edge) => edge.kind === kind);
    if (own.length === 0) continue;
    context.strokeStyle = colours.kinds[kind];
    context.fillStyle = colours.kinds[kind];
    context.lineWidth = width;
    context.setLineDash(own.length > MOST_DASHED && state.camera.scale < 1 ? [] : [...dash]);
    for (let start = 0; start < own.length; start += A_PATH) {
      context.beginPath();
      for (const edge of own.slice(start, start + A_PATH)) if (edge.to >= 0) addCurve(canvas, state, edge);
      context.stroke();
    }
    context.setLineDash([]);
    if (directed && state.camera.scale > 0.7) {
      context.beginPath();
      for (const edge of own) if (edge.to >= 0) addArrow(canvas, state, edge);
      context.fill();
    }
    const dangling = own.filter((edge) => edge.to < 0);
    for (const [place, edge] of dangling.entries()) drawStub(canvas, state, colours, { edge, place });
  }
  context.globalAlpha = 1;
}

function ends({ data, camera }: State, edge: PageEdge) {
  const [from, to] = [data.nodes[edge.from], data.nodes[edge.to]];
  if (from === undefined || to === undefined) return undefined;
  const [ax, ay] = [from.x * camera.scale + camera.left, from.y * camera.scale + camera.top];
  const [bx, by] = [to.x * camera.scale + camera.left, to.y * camera.scale + camera.top];
  // A slight bend, always to the same side, keeps the two directions of a pair apart.
  return { ax, ay, bx, by, cx: (ax + bx) / 2 + (by - ay) * 0.08, cy: (ay + by) / 2 - (bx - ax) * 0.08, to };
}

function addCurve({ context, width, height }: Canvas, state: State, edge: PageEdge): void {
  const line = ends(state, edge);
  if (line === undefined) return;
  const { ax, ay, bx, by, cx, cy } = line;
  const isOutside =
    Math.max(ax, bx) < 0 || Math.max(ay, by) < 0 || Math.min(ax, bx) > width || Math.min(ay, by) > height;
  if (isOutside) return;
  context.moveTo(ax, ay);
  context.quadraticCurveTo(cx, cy, bx, by);
}

function addArrow({ context }: Canvas, state: State, edge: PageEdge): void {
  const line = ends(state, edge);
  if (line === undefined) return;
  const { bx, by, cx, cy, to } = line;
  const length = Math.hypot(bx - cx, by - cy);
  if (length < 12) return;
  const [ux, uy] = [(bx - cx) / length, (by - cy) / length];
  const back = dotRadius(to, state.camera.scale) + 1;
  const [x, y] = [bx - ux * back, by - uy * back];
  context.moveTo(x, y);
  context.lineTo(x - ux * 7 - uy * 3.2, y - uy * 7 + ux * 3.2);
  context.lineTo(x - ux * 7 + uy * 3.2, y - uy * 7 - ux * 3.2);
  context.closePath();
}

/** What does not exist: a short line that ends in a cross. */
function drawStub(
  { context }: Canvas,
  { data, camera }: State,
  colours: Colours,
  { edge, place }: { readonly edge: PageEdge; readonly place: number },
): void {
  const from = data.nodes[edge.from];
  if (from === undefined) return;
  const angle = place * 2.4 + 0.6;
  const length = 13 * camera.scale + 4;
  const [ax, ay] = [from.x * camera.scale + camera.left, from.y * camera.scale + camera.top];
  const [x, y] = [ax + Math.cos(angle) * length, ay + Math.sin(angle) * length];
  const arm = Math.max(2, Math.min(5, 3 * camera.scale));
  context.strokeStyle = colours.wrong;
  context.lineWidth = 1.5;
  context.beginPath();
  context.moveTo(ax, ay);
  context.lineTo(x, y);
  context.moveTo(x - arm, y - arm);
  context.lineTo(x + arm, y + arm);
  context.moveTo(x + arm, y - arm);
  context.lineTo(x - arm, y + arm);
  context.stroke();
}
