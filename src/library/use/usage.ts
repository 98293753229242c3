import { appendFile } from 'node:fs/promises';
import { KnackError, messageOf } from '../../errors.ts';
import { failuresIn, isTrial, type SkillTrial, type ToRepair } from './trials.ts';
import { changeUses, readUses, type UsageRecord } from './usage-file.ts';

/** A skill that the model or the user asked for. */
export interface SkillUse {
  readonly skill: string;
  /** Empty where what was used together is forgotten. */
  readonly session: string;
  /** The user's words before it; empty where they are forgotten. */
  readonly query: string;
  readonly by: 'model' | 'user';
  /** ISO 8601. */
  readonly at: string;
}

/** What to forget. */
export interface Forgetting {
  /** Names that uses were recorded under. @default all */
  readonly skills?: readonly string[];
  /** The recorded queries alone, or what was used together alone; the rest still counts. @default all of it */
  readonly part?: 'queries' | 'co-use';
}

/** What was dropped. */
export interface Forgotten {
  /** Whole uses, with their loads. */
  readonly uses: number;
  readonly queries: number;
  /** Pairs that were used together. */
  readonly pairs: number;
  /** Sessions in which a skill failed or worked. */
  readonly trials: number;
}

/** What was learned from use on this machine; kept in the workspace's logs, never in a skill. */
export interface Usage {
  record(use: SkillUse): Promise<void>;
  /** Notes how a session went with a skill; what is known already is not noted again. */
  tried(trial: SkillTrial): Promise<void>;
  /** Whether any session is noted for that name. */
  isTried(skill: string): boolean;
  /** The sessions in which the skill as it is now failed since it last worked, oldest first. */
  failuresOf: ToRepair;
  /**
   * Redacted, newest first, at most 30; none of a session that went wrong with the skill. `formerly`: other names that uses of
   * the skill were recorded under.
   */
  queriesOf(skill: string, ...formerly: readonly string[]): readonly string[];
  loadsOf(skill: string, ...formerly: readonly string[]): number;
  lastUse(skill: string, ...formerly: readonly string[]): string | undefined;
  /** Names, most used first; of several that `nameOf` gives one name, that one. @default as they were recorded */
  mostUsed(nameOf?: (recorded: string) => string): readonly string[];
  /** Pairs that were used in one session, of which the first 50 skills count, none with which it went wrong. */
  coUse(): readonly (readonly [string, string])[];
  /** Drops what was learned, in the file too; what another process records meanwhile stays. */
  forget(what?: Forgetting): Promise<Forgotten>;
  /** Looks at the file again: takes up what another process recorded or forgot. */
  refresh(): Promise<void>;
}

const MOST_QUERIES = 30;
const LONGEST_QUERY = 300;
/** Skills of one session that count as used together, the first ones: what loads more tries out a library. */
const MOST_TOGETHER = 50;

