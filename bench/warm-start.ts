/**
 * How long a library takes to open from the cache of an earlier process, beside reading every skill anew in the same
 * run: medians of interleaved runs, and the ratio. Run: `npx tsx bench/warm-start.ts [skills] [runs] [lines]`, with the
 * lines of each body; a median skill that people wrote has 98 (about 3,000 characters).
 */
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLibrary } from '../src/library/open-library.ts';

const skills = Number(process.argv[2] ?? 1000);
const runs = Number(process.argv[3] ?? 9);
const lines = Number(process.argv[4] ?? 98);
const base = mkdtempSync(join(tmpdir(), 'knack-bench-'));
const dir = join(base, 'skills');
const body = 'Check the header before the first row.\n'.repeat(lines);
for (let index = 0; index < skills; index += 1) {
  const folder = join(dir, `group-${index % 50}`, `skill-${index}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'SKILL.md'),
    `---\nname: skill-${index}\ndescription: "Does task ${index}. Use when task ${index} is asked for."\nmetadata:\n  version: "1.0.0"\n  tags: "task, group-${index % 50}"\n---\n\n# Task ${index}\n\n${body}`,
  );
}

const roots = [{ name: 'workspace', dir, writable: true }];
const file = join(base, 'logs', 'readings.bin');
// What was written a moment ago is not kept: so that it is, the clock is said to be an hour later.
const cache = { file, now: Date.now() + 3_600_000 };
const times = {
  anew: [] as number[],
  'writing the cache too': [] as number[],
  'from the cache': [] as number[],
};

async function measure(name: keyof typeof times, options: { cache?: typeof cache }): Promise<void> {
  const started = performance.now();
  const library = await openLibrary({ roots, ...options });
  times[name].push(performance.now() - started);
  if (library.skills.length !== skills) throw new Error(`${library.skills.length} of ${skills} skills`);
}

await measure('anew', {});
times.anew = [];
for (let run = 0; run < runs; run += 1) {
  rmSync(file, { force: true });
  await measure('anew', {});
  await measure('writing the cache too', { cache });
  await measure('from the cache', { cache });
}
const size = statSync(file).size;
rmSync(base, { recursive: true });

const median = (values: readonly number[]) =>
  [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN;
process.stdout.write(`${skills} skills, bodies of ${lines} lines, cache of ${(size / 1e6).toFixed(1)} MB\n`);
for (const [name, values] of Object.entries(times)) {
  const share = median(values) / median(times.anew);
  process.stdout.write(
    `${name.padEnd(24)} ${median(values).toFixed(0).padStart(6)} ms  ${share.toFixed(2)} ×\n`,
  );
}
