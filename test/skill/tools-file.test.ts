import { expect, test } from 'vitest';
import { readToolsFile } from '../../src/skill/tools-file.ts';

const SCRIPT = '  - {name: s, description: d, script: s.sh}\n';

const CHAINS: [title: string, tool: string, fault: string][] = [
  [
    'no tool of the file',
    '{name: c, description: d, chain: [{tool: t}]}',
    'has a step 1 (t) that is none of the tools in this file; one of another skill is SKILL/TOOL',
  ],
  [
    'more than a skill and a tool',
    '{name: c, description: d, chain: [{tool: a/b/c}]}',
    'has a step 1 (a/b/c) that is no SKILL/TOOL',
  ],
  [
    'a placeholder without quotes',
    '{name: c, description: d, chain: [{tool: s, params: {deep: [{x: {{input.x}}}]}}]}',
    'has a step 1 (s) that has a placeholder without quotes: write "{{input.x}}"',
  ],
  [
    'a placeholder of no known kind',
    '{name: c, description: d, chain: [{tool: s, params: {x: "{{inputs.x}}"}}]}',
    'has a step 1 (s) that uses {{inputs.x}}; a placeholder begins with input or steps',
  ],
  [
    'a step that comes later',
    '{name: c, description: d, chain: [{tool: s}, {tool: s, params: {x: "a {{steps.2.data}}"}}]}',
    'has a step 2 (s) that uses {{steps.2.data}}; there is no such step before it (the first is steps.1)',
  ],
  [
    'a step counted from 0',
    '{name: c, description: d, chain: [{tool: s}, {tool: s, params: {x: "{{steps.0.data}}"}}]}',
    'has a step 2 (s) that uses {{steps.0.data}}; there is no such step before it (the first is steps.1)',
  ],
  [
    'a step without its data',
    '{name: c, description: d, chain: [{tool: s}, {tool: s, params: {x: "{{steps.1.total}}"}}]}',
    'has a step 2 (s) that uses {{steps.1.total}}; what a step answered is under steps.1.data',
  ],
  [
    'an input that its schema does not take',
    '{name: c, description: d, parameters: {additionalProperties: false, properties: {y: {}}}, chain: [{tool: s, params: {x: "{{input.x}}"}}]}',
    'has a step 1 (s) that uses {{input.x}}, which is none of its parameters',
  ],
  ['itself', '{name: c, description: d, chain: [{tool: c}]}', 'runs itself in a circle: c → c'],
];

test.each(CHAINS)('a chain with %s is refused by name, and costs no other tool', (_, tool, fault) => {
  const { value, problems } = readToolsFile(`tools:\n  - ${tool}\n${SCRIPT}`);
  expect(value.map(({ name }) => name)).toEqual(['s']);
  expect(problems).toEqual([
    { rule: 'tools-file', severity: 'error', message: `tools.yaml: the tool "c" ${fault}` },
  ]);
});

test('chains that run each other in a circle are each refused; one that only leads there is not', () => {
  const chain = (name: string, next: string) =>
    `  - {name: ${name}, description: d, chain: [{tool: ${next}}]}\n`;
  const { value, problems } = readToolsFile(
    `tools:\n${chain('a', 'b')}${chain('b', 'c')}${chain('c', 'b')}${SCRIPT}`,
  );
  expect([value.map(({ name }) => name), problems.map(({ message }) => message)]).toEqual([
    ['a', 's'],
    [
      'tools.yaml: the tool "b" runs itself in a circle: b → c → b',
      'tools.yaml: the tool "c" runs itself in a circle: c → b → c',
    ],
  ]);
});

test('a sound chain is read, and what it runs of other skills counts as called', () => {
  const tool =
    '{name: c, description: d, calls: [x/y], chain: [{tool: a/b, params: {x: "{{input.x}}"}}, {tool: s}, {tool: a/b}]}';
  expect(readToolsFile(`tools:\n  - ${tool}\n${SCRIPT}`)).toMatchObject({
    problems: [],
    value: [
      { name: 'c', calls: ['x/y', 'a/b'] },
      { name: 's', calls: [] },
    ],
  });
});

const HOSTILE: [title: string, text: string][] = [
  [
    'parameters of a step, 20,000 deep',
    `tools:\n  - {name: c, description: d, chain: [{tool: s, params: {x: ${'['.repeat(20_000)}${']'.repeat(20_000)}}}]}\n${SCRIPT}`,
  ],
  [
    'parameters of a step, 2,000 deep',
    `tools:\n  - {name: c, description: d, chain: [{tool: s, params: {x: ${'['.repeat(2000)}${']'.repeat(2000)}}}]}\n${SCRIPT}`,
  ],
  [
    'a schema, 2,000 deep',
    `tools:\n  - {name: c, description: d, script: s, parameters: ${'{not: '.repeat(2000)}{}${'}'.repeat(2000)}}\n${SCRIPT}`,
  ],
  ['20,000 tools', `tools:\n${SCRIPT.repeat(20_000)}`],
  [
    'braces that never end',
    `tools:\n  - {name: c, description: d, chain: [{tool: s, params: {x: "${'{{'.repeat(100_000)}"}}]}\n${SCRIPT}`,
  ],
  [
    'aliases of aliases',
    `a: &a [x, x, x, x, x, x, x, x]\n${Array.from('bcdefgh', (key, index) => `${key}: &${key} [${Array.from({ length: 8 }, () => `*${'abcdefg'[index]}`).join(', ')}]`).join('\n')}\ntools: *h\n`,
  ],
  ['20,000 aliases in themselves', `tools:\n${'  - &a [*a]\n'.repeat(20_000)}`],
  ['4 MB of keys', `tools: []\n${Array.from({ length: 300_000 }, (_, index) => `key${index}:`).join('\n')}`],
  [
    'keys that reach into objects',
    `tools:\n  - {name: c, description: d, script: s, __proto__: {polluted: yes}, parameters: {properties: {__proto__: {type: string}}}}\n`,
  ],
];

test.each(HOSTILE)('%s: read or refused by name, never a crash', (_, text) => {
  const { value, problems } = readToolsFile(text);
  expect(value.length + problems.length).toBeGreaterThan(0);
  expect(problems.every(({ rule }) => rule === 'tools-file')).toBe(true);
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});
