/**
 * Ten thousand skills: how long a library takes to open and to be ready for search, cold and from what an earlier
 * process kept, how long a search takes, and how much memory a process holds. Fresh processes of the built bundle, beside
 * a bare `node -e 0` in the same run. Run after a build: `npx tsx bench/scale.ts DATA_DIR [skills] [runs]`. The folder
 * holds `pool.jsonl.gz` ({text}), `metatool.jsonl.gz` and `skilllearn-dev.jsonl` ({query}). Texts of the pool repeat
 * under names of their own.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';

/** Milliseconds on the clock, and of the processor: a busy machine stretches the former. */
interface Time {
  readonly wall: number;
  readonly cpu: number;
}

interface Figures {
  readonly skills: number;
  readonly open: Time;
  readonly index: Time;
  /** Of a cold process alone. */
  readonly graph?: Time;
  readonly keep?: Time;
  readonly refresh: Time;
  readonly searches: Readonly<Record<string, readonly Time[]>>;
  /** Megabytes: before the library was opened, at the end, and the most. */
  readonly base: number;
  readonly resident: number;
  readonly most: number;
}

const dataDir = process.argv[2];
if (dataDir === undefined) throw new Error('usage: npx tsx bench/scale.ts DATA_DIR [skills] [runs]');
const skills = Number(process.argv[3] ?? 10_000);
const runs = Number(process.argv[4] ?? 5);
/** Milliseconds after which what was written is kept. */
const SETTLED = 2500;
const workspace = mkdtempSync(join(tmpdir(), 'knack-bench-'));
const queriesFile = join(workspace, 'queries.json');

try {
  writeSkills(rows<{ text: string }>('pool.jsonl.gz').map(({ text }) => text));
  const short = rows<{ query: string }>('metatool.jsonl.gz').filter((_, index) => index % 5 === 0);
  const long = rows<{ query: string }>('skilllearn-dev.jsonl');
  const tasks = readFileSync(resolve(import.meta.dirname, 'queries/tasks.jsonl'), 'utf8')
    .trim()
    .split('\n');
  const queries = {
    short: short.map(({ query }) => query),
    long: long.map(({ query }) => query),
    tasks: tasks.map((line) => (JSON.parse(line) as { query: string }).query),
  };
  writeFileSync(queriesFile, JSON.stringify(queries));
  await sleep(SETTLED);
  const cold: Figures[] = [];
  const warm: Figures[] = [];
  const bare: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    rmSync(join(workspace, 'logs'), { recursive: true, force: true });
    bare.push(bareStart());
    cold.push(measured('apart'));
    warm.push(measured());
  }
  report(cold, warm, quantile(bare, 0.5));
  await reportBothStages();
} finally {
  rmSync(workspace, { recursive: true });
}

/** Search by words and by meaning, over an endpoint that answers at once. */
async function reportBothStages(): Promise<void> {
  const server = spawn(process.execPath, [resolve(import.meta.dirname, 'embedding-endpoint.mjs')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  try {
    const [line] = (await once(server.stdout, 'data')) as [Buffer];
    const baseUrl = line.toString().trim();
    const settings = { search: { embeddings: { model: 'bench', baseUrl } } };
    writeFileSync(join(workspace, 'knack.json'), JSON.stringify(settings));
    const { searches, resident } = measured(baseUrl);
    process.stdout.write('\nBoth stages, vectors of 768 numbers; of the endpoint alone, that request:\n\n');
    for (const [name, times] of Object.entries(searches)) {
      const wall = (share: number) =>
        milliseconds(
          quantile(
            times.map((time) => time.wall),
            share,
          ),
        );
      process.stdout.write(`| ${name} | p50 ${wall(0.5)} | p95 ${wall(0.95)} |\n`);
    }
    process.stdout.write(`| memory | ${resident.toFixed(0)} MB |\n`);
  } finally {
    server.stdin.end();
  }
}

function rows<Row>(name: string): Row[] {
  const bytes = readFileSync(join(String(dataDir), name));
  const text = (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Row]));
}

