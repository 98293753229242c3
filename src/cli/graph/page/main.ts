import { counted } from '../../../text/counted.ts';
import type { PageData } from '../page-data.ts';
import { wholeView, zoomAt } from './camera.ts';
import { readColours } from './colours.ts';
import { draw } from './draw.ts';
import { byId } from './elements.ts';
import { fillLegend } from './legend.ts';
import { createPanel } from './panel.ts';
import { followPointer } from './pointer.ts';
import { createState, searchNodes } from './state.ts';

const data = JSON.parse(document.getElementById('data')?.textContent ?? '') as PageData;
const state = createState(data);
const canvas = byId('picture', HTMLCanvasElement);
const stage = byId('stage', HTMLElement);
const search = byId('search', HTMLInputElement);
let colours = readColours();
let size = { width: 0, height: 0 };
let farthest = 1;
/** Until somebody moves the picture it stays whole, whatever the size of the window. */
let isWhole = true;
let isAsked = false;

function redraw(): void {
  if (isAsked) return;
  isAsked = true;
  requestAnimationFrame(() => {
    isAsked = false;
    const context = canvas.getContext('2d');
    if (context === null) return;
    const ratio = devicePixelRatio;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    draw({ context, ...size }, state, colours);
  });
}

function fitWindow(): void {
  size = { width: stage.clientWidth, height: stage.clientHeight };
  canvas.width = Math.max(1, Math.round(size.width * devicePixelRatio));
  canvas.height = Math.max(1, Math.round(size.height * devicePixelRatio));
  const whole = wholeView(data, size.width, size.height);
  farthest = whole.scale;
  if (isWhole) Object.assign(state.camera, whole);
  redraw();
}

function select(node: number | undefined): void {
  state.selected = node;
  state.hovered = undefined;
  panel.details();
  const skill = node === undefined ? undefined : data.nodes[node];
  if (skill !== undefined) bringIntoView(skill);
  redraw();
}

/** Moves the picture only where the skill is not seen, and closer only where it is too small. */
function bringIntoView({ x, y }: { readonly x: number; readonly y: number }): void {
  const { camera } = state;
  const closer = Math.max(camera.scale, Math.min(1, farthest * 2.5));
  const [atX, atY] = [x * camera.scale + camera.left, y * camera.scale + camera.top];
  const margin = 40;
  const isSeen = atX > margin && atY > margin && atX < size.width - margin && atY < size.height - margin;
  if (isSeen && closer === camera.scale) return;
  isWhole = false;
  camera.scale = closer;
  camera.left = size.width / 2 - x * closer;
  camera.top = size.height / 2 - y * closer;
}

function zoom(factor: number): void {
  isWhole = false;
  zoomAt(state.camera, size.width / 2, size.height / 2, factor, farthest);
  redraw();
}

function showWhole(): void {
  isWhole = true;
  fitWindow();
}

const panel = createPanel(state, () => colours, select);
followPointer(canvas, state, {
  farthest: () => farthest,
  select,
  redraw() {
    isWhole &&= state.camera.scale === farthest && state.hovered !== undefined;
    redraw();
  },
});
search.addEventListener('input', () => {
  state.matches = searchNodes(data, search.value);
  panel.list();
  redraw();
});
search.addEventListener('keydown', (event) => {
  const [first] = state.matches ?? [];
  if (event.key === 'Enter' && first !== undefined) select(first);
});
byId('closer', HTMLButtonElement).addEventListener('click', () => zoom(1.4));
byId('farther', HTMLButtonElement).addEventListener('click', () => zoom(1 / 1.4));
byId('whole', HTMLButtonElement).addEventListener('click', showWhole);
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') select(undefined);
});
canvas.addEventListener('keydown', (event) => {
  const step = 60;
  const pan: Record<string, readonly [number, number]> = {
    ArrowLeft: [step, 0],
    ArrowRight: [-step, 0],
    ArrowUp: [0, step],
    ArrowDown: [0, -step],
  };
  const by = pan[event.key];
  if (by !== undefined) {
    isWhole = false;
    state.camera.left += by[0];
    state.camera.top += by[1];
    redraw();
  } else if (event.key === '+' || event.key === '=') zoom(1.4);
  else if (event.key === '-') zoom(1 / 1.4);
  else if (event.key === '0') showWhole();
  else return;
  event.preventDefault();
});
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
  colours = readColours();
  panel.list();
  panel.details();
  redraw();
});

canvas.setAttribute(
  'aria-label',
  `Picture of ${counted(data.nodes.length, 'skill')} in ${counted(data.groups.length, 'group')} with ${counted(data.edges.length, 'edge')}. Arrow keys move it, plus and minus zoom, 0 shows the whole. The list beside it has every skill as a button.`,
);
byId('nothing', HTMLElement).hidden = data.nodes.length > 0;
fillLegend(byId('kinds', HTMLFieldSetElement), state, redraw);
panel.list();
new ResizeObserver(fitWindow).observe(stage);
