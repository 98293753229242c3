import { appendFile, readFile, rename, writeFile } from 'node:fs/promises';
import { hasSystemCode, KnackError, messageOf } from '../errors.ts';

/** A skill that the model or the user asked for. */
export interface SkillUse {
  readonly skill: string;
  readonly session: string;
  /** The user's words before it. */
  readonly query: string;
  readonly by: 'model' | 'user';
  /** ISO 8601. */
  readonly at: string;
}

/** What was learned from use on this machine; kept in the workspace's logs, never in a skill. */
export interface Usage {
  record(use: SkillUse): Promise<void>;
  /** Redacted, newest first, at most 30 a skill. */
  queriesOf(skill: string): readonly string[];
  loadsOf(skill: string): number;
  lastUse(skill: string): string | undefined;
  /** Names, most used first. */
  mostUsed(): readonly string[];
  /** Pairs that were used in one session. */
  coUse(): readonly (readonly [string, string])[];
  /** Drops what was learned of one skill, or everything; answers with the number of uses dropped. */
  forget(skill?: string): Promise<number>;
}

const MOST_QUERIES = 30;
const LONGEST_QUERY = 300;

/** Opens the usage log of a workspace; a torn or foreign line is passed over. `redact` sees each query before it is kept. */
export async function openUsage(file: string, redact: (text: string) => string): Promise<Usage> {
  let { uses, isTorn } = await readUses(file);
  let bySkill = groupedBy(uses, 'skill');
  const usesOf = (skill: string) => bySkill.get(skill) ?? [];
  return {
    async record(use) {
      const query = redact(use.query).replace(/\s+/g, ' ').trim().slice(0, LONGEST_QUERY);
      const kept = { ...use, query };
      try {
        // A line that a crash cut short must not take this one with it.
        await appendFile(file, `${isTorn ? '\n' : ''}${JSON.stringify(kept)}\n`, { mode: 0o600 });
      } catch (error) {
        throw new KnackError('io', `cannot record a use in ${file}: ${messageOf(error)}`, { cause: error });
      }
      isTorn = false;
      uses.push(kept);
      const known = bySkill.get(kept.skill);
      if (known === undefined) bySkill.set(kept.skill, [kept]);
      else known.push(kept);
    },
    queriesOf(skill) {
      const queries = new Set<string>();
      for (const { query } of usesOf(skill).toReversed()) {
        if (query !== '') queries.add(query);
        if (queries.size === MOST_QUERIES) break;
      }
      return [...queries];
    },
    loadsOf: (skill) => usesOf(skill).length,
    lastUse: (skill) => usesOf(skill).at(-1)?.at,
    mostUsed: () =>
      [...bySkill]
        .sort(([a, left], [b, right]) => right.length - left.length || (a < b ? -1 : 1))
        .map(([name]) => name),
    coUse() {
      const pairs = new Map<string, readonly [string, string]>();
      for (const inOne of groupedBy(uses, 'session').values()) {
        const names = [...new Set(inOne.map((use) => use.skill))].sort((left, right) =>
          left < right ? -1 : 1,
        );
        for (const [index, left] of names.entries())
          for (const right of names.slice(index + 1)) pairs.set(`${left}\0${right}`, [left, right]);
      }
      return [...pairs.values()];
    },
    async forget(skill) {
      // Another process may have recorded since: what is on the disk is what is forgotten.
      const present = (await readUses(file)).uses;
      const kept = skill === undefined ? [] : present.filter((use) => use.skill !== skill);
      try {
        const fresh = `${file}.${process.pid}.new`;
        await writeFile(fresh, kept.map((use) => `${JSON.stringify(use)}\n`).join(''), {
          mode: 0o600,
          flush: true,
        });
        await rename(fresh, file);
      } catch (error) {
        throw new KnackError('io', `cannot forget what is in ${file}: ${messageOf(error)}`, { cause: error });
      }
      [uses, bySkill, isTorn] = [kept, groupedBy(kept, 'skill'), false];
      return present.length - kept.length;
    },
  };
}

function groupedBy(uses: readonly SkillUse[], key: 'skill' | 'session'): Map<string, SkillUse[]> {
  const groups = new Map<string, SkillUse[]>();
  for (const use of uses) {
    const group = groups.get(use[key]);
    if (group === undefined) groups.set(use[key], [use]);
    else group.push(use);
  }
  return groups;
}

async function readUses(file: string): Promise<{ uses: SkillUse[]; isTorn: boolean }> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (hasSystemCode(error, 'ENOENT')) return { uses: [], isTorn: false };
    throw new KnackError('io', `cannot read ${file}: ${messageOf(error)}`, { cause: error });
  }
  const uses = text.split('\n').flatMap((line) => {
    try {
      const value: unknown = JSON.parse(line);
      return isUse(value) ? [value] : [];
    } catch (error) {
      if (error instanceof SyntaxError) return [];
      throw error;
    }
  });
  return { uses, isTorn: text !== '' && !text.endsWith('\n') };
}

function isUse(value: unknown): value is SkillUse {
  return (
    typeof value === 'object' &&
    value !== null &&
    ['skill', 'session', 'query', 'at'].every(
      (key) => typeof (value as Record<string, unknown>)[key] === 'string',
    )
  );
}
