import { describe, expect, test } from 'vitest';
import type { Replay, ReplayRequest, ReplayRun } from '../../../src/gate/check.ts';
import type { Claim } from '../../../src/gate/draft.ts';
import { runGate } from '../../../src/gate/gate.ts';
import { detectSandbox } from '../../../src/scripts/sandbox.ts';
import {
  checkFindings,
  checkRules,
  cite,
  draftOf,
  gateInput,
  type Input,
  type Line,
  libraryOf,
  sessionOf,
  skillFolder,
} from '../../support/gate-lab.ts';
import { BEGAN, CHECK, hasSkill, PATH, replayAt, repositoryOf, working } from '../../support/replay-lab.ts';
import { type Step, startScriptedModel } from '../../support/scripted-model.ts';

const library = await libraryOf();
const OLD = skillFolder('# Rows\n\n- Look at the header first.');
const NEW = skillFolder('# Rows\n\n- Look at the header first.\n- Write `ready` into state.txt.');
const LINES: Line[] = [
  ['user', 'Make the state right.'],
  ['call', CHECK],
  ['fail', 'the state is wrong'],
  ['call', 'edit_file: {"path":"state.txt"}'],
  ['ok', 'edited'],
  ['call', CHECK],
  ['ok', 'fine'],
];
const sessionIn = (cwd: string, id = 's1') => sessionOf(LINES, { cwd, started: BEGAN, id });

/** What the check makes of two runs; each is answered by whether the agent had the candidate. */
async function decide(
  runs: Readonly<Record<'with' | 'without', ReplayRun['kind']>>,
  input: Partial<Input> = {},
) {
  const asked: ReplayRequest[] = [];
  const replay: Replay = async (request) => {
    asked.push(request);
    const kind = runs[request.skill?.folder === NEW ? 'with' : 'without'];
    return { kind, why: `it ${kind}`, usage: { promptTokens: 10, completionTokens: 1 } };
  };
  const given: Input = { candidate: NEW, library, evidence: [sessionIn('/work')], replay, ...input };
  return { rules: await checkRules('replay', given), asked };
}

test.each<[ReplayRun['kind'], ReplayRun['kind'], string[]]>([
  ['passed', 'failed', []],
  ['passed', 'passed', ['refuse replay-tie']],
  ['failed', 'failed', ['refuse replay-tie']],
  ['failed', 'passed', ['refuse replay-worse']],
  ['impossible', 'failed', ['not run: it impossible']],
  ['passed', 'impossible', ['not run: it impossible']],
])('with it %s and without it %s', async (having, without, rules) => {
  expect((await decide({ with: having, without })).rules).toEqual(rules);
});

test('a change of a skill is held against the skill as it was, a new skill against none', async () => {
  const runs = { with: 'passed', without: 'failed' } as const;
  const skills = async (input: Partial<Input>) =>
    (await decide(runs, input)).asked.map(({ skill }) => skill?.folder);
  expect(await skills({ base: OLD })).toEqual([OLD, NEW]);
  expect(await skills({})).toEqual([undefined, NEW]);
});

test('the message says which of the ties it is', async () => {
  const message = async (kind: ReplayRun['kind'], base?: typeof OLD) => {
    const replay: Replay = async () => ({ kind, why: 'so', usage: { promptTokens: 0, completionTokens: 0 } });
    const input = { candidate: NEW, library, evidence: [sessionIn('/work')], replay };
    const [finding] = await checkFindings('replay', { ...input, ...(base === undefined ? {} : { base }) });
    return finding?.message;
  };
  expect(await message('passed')).toBe(
    'the task of the session s1 was done again, and then "bash check.sh" passed with the change and without it as well, so it shows no difference (so; without it: so)',
  );
  expect(await message('failed', OLD)).toContain(
    'failed with the change and with the skill as it was as well',
  );
});

test('a session that cannot be done again gives way to the next', async () => {
  const folders: string[] = [];
  const replay: Replay = async ({ folder, skill }) => {
    folders.push(folder);
    const kind = folder === '/gone' ? 'impossible' : skill === undefined ? 'failed' : 'passed';
    return { kind, why: 'so', usage: { promptTokens: 1, completionTokens: 0 } };
  };
  const evidence = [sessionIn('/gone'), sessionIn('/work', 's2'), sessionIn('/never', 's3')];
  expect(await checkRules('replay', { candidate: NEW, library, evidence, replay })).toEqual([]);
  expect(folders).toEqual(['/gone', '/work', '/work']);
});

