import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createOpenAiModel } from '../../src/model/openai-model.ts';
import { openRuntime } from '../../src/runtime/runtime.ts';
import { detectSandbox } from '../../src/scripts/sandbox.ts';
import type { Transcript } from '../../src/transcript/event.ts';
import { abstractOf, createDraft, verdictOf } from '../support/drafts.ts';
import { CHECK, hasSkill, PATH, repositoryOf, working } from '../support/replay-lab.ts';
import { CORRECTION, commaSession } from '../support/review-lab.ts';
import { type ChatBody, type Step, startScriptedModel } from '../support/scripted-model.ts';
import { temporary } from '../support/skills.ts';

const CALL = { role: 'assistant', kind: 'tool-call', toolName: 'shell', ref: '1' } as const;
const RESULT = { role: 'tool', kind: 'tool-result', toolName: 'shell', ref: '1' } as const;

/** The session with the decimal commas, whose check failed and passed in the end. */
async function checkedSession(): Promise<Transcript> {
  const { dir } = await repositoryOf();
  const { session, ...rest } = commaSession('session-1', [
    { ...CALL, id: 'e10', callId: 'c10', args: { command: CHECK } },
    { ...RESULT, id: 'e11', callId: 'c10', text: 'the state is wrong', exitCode: 1, isError: true },
    { ...CALL, id: 'e12', callId: 'c12', args: { command: 'echo ready > state.txt' } },
    { ...RESULT, id: 'e13', callId: 'c12', text: '', exitCode: 0, isError: false },
    { ...CALL, id: 'e14', callId: 'c14', args: { command: CHECK } },
    { ...RESULT, id: 'e15', callId: 'c14', text: 'fine', exitCode: 0, isError: false },
  ]);
  return { ...rest, session: { ...session, cwd: dir, started: '2026-01-10T12:00:00Z' } };
}

const DRAFTING: Step[] = [
  { json: abstractOf() },
  {
    json: createDraft(
      {},
      {
        evidence: [
          { session: 'session-1', event: 'e5', quote: CORRECTION },
          { session: 'session-1', event: 'e15', quote: 'fine' },
        ],
      },
    ),
  },
  ...verdictOf().map((json): Step => ({ json })),
];
const isAgent = (body: ChatBody) => body.tools !== undefined;
const agents = (having: string, without: string): Step[] => [
  ...working([having], (body) => isAgent(body) && hasSkill(body)),
  ...working([without], (body) => isAgent(body) && !hasSkill(body)),
];

/** A review in a workspace with these settings; every answer has to be asked for. */
async function review(steps: readonly Step[], settings: Record<string, unknown>) {
  const workspace = join(await temporary('review-replay'), 'workspace');
  await (await openRuntime({ workspace, environment: environment(workspace), log: () => undefined })).close();
  await writeFile(join(workspace, 'knack.json'), JSON.stringify({ review: { attempts: 1, ...settings } }));
  const server = await startScriptedModel(steps);
  const runtime = await openRuntime({
    workspace,
    environment: environment(workspace),
    log: () => undefined,
    createModel: (role) =>
      createOpenAiModel({ baseUrl: server.url, apiKey: 'none', model: role, retries: 0 }),
  });
  try {
    const outcome = await runtime.review(await checkedSession());
    const replayed = server.requests.filter(isAgent).map(({ model }) => model);
    return { outcome, replayed, entries: await (await runtime.ledger()).entries() };
  } finally {
    await runtime.close();
    await server.close();
  }
}

function environment(home: string) {
  return {
    workspace: undefined,
    apiKey: undefined,
    baseUrl: undefined,
    model: undefined,
    debug: false,
    home,
    path: PATH,
    secrets: [],
  };
}

test('off by default: a review asks reviewer and judge alone', async () => {
  const { outcome, replayed } = await review(DRAFTING, {});
  expect([outcome.outcome, replayed, outcome.tokens.replay]).toEqual(['committed', [], undefined]);
});

describe.runIf((await detectSandbox(PATH)).ok)('with review.replay', () => {
  test('what an agent does better with is committed, by the assistant’s model, and its tokens count', async () => {
    const steps = [...DRAFTING, ...agents('echo ready > state.txt', 'ls')];
    const { outcome, replayed, entries } = await review(steps, { replay: true });
    expect([outcome.outcome, outcome.reasons]).toEqual([
      'committed',
      ['convert decimal commas before adding'],
    ]);
    expect(replayed).toEqual(['assistant', 'assistant', 'assistant', 'assistant']);
    const { tokens } = outcome;
    expect(tokens.replay).toBeGreaterThan(0);
    expect(tokens.total).toBe(tokens.reviewer + tokens.judge + (tokens.replay ?? 0));
    expect(entries.find(({ type }) => type === 'review-end')).toMatchObject({ tokens });
  });

  test('a tie is refused, and the reasons say so', async () => {
    const steps = [...DRAFTING, ...agents('ls', 'ls')];
    const { outcome } = await review(steps, { replay: true });
    expect([outcome.outcome, outcome.reasons.join()]).toEqual([
      'rejected',
      expect.stringMatching(/replay\/replay-tie: .*"bash check.sh" failed with the change and without it/),
    ]);
  });
});
