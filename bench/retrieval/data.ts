import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type Library, openLibrary } from '../../src/library/library.ts';
import { normaliseName } from '../../src/skill/name.ts';
import { parseSkill } from '../../src/skill/parse.ts';
import type { Skill } from '../../src/skill/skill.ts';

export interface BenchQuery {
  readonly id: string;
  readonly query: string;
  /** Names in the words of the data; empty for a query that no skill answers. */
  readonly relevant: readonly string[];
  /** Where one of several skills will do: a list of names for each thing that is needed. */
  readonly needs?: readonly (readonly string[])[];
  /** Which half it belongs to, where that is settled. */
  readonly half?: 'tune' | 'report';
}

/** Skills to search among, under the names of the data. */
export interface Pack {
  /** In the order in which plain BM25 knows them. */
  readonly names: readonly string[];
  /** Texts by field, along with `names`. */
  readonly fields: { readonly name: string[]; readonly description: string[]; readonly body: string[] };
  readonly skills: readonly Skill[];
  /** The name in the data of a skill of ours. */
  nameOf(skill: string): string;
  /** The name in the data of what stands at a path of a repository, for the pool. */
  readonly places?: ReadonlyMap<string, string>;
}

export interface Recorded {
  readonly query: string;
  readonly tool: string;
  readonly order: number;
}

/** Rows of a JSON Lines file, plain or gzipped. */
export function readRows<Row>(file: string): Row[] {
  const bytes = readFileSync(file);
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row);
}

/** Queries that are kept beside the bench, with the answers of the data's queries of the same ids. */
export function readOwnQueries(name: string, answered: readonly BenchQuery[] = []): BenchQuery[] {
  const answers = new Map(answered.map(({ id, relevant }) => [id, relevant]));
  const file = new URL(`../queries/${name}.jsonl`, import.meta.url).pathname;
  return readRows<{ id: string; query: string }>(file).map(({ id, query }) => ({
    id,
    query,
    relevant: answers.get(id) ?? [],
  }));
}

/** Queries that share their answers belong together: those of one task. */
export function groupOf(id: string): string {
  return /^(?:single|double|far|task)-/.test(id) ? id : id.replace(/-\d+$/, '');
}

/** Which half a query belongs to, by its group alone: nothing is tuned on the other. */
export function halfOf({ id, half }: BenchQuery): 'tune' | 'report' {
  const isTuned = ((createHash('sha256').update(groupOf(id)).digest()[0] ?? 0) & 1) === 0;
  return half ?? (isTuned ? 'tune' : 'report');
}

/** MetaTool's 199 tools: names and descriptions. */
export function readTools(dir: string): Pack {
  const tools = readRows<{ name: string; description: string }>(join(dir, 'metatool-skills.jsonl'));
  const original = new Map(tools.map(({ name }) => [normaliseName(name), name]));
  const taken = new Set<string>();
  return {
    names: tools.map(({ name }) => name),
    fields: {
      name: tools.map(({ name }) => name),
      description: tools.map(({ description }) => description),
      body: tools.map(() => ''),
    },
    skills: tools.flatMap(({ name, description }, index) => {
      const text = `---\nname: ${JSON.stringify(name)}\ndescription: ${JSON.stringify(description)}\n---\n`;
      return skillOf(text, `tool-${index}`, taken) ?? [];
    }),
    nameOf: (skill) => original.get(skill) ?? skill,
  };
}

/** SkillLearnBench's skills among real ones that answer none of its queries. */
export function readPool(dir: string): Pack {
  const own = readRows<{ name: string; text: string }>(join(dir, 'skilllearn-dev-skills.jsonl'));
  const pool = readRows<{ repo: string; path: string; text: string }>(join(dir, 'pool.jsonl.gz'));
  const taken = new Set<string>();
  const original = new Map<string, string>();
  const skills = own.flatMap(({ name, text }) => {
    const skill = skillOf(text, name, taken);
    if (skill !== undefined) original.set(skill.name, name);
    return skill ?? [];
  });
  const nameOf = (skill: string) => original.get(skill) ?? `pool:${skill}`;
  const places = new Map<string, string>();
  for (const [index, { repo, path, text }] of pool.entries()) {
    const skill = skillOf(text, `pool/${index}`, taken);
    if (skill === undefined) continue;
    skills.push(skill);
    places.set(`${repo}/${path}`, nameOf(skill.name));
  }
  return {
    names: skills.map(({ name }) => nameOf(name)),
    fields: {
      name: skills.map((skill) => skill.label ?? skill.name),
      description: skills.map((skill) => skill.description),
      body: skills.map((skill) => skill.body),
    },
    skills,
    nameOf,
    places,
  };
}

/** Task texts that were written for skills of the pool: their needs stand in the file as places. */
export function readTasks({ places }: Pack): BenchQuery[] {
  const file = new URL('../queries/tasks.jsonl', import.meta.url).pathname;
  return readRows<BenchQuery & { readonly needs: string[][] }>(file).map((task) => ({
    ...task,
    relevant: [],
    needs: task.needs.map((need) => need.flatMap((place) => places?.get(place) ?? [])),
  }));
}

/** A library of these skills in memory, with what was recorded for some of them by name. */
export async function libraryOf(
  skills: readonly Skill[],
  recorded: ReadonlyMap<string, readonly string[]> = new Map(),
): Promise<Library> {
  const queriesOf = (name: string) => recorded.get(name) ?? [];
  return (await openLibrary({ roots: [], recorded: { queriesOf, coUse: () => [] } })).with(skills);
}

/** The first so many recorded queries of each tool, by the name of its skill. */
export function firstRecorded(recorded: readonly Recorded[], count: number): Map<string, string[]> {
  const byName = new Map<string, string[]>();
  for (const { query, tool, order } of recorded) {
    const name = normaliseName(tool);
    if (order < count) byName.set(name, [...(byName.get(name) ?? []), query]);
  }
  return byName;
}

/** A skill from its text, under a name that no other has yet; undefined if it cannot be read. */
function skillOf(text: string, folder: string, taken: Set<string>): Skill | undefined {
  const bytes = new TextEncoder().encode(text);
  const reading = parseSkill({ path: `/bench/${folder}/SKILL.md`, bytes });
  if (reading.kind === 'refused') return undefined;
  let name = reading.skill.name;
  for (let copy = 2; taken.has(name); copy += 1) name = `${reading.skill.name}-${copy}`;
  taken.add(name);
  return { ...reading.skill, name };
}
