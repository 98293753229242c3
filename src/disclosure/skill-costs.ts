import type { Library } from '../library/library.ts';
import { countTokens } from '../model/tokens.ts';
import type { Skill } from '../skill/skill.ts';
import { activate } from './activation.ts';
import { catalogEntry } from './entry.ts';
import { listResources, readResource } from './resources.ts';
import { createSessionDisclosure } from './session-disclosure.ts';

/** What one skill costs at each level. */
export interface SkillCost {
  readonly name: string;
  /** Tokens of its entry in a catalog of all; 0 where the model is not told of it. */
  readonly entry: number;
  /** Tokens of what loading it brings into a conversation. */
  readonly loaded: number;
  readonly files: number;
  /** Tokens of its small text files. */
  readonly text: number;
  /** Bytes of all others. */
  readonly bytes: number;
}

/** Bytes: a larger file is read in pages or run, never as a whole. */
const SMALL = 64 * 1024;

/**
 * What each listed skill costs, in the order of the library. The entries sum up to the tokens of the catalog that
 * `buildCatalog` makes where every entry fits: each counts with the line end behind it, the last without. Needs
 * `loadTokenizer`. `step` is awaited before each skill, with the share of the work that is done (0 to 1).
 */
export async function measureCosts(
  library: Library,
  step: (done: number) => Promise<void> = () => Promise.resolve(),
): Promise<SkillCost[]> {
  const last = library.skills.findLast((skill) => !skill.userOnly);
  const costs: SkillCost[] = [];
  for (const [at, skill] of library.skills.entries()) {
    await step(at / library.skills.length);
    const activation = await activate(library, skill.name, { session: createSessionDisclosure() });
    costs.push({
      name: skill.name,
      entry: skill.userOnly ? 0 : countTokens(`${catalogEntry(skill)}${skill === last ? '' : '\n'}`),
      loaded: countTokens(activation.text),
      ...(await filesOf(skill)),
    });
  }
  return costs;
}

async function filesOf(skill: Skill): Promise<Pick<SkillCost, 'files' | 'text' | 'bytes'>> {
  const resources = await listResources(skill);
  let [text, bytes] = [0, 0];
  for (const { path, size } of resources) {
    const reading = size > SMALL ? undefined : await readResource(skill, path, { limit: SMALL });
    if (reading?.kind === 'text') text += countTokens(reading.text);
    else bytes += size;
  }
  return { files: resources.length, text, bytes };
}
