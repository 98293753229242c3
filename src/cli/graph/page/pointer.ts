import { zoomAt } from './camera.ts';
import { dotRadius } from './dots.ts';
import type { State } from './state.ts';

export interface PointerActions {
  /** The smallest scale that is of use: that of the whole. */
  readonly farthest: () => number;
  readonly redraw: () => void;
  readonly select: (node: number | undefined) => void;
}

const REACH = 7;
const CLICK = 4;

/** Drag to pan, wheel or two fingers to zoom, move to see what is near, click to select. */
export function followPointer(canvas: HTMLCanvasElement, state: State, actions: PointerActions): void {
  const { camera } = state;
  const held = new Map<number, { x: number; y: number }>();
  let moved = 0;
  const hover = (node: number | undefined) => {
    canvas.classList.toggle('over', node !== undefined);
    if (node === state.hovered) return;
    state.hovered = node;
    actions.redraw();
  };
  canvas.addEventListener('pointerdown', (event) => {
    canvas.setPointerCapture(event.pointerId);
    held.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
    if (held.size === 1) moved = 0;
    canvas.classList.add('held');
  });
  canvas.addEventListener('pointermove', (event) => {
    const here = { x: event.offsetX, y: event.offsetY };
    const before = held.get(event.pointerId);
    if (before === undefined) {
      hover(nodeAt(state, here.x, here.y));
      return;
    }
    const other = [...held].find(([id]) => id !== event.pointerId)?.[1];
    moved += Math.hypot(here.x - before.x, here.y - before.y);
    held.set(event.pointerId, here);
    if (other === undefined) {
      camera.left += here.x - before.x;
      camera.top += here.y - before.y;
    } else {
      const apart = Math.hypot(before.x - other.x, before.y - other.y);
      const now = Math.hypot(here.x - other.x, here.y - other.y);
      if (apart > 0)
        zoomAt(camera, (here.x + other.x) / 2, (here.y + other.y) / 2, now / apart, actions.farthest());
    }
    actions.redraw();
  });
  const release = (event: PointerEvent) => {
    const wasAlone = held.size === 1 && held.delete(event.pointerId);
    held.delete(event.pointerId);
    if (held.size === 0) canvas.classList.remove('held');
    if (wasAlone && moved < CLICK && event.type === 'pointerup')
      actions.select(nodeAt(state, event.offsetX, event.offsetY));
  };
  canvas.addEventListener('pointerup', release);
  canvas.addEventListener('pointercancel', release);
  canvas.addEventListener('pointerleave', () => hover(undefined));
  canvas.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault();
      zoomAt(camera, event.offsetX, event.offsetY, Math.exp(-event.deltaY * 0.0015), actions.farthest());
      actions.redraw();
    },
    { passive: false },
  );
}

/** The nearest dot under a place of the window, with some reach around it. */
function nodeAt({ data, camera }: State, x: number, y: number): number | undefined {
  let [best, least] = [-1, Number.POSITIVE_INFINITY];
  for (const [index, node] of data.nodes.entries()) {
    const away = Math.hypot(node.x * camera.scale + camera.left - x, node.y * camera.scale + camera.top - y);
    if (away < dotRadius(node, camera.scale) + REACH && away < least) [best, least] = [index, away];
  }
  return best < 0 ? undefined : best;
}
