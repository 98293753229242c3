import { type Folder, fileText, textFile, withFile } from '../files/folder.ts';
import { parseSkillFolder } from '../skill/parse.ts';
import type { Draft } from './draft.ts';

const FILE = 'evals/triggers.json';
/** Queries that a skill keeps of each kind; the oldest stay, since they hold the skill to its promise. */
const KEPT = 20;

/**
 * The folder with a draft's trigger queries added to `evals/triggers.json`, each query once. A file that is there
 * and cannot be read is left as it is.
 */
export function withTriggers(folder: Folder, triggers: Draft['triggers']): Folder {
  if (triggers.length === 0) return folder;
  const reading = parseSkillFolder('/skill', folder);
  const present = reading.kind === 'loaded' ? reading.skill.triggers : [];
  if (fileText(folder, FILE) !== undefined && present.length === 0) return folder;
  const known = new Map(present.map(({ query, shouldTrigger }) => [query, shouldTrigger]));
  for (const { query, should_trigger } of triggers)
    if (!known.has(query) && count(known, should_trigger) < KEPT) known.set(query, should_trigger);
  if (known.size === present.length) return folder;
  const list = [...known].map(([query, should_trigger]) => ({ query, should_trigger }));
  return withFile(folder, FILE, textFile(`${JSON.stringify(list, undefined, 2)}\n`));
}

function count(known: ReadonlyMap<string, boolean>, kind: boolean): number {
  return [...known.values()].filter((value) => value === kind).length;
}
