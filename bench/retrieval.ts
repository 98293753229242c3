/**
 * Finds skills with queries whose answers are known, beside plain BM25 in the same run; prints Markdown tables.
 * Run: `npx tsx bench/retrieval.ts DATA_DIR`. The folder holds `metatool.jsonl.gz` ({id, query, relevant}),
 * `metatool-skills.jsonl` ({name, description}), `metatool-recorded.jsonl.gz` ({query, tool, order}),
 * `skilllearn-dev.jsonl`, `skilllearn-dev-skills.jsonl` ({name, text}) and `pool.jsonl.gz` ({repo, path, text}).
 */
import { join } from 'node:path';
import type { Library } from '../src/library/library.ts';
import { type AbstentionCase, benchAbstention, DEEP } from './retrieval/abstention.ts';
import {
  type BenchQuery,
  firstRecorded,
  libraryOf,
  type Pack,
  type Recorded,
  readOwnQueries,
  readPool,
  readRows,
  readTasks,
  readTools,
} from './retrieval/data.ts';
import { plainBm25, type Search } from './retrieval/plain-bm25.ts';
import { benchPopularity } from './retrieval/popularity.ts';
import { compare, type Row } from './retrieval/tables.ts';

const dir = process.argv[2];
if (dir === undefined) throw new Error('usage: npx tsx bench/retrieval.ts DATA_DIR');

const found =
  (library: Library, pack: Pack): Search =>
  (query) =>
    library
      .search(query, { all: true, limit: 10 })
      .map(({ name, score }) => ({ name: pack.nameOf(name), score }));

const answerable = (queries: readonly BenchQuery[]) => queries.filter(({ relevant }) => relevant.length > 0);

const farOff = readOwnQueries('far-off');

async function benchTools(): Promise<AbstentionCase> {
  const pack = readTools(String(dir));
  const queries = readRows<BenchQuery>(join(String(dir), 'metatool.jsonl.gz'));
  const recorded = readRows<Recorded>(join(String(dir), 'metatool-recorded.jsonl.gz'));
  const { name, description } = pack.fields;
  const headed = name.map((each, index) => `${each} ${description[index]}`);
  const plain: Row[] = [{ label: 'plain BM25, name + description', search: plainBm25(pack.names, [headed]) }];
  const library = await libraryOf(pack.skills);
  const parts = {
    'MetaTool, one tool': queries.filter(({ relevant }) => relevant.length === 1),
    'MetaTool, two tools': queries.filter(({ relevant }) => relevant.length === 2),
  };
  const none: Row = { label: 'knack', search: found(library, pack) };
  const nothingRecorded = { ...parts, 'MetaTool, keywords': readOwnQueries('keywords-metatool', queries) };
  for (const [title, part] of Object.entries(nothingRecorded)) compare(title, part, plain, [none]);
  for (const count of [3, 10, 30]) {
    const kept = recorded.filter(({ order }) => order < count);
    const texts = pack.names.map((tool) =>
      kept
        .filter((each) => each.tool === tool)
        .map(({ query }) => query)
        .join(' | '),
    );
    const plainToo: Row = {
      label: `plain BM25, ${count} recorded as one more field`,
      search: plainBm25(pack.names, [headed, texts]),
    };
    const learned = await libraryOf(pack.skills, firstRecorded(recorded, count));
    const row: Row = { label: `knack, ${count} recorded`, search: found(learned, pack) };
    for (const [title, part] of Object.entries(parts))
      compare(`${title}, ${count} recorded queries a tool`, part, [plainToo], [none, row]);
  }
  const one = parts['MetaTool, one tool'];
  await benchPopularity(pack, one, firstRecorded(recorded, 200), none.search);
  return {
    title: 'MetaTool, 300 queries',
    pack,
    library,
    plain: plainBm25(pack.names, [headed], DEEP),
    queries: one.filter((_, index) => index % 10 === 0),
    farOff,
  };
}

async function benchSkills(): Promise<AbstentionCase[]> {
  const pack = readPool(String(dir));
  const queries = readRows<BenchQuery>(join(String(dir), 'skilllearn-dev.jsonl'));
  const keywords = readOwnQueries('keywords-skilllearn', queries);
  const { name, description, body } = pack.fields;
  const headed = name.map((each, index) => `${each} ${description[index]}`);
  const fielded = [name, description, body];
  const plain: Row[] = [
    { label: 'plain BM25, name + description', search: plainBm25(pack.names, [headed]) },
    { label: 'plain BM25, fielded', search: plainBm25(pack.names, fielded) },
  ];
  const library = await libraryOf(pack.skills);
  library.search('warm up');
  const row: Row = { label: 'knack', search: found(library, pack) };
  compare(
    `Written for skills of the pool among ${pack.skills.length}, whole task texts`,
    readTasks(pack),
    plain,
    [row],
  );
  const cases = { 'whole task texts': queries, keywords };
  return Object.entries(cases).map(([title, part]) => {
    compare(`SkillLearnBench among ${pack.skills.length}, ${title}`, answerable(part), plain, [row]);
    const deep = plainBm25(pack.names, fielded, DEEP);
    return {
      title: `SkillLearnBench, ${title}`,
      pack,
      library,
      plain: deep,
      queries: answerable(part),
      farOff,
    };
  });
}

const tools = await benchTools();
benchAbstention([...(await benchSkills()), tools]);
