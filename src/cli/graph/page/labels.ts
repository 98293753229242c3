/** Boxes that are taken, in a grid, so that a label finds out fast whether there is room. */
export interface Room {
  /** Takes the box if nothing stands there. */
  take(left: number, top: number, width: number, height: number): boolean;
}

const CELL = 48;

export function createRoom(): Room {
  const cells = new Map<string, (readonly [number, number, number, number])[]>();
  return {
    take(left, top, width, height) {
      const [right, bottom] = [left + width, top + height];
      const keys: string[] = [];
      for (let x = Math.floor(left / CELL); x <= Math.floor(right / CELL); x += 1)
        for (let y = Math.floor(top / CELL); y <= Math.floor(bottom / CELL); y += 1) keys.push(`${x} ${y}`);
      for (const key of keys)
        for (const [l, t, r, b] of cells.get(key) ?? [])
          if (left < r && right > l && top < b && bottom > t) return false;
      for (const key of keys) {
        const box = [left, top, right, bottom] as const;
        const known = cells.get(key);
        if (known === undefined) cells.set(key, [box]);
        else known.push(box);
      }
      return true;
    },
  };
}
