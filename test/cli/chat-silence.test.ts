import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freshKnack, onTerminal } from '../support/command-line.ts';
import { commaSession, logSession } from '../support/review-lab.ts';
import { type Step, startScriptedModel } from '../support/scripted-model.ts';

const HANGS: Step = { raw: [], ending: 'hang', always: true };

test('on a terminal a silent model is told of, in seconds', async () => {
  const { workspace } = await freshKnack('silence');
  const model = await startScriptedModel([HANGS]);
  const { screen } = await onTerminal(
    ['chat'],
    [
      ['> ', 'hello\n'],
      ['waiting for scripted, 5 s', '\u0003'],
      ['stopped by the user', '/quit\n'],
    ],
    { workspace, env: { OPENAI_BASE_URL: model.url, KNACK_MODEL: 'scripted' } },
  );
  expect(screen).toContain('waiting for scripted, 5 s');
  await model.close();
});

test('that a model is asked again is a note on stderr', async () => {
  const { knack } = await freshKnack('silence');
  const model = await startScriptedModel([{ status: 503, error: { error: 'busy' } }, { text: 'Here.' }]);
  const env = { OPENAI_BASE_URL: model.url, KNACK_MODEL: 'scripted' };
  const { stdout, stderr } = await knack(['run', 'hello', '--json'], env);
  expect(JSON.parse(stdout)).toMatchObject({ stop: 'answer', text: 'Here.' });
  expect(stderr).toContain('no answer of scripted (busy), asking again (2 of 3)\n');
  expect(stderr).not.toContain('waiting');
  await model.close();
});

test('a review goes on beside the prompt, tells what it does, and ends with Ctrl-C', async () => {
  const { workspace } = await freshKnack('silence');
  const log = await logSession(join(workspace, 'logs/sessions'), commaSession());
  await mkdir(workspace, { recursive: true });
  await writeFile(join(workspace, 'knack.json'), '{}');
  const model = await startScriptedModel([HANGS]);
  const { code, screen } = await onTerminal(
    ['chat', '--resume', 'session-1'],
    [
      ['> ', '/review\n'],
      ['drafting', '/status\n'],
      ['for you', '/review\n'],
      ['is under way', '\u0003'],
      ['stopped', '/quit\n'],
      ['for later', '\u0003'],
    ],
    { workspace, env: { OPENAI_BASE_URL: model.url, KNACK_MODEL: 'scripted' } },
  );
  expect([log.length > 0, code]).toEqual([true, 0]);
  expect(screen).toMatch(/reviewing: \d+ signals? …[\s\S]*attempt 1: drafting …[\s\S]*wait for you/);
  await model.close();
});
