import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { openUsage, type SkillUse } from '../../src/library/usage.ts';
import { createRedactor } from '../../src/transcript/redact.ts';
import { temporary } from '../support/skills.ts';

let file: string;

beforeEach(async () => {
  file = join(await temporary('usage'), 'usage.jsonl');
});

const open = () => openUsage(file, (text) => createRedactor().text(text));
const use = (skill: string, query: string, session = 's1'): SkillUse => ({
  skill,
  session,
  query,
  by: 'model',
  at: '2030-01-02T03:04:05.000Z',
});

test('what was recorded is there at once, and in the next process', async () => {
  const usage = await open();
  await usage.record(use('tea', 'brew some tea'));
  await usage.record(use('tea', 'make green tea', 's2'));
  await usage.record(use('bread', 'bake bread', 's2'));
  for (const each of [usage, await open()]) {
    expect(each.queriesOf('tea')).toEqual(['make green tea', 'brew some tea']);
    expect(each.loadsOf('tea')).toBe(2);
    expect(each.lastUse('bread')).toBe('2030-01-02T03:04:05.000Z');
    expect(each.lastUse('soup')).toBeUndefined();
    expect(each.mostUsed()).toEqual(['tea', 'bread']);
    expect(each.coUse()).toEqual([['bread', 'tea']]);
  }
});

test('the file is for its owner alone', async () => {
  const usage = await open();
  await usage.record(use('tea', 'brew tea'));
  expect(statSync(file).mode & 0o777).toBe(0o600);
  await usage.forget('none');
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('queries are redacted before they are kept, whole before they are cut, and on one line', async () => {
  const key = `sk-proj-${'A1b2C3d4'.repeat(6)}`;
  const usage = await open();
  await usage.record(use('tea', `call\nwith ${key}`));
  await usage.record(use('bread', `${'x '.repeat(145)}${key}`));
  const kept = readFileSync(file, 'utf8');
  expect(kept).not.toContain(key.slice(0, 12));
  expect(usage.queriesOf('tea')).toEqual(['call with [REDACTED:openai-key:1]']);
  expect(usage.queriesOf('bread')[0]?.length).toBeLessThanOrEqual(300);
});

test('of each skill the newest 30 queries count, each once, empty ones never', async () => {
  const usage = await open();
  for (let index = 0; index < 40; index += 1) await usage.record(use('tea', `query ${index}`));
  await usage.record(use('tea', 'query 39'));
  await usage.record(use('tea', '  '));
  const expected = Array.from({ length: 30 }, (_, index) => `query ${39 - index}`);
  expect(usage.queriesOf('tea')).toEqual(expected);
});

describe('forgetting', () => {
  beforeEach(async () => {
    const usage = await open();
    for (const [skill, query] of [
      ['tea', 'brew tea'],
      ['bread', 'bake bread'],
      ['tea', 'green tea'],
    ] as const)
      await usage.record(use(skill, query));
  });

  test('one skill leaves the others', async () => {
    const usage = await open();
    expect(await usage.forget('tea')).toBe(2);
    for (const each of [usage, await open()]) {
      expect(each.queriesOf('tea')).toEqual([]);
      expect(each.queriesOf('bread')).toEqual(['bake bread']);
      expect(each.coUse()).toEqual([]);
    }
    expect(readFileSync(file, 'utf8')).not.toContain('tea');
  });

  test('everything leaves nothing', async () => {
    expect(await (await open()).forget()).toBe(3);
    expect(readFileSync(file, 'utf8')).toBe('');
  });

  test('keeps what another process recorded meanwhile', async () => {
    const usage = await open();
    await (await open()).record(use('soup', 'cook soup'));
    await (await open()).record(use('tea', 'black tea'));
    expect(await usage.forget('tea')).toBe(3);
    for (const each of [usage, await open()]) expect(each.mostUsed()).toEqual(['bread', 'soup']);
  });

  test('with nothing recorded forgets nothing', async () => {
    const usage = await openUsage(join(await temporary('usage'), 'none.jsonl'), String);
    expect(await usage.forget()).toBe(0);
  });
});

test('broken and foreign lines are passed over, and a torn last line takes no later one with it', async () => {
  const usage = await open();
  await usage.record(use('tea', 'brew tea'));
  appendFileSync(file, 'null\n[]\n{"skill":"x"}\n{"skill":"tea","session":"s9","query":"half of a li');
  const after = await open();
  await after.record(use('bread', 'bake bread'));
  await after.record(use('soup', 'cook soup'));
  expect((await open()).mostUsed()).toEqual(['bread', 'soup', 'tea']);
});

test('names of object members are names like others', async () => {
  const usage = await open();
  for (const name of ['constructor', '__proto__', 'toString']) {
    expect(usage.queriesOf(name)).toEqual([]);
    await usage.record(use(name, `about ${name}`));
    expect(usage.queriesOf(name)).toEqual([`about ${name}`]);
  }
  expect((await open()).mostUsed()).toEqual(['__proto__', 'constructor', 'toString']);
});

test('a file that cannot be read or written is an error that names it', async () => {
  writeFileSync(file, '');
  const below = join(file, 'usage.jsonl');
  await expect(openUsage(below, String)).rejects.toMatchObject({
    code: 'io',
    message: expect.stringContaining(below),
  });
});
