/**
 * What skills add to the first request of a conversation, at four sizes of library: the tokens of the request that an
 * HTTP endpoint received, less those of the same request without any skill, and whether the skill that the prompt wants
 * is in it with its whole description. Run: `npx tsx bench/first-request.ts DATA_DIR [size…]`. The folder holds
 * `pool.jsonl.gz` ({repo, path, text}); the prompts stand in `bench/prompts/first-request.jsonl`.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { readEnvironment } from '../src/config.ts';
import type { Library } from '../src/library/library.ts';
import { countTokens, loadTokenizer } from '../src/model/tokens.ts';
import { openRuntime, type RuntimeOptions } from '../src/runtime/runtime.ts';
import { parseSkill } from '../src/skill/parse.ts';
import type { Skill } from '../src/skill/skill.ts';
import { type ChatBody, startScriptedModel } from '../test/support/scripted-model.ts';

interface PoolRow {
  readonly repo: string;
  readonly path: string;
  readonly text: string;
}

interface Prompt {
  /** As somebody of the trade would say it. */
  readonly prompt: string;
  /** As somebody would who does not know the trade's words. */
  readonly everyday: string;
  readonly wants: Pick<PoolRow, 'repo' | 'path'>;
}

/** A skill as it is written into a library. */
interface Entry {
  readonly name: string;
  readonly text: string;
}

const [dataDir, ...sizes] = process.argv.slice(2);
if (dataDir === undefined) throw new Error('usage: npx tsx bench/first-request.ts DATA_DIR [size…]');
const SIZES = sizes.length > 0 ? sizes.map(Number) : [10, 100, 1000, 9000];
const SKILL_TOOLS = ['search_skills', 'load_skill', 'read_skill_file', 'list_skill_files', 'run_skill_tool'];

function rowsOf<Row>(text: string): Row[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row);
}

const keyOf = ({ repo, path }: Pick<PoolRow, 'repo' | 'path'>) => `${repo}/${path}`;

/** The pool as `count` skills with names of their own, the wanted ones first, the rest spread over the pool; then again. */
function entriesOf(pool: readonly PoolRow[], wanted: readonly string[], count: number): Entry[] {
  const isWanted = new Set(wanted);
  const first = wanted.map((key) => {
    const row = pool.find((each) => keyOf(each) === key);
    if (row === undefined) throw new Error(`${key} is not in the pool`);
    return row;
  });
  const others = pool.filter((row) => !isWanted.has(keyOf(row)));
  // A stride that shares no factor with the length visits each once, far from the one before.
  const stride = 997;
  const spread = others.map((_, index) => others[(index * stride) % others.length] as PoolRow);
  const taken = new Set<string>();
  const entries: Entry[] = [];
  while (entries.length < count) {
    for (const { path, text } of [...first, ...spread]) {
      const own = nameOf(path, text);
      if (own === undefined) continue;
      let name = own;
      for (let copy = 2; taken.has(name); copy += 1) name = `${own}-${copy}`;
      const renamed = name === own ? text : text.replace(/^name:.*$/m, `name: ${name}`);
      if (nameOf(`${name}/SKILL.md`, renamed) !== name) continue;
      taken.add(name);
      entries.push({ name, text: renamed });
      if (entries.length === count) break;
    }
  }
  return entries;
}

/** Undefined for what is not loaded. */
function nameOf(path: string, text: string): string | undefined {
  const reading = parseSkill({ path: `/bench/${path}`, bytes: new TextEncoder().encode(text) });
  return reading.kind === 'refused' ? undefined : reading.skill.name;
}

/** The first request of a conversation for each prompt, as the endpoint received it. */
async function firstRequests(
  dir: string,
  prompts: readonly string[],
  only: Pick<RuntimeOptions, 'onlyRoot'> = {},
): Promise<{ requests: readonly ChatBody[]; library: Library }> {
  const server = await startScriptedModel(prompts.map(() => ({ text: 'Done.' })));
  const runtime = await openRuntime({
    workspace: join(dir, 'workspace'),
    environment: { ...readEnvironment({}), baseUrl: server.url, home: dir, model: 'recorded' },
    log: () => undefined,
    now: () => new Date('2030-01-02T03:04:05Z'),
    ...only,
  });
  for (const prompt of prompts) {
    const conversation = await runtime.conversation({ cwd: '/project', allow: [], unsandboxed: true });
    const turn = await conversation.send(prompt, { signal: new AbortController().signal });
    if (turn.stop !== 'answer') throw new Error(`${turn.stop}: ${turn.problem}`);
    await conversation.end();
  }
  await server.close();
  return { requests: server.requests, library: await runtime.library() };
}