const never: Replay = () => Promise.reject(new Error('this must not run'));
test.each<[string, Partial<Input>, string[]]>([
  ['no session', { evidence: [] }, ['not run: no session was given']],
  [
    'a session without an outcome',
    { evidence: [sessionOf(LINES.slice(0, 3), { cwd: '/work', started: BEGAN })] },
    ['not run: no session with a checkable outcome, which is a command that failed before it passed'],
  ],
  [
    'a skill that goes',
    { draft: draftOf([], { decision: 'retire' }) },
    ['not run: a skill that goes has nothing to show'],
  ],
  ['no change', { base: NEW }, ['not run: nothing changed']],
])('%s: nothing is done again', async (_, input, rules) => {
  const given = { candidate: NEW, library, evidence: [sessionIn('/work')], replay: never, ...input };
  expect(await checkRules('replay', given)).toEqual(rules);
});

test('off by default: without a way to run it nothing runs, and tests.yaml is told to be run elsewhere', async () => {
  const tools =
    'tools:\n  - {name: count, description: Counts., script: scripts/c.sh, parameters: {type: object}}\n';
  const candidate = skillFolder('x', {
    'tools.yaml': tools,
    'scripts/c.sh': 'echo 3\n',
    'tests.yaml': 'cases:\n  - {name: three, tool: count, params: {}, expect: {data: 3}}\n',
  });
  expect(await checkRules('replay', { candidate, library, evidence: [sessionIn('/work')] })).toEqual([
    'not run: tasks are not done again unless `review.replay` is true in knack.json, or with --replay, and a model is set',
    'not run: what tests.yaml says is run by the check `tests`',
  ]);
});

describe.runIf((await detectSandbox(PATH)).ok)('a real gate, agent, repository and sandbox', () => {
  const SOLVES = 'echo ready > state.txt';
  const LOOKS = 'cat check.sh';

  /** The gate over a real session of a real repository, where the agents run these commands. */
  async function gate(having: string, without: string) {
    const { dir } = await repositoryOf();
    const steps: Step[] = [...working([having], hasSkill), ...working([without], (body) => !hasSkill(body))];
    const server = await startScriptedModel(steps);
    try {
      return await runGate(
        gateInput({ candidate: NEW, library, evidence: [sessionIn(dir)], replay: replayAt(server.url) }),
      );
    } finally {
      await server.close();
    }
  }

  test.each<[string, string, string, string[]]>([
    [SOLVES, LOOKS, 'pass', []],
    [SOLVES, SOLVES, 'reject', ['replay-tie']],
    [LOOKS, LOOKS, 'reject', ['replay-tie']],
    [LOOKS, SOLVES, 'reject', ['replay-worse']],
  ])('`%s` with the skill and `%s` without', async (having, without, verdict, rules) => {
    const result = await gate(having, without);
    const vetoes = result.findings.filter(({ severity }) => severity === 'refuse');
    expect([result.verdict, vetoes.map(({ rule }) => rule)]).toEqual([verdict, rules]);
    expect(result.notRun.map(({ check }) => check)).not.toContain('replay');
    expect(result.usage.promptTokens).toBeGreaterThan(0);
  });
});

test('the command whose events the draft cites is the one that is run', async () => {
  const other: Line[] = [
    ['call', 'make lint'],
    ['fail', 'one problem'],
    ['call', 'make lint'],
    ['ok', 'none'],
  ];
  const evidence = [sessionOf([...LINES, ...other], { cwd: '/work', started: BEGAN })];
  const draft = draftOf([{ anchor: 'x', text: 'y', evidence: [cite('e7', 'fine')] }]);
  const { asked } = await decide({ with: 'passed', without: 'failed' }, { evidence, draft, base: OLD });
  expect(asked.map(({ command }) => command)).toEqual([CHECK, CHECK]);
});

test.each<[Claim, string, string[]]>([
  ['procedure', 'e1', []],
  ['negative', 'e1', []],
  ['preference', 'e1', ['not run: the change does not rest on what the session s1 checked']],
  ['fact', 'e7', []],
])('a %s that cites %s', async (claim, event, rules) => {
  const draft = draftOf([{ anchor: 'x', text: 'y', claim, evidence: [cite(event, 'fine')] }]);
  expect((await decide({ with: 'passed', without: 'failed' }, { draft, base: OLD })).rules).toEqual(rules);
});