/** Opens the usage log of a workspace; a torn or foreign line is passed over. `redact` sees each query before it is kept. */
export async function openUsage(file: string, redact: (text: string) => string): Promise<Usage> {
  let { text, uses, trials, isTorn } = await readUses(file);
  let bySkill = groupedBy(uses, 'skill');
  let triedBySkill = groupedBy(trials, 'skill');
  /** Oldest first. */
  const usesOf = (names: readonly string[]): readonly SkillUse[] => {
    const groups = names.flatMap((name) => {
      const group = bySkill.get(name);
      return group === undefined ? [] : [group];
    });
    const [first = []] = groups;
    if (groups.length < 2) return first;
    return groups.flat().sort((left, right) => (left.at < right.at ? -1 : left.at > right.at ? 1 : 0));
  };
  /** The session went wrong with the skill, as far as it is reviewed: its words do not ask for it. */
  const isContradicted = ({ skill, session }: SkillUse) =>
    triedBySkill.get(skill)?.findLast((each) => each.session === session)?.outcome === 'failed';
  const pairs = () => pairsOf(uses.filter((use) => !isContradicted(use)));
  const refresh = async () => {
    const present = await readUses(file);
    // The content decides: a change in place keeps the size, and times are coarse.
    if (present.text === text) return;
    ({ text, uses, trials, isTorn } = present);
    bySkill = groupedBy(uses, 'skill');
    triedBySkill = groupedBy(trials, 'skill');
  };
  const append = async (record: UsageRecord) => {
    try {
      // A line that a crash cut short must not take this one with it.
      await appendFile(file, `${isTorn ? '\n' : ''}${JSON.stringify(record)}\n`, { mode: 0o600 });
    } catch (error) {
      throw new KnackError('io', `cannot record a use in ${file}: ${messageOf(error)}`, { cause: error });
    }
    isTorn = false;
  };
  return {
    async record(use) {
      const query = redact(use.query).replace(/\s+/g, ' ').trim().slice(0, LONGEST_QUERY);
      const kept = { ...use, query };
      await append(kept);
      uses.push(kept);
      const known = bySkill.get(kept.skill);
      if (known === undefined) bySkill.set(kept.skill, [kept]);
      else known.push(kept);
    },
    async tried({ skill, hash, session, event, outcome, at }) {
      const trial: SkillTrial = { skill, hash, session, event, outcome, at };
      const known = triedBySkill.get(skill) ?? [];
      const last = known.findLast((each) => each.session === session && each.hash === hash);
      if (last?.outcome === outcome) return;
      await append(trial);
      trials.push(trial);
      triedBySkill.set(skill, [...known, trial]);
    },
    isTried: (skill) => triedBySkill.has(skill),
    failuresOf: (skill) => failuresIn(triedBySkill.get(skill.name) ?? [], skill),
    queriesOf(...names) {
      const uses = usesOf(names);
      if (uses.length === 0) return [];
      const queries = new Set<string>();
      for (const use of uses.toReversed()) {
        if (use.query !== '' && !isContradicted(use)) queries.add(use.query);
        if (queries.size === MOST_QUERIES) break;
      }
      return [...queries];
    },
    loadsOf: (...names) => usesOf(names).length,
    lastUse: (...names) => usesOf(names).at(-1)?.at,
    mostUsed(nameOf = (recorded) => recorded) {
      const counts = new Map<string, number>();
      for (const [recorded, { length }] of bySkill) {
        const name = nameOf(recorded);
        counts.set(name, (counts.get(name) ?? 0) + length);
      }
      return [...counts]
        .sort(([a, left], [b, right]) => right - left || (a < b ? -1 : 1))
        .map(([name]) => name);
    },
    coUse: pairs,
    async forget({ skills, part } = {}) {
      const named = skills === undefined ? undefined : new Set(skills);
      const dropped = { uses: 0, queries: 0, trials: 0 };
      const change = (use: UsageRecord): UsageRecord | undefined => {
        if (named !== undefined && !named.has(use.skill)) return use;
        if (isTrial(use)) {
          if (part !== undefined) return use;
          dropped.trials += 1;
          return undefined;
        }
        if (part === 'co-use') return use.session === '' ? use : { ...use, session: '' };
        if (use.query !== '') dropped.queries += 1;
        if (part === 'queries') return use.query === '' ? use : { ...use, query: '' };
        dropped.uses += 1;
        return undefined;
      };
      const isAbout = (line: string) =>
        named === undefined || [...named].some((name) => line.includes(JSON.stringify(name)));
      await refresh();
      const before = pairs();
      await changeUses(file, change, isAbout);
      await refresh();
      const left = new Set(pairs().map((pair) => pair.join('\0')));
      return { ...dropped, pairs: before.filter((pair) => !left.has(pair.join('\0'))).length };
    },
    refresh,
  };
}

function pairsOf(uses: readonly SkillUse[]): readonly (readonly [string, string])[] {
  const pairs = new Map<string, readonly [string, string]>();
  for (const [session, inOne] of groupedBy(uses, 'session')) {
    if (session === '') continue;
    const names = [...new Set(inOne.map((use) => use.skill))]
      .slice(0, MOST_TOGETHER)
      .sort((left, right) => (left < right ? -1 : 1));
    for (const [index, left] of names.entries())
      for (const right of names.slice(index + 1)) pairs.set(`${left}\0${right}`, [left, right]);
  }
  return [...pairs.values()];
}

function groupedBy<T extends UsageRecord>(records: readonly T[], key: 'skill' | 'session'): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const record of records) {
    const group = groups.get(record[key]);
    if (group === undefined) groups.set(record[key], [record]);
    else group.push(record);
  }
  return groups;
}
