/**
 * Reads skills that people wrote, as files through the built command line: how many load, how many are strict, by which
 * rules, in what time; then `--fix` over all of them, and what that did to their bodies and fields.
 * Run after a build: `npx tsx bench/reading.ts DATA_DIR`. The folder holds `pool.jsonl.gz` ({repo, path, text}) and
 * `skilllearn-dev-skills.jsonl` ({path, text}).
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { gunzipSync } from 'node:zlib';
import type { Problem } from '../src/errors.ts';
import { parseSkill } from '../src/skill/parse.ts';
import type { Skill } from '../src/skill/skill.ts';

interface Row {
  readonly repo?: string;
  readonly path: string;
  readonly text: string;
}

interface Validation {
  readonly skills: readonly {
    readonly path: string;
    readonly loadable: boolean;
    readonly strict: boolean;
    readonly problems: readonly Problem[];
  }[];
  readonly summary: { readonly found: number; readonly loadable: number; readonly strict: number };
  readonly fixed?: readonly { readonly path: string }[];
}

const [, , dataDir] = process.argv;
if (dataDir === undefined) throw new Error('usage: npx tsx bench/reading.ts DATA_DIR');
const RUNS = 3;
const bin = resolve(import.meta.dirname, '../dist/knack.mjs');
const base = mkdtempSync(join(tmpdir(), 'knack-bench-'));
const say = (line: string) => process.stdout.write(`${line}\n`);

function rows(name: string): Row[] {
  const bytes = readFileSync(join(String(dataDir), name));
  const text = (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row);
}

/** Each in the folder that it had, within one of its own: folders of one name stand in many places. */
function write(row: Row, index: number): string {
  const folder = basename(dirname(row.path)).replace(/^\.*$/, basename(row.repo ?? 'root'));
  const dir = join(base, 'skills', String(index), folder);
  mkdirSync(dir, { recursive: true });
  const path = join(dir, basename(row.path));
  writeFileSync(path, row.text);
  return path;
}

function validate(...args: readonly string[]): { result: Validation; ms: number } {
  const started = performance.now();
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      bin,
      'skills',
      'validate',
      ...args,
      '--json',
      join(base, 'skills'),
      '--workspace',
      join(base, 'workspace'),
    ],
    { encoding: 'utf8', maxBuffer: 2 ** 30 },
  );
  const ms = performance.now() - started;
  if (stdout === '') throw new Error(stderr);
  return { result: JSON.parse(stdout) as Validation, ms };
}

function count(names: Iterable<string>): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts]
    .sort(([a, left], [b, right]) => right - left || (a < b ? -1 : 1))
    .map(([name, number]) => `${name} ${number}`)
    .join(', ');
}

const median = (values: readonly number[]) =>
  [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN;

/** What `--fix` may not change; its name may become the folder's. */
function fieldsOf({
  name: _,
  label: _l,
  aliases: _a,
  contentHash: _c,
  problems: _p,
  strict: _s,
  ...rest
}: Skill) {
  return rest;
}

function read(path: string, text: string): Skill | undefined {
  const reading = parseSkill({ path, bytes: Buffer.from(text) });
  return reading.kind === 'loaded' ? reading.skill : undefined;
}

const texts = new Map(
  [...rows('pool.jsonl.gz'), ...rows('skilllearn-dev-skills.jsonl')].map(
    (row, index) => [write(row, index), row.text] as const,
  ),
);

const runs = Array.from({ length: RUNS }, () => validate());
const { skills, summary } = runs[0]?.result ?? { skills: [], summary: { found: 0, loadable: 0, strict: 0 } };
const known = skills.filter(({ path }) => texts.has(path)).length;
say(`files ${texts.size}, reported ${known}, found ${summary.found}`);
say(`loadable ${summary.loadable}, strict ${summary.strict}`);
say(`whole process ${(median(runs.map(({ ms }) => ms)) / texts.size).toFixed(2)} ms a file`);
const started = process.cpuUsage();
for (const [path, text] of texts) read(path, text);
const { user, system } = process.cpuUsage(started);
say(`parsing alone ${((user + system) / 1000 / texts.size).toFixed(2)} ms of processor time a file`);
const refused = skills.filter(({ loadable }) => !loadable);
say(`refused by: ${count(refused.map(({ problems }) => problems[0]?.rule ?? 'NO RULE'))}`);
for (const { path, problems } of refused)
  say(
    `  ${path.slice(base.length)}: ${problems.map(({ message, line }) => `line ${line}: ${message}`).join('; ')}`,
  );
say(
  `rules by files: ${count(skills.flatMap(({ problems }) => [...new Set(problems.map(({ rule }) => rule))]))}`,
);

const { result: after } = validate('--fix');
const changed = (after.fixed ?? []).map(({ path }) => path);
const became = after.skills.filter(({ strict }) => strict).length - summary.strict;
let bodiesLost = 0;
let fieldsLost = 0;
for (const path of changed) {
  const [before, now] = [texts.get(path) ?? '', readFileSync(path, 'utf8')];
  const [was, is] = [read(path, before), read(path, now)];
  if (was === undefined || is === undefined) {
    if (is === undefined) fieldsLost += 1;
    continue;
  }
  if (!isDeepStrictEqual(fieldsOf(was), fieldsOf(is))) fieldsLost += 1;
  // With the line ends of the file: as much of its end as the body has lines.
  const lines = was.body.split('\n').length;
  const tail = before.split(/(?<=\r\n|\r(?!\n)|\n)/).slice(-lines);
  if (!now.endsWith(tail.join(''))) bodiesLost += 1;
}
const others = [...texts].filter(
  ([path, text]) => !changed.includes(path) && readFileSync(path, 'utf8') !== text,
);
say(
  `--fix: ${changed.length} changed, ${became} became strict, ${after.summary.strict} of ${texts.size} strict then`,
);
say(
  `--fix: bodies changed ${bodiesLost}, fields changed ${fieldsLost}, other files touched ${others.length}`,
);
const left = after.skills.filter(({ loadable, strict }) => loadable && !strict);
say(`left by: ${count(left.flatMap(({ problems }) => [...new Set(problems.map(({ rule }) => rule))]))}`);
say(`a second --fix changes ${validate('--fix').result.fixed?.length ?? 0}`);
rmSync(base, { recursive: true });
