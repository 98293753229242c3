import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { toolsReached } from '../../src/scripts/chain.ts';
import { createSandbox, detectSandbox, type Sandbox } from '../../src/scripts/sandbox.ts';
import { runSkillTests } from '../../src/scripts/skill-tests.ts';
import { runSkillTool } from '../../src/scripts/skill-tool.ts';
import { callableSkills } from '../support/callable-skills.ts';

const PATH = '/usr/local/bin:/usr/bin:/bin';
const hasSandbox = (await detectSandbox(PATH)).ok;
const bare = createSandbox({
  mode: 'unsandboxed',
  path: `${process.execPath.replace(/\/node$/, '')}:${PATH}`,
  timeoutSeconds: 20,
});
const sandbox = hasSandbox ? createSandbox({ mode: 'bubblewrap', path: PATH, timeoutSeconds: 20 }) : bare;

/** `echo` answers with what it was given, `fail` with an error, `hang` never, `mark` writes a file. */
const ECHO = `
  - name: echo
    description: Answers with its parameters.
    script: scripts/echo.sh
  - name: strict
    description: Wants a number.
    script: scripts/echo.sh
    parameters: {type: object, required: [n], properties: {n: {type: number}}}
  - name: fail
    description: Fails.
    script: scripts/fail.sh
  - name: hang
    description: Never answers.
    script: scripts/hang.sh
  - name: mark
    description: Leaves a file.
    script: scripts/mark.sh
`;
const SCRIPTS = {
  'scripts/echo.sh': 'cat',
  'scripts/fail.sh': 'echo no such month >&2; exit 3',
  'scripts/hang.sh': 'sleep 600',
  'scripts/mark.sh': 'touch "$(dirname "$0")/../marker"',
};

/** A skill `sums` with these tools and a chain `go` of these steps, written as JSON. */
async function chained(
  steps: readonly { tool: string; params?: unknown }[],
  more: { tool?: object; skills?: Record<string, Record<string, string>> } = {},
) {
  const go = { name: 'go', description: 'Goes.', chain: steps, ...more.tool };
  const tools = `tools:${ECHO}  - ${JSON.stringify(go)}\n`;
  const skills = await callableSkills({ sums: { ...SCRIPTS, 'tools.yaml': tools }, ...more.skills });
  const skill = skills.skill('sums');
  expect(skill.problems).toEqual([]);
  const run = (params: unknown = {}, place: Sandbox = sandbox, signal?: AbortSignal) =>
    runSkillTool({
      skill,
      tool: 'go',
      params,
      sandbox: place,
      find: skills.find,
      ...(signal === undefined ? {} : { signal }),
    });
  return { ...skills, skill, run };
}

const OTHER = {
  'tools.yaml': `tools:
  - {name: wrap, description: d, chain: [{tool: inner, params: {deep: "{{input.value}}"}}]}
  - {name: inner, description: d, script: s.sh}
  - {name: broken, description: d, chain: [{tool: fail}]}
  - {name: fail, description: d, script: f.sh}
`,
  's.sh': 'cat',
  'f.sh': 'echo gone >&2; exit 1',
};