const textOf = (body: ChatBody) => body.messages.map(({ content }) => content ?? '').join('\n');
const tokensOf = (body: ChatBody) =>
  body.messages.reduce((sum, { content }) => sum + countTokens(content ?? ''), 0) +
  countTokens(JSON.stringify(body.tools));

/** Names that stand before a description or in a list of names. */
function namedIn(text: string): Set<string> {
  const entries = [...text.matchAll(/^- ([^\s:]+): /gm)].map((match) => String(match[1]));
  const lists = [...text.matchAll(/^(?:Others, by name|- in the list above, and may fit): (.*)$/gm)];
  return new Set([...entries, ...lists.flatMap((match) => String(match[1]).split(', '))]);
}

/** Whether the text has the name with the whole description, every word of it. */
function isDescribed(plain: string, { name, description }: Skill): boolean {
  return plain.includes(`- ${name}: ${description.replace(/\s+/g, ' ').trim()}`);
}

const unescaped = (text: string) =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

const range = (values: readonly number[]) => {
  const [least, most] = [Math.min(...values), Math.max(...values)].map((value) => value.toLocaleString('en'));
  return least === most ? String(least) : `${least}–${most}`;
};

await loadTokenizer();
const rows = rowsOf<Prompt>(
  readFileSync(join(import.meta.dirname, 'prompts', 'first-request.jsonl'), 'utf8'),
);
const asked = [
  ...rows.map((row, index) => ({ style: 'trade', text: row.prompt, wanted: index })),
  ...rows.map((row, index) => ({ style: 'everyday', text: row.everyday, wanted: index })),
];
const texts = asked.map(({ text }) => text);
const pool = rowsOf<PoolRow>(gunzipSync(readFileSync(join(dataDir, 'pool.jsonl.gz'))).toString('utf8'));
const entries = entriesOf(
  pool,
  rows.map(({ wants }) => keyOf(wants)),
  Math.max(...SIZES),
);
const base = mkdtempSync(join(tmpdir(), 'knack-bench-'));
const empty = join(base, 'empty');
mkdirSync(empty);
const without = (await firstRequests(base, texts, { onlyRoot: empty })).requests;
const skillTools = without[0]?.tools?.filter((tool) => SKILL_TOOLS.includes(tool.function.name));
const missed: string[] = [];
const print = (line: string) => process.stdout.write(`${line}\n`);
print(`definitions of the skill tools: ${countTokens(JSON.stringify(skillTools))} tokens`);
print(
  '| skills | tokens added | named | whole descriptions | wanted one described: trade, everyday | told |',
);
let written = 0;
for (const size of SIZES) {
  for (const { name, text } of entries.slice(written, size)) {
    const dir = join(base, 'workspace', 'skills', name);
    mkdirSync(dir, { recursive: true });
    writeFileSync(join(dir, 'SKILL.md'), text);
  }
  written = size;
  const { requests, library } = await firstRequests(base, texts);
  const figures = requests.map((body, index) => {
    const { style, text, wanted } = asked[index] as (typeof asked)[number];
    const skill = library.find(entries[wanted]?.name ?? '');
    const plain = unescaped(textOf(body));
    const isThere = skill !== undefined && isDescribed(plain, skill);
    if (!isThere) {
      const hits = library.search(text, { limit: 200, all: true });
      const rank = hits.findIndex((hit) => hit.name === skill?.name) + 1;
      missed.push(`${size}, ${style}: ${skill?.name} at rank ${rank || 'over 200'}: ${text}`);
    }
    return {
      style,
      isThere,
      added: tokensOf(body) - tokensOf(without[index] ?? body),
      named: [...namedIn(plain)].filter((name) => library.find(name)?.name === name).length,
      described: library.skills.filter((each) => isDescribed(plain, each)).length,
      told: /^\(\d+ of \d+ skills .*$/m.exec(plain)?.[0] ?? 'all are there',
    };
  });
  const there = (style: string) => {
    const all = figures.filter((figure) => figure.style === style);
    return `${all.filter(({ isThere }) => isThere).length} of ${all.length}`;
  };
  const columns = [
    library.skills.length.toLocaleString('en'),
    range(figures.map(({ added }) => added)),
    range(figures.map(({ named }) => named)),
    range(figures.map(({ described }) => described)),
    `${there('trade')}, ${there('everyday')}`,
    figures[0]?.told,
  ];
  print(`| ${columns.join(' | ')} |`);
}
rmSync(base, { recursive: true });
for (const line of missed) print(`not described at ${line}`);
