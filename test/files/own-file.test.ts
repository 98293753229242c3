import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { readOwnFile, readOwnFileSync } from '../../src/files/own-file.ts';
import { withLock } from '../../src/history/lock.ts';
import { openTrustStore } from '../../src/library/project/trust.ts';
import { keepValue, keptValue } from '../../src/library/reading/kept-value.ts';
import { openUsage } from '../../src/library/use/usage.ts';
import { takeClaim } from '../../src/review/claim.ts';
import { createJobFiles } from '../../src/review/job-files.ts';
import { createLedger } from '../../src/review/ledger.ts';
import { lastDraft } from '../../src/review/lesson-files.ts';
import { createPendingFiles } from '../../src/review/pending-files.ts';
import { createSessionLog } from '../../src/transcript/session-log.ts';
import { readMadeLinks } from '../../src/transfer/link-record.ts';
import { readImports } from '../../src/transfer/read-only.ts';
import { freshKnack } from '../support/command-line.ts';
import { temporary } from '../support/skills.ts';

let dir: string;

beforeEach(async () => {
  dir = await temporary('own');
});

function pipe(name: string): string {
  const file = join(dir, name);
  mkdirSync(dirname(file), { recursive: true });
  execFileSync('mkfifo', [file]);
  return file;
}

const header = { id: 's', cwd: '/', agent: 'knack', model: 'm', started: '2030-01-02T03:04:05.000Z' };

/** Everything that knack keeps and reads again, where a pipe has its name. */
const READERS: [what: string, name: string, read: (file: string) => unknown][] = [
  ['the uses', 'usage.jsonl', (file) => openUsage(file, String)],
  ['the ledger', 'ledger.jsonl', (file) => createLedger(file).entries()],
  [
    'a line of the ledger',
    'ledger.jsonl',
    (file) => createLedger(file).append({ type: 'breaker-reset', at: '' }),
  ],
  ['the links that were made', 'links.json', readMadeLinks],
  ['where an import comes from', 'imports/a/origin.json', (file) => readImports(join(dirname(file), '..'))],
  ['a staged draft', 'pending/a.json', (file) => createPendingFiles(dirname(file)).all()],
  ['a draft of a review', 'draft-1.json', (file) => lastDraft(dirname(file))],
  ['a claim', 'claim', (file) => takeClaim(file)],
  ['a lock', 'ledger.lock', (file) => withLock(file.replace(/\.lock$/, ''), async () => {})],
  ['a session log', 's.jsonl', (file) => createSessionLog({ file, header } as never)],
];

describe('a pipe in the place of a file of knack is refused, where reading it would never end', () => {
  test.each(READERS)('%s', async (_, name, read) => {
    const file = pipe(name);
    mkdirSync(join(dir, 'imports/a/skills'), { recursive: true });
    await expect((async () => read(file))()).rejects.toThrow('is a pipe or a device; expected a file');
  });

  test('a job of the queue is told as a broken one', async () => {
    const [job] = await createJobFiles(dirname(pipe('queue/a.json'))).all();
    expect(job).toMatchObject({ state: 'failed', error: expect.stringContaining('is a pipe or a device') });
  });

  test('settings, with the exit code and the words of any other fault of them', async () => {
    const { knack, workspace } = await freshKnack('pipe');
    await knack(['init']);
    for (const file of ['logs/usage.jsonl', 'knack.json']) {
      execFileSync('sh', ['-c', 'rm -f "$1" && mkfifo "$1"', 'sh', join(workspace, file)]);
      const { code, stderr } = await knack(['skills', 'search', 'tea']);
      expect([code, stderr]).toEqual([1, expect.stringContaining(`${file} is a pipe or a device`)]);
    }
  });
});

test('a pipe in the place of a record of trust trusts nothing', () => {
  const folder = join(dir, 'trust');
  const store = openTrustStore(folder);
  store.add('/a', { files: new Map() }, '2030-01-02T03:04:05.000Z');
  for (const name of readdirSync(folder)) {
    rmSync(join(folder, name));
    pipe(join('trust', name));
  }
  expect([store.find('/a'), store.list()]).toEqual([undefined, []]);
});

describe('links that lead around in a circle', () => {
  test('are a cache that holds nothing, and is made anew', () => {
    const file = join(dir, 'kept');
    symlinkSync('kept', file);
    expect(keptValue(file)).toBeUndefined();
    keepValue(file, { a: 1 }, 0);
    expect(keptValue(file)).toEqual({ a: 1 });
  });

  test('are no fault in knack, wherever a command is led to them', async () => {
    const { knack, workspace } = await freshKnack('loop');
    await knack(['init']);
    const loop = join(dir, 'loop');
    symlinkSync('loop', loop);
    const exported = await knack(['skills', 'export', 'git-commit', '--to', loop]);
    expect([exported.code, exported.stderr]).toEqual([
      2,
      expect.stringContaining(`--to ${loop} is a link that leads nowhere`),
    ]);
    for (const name of ['readings.bin', 'search-index.bin']) {
      rmSync(join(workspace, 'logs', name), { force: true });
      symlinkSync(name, join(workspace, 'logs', name));
    }
    const searched = await knack(['skills', 'search', 'commit']);
    expect([searched.code, searched.stdout]).toEqual([0, expect.stringContaining('git-commit')]);
    rmSync(join(workspace, 'knack.json'), { force: true });
    symlinkSync('knack.json', join(workspace, 'knack.json'));
    for (const args of [['skills', 'list'], ['doctor'], ['skills', 'validate', loop]])
      expect((await knack(args)).stderr).not.toContain('unexpected fault');
  });
});

test('a device and what is too large are refused too, in one step as well', async () => {
  const large = join(dir, 'large');
  writeFileSync(large, '');
  truncateSync(large, 300 * 1024 * 1024);
  const few = join(dir, 'few');
  writeFileSync(few, 'héllo');
  for (const read of [readOwnFile, async (file: string) => readOwnFileSync(file)]) {
    await expect(read('/dev/zero')).rejects.toThrow('/dev/zero is a pipe or a device');
    await expect(read(large)).rejects.toThrow(`${large} has 314572800 bytes, and at most 268435456 are read`);
    await expect(read(join(dir, 'none'))).rejects.toMatchObject({ code: 'ENOENT' });
    expect(await read(few)).toBe('héllo');
  }
});