function writeSkills(texts: readonly string[]): void {
  for (let index = 0; index < skills; index += 1) {
    const folder = join(workspace, 'skills', `group-${index % 50}`, `skill-${index}`);
    const text = texts[index % texts.length] ?? '';
    const named = text.replace(/^name:.*$/m, (line) => `${line.replace(/["'\r]|\s+$/g, '')}-${index}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'SKILL.md'), named);
  }
}

function bareStart(): number {
  const started = performance.now();
  spawnSync(process.execPath, ['-e', '0']);
  return performance.now() - started;
}

function measured(...how: string[]): Figures {
  const script = resolve(import.meta.dirname, 'scale-process.mjs');
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, workspace, queriesFile, ...how], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`exit ${status}: ${stderr}`);
  return JSON.parse(stdout) as Figures;
}

function report(cold: readonly Figures[], warm: readonly Figures[], bare: number): void {
  const all = [...cold, ...warm];
  const searches = (name: string) => all.flatMap(({ searches }) => searches[name] ?? []);
  const size = (name: string) => `${(statSync(join(workspace, 'logs', name)).size / 1e6).toFixed(0)} MB`;
  const time = (values: readonly Time[], share = 0.5) => {
    const [wall, cpu] = (['wall', 'cpu'] as const).map((kind) =>
      quantile(
        values.map((each) => each[kind]),
        share,
      ),
    );
    return `${milliseconds(wall)} | ${milliseconds(cpu)} | ${((wall ?? 0) / bare).toFixed(2)} ×`;
  };
  const both = ({ open, index }: Figures) => ({ wall: open.wall + index.wall, cpu: open.cpu + index.cpu });
  const rows: [what: string, figure: string, wanted: string][] = [
    ['`node -e 0`', `${milliseconds(bare)} | | 1.00 ×`, ''],
    ['cold: every skill parsed, and kept', time(cold.map(({ open }) => open)), ''],
    ['cold: edges between skills', time(cold.flatMap(({ graph }) => graph ?? [])), ''],
    ['cold: index built from parsed skills', time(cold.map(({ index }) => index)), '2 s'],
    ['cold: index kept', time(cold.flatMap(({ keep }) => keep ?? [])), ''],
    ['warm: opened, staleness checked', time(warm.map(({ open }) => open)), ''],
    ['warm: index ready, first search answered', time(warm.map(({ index }) => index)), ''],
    ['warm: both', time(warm.map(both)), '500 ms'],
    ['looking for changes in a running process', time(all.map(({ refresh }) => refresh)), ''],
    ['search, short queries, p50', time(searches('short')), ''],
    ['search, short queries, p95', time(searches('short'), 0.95), '10 ms'],
    ['search, whole task texts, p50', time(searches('long')), ''],
    ['search, whole task texts, p95', time(searches('long'), 0.95), '10 ms'],
    ['search, 120 other task texts, p50', time(searches('tasks')), ''],
    ['search, 120 other task texts, p95', time(searches('tasks'), 0.95), '10 ms'],
    ['memory after a warm start and all searches', memory(warm, 'resident'), '300 MB'],
    ['most memory of a warm process', memory(warm, 'most'), '300 MB'],
    ['memory after a cold start and all searches', memory(cold, 'resident'), ''],
    ['most memory of a cold process', memory(cold, 'most'), ''],
  ];
  process.stdout.write(
    `${warm[0]?.skills} skills, ${runs} runs, Node ${process.versions.node}, load ${loadavg()[0]?.toFixed(1)}; kept: readings ${size('readings.bin')}, index ${size('search-index.bin')}\n\n`,
  );
  process.stdout.write(
    '| what | median | processor | beside `node -e 0` | wanted |\n|---|---|---|---|---|\n',
  );
  for (const [what, figure, wanted] of rows) process.stdout.write(`| ${what} | ${figure} | ${wanted} |\n`);
}

function milliseconds(value: number | undefined): string {
  return `${value?.toFixed(value < 100 ? 1 : 0)} ms`;
}

function memory(figures: readonly Figures[], which: 'resident' | 'most'): string {
  const values = figures.map((each) => each[which]);
  return `${quantile(values, 0.5).toFixed(0)} MB | | `;
}

function quantile(values: readonly number[], share: number): number {
  return [...values].sort((left, right) => left - right)[Math.floor(values.length * share)] ?? Number.NaN;
}
