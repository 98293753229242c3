import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Library } from '../../src/library/library.ts';
import { createPreparedSkills } from '../../src/library/search/prepared-skills.ts';
import { createSearchIndex } from '../../src/library/search/search-index.ts';
import { buildGraph } from '../../src/library/skill-graph.ts';
import { libraryFolder } from '../support/library-folder.ts';

/** Long enough from now that nothing written in a test is taken for fresh. */
const LATER = 1000 * 60 * 60;

const WORDS = [
  'tea',
  'bread',
  'soup',
  'brew',
  'bake',
  'cook',
  'green',
  'rye',
  'onion',
  '茶',
  'データ',
] as const;
const NAMES = Array.from({ length: 8 }, (_, index) => `skill-${index}`);
const QUERIES = [...WORDS, 'skill-3', 'brwe some tea', 'bakign rye', 'green onion soup 茶', 'breda cooking'];

const text = fc
  .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 6 })
  .map((words) => words.join(' '));
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      put: fc.constantFrom(...NAMES),
      description: text,
      body: text,
      related: fc.constantFrom(...NAMES),
    }),
  },
  { weight: 1, arbitrary: fc.record({ remove: fc.constantFrom(...NAMES) }) },
  { weight: 1, arbitrary: fc.record({ use: fc.constantFrom(...NAMES), query: text }) },
);

const answers = (library: Library) =>
  QUERIES.map((query) => [query, library.search(query, { all: true, limit: 50 })]);

test('an index that was updated, or kept by another process, answers as one that was built anew', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(step, { maxLength: 5 }), { maxLength: 4 }), async (rounds) => {
      const root = libraryFolder();
      const cache = { file: root.path('.logs/readings.bin'), now: Date.now() + LATER };
      const queries = new Map<string, string[]>();
      const recorded = {
        queriesOf: (name: string) => [...(queries.get(name) ?? [])],
        coUse: () => [],
      };
      const present = new Set<string>();
      const updated = await root.open({ recorded });
      answers(updated);
      for (const steps of rounds) {
        for (const each of steps) {
          if ('put' in each) {
            root.skill(each.put, {
              description: each.description,
              body: `${each.body} ${each.body}\n`,
              more: `related_skills: ${each.related}`,
            });
            present.add(each.put);
          } else if ('use' in each) queries.set(each.use, [...(queries.get(each.use) ?? []), each.query]);
          else if (present.delete(each.remove)) root.remove(each.remove);
        }
        await updated.refresh();
        const anew = answers(await root.open({ recorded }));
        expect(answers(updated)).toEqual(anew);
        expect(answers(await root.open({ recorded, cache }))).toEqual(anew);
      }
    }),
    { numRuns: 60 },
  );
});

test('which of many equal skills are found does not depend on when they came', async () => {
  const root = libraryFolder();
  const put = (from: number, to: number) => {
    for (let index = from; index < to; index += 1)
      root.skill(`case-${String(index).padStart(3, '0')}`, { description: 'Handles a case of the ledger.' });
  };
  put(200, 400);
  const updated = await root.open();
  updated.search('ledger');
  put(0, 200);
  await updated.refresh();
  const names = (library: Library, query: string) =>
    library.search(query, { limit: 200, all: true }).map(({ name }) => name);
  const anew = await root.open();
  for (const query of ['handle the ledger', 'handel the lezger'])
    expect(names(updated, query)).toEqual(names(anew, query));
  expect(names(anew, 'handle the ledger')[0]).toBe('case-000');
});

test('what is asked and pasted stays in no vocabulary', async () => {
  const root = libraryFolder();
  root.skill('brew-tea', { description: 'Brews green tea. Use when tea is wanted.' });
  const { skills } = await root.open();
  const prepared = createPreparedSkills();
  const index = createSearchIndex(skills, {
    recorded: () => ['a cup of tea'],
    category: () => '',
    find: (name) => skills.find((skill) => skill.name === name),
    graph: () =>
      buildGraph(
        skills,
        () => undefined,
        () => [],
      ),
    prepared,
  });
  const log = (run: number) =>
    Array.from({ length: 400 }, (_, line) => `error: request r${run}x${line} of worker${run}-${line} failed`);
  const search = (run: number) =>
    index.search(`${log(run).join('\n')}\nbrew me some tea`, { all: true, shares: true });
  const [first] = search(0);
  expect(first?.name).toBe('brew-tea');
  const { size } = prepared.vocabulary;
  for (let run = 1; run < 5; run += 1) {
    search(run);
    index.search(`tea zyx${run} 新词${run}`);
  }
  expect(prepared.vocabulary.size).toBe(size);
  expect(size).toBeLessThan(100);
});
