/**
 * What a revision costs in a repository of many skills, each of them imported by a commit of its own, beside
 * `git commit --only` in the same repository: medians of interleaved runs, and the ratio.
 * Run: `npx tsx bench/commit.ts [skills] [runs]`.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Folder, textFile, withFile } from '../src/files/folder.ts';
import { COMMITS_BETWEEN, writeCommitGraph } from '../src/history/commit-graph.ts';
import { openGit } from '../src/history/git.ts';
import { createHistory } from '../src/history/history.ts';
import { folderOf, skillText, temporary } from '../test/support/skills.ts';

const skills = Number(process.argv[2] ?? 10_000);
const runs = Number(process.argv[3] ?? 21);
const place = await temporary('commits');
const root = join(place, 'skills');
const bin = join(place, 'bin');
const started = join(place, 'started');
const path = process.env['PATH'] ?? '';
const environment = { PATH: path, HOME: place, GIT_CONFIG_NOSYSTEM: '1' };
const git = (...args: string[]) =>
  execFileSync('git', ['-C', root, '-c', 'user.name=p', '-c', 'user.email=p@localhost', ...args], {
    encoding: 'utf8',
    env: environment,
    maxBuffer: 1 << 30,
  });
const common = { what: 'add a rule', why: 'it was found', actor: 'reviewer', operations: [] } as const;
const nameOf = (index: number) => `skill-${index}`;
const skill = (index: number, version: string, rules: number): Folder =>
  folderOf({
    'SKILL.md': skillText(
      nameOf(index),
      `# Task\n\n${'- Look at every row before it is written.\n'.repeat(rules)}`,
      {
        version,
      },
    ),
    'references/more.md': `# More of ${index}\n\n${'A line that says more.\n'.repeat(20)}`,
  });

/** Each skill comes in by a commit of its own, as imports do. */
function makeRepository(): void {
  mkdirSync(root, { recursive: true });
  git('init', '--quiet', '--initial-branch=main');
  const stream = Array.from({ length: skills }, (_, index) => {
    const files = [...skill(index, '1.0.0', 20)].map(([file, { bytes }]) => {
      const text = Buffer.from(bytes).toString();
      return `M 100644 inline ${nameOf(index)}/${file}\ndata ${bytes.length}\n${text}\n`;
    });
    return `commit refs/heads/main\ncommitter p <p@localhost> ${1_700_000_000 + index} +0000\ndata 6\nimport\n${files.join('')}`;
  });
  execFileSync('git', ['-C', root, 'fast-import', '--quiet'], { input: stream.join(''), env: environment });
  git('reset', '--quiet', '--hard');
}

const times = new Map<string, number[]>();
async function timed<T>(name: string, action: () => T | Promise<T>): Promise<T> {
  const start = performance.now();
  const value = await action();
  times.set(name, [...(times.get(name) ?? []), performance.now() - start]);
  return value;
}

/** A `git` that writes down that it was started. */
function countingPath(): string {
  mkdirSync(bin);
  const real = execFileSync('which', ['git'], { encoding: 'utf8' }).trim();
  writeFileSync(join(bin, 'git'), `#!/bin/sh\necho "$*" >> ${started}\nexec ${real} "$@"\n`, { mode: 0o755 });
  return `${bin}:${path}`;
}

function commandsSince(): string[] {
  const lines = existsSync(started) ? readFileSync(started, 'utf8').trim().split('\n') : [];
  rmSync(started, { force: true });
  const withoutOptions = (line: string) => line.split(' ').find((word) => !/^-|[.=]/.test(word)) ?? line;
  return lines.filter(Boolean).map(withoutOptions);
}

makeRepository();
const history = createHistory({ root, environment: { home: place, path } });
const counted = createHistory({ root, environment: { home: place, path: countingPath() } });
await history.open();
await counted.open();
const direct = await openGit(root, { home: place, path });
const edited = (index: number) =>
  withFile(skill(index, '1.0.1', 21), 'SKILL.md', textFile(skillText(nameOf(index), '# Task\n\n- Other.')));
async function commit(index: number, base: Folder | undefined, target: Folder, by = history): Promise<void> {
  const outcome = await by.commit({
    skill: nameOf(index),
    base,
    target,
    to: '1.0.1',
    sessions: [],
    ...common,
  });
  if (outcome.kind !== 'committed') throw new Error(`${nameOf(index)}: ${outcome.kind}`);
}
async function write(index: number, target: Folder): Promise<void> {
  mkdirSync(join(root, nameOf(index), 'references'), { recursive: true });
  for (const [file, { bytes }] of target) writeFileSync(join(root, nameOf(index), file), bytes);
}
/** The time in which git itself notes that the files which it just wrote are settled. */
git('status', '--short');
commandsSince();
const EDIT = { git: 'git commit --only, an edit', ours: 'knack, an edit' };
const NEW = { git: 'git add, git commit --only, a new skill', ours: 'knack, a new skill' };
for (let run = 0; run < runs; run += 1) {
  const [first, second, third, fourth] = [run * 2, run * 2 + 1, skills + run * 2, skills + run * 2 + 1];
  await timed(EDIT.git, async () => {
    await write(first, edited(first));
    git('commit', '--quiet', '--only', '-m', 'an edit', '--', nameOf(first));
  });
  await timed(EDIT.ours, () => commit(second, skill(second, '1.0.0', 20), edited(second)));
  await timed(NEW.git, async () => {
    await write(third, skill(third, '1.0.0', 20));
    git('add', '--', nameOf(third));
    git('commit', '--quiet', '--only', '-m', 'a new skill', '--', nameOf(third));
  });
  await timed(NEW.ours, () => commit(fourth, undefined, skill(fourth, '1.0.0', 20)));
  await timed('the next number of a skill', () => history.nextVersion(nameOf(second), 'patch'));
}
const last = skills + runs * 2;
await commit(last, undefined, skill(last, '1.0.0', 20), counted);
const forNew = commandsSince();
await commit(last, skill(last, '1.0.0', 20), edited(last), counted);
const forEdit = commandsSince();

// What every hundredth commit of ours does besides: here for the first time, and again a hundred commits later.
await timed('the first commit graph', () => writeCommitGraph(direct));
for (let run = 0; run < runs; run += 1)
  await timed('the next number of a skill, with a commit graph', () =>
    history.nextVersion(nameOf(run * 2 + 1), 'patch'),
  );
for (let run = 0; run < COMMITS_BETWEEN; run += 1)
  git('commit', '--quiet', '--allow-empty', '--message', 'more');
await timed(`${COMMITS_BETWEEN} commits more in the graph`, () => writeCommitGraph(direct));

const median = (name: string) => {
  const found = [...(times.get(name) ?? [])].sort((left, right) => left - right);
  return found[Math.floor(found.length / 2)] ?? Number.NaN;
};
for (const name of times.keys())
  process.stdout.write(`${name.padEnd(48)} ${median(name).toFixed(0).padStart(6)} ms\n`);
for (const [pair, commands] of [
  [EDIT, forEdit],
  [NEW, forNew],
] as const)
  process.stdout.write(
    `${pair.ours}: ${(median(pair.ours) / median(pair.git)).toFixed(2)} × ${pair.git}; ${commands.length} git: ${commands.join(', ')}\n`,
  );
rmSync(place, { recursive: true });
