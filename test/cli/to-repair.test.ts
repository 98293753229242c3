import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { Transcript, TranscriptEvent } from '../../src/transcript/event.ts';
import { freshKnack, type Knack } from '../support/command-line.ts';
import { commaSession, logSession } from '../support/review-lab.ts';
import { skillText } from '../support/skills.ts';

let knack: Knack;
let workspace = '';
const file = () => join(workspace, 'skills/adding-up/SKILL.md');
const DESCRIPTION = 'Adds up amounts of exports. Use when the amounts of an export are summed.';
const TEXT = skillText('adding-up', '- Add up the column as it is.', { description: DESCRIPTION });

beforeEach(async () => {
  ({ knack, workspace } = await freshKnack('to-repair'));
  await knack(['init']);
  await mkdir(join(workspace, 'skills/adding-up'), { recursive: true });
  await writeFile(file(), TEXT);
});

/** A session that loaded the skill as it is now: the user corrects what came of it, or takes it as good. */
async function session(id: string, day: number, went: 'failed' | 'worked'): Promise<Transcript> {
  const { events, ...rest } = commaSession(id);
  const load = {
    id: 'load',
    ref: '1',
    kind: 'skill-load',
    role: 'assistant',
    skill: 'adding-up',
    by: 'model',
    contentHash: createHash('sha256')
      .update(await readFile(file()))
      .digest('hex'),
  } as const;
  const kept =
    went === 'failed' ? events : events.filter((event) => !['e5', 'e6', 'e7', 'e8', 'e9'].includes(event.id));
  const accepted = { id: 'e9', ref: '1', kind: 'text', role: 'user', text: 'Great, thanks.' } as const;
  const [asked, ...others] = [...kept, ...(went === 'worked' ? [accepted] : [])] as [
    TranscriptEvent,
    ...TranscriptEvent[],
  ];
  const ts = `2026-01-0${day}T10:00:00.000Z`;
  return { ...rest, events: [asked, load, ...others].map((event) => ({ ...event, ts })) };
}

async function happened(id: string, day: number, went: 'failed' | 'worked'): Promise<void> {
  await logSession(join(workspace, 'logs/sessions'), await session(id, day, went));
  await knack(['review']);
}

const json = async (...args: string[]) => JSON.parse((await knack([...args, '--json'])).stdout);
const toRepair = async () =>
  (await json('skills', 'stats')).toRepair.map(
    ({ name, failures }: { name: string; failures: { session: string; event: string }[] }) => [
      name,
      ...failures.map((failure) => `${failure.session} ${failure.event}`),
    ],
  );

test('a skill that fails in three sessions loses its place in the catalog and is listed for repair until it changes', async () => {
  await happened('a', 1, 'failed');
  await happened('b', 2, 'failed');
  expect(await toRepair()).toEqual([]);
  const before = await json('skills', 'catalog');
  expect(before.text).toContain('- adding-up: Adds up');
  await happened('c', 3, 'failed');
  // A second look at the same sessions counts nothing twice.
  await knack(['review', '--again']);
  expect(await toRepair()).toEqual([['adding-up', 'a e5', 'b e5', 'c e5']]);

  const { text } = await json('skills', 'catalog');
  expect(text).not.toContain('Adds up');
  expect(text).toContain('Others, by name: adding-up');
  const found = await json('skills', 'search', 'adding-up');
  expect(found.hits[0].name).toBe('adding-up');
  const stats = (await knack(['skills', 'stats'])).stdout;
  expect(stats).toContain(
    'to repair\nadding-up: failed in 3 sessions since it last changed or worked: a (e5), b (e5), c (e5)\n',
  );
  const warnings = (await json('doctor')).checks.filter(({ what }: { what: string }) => what === 'to repair');
  expect(warnings).toMatchObject([
    { state: 'warning', message: expect.stringMatching(/^adding-up failed in 3 sessions .*a \(e5\)/) },
  ]);

  await writeFile(file(), TEXT.replace('as it is', 'with decimal points'));
  expect(await toRepair()).toEqual([]);
  expect((await json('skills', 'catalog')).text).toBe(before.text);
}, 120_000);

test('a later success sets it back, and forget drops it', async () => {
  for (const [index, id] of ['a', 'b', 'c'].entries()) await happened(id, index + 1, 'failed');
  expect(await toRepair()).toHaveLength(1);
  await happened('d', 4, 'worked');
  expect(await toRepair()).toEqual([]);
  // Whenever it is reviewed: what counts is when it happened.
  await happened('e', 3, 'failed');
  expect(await toRepair()).toEqual([]);
  for (const [index, id] of ['f', 'g', 'h'].entries()) await happened(id, index + 5, 'failed');
  expect(await toRepair()).toEqual([['adding-up', 'f e5', 'g e5', 'h e5']]);
  expect((await json('skills', 'forget', 'adding-up', '--queries')).trials).toBe(0);
  expect(await toRepair()).toHaveLength(1);
  expect((await json('skills', 'forget', 'adding-up')).trials).toBe(8);
  expect(await toRepair()).toEqual([]);
  expect(await readFile(join(workspace, 'logs/usage.jsonl'), 'utf8')).not.toContain('adding-up');
}, 120_000);

test('how many failures are borne is a setting, and a pin holds', async () => {
  await writeFile(join(workspace, 'knack.json'), JSON.stringify({ disclosure: { failures: 1 } }));
  await happened('a', 1, 'failed');
  expect(await toRepair()).toEqual([['adding-up', 'a e5']]);
  await writeFile(
    join(workspace, 'knack.json'),
    JSON.stringify({ disclosure: { failures: 1, pinned: ['adding-up'] } }),
  );
  expect((await json('skills', 'catalog')).text).toContain('- adding-up: Adds up');
});