describe('a chain', () => {
  test('hands values on with their types, and answers with what the last step gave', async () => {
    const { run } = await chained([
      { tool: 'echo', params: { rows: [{ n: 1 }, { n: 2 }], flag: '{{input.flag}}' } },
      {
        tool: 'echo',
        params: {
          whole: '{{steps.1.data.rows}}',
          one: '{{ steps.1.data.rows.1.n }}',
          flag: '{{steps.1.data.flag}}',
          text: 'row {{steps.1.data.rows.0}} of {{input.name}}',
          list: ['{{input.name}}', { deep: '{{input.count}}' }],
          kept: 7,
          plain: '{ {x} }',
        },
      },
    ]);
    expect(await run({ flag: null, name: 'a "b"', count: 0 })).toEqual({
      status: 'success',
      data: {
        whole: [{ n: 1 }, { n: 2 }],
        one: 2,
        flag: null,
        text: 'row {"n":1} of a "b"',
        list: ['a "b"', { deep: 0 }],
        kept: 7,
        plain: '{ {x} }',
      },
    });
  });

  test('ends at its first error, which is named with its step, and runs no later one', async () => {
    const { run, root } = await chained([{ tool: 'echo' }, { tool: 'fail' }, { tool: 'mark' }]);
    expect(await run({}, bare)).toEqual({
      status: 'error',
      error_type: 'runtime_error',
      message: 'step 2 (fail): exit code 3: no such month',
    });
    expect(existsSync(join(root, 'sums/marker'))).toBe(false);
  });

  test('validates its own parameters and those of each step before that runs', async () => {
    const { run } = await chained([{ tool: 'strict', params: { n: '{{input.n}}' } }], {
      tool: { parameters: { type: 'object', required: ['n'], properties: { n: {} } } },
    });
    const [without, wrong, right] = [await run({}), await run({ n: 'two' }), await run({ n: 2 })];
    expect([without, wrong]).toMatchObject([
      {
        error_type: 'invalid_params',
        message: expect.stringMatching(/^the value must have required property 'n'/) as string,
      },
      {
        error_type: 'invalid_params',
        message: expect.stringMatching(/^step 1 \(strict\): n must be number/) as string,
      },
    ]);
    expect(right).toEqual({ status: 'success', data: { n: 2 } });
  });

  const UNKNOWN: [title: string, value: string, message: string][] = [
    ['an input that is not given', '{{input.x}}', '{{input.x}} stands for nothing'],
    ['a path that is not there', '{{steps.1.data.a.b}}', '{{steps.1.data.a.b}} stands for nothing'],
    [
      'what every object has',
      'x {{steps.1.data.constructor}}',
      '{{steps.1.data.constructor}} stands for nothing',
    ],
    ['a place beyond the end', '{{steps.1.data.list.3}}', '{{steps.1.data.list.3}} stands for nothing'],
  ];
  test.each(UNKNOWN)('says which placeholder stands for nothing: %s', async (_, value, message) => {
    const { run } = await chained([
      { tool: 'echo', params: { a: 1, list: [1] } },
      { tool: 'echo', params: { value } },
    ]);
    expect(await run()).toEqual({
      status: 'error',
      error_type: 'invalid_params',
      message: `step 2 (echo): ${message}; step 1 answered {"a":1,"list":[1]}`,
    });
  });

  test('leaves a parameter out where its one input may be left out and is', async () => {
    const parameters = { type: 'object', properties: { a: { type: 'string' } } };
    const { run } = await chained([{ tool: 'echo', params: { a: '{{input.a}}', b: 1 } }], {
      tool: { parameters },
    });
    expect([await run(), await run({ a: 'x' })]).toMatchObject([{ data: { b: 1 } }, { data: { a: 'x' } }]);
  });

  test('is stopped when its own time is over, whatever its steps may take', async () => {
    const { run } = await chained([{ tool: 'echo' }, { tool: 'hang' }], { tool: { timeout_s: 1 } });
    expect(await run()).toEqual({
      status: 'error',
      error_type: 'timeout',
      message:
        'stopped after 1 s in step 2 (hang); give it less to do, or raise timeout_s in tools.yaml (at most 120)',
    });
  });

  test('ends when it is aborted', async () => {
    const { run } = await chained([{ tool: 'hang' }]);
    const controller = new AbortController();
    const running = run({}, sandbox, controller.signal);
    controller.abort();
    await expect(running).rejects.toMatchObject({ code: 'aborted' });
  });

  test('takes tools of other skills, whose chains run too, and says where they are missing', async () => {
    const { run, skill, find } = await chained(
      [{ tool: 'other/wrap', params: { value: '{{input.value}}' } }],
      { skills: { other: OTHER } },
    );
    expect(await run({ value: [1] })).toEqual({ status: 'success', data: { deep: [1] } });
    expect(skill.tools.find(({ name }) => name === 'go')?.calls).toEqual(['other/wrap']);
    expect(toolsReached(skill, 'go', find)).toEqual(['sums/go', 'other/wrap', 'other/inner']);
    expect(await runSkillTool({ skill, tool: 'go', params: { value: 1 }, sandbox })).toEqual({
      status: 'error',
      error_type: 'not_found',
      message: 'step 1 (other/wrap): there is no such skill here',
    });
  });

  test('names the whole way to an error in a chain of a chain', async () => {
    const { run } = await chained([{ tool: 'echo' }, { tool: 'other/broken' }], { skills: { other: OTHER } });
    expect(await run()).toEqual({
      status: 'error',
      error_type: 'runtime_error',
      message: 'step 2 (other/broken): step 1 (fail): exit code 1: gone',
    });
  });

  test('through two skills that leads back to itself is refused by name', async () => {
    const back = { 'tools.yaml': 'tools: [{name: back, description: d, chain: [{tool: sums/go}]}]' };
    const { run } = await chained([{ tool: 'other/back' }], { skills: { other: back } });
    expect(await run()).toMatchObject({
      status: 'error',
      error_type: 'denied',
      message: expect.stringContaining(
        'the chain runs itself in a circle: sums/go → other/back → sums/go; take a step out',
      ) as string,
    });
  });

  test('deeper than eight in each other is refused', async () => {
    const links = Array.from({ length: 9 }, (_, index) => ({
      name: `c${index}`,
      description: 'd',
      chain: [{ tool: index === 8 ? 'end' : `c${index + 1}` }],
    }));
    const tools = [...links, { name: 'end', description: 'd', script: 's.sh' }];
    const skills = await callableSkills({ deep: { 'tools.yaml': JSON.stringify({ tools }), 's.sh': 'cat' } });
    const skill = skills.skill('deep');
    const [deep, shallower] = [
      await runSkillTool({ skill, tool: 'c0', params: {}, sandbox }),
      await runSkillTool({ skill, tool: 'c1', params: {}, sandbox }),
    ];
    expect(deep).toMatchObject({
      error_type: 'denied',
      message: expect.stringMatching(/chains stand more than 8 deep/) as string,
    });
    expect(shallower.status).toBe('success');
  });

  test('whose parameters would grow without bound is refused', async () => {
    const { run } = await chained([
      { tool: 'echo', params: { text: 'x'.repeat(1000) } },
      { tool: 'echo', params: { text: '{{steps.1.data.text}}'.repeat(2000) } },
    ]);
    expect(await run()).toMatchObject({
      error_type: 'invalid_params',
      message: expect.stringMatching(/the parameters are larger than 1 MiB/) as string,
    });
  });

  test('that does not give what it promises is an error', async () => {
    const { run } = await chained([{ tool: 'echo' }], {
      tool: { returns: { type: 'object', required: ['total'] } },
    });
    expect(await run()).toMatchObject({
      error_type: 'runtime_error',
      message: expect.stringMatching(/promises under returns/) as string,
    });
  });

  test('is tested by the cases of tests.yaml like a script', async () => {
    const tools = `tools:${ECHO}  - {name: go, description: d, chain: [{tool: strict, params: {n: "{{input.n}}"}}]}\n`;
    const tests = `cases:
  - {name: passes, tool: go, params: {n: 2}, expect: {status: success, data.n: 2}}
  - {name: refuses a text, tool: go, params: {n: two}, expect: {status: error, error_type: invalid_params}}
`;
    const skills = await callableSkills({
      sums: { ...SCRIPTS, 'tools.yaml': tools, 'tests.yaml': tests },
    });
    expect(await runSkillTests(skills.skill('sums'), sandbox)).toEqual([
      { name: 'passes', tool: 'go', passed: true },
      { name: 'refuses a text', tool: 'go', passed: true },
    ]);
  });
});
