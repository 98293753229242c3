import { beforeEach, describe, expect, test } from 'vitest';
import type { Library } from '../../src/library/library.ts';
import { findCallCycle } from '../../src/library/skill-graph.ts';
import type { Skill } from '../../src/skill/skill.ts';
import { type LibraryFolder, libraryFolder } from '../support/library-folder.ts';

let root: LibraryFolder;

beforeEach(() => {
  root = libraryFolder();
});

const tools = (...calls: string[]) =>
  `tools:\n  - name: run\n    description: Runs.\n    script: run.sh\n    calls: [${calls.join(', ')}]\n`;

const shown = (library: Library) =>
  library
    .edges()
    .map(({ from, to, kind, dangling }) => `${from} ${kind} ${to}${dangling ? ' dangling' : ''}`);

describe('an edge', () => {
  test('comes from related skills, calls, mentions and co-use, each once', async () => {
    root.skill('a', { more: 'related_skills: b, B, a' });
    root.skill('b', { body: 'First use `a` skill, then `/a`, then `c-d`, see ../c-d/SKILL.md and `x-y`.' });
    root.skill('c-d');
    root.file('c-d/tools.yaml', tools('a/run', 'c-d/run'));
    const recorded = { queriesOf: () => [], coUse: () => [['a', 'c-d'] as const, ['a', 'gone'] as const] };
    expect(shown(await root.open({ recorded }))).toEqual([
      'a related b',
      'a co-use c-d',
      'b mention a',
      'b mention c-d',
      'c-d calls a',
      'c-d co-use a',
    ]);
  });

  test('leads to a skill under any of its names', async () => {
    root.skill('a', { more: 'related_skills: [Portable Documents, old-pdf, workspace:b]' });
    root.skill('pdf', { name: 'Portable Documents', more: 'aliases: old-pdf' });
    root.skill('b');
    expect(shown(await root.open())).toEqual(['a related b', 'a related portable-documents']);
  });

  test('to what is not there is dangling, and goes with the referrer', async () => {
    root.skill('a', { more: 'related_skills: b, gone' });
    root.skill('b');
    root.file('b/tools.yaml', tools('gone/run'));
    const library = await root.open();
    expect(shown(library)).toEqual(['a related b', 'a related gone dangling', 'b calls gone dangling']);
    expect(library.related('a').map(({ name }) => name)).toEqual(['b']);
    root.remove('b');
    await library.refresh();
    expect(shown(library)).toEqual(['a related b dangling', 'a related gone dangling']);
  });

  test('of co-use leads to the skill that has the old name as an alias, and not to one that is gone', async () => {
    root.skill('a');
    root.skill('b', { more: 'aliases: old-b' });
    const recorded = {
      queriesOf: () => [],
      coUse: () => [['a', 'old-b'] as const, ['gone', 'old-b'] as const],
    };
    expect(shown(await root.open({ recorded }))).toEqual(['a co-use b', 'b co-use a']);
  });

  test('to a skill of a name of an object member', async () => {
    root.skill('a', { more: 'related_skills: constructor, toString' });
    root.skill('constructor');
    expect(shown(await root.open())).toEqual(['a related constructor', 'a related toString dangling']);
  });
});

const MENTIONS: [title: string, body: string, mentioned: boolean][] = [
  ['a plain word in backticks, which is mostly a command', 'Run `tar`.', false],
  ['a plain word before "skill"', 'Load the `tar` skill.', true],
  ['a slash command', 'Type `/tar`.', true],
  ['a namespace', 'Use `files:tar`.', true],
  ['a path to a sibling', 'See ../tar/SKILL.md.', true],
  ['prose', 'Make a tar of it.', false],
];

test.each(MENTIONS)('%s', async (_, body, mentioned) => {
  root.skill('a', { body });
  root.skill('tar');
  expect(shown(await root.open())).toEqual(mentioned ? ['a mention tar'] : []);
});

test('related skills come nearest kind first, whichever way the edge goes', async () => {
  root.skill('a', { more: 'related_skills: r', body: 'See `m-m`.' });
  for (const name of ['r', 'm-m', 'u']) root.skill(name);
  root.skill('caller');
  root.file('caller/tools.yaml', tools('a/run'));
  const recorded = { queriesOf: () => [], coUse: () => [['a', 'u'] as const] };
  const library = await root.open({ recorded });
  expect(library.related('a').map(({ name }) => name)).toEqual(['caller', 'r', 'u', 'm-m']);
  expect(library.related('r').map(({ name }) => name)).toEqual(['a']);
  expect(library.related('unknown')).toEqual([]);
});

describe('a circle', () => {
  test('of related skills is none of our business', async () => {
    root.skill('a', { more: 'related_skills: b' });
    root.skill('b', { more: 'related_skills: a' });
    const library = await root.open();
    expect(library.problems).toEqual([]);
    expect(library.related('a').map(({ name }) => name)).toEqual(['b']);
  });

  test('of calls is refused by name, and gone when one of the calls is', async () => {
    for (const [name, calls] of [
      ['a', 'b/run'],
      ['b', 'c/run'],
      ['c', 'b/run'],
    ] as const) {
      root.skill(name);
      root.file(`${name}/tools.yaml`, tools(calls));
    }
    const library = await root.open();
    expect(library.problems.map(({ rule, message }) => [rule, message.split(' call')[0]])).toEqual([
      ['call-cycle', 'the tools of b → c → b'],
    ]);
    root.file('c/tools.yaml', tools());
    await library.refresh();
    expect(library.problems).toEqual([]);
  });

  test('among calls is looked for in chains of any length', () => {
    const length = 20_000;
    const skills = Array.from({ length }, (_, index) => callingSkill(`s${index}`, `s${index + 1}/run`));
    const byName = new Map(skills.map((skill) => [skill.name, skill]));
    expect(findCallCycle(skills, (name) => byName.get(name))).toBeUndefined();
    const last = callingSkill(`s${length}`, `s${length - 2}/run`);
    byName.set(last.name, last);
    expect(findCallCycle([...skills, last], (name) => byName.get(name))).toEqual([
      `s${length - 2}`,
      `s${length - 1}`,
      `s${length}`,
      `s${length - 2}`,
    ]);
  });
});

/** As much of a skill as a graph looks at. */
function callingSkill(name: string, call: string): Skill {
  return { name, relatedSkills: [], body: '', tools: [{ calls: [call] }] } as unknown as Skill;
}
