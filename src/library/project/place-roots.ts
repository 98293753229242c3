import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { isSystemError } from '../../errors.ts';
import { isInside, targetOf } from '../reading/folder-entries.ts';
import type { ProjectPlace } from './project-places.ts';
import { LARGEST_SETTINGS, readProjectSettings } from './project-settings.ts';

/** A folder of skills that a place would bring, by the path that names it. */
export interface PlaceRoot {
  /** Absolute. */
  readonly path: string;
  /** Without links, within the checkout. */
  readonly real: string;
}

/** The path that a root of a checkout's settings stands for; undefined for one that does not lie in the checkout. */
export function settingsRoot({ dir, checkout }: ProjectPlace, root: string): string | undefined {
  const path = resolve(dir, root);
  const isPlain = !isAbsolute(root) && !/^~|\p{Cc}/u.test(root) && isInside(checkout, path);
  return isPlain ? path : undefined;
}

/**
 * The folders in which a place has skills, trusted or not: its homes and what its `.knack.json` names, each once. Reads
 * nothing but that file, and leaves out what leads out of the checkout or into what git keeps.
 */
export function rootsOfPlace(place: ProjectPlace): PlaceRoot[] {
  const { dir, checkout, homes, settings } = place;
  const named = settings.includes('.knack.json') ? rootsNamed(place) : [];
  const found = new Map<string, PlaceRoot>();
  for (const path of [...homes.map((home) => join(dir, home)), ...named]) {
    const target = targetOf(path);
    if (target.kind !== 'folder' || !isInside(checkout, target.real)) continue;
    if (isInside(join(checkout, '.git'), target.real) || found.has(target.real)) continue;
    found.set(target.real, { path, real: target.real });
  }
  return [...found.values()];
}

function rootsNamed(place: ProjectPlace): string[] {
  const file = join(place.dir, '.knack.json');
  const bytes = startOf(file, place.checkout);
  if (bytes === undefined) return [];
  return readProjectSettings('.knack.json', bytes).roots.flatMap((root) => settingsRoot(place, root) ?? []);
}

/** One byte more than may be read, so that a longer file is told; undefined for what is no file of the checkout. */
function startOf(file: string, checkout: string): Uint8Array | undefined {
  try {
    const real = realpathSync(file);
    if (!isInside(checkout, real)) return undefined;
    // Without the second a pipe would wait for a writer for ever.
    const descriptor = openSync(real, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      if (!fstatSync(descriptor).isFile()) return undefined;
      const start = new Uint8Array(LARGEST_SETTINGS + 1);
      return start.subarray(0, readSync(descriptor, start));
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  }
}
