/**
 * How long the command line takes as whole processes, beside a bare `node -e 0` in the same run: medians of
 * interleaved runs, and the ratio. Run after a build: `npx tsx bench/startup.ts [runs] [skills]`.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const runs = Number(process.argv[2] ?? 21);
const skills = Number(process.argv[3] ?? 1000);
const bin = resolve(import.meta.dirname, '../dist/knack.mjs');
const workspace = mkdtempSync(join(tmpdir(), 'knack-bench-'));
for (let index = 0; index < skills; index += 1) {
  const dir = join(workspace, 'skills', `skill-${index}`);
  mkdirSync(dir, { recursive: true });
  writeFileSync(
    join(dir, 'SKILL.md'),
    `---\nname: skill-${index}\ndescription: "Does task number ${index}. Use when task ${index} is asked for."\n---\n\n# Task ${index}\n\n- Do step ${index}.\n`,
  );
}

const commands: Record<string, string[]> = {
  'node -e 0': ['-e', '0'],
  'knack --version': [bin, '--version'],
  'knack --help': [bin, '--help'],
  [`knack skills list (${skills} skills)`]: [bin, 'skills', 'list', '--workspace', workspace],
};

const times = new Map(Object.keys(commands).map((name) => [name, [] as number[]]));
for (let run = 0; run < runs; run += 1) {
  for (const [name, args] of Object.entries(commands)) {
    const started = performance.now();
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    times.get(name)?.push(performance.now() - started);
    if (status !== 0) throw new Error(`${name}: exit ${status}: ${stderr}`);
  }
}
rmSync(workspace, { recursive: true });

const median = (values: readonly number[]) =>
  [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN;
const base = median(times.get('node -e 0') ?? []);
for (const [name, values] of times) {
  process.stdout.write(
    `${name.padEnd(40)} ${median(values).toFixed(0).padStart(6)} ms  ${(median(values) / base).toFixed(2)} ×\n`,
  );
}
