import type { Library } from '../library/library.ts';
import { countTokens } from '../model/tokens.ts';
import type { Skill } from '../skill/skill.ts';
import { activate } from './activation.ts';
import { catalogEntry } from './entry.ts';
import { listResources } from './list-resources.ts';
import { readResource } from './resources.ts';
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

/** Skills whose files are looked at side by side. */
const AT_ONCE = 16;

export interface CostOptions {
  /** @default `countTokens`, which needs `loadTokenizer` */
  readonly count?: (text: string) => number;
  /** Awaited now and then, with the share of the work that is done (0 to 1): to show it, and to stop by a throw. */
  readonly step?: (done: number) => Promise<void>;
}

/**
 * What each listed skill costs, in the order of the library. The entries sum up to the tokens of the catalog that
 * `buildCatalog` makes where every entry fits: each counts with the line end behind it, the last without.
 */
export async function measureCosts(
  library: Library,
  { count = countTokens, step = () => Promise.resolve() }: CostOptions = {},
): Promise<SkillCost[]> {
  const last = library.skills.findLast((skill) => !skill.userOnly);
  const costOf = async (skill: Skill): Promise<SkillCost> => {
    const activation = await activate(library, skill.name, { session: createSessionDisclosure() });
    return {
      name: skill.name,
      entry: skill.userOnly ? 0 : count(`${catalogEntry(skill)}${skill === last ? '' : '\n'}`),
      loaded: count(activation.text),
      ...(await filesOf(skill, count)),
    };
  };
  const costs: SkillCost[] = [];
  for (let at = 0; at < library.skills.length; at += AT_ONCE) {
    await step(at / library.skills.length);
    costs.push(...(await Promise.all(library.skills.slice(at, at + AT_ONCE).map(costOf))));
  }
  return costs;
}

async function filesOf(
  skill: Skill,
  count: (text: string) => number,
): Promise<Pick<SkillCost, 'files' | 'text' | 'bytes'>> {
  const resources = await listResources(skill);
  let [text, bytes] = [0, 0];
  for (const { path, size } of resources) {
    const reading = size > SMALL ? undefined : await readResource(skill, path, { limit: SMALL });
    if (reading?.kind === 'text') text += count(reading.text);
    else bytes += size;
  }
  return { files: resources.length, text, bytes };
}
