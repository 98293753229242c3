/**
 * Finds skills with queries whose answers are known, beside plain BM25 in the same run, and times it at 10,000 skills.
 * Run: `npx tsx bench/retrieval.ts DATA_DIR`. The folder holds `metatool.jsonl.gz` ({id, query, relevant}),
 * `metatool-skills.jsonl` ({name, description}), `metatool-recorded.jsonl.gz` ({query, tool, order}),
 * `skilllearn-dev.jsonl`, `skilllearn-dev-skills.jsonl` ({name, text}) and `pool.jsonl.gz` ({path, text}).
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type Library, openLibrary } from '../src/library/library.ts';
import { normaliseName } from '../src/skill/name.ts';
import { parseSkill } from '../src/skill/parse.ts';
import type { Skill } from '../src/skill/skill.ts';

interface BenchQuery {
  readonly id: string;
  readonly query: string;
  readonly relevant: readonly string[];
}

type Find = (query: string) => readonly string[];

const dataDir = process.argv[2];
if (dataDir === undefined) throw new Error('usage: npx tsx bench/retrieval.ts DATA_DIR');
const LARGE = 10_000;

function rows<Row>(name: string): Row[] {
  const bytes = readFileSync(join(String(dataDir), name));
  const text = (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row);
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

async function libraryOf(skills: readonly Skill[]): Promise<Library> {
  return (await openLibrary({ roots: [] })).with(skills);
}

function measure(label: string, queries: readonly BenchQuery[], find: Find): void {
  const sums = { hit1: 0, r5: 0, r10: 0, all10: 0 };
  const times: number[] = [];
  for (const { query, relevant } of queries) {
    const started = performance.now();
    const top = find(query).slice(0, 10);
    times.push(performance.now() - started);
    const found = (count: number) => relevant.filter((name) => top.slice(0, count).includes(name)).length;
    sums.hit1 += Number(top[0] !== undefined && relevant.includes(top[0]));
    sums.r5 += found(5) / relevant.length;
    sums.r10 += found(10) / relevant.length;
    sums.all10 += Number(found(10) === relevant.length);
  }
  const figures = Object.values(sums).map((sum) => ((100 * sum) / queries.length).toFixed(1).padStart(6));
  times.sort((left, right) => left - right);
  const at = (share: number) => (times[Math.floor(times.length * share)] ?? 0).toFixed(2).padStart(6);
  process.stdout.write(
    `${label.padEnd(46)}${String(queries.length).padStart(5)} ${figures.join(' ')}   ${at(0.5)} ${at(0.95)}\n`,
  );
}

/** Plain BM25 (k1 1.2, b 0.75) over one index a field, the scores added. */
function bm25(names: readonly string[], fields: readonly (readonly string[])[]): Find {
  const indexes = fields.map((texts) => bm25Index(texts.map(plainWords)));
  return (query) => {
    const scores = new Map<number, number>();
    for (const index of indexes)
      for (const word of new Set(plainWords(query)))
        for (const [document, score] of index.get(word) ?? [])
          scores.set(document, (scores.get(document) ?? 0) + score);
    return [...scores]
      .sort(([a, left], [b, right]) => right - left || a - b)
      .slice(0, 10)
      .map(([document]) => names[document] ?? '');
  };
}

function bm25Index(documents: readonly (readonly string[])[]): Map<string, [number, number][]> {
  const counts = new Map<string, Map<number, number>>();
  for (const [document, words] of documents.entries())
    for (const word of words) {
      const held = counts.get(word) ?? new Map<number, number>();
      counts.set(word, held.set(document, (held.get(document) ?? 0) + 1));
    }
  const mean = documents.reduce((sum, words) => sum + words.length, 0) / documents.length;
  return new Map(
    [...counts].map(([word, held]) => {
      const rarity = Math.log(1 + (documents.length - held.size + 0.5) / (held.size + 0.5));
      const scores = [...held].map(([document, count]): [number, number] => {
        const length = 0.25 + (0.75 * (documents[document]?.length ?? 0)) / mean;
        return [document, (rarity * count * 2.2) / (count + 1.2 * length)];
      });
      return [word, scores];
    }),
  );
}

const PLAIN_STOP = new Set(
  'the a an and or of to in for on with is are be this that it as by from at you your i use using used need should must can will not if when into any all each'.split(
    ' ',
  ),
);

function plainWords(text: string): string[] {
  const words =
    text
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  return words
    .filter((word) => word.length > 1 && !PLAIN_STOP.has(word))
    .map((word) => word.replace(/^(.{3,}?)(?:ing|ies|ed|es|s)$/, '$1'));
}

const found =
  (library: Library, names: (name: string) => string = (name) => name): Find =>
  (query) =>
    library.search(query, { all: true, limit: 10 }).map((hit) => names(hit.name));

