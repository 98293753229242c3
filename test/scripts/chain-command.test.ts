import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { detectSandbox } from '../../src/scripts/sandbox.ts';
import { freshKnack } from '../support/command-line.ts';
import { skillText } from '../support/skills.ts';

const hasSandbox = (await detectSandbox('/usr/local/bin:/usr/bin:/bin')).ok;

const FILES = {
  'tea/SKILL.md': skillText('tea', '- Warm the pot.'),
  'tea/tools.yaml':
    'tools: [{name: pour, description: Pours., script: pour.sh, parameters: {required: [ml], properties: {ml: {type: number}}}}]',
  'tea/pour.sh': 'cat',
  'party/SKILL.md': skillText('party', '- Ask how many come.'),
  'party/tools.yaml':
    'tools: [{name: serve, description: Serves., parameters: {required: [ml], properties: {ml: {type: number}}}, chain: [{tool: tea/pour, params: {ml: "{{input.ml}}"}}]}]',
  'party/tests.yaml':
    'cases:\n  - {name: serves, tool: serve, params: {ml: 200}, expect: {status: success, data.ml: 200}}\n  - {name: wants a number, tool: serve, params: {ml: much}, expect: {error_type: invalid_params}}\n',
};

async function withParty() {
  const { knack, workspace } = await freshKnack('chain');
  for (const [path, text] of Object.entries(FILES)) {
    const file = join(workspace, 'skills', path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  return { knack, party: join(workspace, 'skills/party') };
}

describe.runIf(hasSandbox)('in the sandbox, a chain with a tool of another skill', () => {
  test('is run by `knack skills test`', async () => {
    const { knack } = await withParty();
    const { code, stdout } = await knack(['skills', 'test', 'party', '--json']);
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { passed: 2, failed: 0 }]);
  });

  test('is run by the gate', async () => {
    const { knack, party } = await withParty();
    const { stdout } = await knack(['gate', party, '--base', 'none', '--no-judge', '--json']);
    const { findings } = JSON.parse(stdout) as { findings: { check: string }[] };
    expect(findings.filter(({ check }) => check === 'tests')).toEqual([]);
  });
});

test('`knack skills test --propose` prints cases that its reader takes, one for each required parameter', async () => {
  const { knack } = await withParty();
  const { code, stdout } = await knack(['skills', 'test', '--propose', 'party', '--json']);
  expect([code, JSON.parse(stdout)]).toMatchObject([
    0,
    [
      {
        skill: 'party',
        cases: [
          { name: 'serve answers' },
          { name: 'serve refuses a call without ml' },
          { name: 'serve refuses a call with ml of a wrong type' },
        ],
      },
    ],
  ]);
});
