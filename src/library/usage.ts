import { appendFile, readFile, writeFile } from 'node:fs/promises';
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
  let uses = await readUses(file);
  return {
    async record(use) {
      const kept = { ...use, query: redact(use.query).replace(/\s+/g, ' ').slice(0, LONGEST_QUERY) };
      try {
        await appendFile(file, `${JSON.stringify(kept)}\n`, { mode: 0o600 });
      } catch (error) {
        throw new KnackError('io', `cannot record a use in ${file}: ${messageOf(error)}`, { cause: error });
      }
      uses = [...uses, kept];
    },
    queriesOf: (skill) =>
      [
        ...new Set(
          uses
            .filter((use) => use.skill === skill && use.query !== '')
            .map((use) => use.query)
            .reverse(),
        ),
      ].slice(0, MOST_QUERIES),
    loadsOf: (skill) => uses.filter((use) => use.skill === skill).length,
    lastUse: (skill) => uses.findLast((use) => use.skill === skill)?.at,
    mostUsed() {
      const counts = new Map<string, number>();
      for (const { skill } of uses) counts.set(skill, (counts.get(skill) ?? 0) + 1);
      return [...counts]
        .sort(([a, left], [b, right]) => right - left || (a < b ? -1 : 1))
        .map(([name]) => name);
    },
    coUse() {
      const sessions = new Map<string, Set<string>>();
      for (const { session, skill } of uses)
        sessions.set(session, (sessions.get(session) ?? new Set()).add(skill));
      const pairs = new Set<string>();
      for (const skills of sessions.values()) {
        const names = [...skills].sort((left, right) => (left < right ? -1 : 1));
        for (const [index, left] of names.entries())
          for (const right of names.slice(index + 1)) pairs.add(`${left}\0${right}`);
      }
      return [...pairs].map((pair): [string, string] => [
        pair.split('\0')[0] ?? '',
        pair.split('\0')[1] ?? '',
      ]);
    },
    async forget(skill) {
      const kept = skill === undefined ? [] : uses.filter((use) => use.skill !== skill);
      const dropped = uses.length - kept.length;
      await writeFile(file, kept.map((use) => `${JSON.stringify(use)}\n`).join(''), { mode: 0o600 });
      uses = kept;
      return dropped;
    },
  };
}

async function readUses(file: string): Promise<SkillUse[]> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (hasSystemCode(error, 'ENOENT')) return [];
    throw new KnackError('io', `cannot read ${file}: ${messageOf(error)}`, { cause: error });
  }
  return text.split('\n').flatMap((line) => {
    try {
      const value: unknown = JSON.parse(line);
      return isUse(value) ? [value] : [];
    } catch (error) {
      if (error instanceof SyntaxError) return [];
      throw error;
    }
  });
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
