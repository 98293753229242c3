import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { openUsage, type SkillUse } from '../../src/library/use/usage.ts';
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

test('what was recorded under a former name counts with the rest, in the order of time', async () => {
  const usage = await open();
  const at = (day: number) => `2030-01-0${day}T03:04:05.000Z`;
  await usage.record({ ...use('tea', 'first'), at: at(1) });
  await usage.record({ ...use('tea', 'third'), at: at(3) });
  await usage.record({ ...use('brew', 'second'), at: at(2) });
  await usage.record({ ...use('bread', 'bake'), at: at(4) });
  await usage.record({ ...use('bread', 'bake'), at: at(4) });
  expect(usage.queriesOf('tea', 'brew')).toEqual(['third', 'second', 'first']);
  expect(usage.loadsOf('tea', 'brew')).toBe(3);
  expect(usage.lastUse('brew', 'tea')).toBe(at(3));
  expect(usage.mostUsed((name) => (name === 'brew' ? 'tea' : name))).toEqual(['tea', 'bread']);
});

test('the words of a session that went wrong with a skill do not ask for it, until it is seen to have worked', async () => {
  const usage = await open();
  await usage.record(use('tea', 'brew some tea', 'good'));
  await usage.record(use('tea', 'mend the boiler', 'bad'));
  await usage.record(use('pipes', 'mend the boiler', 'bad'));
  const trial = { skill: 'tea', hash: 'h', session: 'bad', event: 'e4', at: '2030-01-02T03:04:05.000Z' };
  await usage.tried({ ...trial, outcome: 'failed' });
  for (const each of [usage, await open()]) {
    expect(each.queriesOf('tea')).toEqual(['brew some tea']);
    expect(each.queriesOf('pipes')).toEqual(['mend the boiler']);
    expect(each.coUse()).toEqual([]);
    expect(each.loadsOf('tea')).toBe(2);
  }
  await usage.tried({ ...trial, outcome: 'worked' });
  expect(usage.queriesOf('tea')).toEqual(['mend the boiler', 'brew some tea']);
  expect(usage.coUse()).toEqual([['pipes', 'tea']]);
});

test('of a session that loads a whole library the first 50 skills count as used together', async () => {
  const lines = Array.from({ length: 5000 }, (_, at) => `${JSON.stringify(use(`s${at}`, 'try'))}\n`);
  writeFileSync(file, lines.join(''));
  const pairs = (await open()).coUse();
  expect(pairs).toHaveLength((50 * 49) / 2);
  expect(pairs.flat().every((name) => Number(name.slice(1)) < 50)).toBe(true);
});

test('the file is for its owner alone', async () => {
  const usage = await open();
  await usage.record(use('tea', 'brew tea'));
  expect(statSync(file).mode & 0o777).toBe(0o600);
  await usage.forget({ skills: ['none'] });
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
    expect(await usage.forget({ skills: ['tea'] })).toEqual({ uses: 2, queries: 2, pairs: 1, trials: 0 });
    for (const each of [usage, await open()]) {
      expect(each.queriesOf('tea')).toEqual([]);
      expect(each.queriesOf('bread')).toEqual(['bake bread']);
      expect(each.coUse()).toEqual([]);
    }
    expect(readFileSync(file, 'utf8')).not.toContain('tea');
  });

  test('everything leaves nothing', async () => {
    appendFileSync(file, '{"skill":"soup","query":"half of a li');
    expect(await (await open()).forget()).toEqual({ uses: 3, queries: 3, pairs: 1, trials: 0 });
    expect(readFileSync(file, 'utf8').trim()).toBe('');
    await (await open()).record(use('soup', 'cook soup'));
    expect((await open()).mostUsed()).toEqual(['soup']);
  });

  test('keeps what another process recorded meanwhile', async () => {
    const usage = await open();
    await (await open()).record(use('soup', 'cook soup'));
    await (await open()).record(use('tea', 'black tea'));
    expect(await usage.forget({ skills: ['tea'] })).toEqual({ uses: 3, queries: 3, pairs: 2, trials: 0 });
    for (const each of [usage, await open()]) expect(each.mostUsed()).toEqual(['bread', 'soup']);
  });

  test('the queries alone leaves loads and co-use', async () => {
    const usage = await open();
    expect(await usage.forget({ skills: ['tea'], part: 'queries' })).toEqual({
      uses: 0,
      queries: 2,
      pairs: 0,
      trials: 0,
    });
    expect(readFileSync(file, 'utf8')).not.toContain('green');
    for (const each of [usage, await open()])
      expect([each.queriesOf('tea'), each.loadsOf('tea'), each.coUse()]).toEqual([[], 2, [['bread', 'tea']]]);
  });

  test('co-use alone leaves loads and queries', async () => {
    const usage = await open();
    expect(await usage.forget({ part: 'co-use' })).toEqual({ uses: 0, queries: 0, pairs: 1, trials: 0 });
    for (const each of [usage, await open()])
      expect([each.queriesOf('tea'), each.loadsOf('tea'), each.coUse()]).toEqual([
        ['green tea', 'brew tea'],
        2,
        [],
      ]);
  });

  test('a second time forgets nothing', async () => {
    const usage = await open();
    for (const part of ['queries', 'co-use'] as const) {
      await usage.forget({ skills: ['tea'], part });
      expect(await usage.forget({ skills: ['tea'], part })).toEqual({
        uses: 0,
        queries: 0,
        pairs: 0,
        trials: 0,
      });
    }
  });

  test('a torn line that names the skill goes with it, one that does not stays', async () => {
    appendFileSync(file, '{"skill":"bread","query":"half of\n{"skill":"tea","query":"secret ble');
    await (await open()).forget({ skills: ['tea'] });
    const left = readFileSync(file, 'utf8');
    expect([left.includes('half of'), left.includes('secret')]).toEqual([true, false]);
  });

  test('a running process sees it when it looks again', async () => {
    const running = await open();
    await (await open()).forget({ skills: ['tea'] });
    await (await open()).record(use('soup', 'cook soup'));
    expect(running.mostUsed()).toEqual(['tea', 'bread']);
    await running.refresh();
    expect(running.mostUsed()).toEqual(['bread', 'soup']);
  });

  test('loses no line that another process appends meanwhile', async () => {
    const line = `${JSON.stringify(use('soup', 'cook soup'))}\\n`;
    const script = `const { appendFileSync } = require('node:fs');
      for (let index = 0; index < 2000; index += 1) appendFileSync(process.argv[1], '${line}');`;
    const child = spawn(process.execPath, ['--eval', script, file]);
    let isRunning = true;
    const ended = once(child, 'close').then(() => {
      isRunning = false;
    });
    const usage = await open();
    for (let round = 0; isRunning; round += 1) {
      await usage.record(use('tea', `tea ${round}`));
      await usage.forget({ skills: ['tea'] });
    }
    await ended;
    await usage.refresh();
    expect([usage.loadsOf('soup'), usage.loadsOf('bread'), usage.loadsOf('tea')]).toEqual([2000, 1, 0]);
  });

  test('with nothing recorded forgets nothing', async () => {
    const usage = await openUsage(join(await temporary('usage'), 'none.jsonl'), String);
    expect(await usage.forget()).toEqual({ uses: 0, queries: 0, pairs: 0, trials: 0 });
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
