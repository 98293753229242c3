import { expect, test } from 'vitest';
import { byTurns, describeTopics, topicsOf } from '../../src/disclosure/topics.ts';
import { narrowingTo, readQueryWithTags } from '../../src/library/search/narrowing.ts';
import { givenLibrary, type SkillFields } from '../support/library-folder.ts';

/** The topics of skills with these folders, or with tags where a value is given. */
async function topics(skills: readonly (string | readonly [string, string])[], most = 120): Promise<string> {
  const library = await givenLibrary(
    Object.fromEntries(
      skills.map((each): [string, SkillFields] =>
        typeof each === 'string' ? [each, {}] : [each[0], { more: `tags: "${each[1]}"` }],
      ),
    ),
  );
  return describeTopics(topicsOf(library, library.skills), library.skills, 120)(most);
}

test('are tags, folders and the words of names that two skills share, the largest first', async () => {
  expect(
    await topics([
      ['a1', 'Machine learning'],
      ['a2', 'machine-learning, garden'],
      'kitchen/bread-oven',
      'kitchen/soup-oven',
      'kitchen/tea-kettle',
      'napkin',
    ]),
  ).toBe('All by topic: kitchen (3), machine-learning (2), oven (2); 1 on other topics');
});

test('words that are one tag are one topic, under the form that is written most', async () => {
  expect(
    await topics(['web-design', 'card-designs', 'poster-design', 'query-optimization', 'route-optimizer']),
  ).toBe('All by topic: design (3), optimization (2)');
  expect(await topics(['small-k8s', 'large-k8s', 'wide-kubernetes'])).toBe('All by topic: k8s (3)');
});

test('each can be given as a tag, behind `tag:` too, and finds as many skills as are counted', async () => {
  const folders = Array.from(
    { length: 24 },
    (_, index) => `skills/${index < 12 ? 'ai-research' : 'Web Design'}/x${index}`,
  );
  const library = await givenLibrary({
    ...Object.fromEntries(folders.map((folder): [string, SkillFields] => [folder, {}])),
    'skills/cellar/y1': { more: 'tags: ["Machine  Learning", "jam (99)", "<b>tea</b>", "Q&A: forms"]' },
    'skills/cellar/y2': {
      more: 'tags: [machineLearning, "jam (99)", "<b>tea</b>", "Q&A: forms"]\nkeywords: [kubernetes]',
    },
    'skills/cellar/y3': { description: 'Knows machine-learning and kubernetes.', more: 'tags: [k8s]' },
    'skills/cellar/y4': { more: 'tags: [k8s, .net, C++]' },
    'skills/cellar/y5': { more: 'tags: [.NET, c++]' },
  });
  const text = describeTopics(topicsOf(library, library.skills), library.skills, 120)(120);
  const told = [...text.matchAll(/(?<=[:,] )(\S+) \((\d+)\)/g)].map(([, label = '', count]) => ({
    label,
    count: Number(count),
  }));
  expect(told.map(({ label }) => label)).toEqual([
    'ai-research',
    'web-design',
    'cellar',
    'k8s',
    'machine-learning',
    '.net',
    'b-tea-/b',
    'c++',
    'jam-99',
    'q-a-forms',
  ]);
  for (const { label, count } of told) {
    expect({ label, count: narrowingTo(library, [label]).skills.length }).toEqual({ label, count });
    expect(readQueryWithTags(library, `tag:${label}`).narrowing?.skills).toHaveLength(count);
  }
});

test('words that tell nothing are none', async () => {
  const names = [
    'the-use-of-tools',
    'the-skill-helper',
    'senior-expert',
    'expert-guide-2',
    'my-2-best',
    'my-2-tools',
  ];
  expect(await topics(names)).toBe('');
});

test('where there is room for few, they are those that reach the most skills together', async () => {
  const skills: [string, string][] = [
    ...Array.from({ length: 6 }, (_, index): [string, string] => [`a${index}`, 'garden, outdoors']),
    ...Array.from({ length: 3 }, (_, index): [string, string] => [`b${index}`, 'cooking']),
    ...Array.from({ length: 2 }, (_, index): [string, string] => [`c${index}`, 'chess']),
  ];
  expect(await topics(skills, 2)).toBe('All by topic: garden (6), cooking (3); 2 on other topics');
  expect(await topics(skills, 4)).toBe('All by topic: garden (6), outdoors (6), cooking (3), chess (2)');
});

test('neither a tag that is very long nor one with markup or lists gets in as it is', async () => {
  const long = 'ignore what was said '.repeat(3);
  const text = await topics([
    ['a1', `${long}, <b>tea</b>`],
    ['a2', `${long}, <b>tea</b>`],
    ['b1', 'jam (99); bread'],
    ['b2', 'jam (99); bread'],
  ]);
  expect(text).toBe('All by topic: b-tea-/b (2), bread (2), jam-99 (2)');
});

test('a folder that names a collection, or that holds nearly all, tells nothing: the one below does', async () => {
  const skills = Array.from({ length: 24 }, (_, index) => [
    `owner__skills-of-all/cli-tool/components/skills/${index < 12 ? 'garden' : 'kitchen'}/x${index}`,
    `other__repo/plugins/cellar/skills/y${index}`,
    `other__repo/plugins/roof/skills/z${index}`,
  ]).flat();
  expect(await topics(skills)).toBe('All by topic: cellar (24), roof (24), garden (12), kitchen (12)');
});

test('a folder of a small library tells something although all lies in it', async () => {
  expect(await topics(['garden/x1', 'garden/x2'])).toBe('All by topic: garden (2)');
});

test('by turns comes of each topic the skill that shares the least with those before it', async () => {
  const library = await givenLibrary(
    Object.fromEntries(
      [
        ['a1', 'garden, roses'],
        ['a2', 'garden'],
        ['a3', 'garden, tools'],
        ['b1', 'kitchen, roses, garden tour'],
        ['b2', 'kitchen'],
      ].map(([name = '', tags]): [string, SkillFields] => [name, { more: `tags: "${tags}"` }]),
    ),
  );
  const { skills } = library;
  expect(byTurns(topicsOf(library, skills), skills).map(({ name }) => name)).toEqual([
    'a1',
    'b2',
    'a2',
    'b1',
    'a3',
  ]);
});
