import { readdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createJobFiles, jobId } from '../../src/review/job-files.ts';
import type { Transcript } from '../../src/transcript/event.ts';
import { BIN, freshKnack, onTerminal, runProgram, type Typing } from '../support/command-line.ts';
import { abstractOf, createDraft, verdictOf } from '../support/drafts.ts';
import { commaSession, logSession, quietSession } from '../support/review-lab.ts';
import { type Step, startScriptedModel } from '../support/scripted-model.ts';

const MODEL = { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1', KNACK_MODEL: 'scripted' };

/** A workspace with a session that ended. */
async function workspaceWith(session: Transcript): Promise<string> {
  const { knack, workspace } = await freshKnack('chat-end');
  await knack(['init']);
  await logSession(join(workspace, 'logs/sessions'), session);
  return workspace;
}

/** A chat that goes on with session-1 and ends at once, so that the review is all that asks the model. */
async function chat(workspace: string, url: string, typing: readonly Typing[] = []) {
  const env = { OPENAI_BASE_URL: url, KNACK_MODEL: 'scripted' };
  const quit: Typing = ['> ', '/quit\n'];
  const { code, screen } = await onTerminal(['chat', '--resume', 'session-1'], [quit, ...typing], {
    workspace,
    env,
  });
  const lines = screen.replaceAll('\r', '').split('\n');
  const at = lines.findIndex((line) => line.startsWith('reviewing'));
  return {
    code,
    told: lines.slice(at).filter((line) => line !== ''),
    left: await readdir(join(workspace, 'logs/queue')),
  };
}

// `script` of util-linux makes the terminal.
describe.runIf(process.platform === 'linux')('the end of a chat on a terminal', () => {
  test('waits for its review and names what was learned', async () => {
    const [questions, defect] = verdictOf();
    const steps: Step[] = [abstractOf(), createDraft(), questions, defect].map((json) => ({ json }));
    const model = await startScriptedModel(steps);
    const { code, told, left } = await chat(await workspaceWith(commaSession()), model.url);
    await model.close();
    expect([code, told[0], told.at(-1), left]).toEqual([
      0,
      'reviewing what was said; Ctrl-C leaves it for later',
      'learned: decimal-comma-amounts 1.0.0; `knack skills log decimal-comma-amounts` shows it',
      [],
    ]);
  });

  test('tells what came of its own session, not of one that waited from before', async () => {
    const workspace = await workspaceWith(quietSession('session-1'));
    const earlier = { session: 'earlier', file: await logSession(workspace, quietSession('earlier')) };
    await createJobFiles(join(workspace, 'logs/queue')).write({
      ...earlier,
      id: jobId(earlier),
      added: '2026-01-01T00:00:00Z',
      state: 'waiting',
    });
    const model = await startScriptedModel([]);
    const { told, left } = await chat(workspace, model.url);
    await model.close();
    expect([told.at(-1), told.join().includes('skills log'), left]).toEqual([
      'reviews: nothing learned from 1 session',
      false,
      [],
    ]);
  });

  test('leaves the review for later on Ctrl-C', async () => {
    const silent = createServer(() => undefined);
    await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done));
    const address = silent.address();
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/v1`;
    const { code, told, left } = await chat(await workspaceWith(commaSession()), url, [
      ['for later', '\u0003'],
    ]);
    silent.closeAllConnections();
    silent.close();
    expect([code, told.at(-1), left.length]).toEqual([
      0,
      '1 review is left: `knack review` does it now, or the next `knack chat`',
      1,
    ]);
  });

  test('does not try again by itself what failed, as long as nothing is said', async () => {
    const workspace = await workspaceWith(commaSession());
    const model = await startScriptedModel([{ text: 'I have no idea.', always: true }]);
    const env = { OPENAI_BASE_URL: model.url, KNACK_MODEL: 'scripted' };
    const typing: Typing[] = [
      ['> ', '/review\n'],
      ['tokens)', '/quit\n'],
    ];
    const { screen } = await onTerminal(['chat', '--resume', 'session-1'], typing, { workspace, env });
    const asked = model.requests.length;
    await chat(workspace, model.url);
    expect([screen.match(/^failed/gm)?.length, model.requests.length]).toEqual([1, asked]);
    expect(screen).toContain('it is not tried again by itself; `knack review` tries again');
    await runProgram(process.execPath, [BIN, 'review'], { workspace, env });
    expect(model.requests.length).toBeGreaterThan(asked);
    await model.close();
  });

  test.each([
    ['without a model', [], {}, 'no model is set'],
    ['with a session that there is none of', ['--resume', 'nope'], MODEL, 'nope'],
    ['without a model for a session that there is none of', ['--resume', 'nope'], {}, 'no model is set'],
  ])('a chat that cannot begin ends at once: %s', async (_, words, env, told) => {
    const { workspace } = await freshKnack('chat-begin');
    const { code, screen } = await onTerminal(['chat', ...words], [], { workspace, env });
    expect([code, screen.includes(told), screen.includes('> ')]).toEqual([1, true, false]);
  });
});
