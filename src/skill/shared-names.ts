import { readFile, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { isSystemError } from '../errors.ts';
import { normaliseName } from './name.ts';
import { parseSkill } from './parse-skill.ts';
import type { Skill, SkillReading } from './skill.ts';
import { strictForm } from './strict-form.ts';

/**
 * The names, in their normal form, that skills of several folders have: as their folder's, as declared or as an alias. A
 * template's name is one. As an alias of all it would lead to whichever comes first. Of a refused skill it counts what it is
 * called once it is in the strict form.
 */
export async function sharedNames(readings: readonly SkillReading[]): Promise<ReadonlySet<string>> {
  const holders = new Map<string, string>();
  const shared = new Set<string>();
  for (const reading of readings) {
    const skill = reading.kind === 'loaded' ? reading.skill : await mendedSkill(reading.path);
    if (skill === undefined) continue;
    const folder = normaliseName(basename(dirname(skill.path)));
    for (const name of [folder, ...[skill.name, ...skill.aliases].map(normaliseName)]) {
      const holder = holders.get(name);
      if (holder === undefined) holders.set(name, folder);
      else if (holder !== folder) shared.add(name);
    }
  }
  return shared;
}

/** Undefined where it stays refused or cannot be read. */
async function mendedSkill(path: string): Promise<Skill | undefined> {
  try {
    if (!(await stat(path)).isFile()) return undefined;
    const form = strictForm({ path, bytes: new Uint8Array(await readFile(path)) });
    if (form.kind === 'same') return undefined;
    const reading = parseSkill({ path, bytes: new TextEncoder().encode(form.text) });
    return reading.kind === 'loaded' ? reading.skill : undefined;
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  }
}
