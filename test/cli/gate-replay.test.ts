import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeFolder } from '../../src/files/folder.ts';
import { detectSandbox } from '../../src/scripts/sandbox.ts';
import { createSessionLog } from '../../src/transcript/session-log.ts';
import { freshKnack, type Knack } from '../support/command-line.ts';
import { verdictOf } from '../support/drafts.ts';
import { NAME, sessionOf, skillFolder } from '../support/gate-lab.ts';
import { BEGAN, CHECK, hasSkill, PATH, repositoryOf, working } from '../support/replay-lab.ts';
import { CORRECTION } from '../support/review-lab.ts';
import { type ScriptedModel, type Step, startScriptedModel } from '../support/scripted-model.ts';
import { temporary } from '../support/skills.ts';

const hasSandbox = (await detectSandbox(PATH)).ok;
let knack: Knack;
let workspace: string;
let skill: string;
let session: string;

beforeAll(async () => {
  ({ knack, workspace } = await freshKnack('gate-replay'));
  await knack(['init']);
  const place = await temporary('gated');
  skill = join(place, NAME);
  await writeFolder(skill, skillFolder('# Rows\n\n- Write `ready` into state.txt.'));
  session = join(place, 's1.jsonl');
  const { dir } = await repositoryOf();
  const header = { id: 's1', started: BEGAN, cwd: dir, model: 'm', purpose: 'chat' as const };
  const log = createSessionLog({ file: session, header });
  const { events } = sessionOf([
    ['user', 'Make the state right.'],
    ['call', CHECK],
    ['fail', 'the state is wrong'],
    ['call', 'edit_file: {"path":"state.txt"}'],
    ['ok', 'edited'],
    ['call', CHECK],
    ['ok', 'fine'],
  ]);
  for (const { ref: _, ...event } of events) await log.append(event);
  await log.close();
});

let server: ScriptedModel | undefined;
afterAll(() => server?.close());

/** `knack gate` on the skill, with a model that gives these answers. */
async function gate(steps: readonly Step[], ...more: readonly string[]) {
  server = await startScriptedModel(steps);
  const { code, stdout } = await knack(
    ['gate', skill, '--base', 'none', '--evidence', session, '--json', ...more],
    { OPENAI_BASE_URL: server.url },
  );
  const { url, requests } = server;
  await server.close();
  server = undefined;
  const { verdict, findings, notRun, tokens } = JSON.parse(stdout) as {
    verdict: string;
    findings: { check: string; rule: string }[];
    notRun: { check: string; why: string }[];
    tokens: number;
  };
  const rules = findings.flatMap(({ check, rule }) => (check === 'replay' ? [rule] : []));
  const why = notRun.flatMap((each) => (each.check === 'replay' ? [each.why] : []));
  return { code, verdict, rules, why, tokens, requests: requests.length, url };
}

const OFF =
  'tasks are not done again unless `review.replay` is true in knack.json, or with --replay, and a model is set';
const AGENTS = [
  ...working(['echo ready > state.txt'], hasSkill),
  ...working(['ls'], (body) => body.tools !== undefined && !hasSkill(body)),
];

test('without --replay no task is done again, and the output says so', async () => {
  const { code, verdict, why, requests } = await gate([], '--no-judge');
  expect([code, verdict, why, requests]).toEqual([0, 'pass', [OFF], 0]);
});

test.runIf(hasSandbox)('--replay does it, and tells what it cost', async () => {
  const { tokens, url: _, ...came } = await gate(AGENTS, '--no-judge', '--replay');
  expect(came).toEqual({ code: 0, verdict: 'pass', rules: [], why: [], requests: 4 });
  expect(tokens).toBeGreaterThan(0);
});

test.runIf(hasSandbox)('a tie is a refusal', async () => {
  const { code, verdict, rules } = await gate(
    [...working(['ls']), ...working(['ls'])],
    '--no-judge',
    '--replay',
  );
  expect([code, verdict, rules]).toEqual([1, 'reject', ['replay-tie']]);
});

test.runIf(hasSandbox)(
  'review.replay turns it on with the judge, and --no-judge leaves both away',
  async () => {
    await writeFile(join(workspace, 'knack.json'), JSON.stringify({ review: { replay: true } }));
    const judge = (body: Parameters<typeof hasSkill>[0]) => body.tools === undefined;
    const verdict = JSON.parse(
      JSON.stringify(verdictOf()).replaceAll(JSON.stringify(CORRECTION), '"Write `ready` into state.txt."'),
    ) as readonly unknown[];
    const answers = verdict.map((json): Step => ({ when: judge, json }));
    const on = await gate([...answers, ...AGENTS]);
    expect([on.code, on.verdict, on.rules, on.why]).toEqual([0, 'pass', [], []]);
    expect((await gate([], '--no-judge')).why).toEqual([OFF]);
  },
);