function heading(title: string): void {
  process.stdout.write(
    `\n${title.padEnd(46)}${'n'.padStart(5)} ${['Hit@1', 'R@5', 'R@10', 'all@10'].map((name) => name.padStart(6)).join(' ')}   p50 ms p95 ms\n`,
  );
}

async function benchTools(): Promise<void> {
  const tools = rows<{ name: string; description: string }>('metatool-skills.jsonl');
  const queries = rows<BenchQuery>('metatool.jsonl.gz');
  const recorded = rows<{ query: string; tool: string; order: number }>('metatool-recorded.jsonl.gz');
  const original = new Map(tools.map((tool) => [normaliseName(tool.name), tool.name]));
  const texts = tools.map(
    (tool) =>
      `---\nname: ${JSON.stringify(tool.name)}\ndescription: ${JSON.stringify(tool.description)}\n---\n`,
  );
  const withQueries = async (count: number) => {
    const taken = new Set<string>();
    const skills = texts.flatMap((text, index) => skillOf(text, `tool-${index}`, taken) ?? []);
    const byName = new Map<string, string[]>();
    for (const { query, tool, order } of recorded) {
      const name = normaliseName(tool);
      if (order < count) byName.set(name, [...(byName.get(name) ?? []), query]);
    }
    const queriesOf = (name: string) => byName.get(name) ?? [];
    const empty = await openLibrary({ roots: [], recorded: { queriesOf, coUse: () => [] } });
    return found(empty.with(skills), (name) => original.get(name) ?? name);
  };
  const names = tools.map((tool) => tool.name);
  const plain = bm25(names, [tools.map((tool) => `${tool.name} ${tool.description}`)]);
  for (const [title, count] of [
    ['one tool', 1],
    ['two tools', 2],
  ] as const) {
    const part = queries.filter(({ relevant }) => relevant.length === count);
    heading(`MetaTool, ${title}, among ${tools.length}`);
    measure('plain BM25, name + description', part, plain);
    for (const known of [0, 3, 10, 30])
      measure(`knack, ${known} recorded queries a tool`, part, await withQueries(known));
  }
}

async function benchSkills(): Promise<void> {
  const own = rows<{ name: string; text: string }>('skilllearn-dev-skills.jsonl');
  const pool = rows<{ path: string; text: string }>('pool.jsonl.gz');
  const queries = rows<BenchQuery>('skilllearn-dev.jsonl').filter(({ relevant }) => relevant.length > 0);
  const taken = new Set<string>();
  const original = new Map<string, string>();
  const skills = own.flatMap(({ name, text }) => {
    const skill = skillOf(text, name, taken);
    if (skill !== undefined) original.set(skill.name, name);
    return skill ?? [];
  });
  skills.push(...pool.flatMap(({ text }, index) => skillOf(text, `pool/${index}`, taken) ?? []));
  const names = skills.map((skill) => original.get(skill.name) ?? `pool:${skill.name}`);
  const fields = {
    name: skills.map((skill) => skill.label ?? skill.name),
    description: skills.map((skill) => skill.description),
    body: skills.map((skill) => skill.body),
  };
  heading(`SkillLearnBench (dev), among ${skills.length}`);
  const headed = fields.name.map((name, index) => `${name} ${fields.description[index]}`);
  measure('plain BM25, name + description', queries, bm25(names, [headed]));
  measure('plain BM25, fielded', queries, bm25(names, [fields.name, fields.description, fields.body]));
  const library = await libraryOf(skills);
  library.search('warm up');
  const find = found(library, (name) => original.get(name) ?? `pool:${name}`);
  measure('knack', queries, find);
  const kept = queries.filter(({ query, relevant }) => {
    const hits = library.search(query, { limit: 50 }).map((hit) => original.get(hit.name));
    return relevant.some((name) => hits.includes(name));
  });
  process.stdout.write(`above the threshold: ${kept.length} of ${queries.length}\n`);

  const copies = Array.from({ length: LARGE }, (_, index) => {
    const { text } = pool[index % pool.length] ?? { text: '' };
    return skillOf(text, `copy/${index}`, taken) ?? [];
  }).flat();
  const large = await libraryOf(copies);
  const started = performance.now();
  large.search('warm up');
  process.stdout.write(
    `\nindex of ${copies.length} skills built in ${((performance.now() - started) / 1000).toFixed(2)} s, ${Math.round(process.memoryUsage().rss / 1e6)} MB resident with the skills themselves\n`,
  );
  heading(`times at ${copies.length}`);
  const short = rows<BenchQuery>('metatool.jsonl.gz').filter((_, index) => index % 5 === 0);
  measure('short queries (no answers there)', short, found(large));
  measure('whole task texts (no answers there)', queries, found(large));
}

await benchTools();
await benchSkills();
