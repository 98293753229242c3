import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createOutput } from '../../src/cli/output.ts';
import { createReviewNews } from '../../src/cli/review-ends.ts';
import { createLedger } from '../../src/review/ledger.ts';
import type { PendingStore } from '../../src/review/pending.ts';
import { openReviewQueue } from '../../src/review/queue.ts';
import { reviewClaim } from '../../src/review/running-reviews.ts';
import { freshKnack, onTerminal, type Typing } from '../support/command-line.ts';
import { abstractOf, createDraft, NOTHING, verdictOf } from '../support/drafts.ts';
import { commaSession, logSession } from '../support/review-lab.ts';
import { type Step, startScriptedModel } from '../support/scripted-model.ts';
import { temporary } from '../support/skills.ts';

/** A workspace with a session that a chat can go on with. */
async function given() {
  const fresh = await freshKnack('chat-reviews');
  await fresh.knack(['init']);
  await logSession(join(fresh.workspace, 'logs/sessions'), commaSession());
  return fresh;
}

function chat(workspace: string, url: string, typing: readonly Typing[]) {
  const env = { OPENAI_BASE_URL: url, KNACK_MODEL: 'scripted' };
  return onTerminal(['chat', '--resume', 'session-1'], typing, { workspace, env });
}

// `script` of util-linux makes the terminal.
describe.runIf(process.platform === 'linux')('on a terminal', () => {
  test('/status counts a review that somebody looks on at, and none that was stopped', async () => {
    const { workspace } = await given();
    // It never answers.
    const silent = createServer(() => undefined);
    await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done));
    const address = silent.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const { screen } = await chat(workspace, `http://127.0.0.1:${port}/v1`, [
      ['> ', '/review\n'],
      ['drafting', '/status\n'],
      ['reviews: 1 running, 0 waiting', '\u0003'],
      ['stopped while the model answered', '/status\n'],
      ['reviews: 0 running', '/quit\n'],
      ['for later', '\u0003'],
    ]);
    silent.closeAllConnections();
    silent.close();
    expect(screen.match(/running: session-1/g)).toHaveLength(1);
  });

  const judged = verdictOf().map((json) => ({ json }));
  const drafted: Step[] = [{ json: abstractOf() }, { json: createDraft() }, ...judged];
  test.each<[string, Step[], string, RegExp]>([
    [
      'commits',
      drafted,
      'commit',
      /learned: decimal-comma-amounts 1\.0\.0; `knack skills log decimal-comma-amounts` shows it/g,
    ],
    [
      'stages',
      drafted,
      'propose',
      /a change of decimal-comma-amounts waits for you: knack skills pending \w{6}/g,
    ],
    [
      'finds nothing',
      [{ json: NOTHING }],
      'commit',
      /the review of session-1 found nothing to learn: any able reader knows that/g,
    ],
    [
      'fails',
      [{ status: 400, error: { message: 'no such model' }, always: true }],
      'commit',
      /the review of session-1 failed: .*no such model.*; `knack review` tries again/g,
    ],
  ])('a review in the background that %s says so in one line, once', async (_, steps, autonomy, line) => {
    const { workspace } = await given();
    await writeFile(join(workspace, 'knack.json'), JSON.stringify({ review: { autonomy } }));
    const model = await startScriptedModel(steps);
    const { screen } = await chat(workspace, model.url, [
      ['> ', '/new\n'],
      [{ commits: 'shows it', stages: 'pending ', fails: 'tries again' }[_] ?? 'nothing to learn', '/quit\n'],
    ]);
    await model.close();
    expect(screen.replace(/\s+/g, ' ').match(line)).toHaveLength(1);
    expect(screen).not.toContain('reviews: nothing learned');
  });
});

test('`knack reviews` names a review that another process is at, until that process is gone', async () => {
  const { knack, workspace } = await given();
  const reviews = join(workspace, 'logs/reviews');
  const mark = { id: 'r1', at: '2026-03-01T10:00:00.000Z', session: 'session-1', events: 1, prefix: 'x' };
  await createLedger(join(workspace, 'logs/ledger.jsonl')).append({ type: 'review-start', ...mark });
  const shown = async (holder: number) => {
    await mkdir(reviews, { recursive: true });
    await writeFile(reviewClaim(reviews, 'session-1'), `${holder} token`);
    const { stdout } = await knack(['reviews']);
    const json = JSON.parse((await knack(['reviews', '--json'])).stdout);
    return [stdout, json.running];
  };
  const running = { id: 'r1', session: 'session-1', at: mark.at };
  expect(await shown(process.pid)).toEqual(['r1  2026-03-01T10:00  running  session-1\n', [running]]);
  expect(await shown(999_999_999)).toEqual(['no reviews yet\n', []]);
});

test('with --json nothing is told of a review before the end of the chat', async () => {
  const queue = await openReviewQueue({
    dir: await temporary('news'),
    run: async () => ({ outcome: 'nothing', reasons: ['no signal'] }),
    now: () => new Date(0),
  });
  const [plain, json] = [false, true].map((isJson) =>
    createReviewNews(
      { queue, pending: async () => ({ list: async () => [] }) as unknown as PendingStore },
      createOutput(isJson),
    ),
  );
  await queue.add({ session: 's', file: '/s.jsonl' });
  await queue.onIdle();
  expect([await plain?.collect(), await json?.collect(), (await json?.rest())?.length]).toEqual([
    true,
    false,
    1,
  ]);
});
