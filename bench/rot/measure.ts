import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { buildCatalog } from '../../src/disclosure/catalog.ts';
import { fileText, readFolder } from '../../src/files/folder.ts';
import type { Library } from '../../src/library/library.ts';
import { countTokens } from '../../src/model/tokens.ts';
import { POISONS } from './poison.ts';
import { rulesIn } from './skill-texts.ts';

/** Budget of the catalog text, as a model is given it by default. */
const CATALOG_TOKENS = 2000;
const TOP = 3;

/** How a library stands after a round. */
export interface Measure {
  readonly skills: number;
  /** Lines and tokens of all files of the workspace's skills. */
  readonly lines: number;
  readonly tokens: number;
  /** Tokens of the longest `SKILL.md`, and of the largest folder. */
  readonly longest: number;
  readonly largest: number;
  readonly catalog: number;
  /** Place of the right skill for each committed query by key, from 1, 0 if it is not among the first three. */
  readonly places: ReadonlyMap<string, number>;
  /** The same by the skills' own texts, without what was recorded. */
  readonly ownPlaces: ReadonlyMap<string, number>;
  /** Files with poison. */
  readonly poisoned: readonly string[];
  /** Every rule by skill, as `name: rule`. */
  readonly rules: ReadonlySet<string>;
}

/** Looks at the whole workspace. Needs `loadTokenizer`. */
export async function measure(library: Library, dir: string): Promise<Measure> {
  const names = (await readdir(dir)).filter((name) => !name.startsWith('.')).sort();
  const sizes = { lines: 0, tokens: 0, longest: 0, largest: 0 };
  const poisoned: string[] = [];
  const rules = new Set<string>();
  for (const name of names) {
    const folder = await readFolder(join(dir, name));
    let whole = 0;
    for (const path of folder.keys()) {
      const text = fileText(folder, path) ?? '';
      const tokens = countTokens(text);
      whole += tokens;
      sizes.lines += text.split('\n').length - 1;
      if (path === 'SKILL.md') sizes.longest = Math.max(sizes.longest, tokens);
      if (POISONS.some(({ mark }) => text.includes(mark))) poisoned.push(`${name}/${path}`);
      for (const rule of rulesIn(text)) rules.add(`${name}: ${rule}`);
    }
    sizes.tokens += whole;
    sizes.largest = Math.max(sizes.largest, whole);
  }
  return {
    skills: names.length,
    ...sizes,
    catalog: buildCatalog(library, { catalogTokens: CATALOG_TOKENS }).tokens,
    places: placesOf(library, false),
    ownPlaces: placesOf(library, true),
    poisoned,
    rules,
  };
}

function placesOf(library: Library, withoutRecorded: boolean): Map<string, number> {
  const places = new Map<string, number>();
  for (const { name, triggers } of library.skills)
    for (const { query, shouldTrigger } of triggers) {
      if (!shouldTrigger) continue;
      const hits = library.search(query, { limit: TOP, withoutRecorded });
      places.set(`${name}: ${query}`, hits.findIndex((hit) => hit.name === name) + 1);
    }
  return places;
}

/** Queries that were answered right before, within the first `top`, and are not any more. */
export function lostQueries(
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
  top: number,
): string[] {
  const isRight = (place: number | undefined) => place !== undefined && place > 0 && place <= top;
  return [...before].flatMap(([key, place]) => (isRight(place) && !isRight(after.get(key)) ? [key] : []));
}

export function shareWithin(places: ReadonlyMap<string, number>, top: number): number {
  const right = [...places.values()].filter((place) => place > 0 && place <= top).length;
  return places.size === 0 ? 1 : right / places.size;
}
