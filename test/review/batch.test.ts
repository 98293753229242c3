import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { KnackError } from '../../src/errors.ts';
import { type BatchItem, reviewPaths } from '../../src/review/batch.ts';
import { findTranscripts } from '../../src/review/find-transcripts.ts';
import { reviewTranscript } from '../../src/review/review.ts';
import { readTranscript } from '../../src/transcript/read.ts';
import { createSessionLog } from '../../src/transcript/session-log.ts';
import { openLab, quietSession, type ReviewLab } from '../support/review-lab.ts';
import { temporary } from '../support/skills.ts';

let lab: ReviewLab;
let dir = '';
beforeEach(async () => {
  lab = await openLab();
  dir = await temporary('sessions');
});

async function logSession(name: string): Promise<void> {
  const log = createSessionLog({
    file: join(dir, `${name}.jsonl`),
    header: { id: name, started: '2026-01-01T00:00:00Z', cwd: '/', model: 'm', purpose: 'chat' },
  });
  for (const { ref: _, ...event } of quietSession().events) await log.append(event);
  await log.close();
}

function run(more: Partial<Parameters<typeof reviewPaths>[0]> = {}) {
  const items: BatchItem[] = [];
  const summary = reviewPaths({
    paths: [dir],
    cwd: '/',
    read: (file) => readTranscript(file),
    review: (transcript) => reviewTranscript(lab.parts, transcript),
    onItem: (item) => items.push(item),
    ...more,
  });
  return summary.then((value) => ({ summary: value, items }));
}

test('every transcript is an item; a bad one is named and never stops the run', async () => {
  for (const name of ['a', 'c']) await logSession(name);
  await writeFile(join(dir, 'b.json'), '{"hello": "world"}');
  const { summary, items } = await run();
  expect(summary).toEqual({
    items: 3,
    outcomes: { nothing: 2, unreadable: 1 },
    tokens: 0,
    failed: [join(dir, 'b.json')],
  });
  expect(items.map(({ file, kind }) => [file.slice(dir.length + 1), kind])).toEqual([
    ['a.jsonl', 'reviewed'],
    ['b.json', 'unreadable'],
    ['c.jsonl', 'reviewed'],
  ]);
});

test('a second run reviews nothing anew, and adds nothing to the ledger', async () => {
  await logSession('a');
  await run();
  const before = await lab.ledger.entries();
  const { items } = await run();
  const [item] = items;
  expect(item?.kind === 'reviewed' && item.review.reasons[0]).toMatch(/^reviewed already: /);
  expect(await lab.ledger.entries()).toEqual(before);
});

test('a review that throws is a failed item, and the others go on', async () => {
  for (const name of ['a', 'b']) await logSession(name);
  const { summary } = await run({
    review: async (transcript) => {
      if (transcript.session.id === 'a') throw new TypeError('boom');
      return reviewTranscript(lab.parts, transcript);
    },
  });
  expect(summary).toMatchObject({
    items: 2,
    outcomes: { failed: 1, nothing: 1 },
    failed: [join(dir, 'a.jsonl')],
  });
});

test('a stopped run says so, and the next one goes on where it stopped', async () => {
  for (const name of ['a', 'b', 'c']) await logSession(name);
  const seen: string[] = [];
  const { summary } = await run({
    review: async (transcript) => {
      if (transcript.session.id === 'b') throw new KnackError('aborted', 'stopped');
      return reviewTranscript(lab.parts, transcript);
    },
  });
  expect(summary).toMatchObject({ items: 1, stopped: 'aborted' });
  await run({
    review: async (transcript) => {
      const outcome = await reviewTranscript(lab.parts, transcript);
      if (!outcome.reasons.join().startsWith('reviewed already')) seen.push(transcript.session.id);
      return outcome;
    },
  });
  expect(seen).toEqual(['b', 'c']);
});

test('the ceiling of a run stops it before the next transcript', async () => {
  for (const name of ['a', 'b']) await logSession(name);
  const { summary } = await run({
    maxTokens: 100,
    review: async (transcript) => ({
      ...(await reviewTranscript(lab.parts, transcript)),
      tokens: { reviewer: 150, judge: 0, total: 150 },
    }),
  });
  expect(summary).toMatchObject({ items: 1, tokens: 150, stopped: 'token-ceiling' });
});

test('files and folders are found once, sorted, and a path that is not there throws before anything is reviewed', async () => {
  await mkdir(join(dir, 'deep'));
  for (const name of ['b.jsonl', 'deep/a.traj', 'notes.md']) await writeFile(join(dir, name), '{}');
  expect(await findTranscripts(['.', join(dir, 'b.jsonl'), 'notes.md'], dir)).toEqual(
    ['b.jsonl', 'deep/a.traj', 'notes.md'].map((name) => join(dir, name)),
  );
  await expect(run({ paths: [dir, '/not/there'] })).rejects.toMatchObject({ code: 'not-found' });
  expect(await lab.ledger.entries()).toEqual([]);
});

test('links in circles, to themselves and to nothing end, and each file is found once by its own name', async () => {
  await mkdir(join(dir, 'z/deep'), { recursive: true });
  for (const name of ['b.jsonl', 'z/a.traj', 'z/deep/c.json']) await writeFile(join(dir, name), '{}');
  const outside = await temporary('outside');
  await writeFile(join(outside, 'd.jsonl'), '{}');
  const links = { loop: '.', 'z/up': '..', 'z/deep/top': dir, a: 'z', 'a.json': 'z/a.traj', out: outside };
  for (const [name, target] of Object.entries({ ...links, 'self.json': 'self.json', 'none.json': 'none' }))
    await symlink(target, join(dir, name));
  expect(await findTranscripts([dir, join(dir, 'loop/z'), join(dir, 'a.json')], '/')).toEqual(
    ['b.jsonl', 'out/d.jsonl', 'z/a.traj', 'z/deep/c.json'].map((name) => join(dir, name)),
  );
});

// The system's administrator may read all.
test.runIf(process.getuid?.() !== 0)(
  'a folder that may not be read is an item, and the others go on',
  async () => {
    await logSession('a');
    await mkdir(join(dir, 'closed'), { mode: 0o000 });
    const { items } = await run();
    await chmod(join(dir, 'closed'), 0o700);
    expect(items.map(({ file, kind }) => [file.slice(dir.length + 1), kind])).toEqual([
      ['a.jsonl', 'reviewed'],
      ['closed', 'unreadable'],
    ]);
  },
);
