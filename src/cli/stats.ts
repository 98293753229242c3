import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { SkillCost } from '../disclosure/skill-costs.ts';
import { KnackError } from '../errors.ts';
import type { Ownership } from '../history/history.ts';
import type { SkillPair } from '../library/likeness/near-duplicates.ts';
import { type DeadWeight, findDeadWeight } from '../library/search/dead-weight.ts';
import { recordedNames, recordedNamesOf } from '../library/use/recorded-names.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { CommandContext } from './command.ts';
import { nearDuplicatesOf } from './near-duplicates-of.ts';
import { ownerOfRoot, type ShownOwner } from './owner-of-root.ts';
import { readSessionWords } from './session-words.ts';
import { stepsOf } from './steps.ts';
import { type SkillToRepair, skillsToRepair } from './to-repair.ts';

/** One skill with its costs and its use. */
export interface SkillStats extends SkillCost {
  readonly path: string;
  readonly root: string;
  readonly owner: ShownOwner;
  readonly loads: number;
  /** ISO 8601. */
  readonly lastUse?: string;
}

/** What the catalog costs with the present budget, beside the sum of all entries. */
export interface CatalogCost {
  readonly tokens: number;
  readonly budget: number;
  readonly described: number;
  readonly total: number;
  /** Tokens of the entries that it has in full. */
  readonly entries: number;
  /** Tokens of names, topics and the note that stand for all others. */
  readonly rest: number;
}

export interface LibraryStats {
  readonly skills: readonly SkillStats[];
  readonly nearDuplicates: readonly SkillPair[];
  readonly deadWeight: readonly DeadWeight[];
  readonly toRepair: readonly SkillToRepair[];
  /** Sessions that were looked at for dead weight. */
  readonly sessions: number;
  readonly catalog: CatalogCost;
  readonly totals: Pick<SkillCost, 'entry' | 'loaded' | 'files' | 'text' | 'bytes'> & {
    readonly skills: number;
    readonly loads: number;
  };
}

/** Orders of the table. */
export const SORTS = {
  entry: (left, right) => right.entry - left.entry || right.loaded - left.loaded,
  loaded: (left, right) => right.loaded - left.loaded,
  files: (left, right) => right.text - left.text || right.bytes - left.bytes,
  loads: (left, right) => right.loads - left.loads,
  used: (left, right) => compareTexts(right.lastUse ?? '', left.lastUse ?? ''),
  name: (left, right) => compareTexts(left.name, right.name),
} satisfies Record<string, (left: SkillStats, right: SkillStats) => number>;

export type Sort = keyof typeof SORTS;

/** `own` is false where the library is a folder alone: what was learned from use is not about it. */
export async function gatherStats(
  context: CommandContext,
  runtime: Runtime,
  { sort, own }: { readonly sort: Sort; readonly own: boolean },
): Promise<LibraryStats> {
  const library = await runtime.library();
  // Also loads the tokenizer.
  const catalog = await runtime.catalog();
  const { measureCosts } = await import('../disclosure/skill-costs.ts');
  const { openKeptCounts } = await import('../disclosure/kept-counts.ts');
  const counts = openKeptCounts(join(runtime.workspace.logs, 'token-counts.bin'));
  const step = stepsOf(context, 'counting tokens');
  const costs = await measureCosts(library, { count: counts.count, step });
  if (own && existsSync(runtime.workspace.logs)) counts.keep(Date.now());
  const nearDuplicates = await nearDuplicatesOf(context, runtime, own);
  const usage = own ? await runtime.usage() : undefined;
  const loadsOf = (name: string) => usage?.loadsOf(...recordedNamesOf(name, library)) ?? 0;
  const note = (line: string) => context.output.note(line);
  const sessions = own
    ? await readSessionWords(runtime, { step: stepsOf(context, 'reading sessions'), note })
    : [];
  const deadWeight = await findDeadWeight(library, {
    sessions,
    loadsOf,
    step: stepsOf(context, 'searching with the words of sessions'),
  });
  const owners = own ? await (await runtime.history()).owners() : new Map<string, Ownership>();
  const skills = costs
    .map((cost): SkillStats => {
      const skill = library.find(cost.name);
      if (skill === undefined) throw new KnackError('not-found', `${cost.name} is no longer in the library`);
      const root = library.rootOf(skill);
      const lastUse = usage?.lastUse(...recordedNames(skill, library));
      return {
        ...cost,
        path: skill.path,
        root: root.name,
        owner: root.writable ? (owners.get(cost.name) ?? 'written') : ownerOfRoot(root),
        loads: loadsOf(cost.name),
        ...(lastUse === undefined ? {} : { lastUse }),
      };
    })
    .sort((left, right) => SORTS[sort](left, right) || compareTexts(left.name, right.name));
  const described = new Set(catalog.described);
  const entries = sum(costs, (cost) => (described.has(cost.name) ? cost.entry : 0));
  return {
    skills,
    nearDuplicates,
    deadWeight,
    toRepair: own ? skillsToRepair(library, await runtime.toRepair()) : [],
    sessions: sessions.length,
    catalog: {
      tokens: catalog.tokens,
      budget: runtime.config.disclosure.catalogTokens,
      described: catalog.shown,
      total: catalog.total,
      entries,
      rest: catalog.tokens - entries,
    },
    totals: {
      skills: skills.length,
      entry: sum(costs, ({ entry }) => entry),
      loaded: sum(costs, ({ loaded }) => loaded),
      files: sum(costs, ({ files }) => files),
      text: sum(costs, ({ text }) => text),
      bytes: sum(costs, ({ bytes }) => bytes),
      loads: sum(skills, ({ loads }) => loads),
    },
  };
}

function sum<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}

function compareTexts(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
