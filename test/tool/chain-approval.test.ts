import { expect, test } from 'vitest';
import type { ApprovalRule } from '../../src/config.ts';
import { createSessionDisclosure } from '../../src/disclosure/session-disclosure.ts';
import { openLibrary } from '../../src/library/library.ts';
import { createSandbox } from '../../src/scripts/sandbox.ts';
import { createApproval } from '../../src/tool/approval.ts';
import { runTool } from '../../src/tool/run-tool.ts';
import { createSkillTools } from '../../src/tool/skill-tools.ts';
import { callableSkills } from '../support/callable-skills.ts';

const TEA = {
  'SKILL.md': '---\nname: tea\ndescription: Brews tea. Use for tea.\naliases: chai\n---\n- one\n',
  'tools.yaml': 'tools: [{name: pour, description: d, script: s.sh}]',
  's.sh': 'cat',
};
const PARTY = {
  'tools.yaml':
    'tools:\n  - {name: all, description: d, chain: [{tool: more, params: {n: "{{input.n}}"}}]}\n  - {name: more, description: d, chain: [{tool: chai/pour, params: {n: "{{input.n}}"}}]}\n',
};

async function call(skill: string, tool: string, rules: readonly ApprovalRule[]) {
  const { root } = await callableSkills({ tea: TEA, party: PARTY });
  const tools = createSkillTools({
    library: await openLibrary({ roots: [{ name: 'workspace', dir: root, writable: true }] }),
    session: createSessionDisclosure(),
    sandbox: createSandbox({ mode: 'unsandboxed', path: process.env['PATH'] ?? '', timeoutSeconds: 20 }),
    onLoad: () => Promise.resolve(),
  });
  const args = JSON.stringify({ skill, tool, params: { n: 1 } });
  const context = { signal: new AbortController().signal, cwd: root };
  return runTool(tools, { id: '1', name: 'run_skill_tool', arguments: args }, context, createApproval(rules));
}

const ALLOW: ApprovalRule = { pattern: 'run_skill_tool:party/*', decision: 'allow' };
const DENY: ApprovalRule = { pattern: 'run_skill_tool:tea/*', decision: 'deny' };

test('a chain that is allowed runs the tools of other skills that it names', async () => {
  expect(await call('party', 'all', [ALLOW])).toEqual({
    text: '{"status":"success","data":{"n":1}}',
    isError: false,
  });
});

test.each([
  ['a chain', 'party', 'all'],
  ['an alias', 'chai', 'pour'],
])('a rule that denies a tool holds for %s that comes to it', async (_, skill, tool) => {
  const { text, notRun } = await call(skill, tool, [
    DENY,
    ALLOW,
    { pattern: 'run_skill_tool:chai/*', decision: 'allow' },
  ]);
  expect([notRun, text]).toEqual(['denied', 'Not run: the rule "run_skill_tool:tea/*" denies it']);
});
