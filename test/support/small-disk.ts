import { spawnSync } from 'node:child_process';
import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporary } from './skills.ts';

/** A disk of two megabytes that can be filled and made read-only. */
export interface SmallDisk {
  readonly dir: string;
  /** Leaves so many bytes free. */
  fill(left: number): void;
  free(): void;
  setReadOnly(readOnly: boolean): void;
  unmount(): void;
}

/** Undefined where this process may not mount one. */
export async function mountSmallDisk(): Promise<SmallDisk | undefined> {
  const dir = await temporary('disk');
  const mount = (...args: string[]) => spawnSync('mount', [...args, dir]).status === 0;
  if (process.platform !== 'linux' || !mount('-t', 'tmpfs', '-o', 'size=2m', 'tmpfs')) return undefined;
  const filling = join(dir, 'filling');
  return {
    dir,
    fill(left) {
      const { bavail, bsize } = statfsSync(dir);
      writeFileSync(filling, Buffer.alloc(Math.max(0, bavail * bsize - left)));
    },
    free: () => rmSync(filling),
    setReadOnly: (readOnly) => void mount('-o', `remount,${readOnly ? 'ro' : 'rw'}`),
    unmount: () => void spawnSync('umount', [dir]),
  };
}
