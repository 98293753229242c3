import type { PageData } from '../page-data.ts';

/** Which part of the picture is seen: a point `x, y` of it is drawn at `x * scale + left, y * scale + top`. */
export interface Camera {
  scale: number;
  left: number;
  top: number;
}

const CLOSEST = 8;
const ROOM = 24;

/** The camera that sees everything in a window of this size. */
export function wholeView(data: PageData, width: number, height: number): Camera {
  const bounds = boundsOf(data);
  const fit = Math.min(
    (width - 2 * ROOM) / (bounds.right - bounds.left),
    (height - 2 * ROOM) / (bounds.bottom - bounds.top),
  );
  const scale = Math.max(0.02, Math.min(fit, 2.5));
  return {
    scale,
    left: width / 2 - ((bounds.left + bounds.right) / 2) * scale,
    top: height / 2 - ((bounds.top + bounds.bottom) / 2) * scale,
  };
}

/** Zooms by a factor, so that what is under `x, y` of the window stays there. */
export function zoomAt(camera: Camera, x: number, y: number, factor: number, farthest: number): void {
  const scale = Math.max(farthest * 0.6, Math.min(CLOSEST, camera.scale * factor));
  camera.left = x - ((x - camera.left) / camera.scale) * scale;
  camera.top = y - ((y - camera.top) / camera.scale) * scale;
  camera.scale = scale;
}

function boundsOf({ groups }: PageData) {
  const bounds = { left: -60, right: 60, top: -60, bottom: 60 };
  for (const { x, y, radius } of groups) {
    bounds.left = Math.min(bounds.left, x - radius);
    bounds.right = Math.max(bounds.right, x + radius);
    bounds.top = Math.min(bounds.top, y - radius);
    bounds.bottom = Math.max(bounds.bottom, y + radius);
  }
  return bounds;
}
