import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { readTestsFile } from '../../src/skill/tests-file.ts';
import { freshKnack } from '../support/command-line.ts';
import { commaSession, logSession } from '../support/review-lab.ts';
import { skillText } from '../support/skills.ts';

const { knack, workspace } = await freshKnack('skill-folders');

const TOOLS = JSON.stringify({
  tools: [{ name: 'add', description: 'Adds.', script: 'scripts/add.sh', parameters: { type: 'object' } }],
});

beforeAll(async () => {
  for (const name of ['adds', 'sums']) {
    const dir = join(workspace, 'skills', name);
    await mkdir(join(dir, 'scripts'), { recursive: true });
    await writeFile(join(dir, 'SKILL.md'), skillText(name, '- add'));
    await writeFile(join(dir, 'tools.yaml'), TOOLS);
    await writeFile(join(dir, 'scripts/add.sh'), '#!/bin/sh\necho 3\n');
  }
});

const CASES = [{ name: 'add answers', tool: 'add', params: {}, expect: { status: 'success' } }];

test('proposed cases are a tests.yaml as they are printed', async () => {
  const { code, stdout } = await knack(['skills', 'test', '--propose', 'adds']);
  expect([code, readTestsFile(stdout)]).toEqual([0, { value: CASES, problems: [] }]);
  expect(stdout).toMatch(/^cases:\n {2}- name: add answers\n {4}tool: add\n/);
});

test('proposed cases of several skills are a document each, with a line that names the skill', async () => {
  const { code, stdout } = await knack(['skills', 'test', '--propose', 'adds', 'sums']);
  const documents = stdout.split('---\n').slice(1);
  expect([
    code,
    documents.map((text) => text.split('\n')[0]),
    documents.map((text) => readTestsFile(text).value),
  ]).toEqual([0, ['# adds/tests.yaml', '# sums/tests.yaml'], [CASES, CASES]]);
});

test('nothing is proposed for a skill without tools, which is said', async () => {
  const { code, stderr } = await knack(['skills', 'test', '--propose', 'decision-record']);
  expect([code, stderr]).toEqual([1, 'knack: decision-record has no tools, so there is nothing to test\n']);
});

test.each([
  ['skills', 'list'],
  ['skills', 'search', 'add'],
  ['skills', 'catalog'],
])('%s %s of a root that is no folder is an error that names it', async (...args) => {
  const { code, stdout, stderr } = await knack([...args, '--root', '/nonexist']);
  expect([code, stdout, stderr]).toEqual([
    1,
    '',
    'knack: the root /nonexist is no folder; expected a folder of skills\n',
  ]);
});

test('transcript counts failed calls only where some are marked', async () => {
  const session = commaSession('session-1');
  const plain = await knack(['transcript', await logSession(workspace, session)]);
  const events = session.events.map((event) =>
    event.kind === 'tool-result' && event.id === 'e3' ? { ...event, isError: true } : event,
  );
  const marked = await knack([
    'transcript',
    await logSession(workspace, { ...commaSession('session-2'), events }),
  ]);
  expect([plain.stdout, marked.stdout].map((text) => text.match(/\d+ tool calls.*/)?.[0])).toEqual([
    '2 tool calls',
    '2 tool calls (1 marked as failed)',
  ]);
});
