/**
 * Memory that long transcripts take: writes a session of each format and reads it with the built command line, each time
 * in a process of its own. Run after a build: `npx tsx bench/transcripts.ts [MB] [--dir DIR] [--only TEXT]`. Without MB
 * it is 2,048; the folder (a temporary one by default) needs as much room, and the file is removed again.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, openSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type LongFormat, writeLongSession } from './transcripts/long-session.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { dir: { type: 'string', default: tmpdir() }, only: { type: 'string', default: '' } },
});
const megabytes = Number(positionals[0] ?? 2048);
const root = resolve(import.meta.dirname, '..');
const bin = join(root, 'dist/knack.mjs');
const base = mkdtempSync(join(values.dir, 'knack-transcripts-'));
/** The process says at its end what the most was that it held. */
const REPORTER = `data:text/javascript,process.on('exit',()=>require('fs').writeSync(3,String(process.resourceUsage().maxRSS)));import{createRequire}from'node:module';const require=createRequire('/');`;

/** The project's own text, as an agent that works on it would read it. */
function corpusOf(dir: string): string {
  return readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .sort()
    .map((name) => readFileSync(join(dir, name), 'utf8'))
    .join('\n');
}

function measure(name: string, args: readonly string[]): void {
  const out = join(base, 'out');
  const report = join(base, 'rss');
  const started = performance.now();
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--import', REPORTER, bin, ...args, '--workspace', join(base, 'workspace')],
    { stdio: ['ignore', openSync(out, 'w'), 'pipe', openSync(report, 'w')], encoding: 'utf8' },
  );
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  const mark = createHash('sha256').update(readFileSync(out).subarray()).digest('hex').slice(0, 12);
  const peak = Math.round(Number(readFileSync(report, 'utf8')) / 1024);
  process.stdout.write(
    `${name}: ${peak} MB at most, ${seconds} s, status ${status}, answer ${statSync(out).size} bytes, ${mark}\n`,
  );
  if (status !== 0) process.stdout.write(`${stderr.slice(-300)}\n`);
}

try {
  for (const format of ['claude-code', 'codex'] satisfies LongFormat[]) {
    const file = join(base, `${format}.jsonl`);
    const commands: [string, string[]][] = [
      ['transcript --json', ['transcript', file, '--json']],
      ['transcript --events', ['transcript', file, '--events']],
      ['review', ['review', file, '--json']],
    ];
    const wanted = commands.filter(([name]) => `${format} ${name}`.includes(values.only));
    if (wanted.length === 0) continue;
    const { records } = await writeLongSession(file, {
      format,
      bytes: megabytes * 2 ** 20,
      corpus: corpusOf(join(root, 'src')),
    });
    process.stdout.write(`${format}: ${Math.round(statSync(file).size / 2 ** 20)} MB, ${records} records\n`);
    for (const [name, args] of wanted) measure(`  ${name}`, args);
    rmSync(file);
  }
} finally {
  rmSync(base, { recursive: true });
}
