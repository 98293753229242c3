import type { PageNode } from '../page-data.ts';

/** A window onto the picture. */
export interface Canvas {
  readonly context: CanvasRenderingContext2D;
  /** In CSS pixels. */
  readonly width: number;
  readonly height: number;
}

/** Radius of a skill's dot in pixels: better connected ones are larger. */
export function dotRadius({ degree }: PageNode, scale: number): number {
  const size = 3.2 + Math.min(5, Math.sqrt(degree) * 1.1);
  return Math.max(1.4, Math.min(16, size * scale ** 0.85));
}
