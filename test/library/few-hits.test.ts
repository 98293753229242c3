import { describe, expect, test } from 'vitest';
import type { Library, SearchHit, SearchOptions } from '../../src/library/library.ts';
import { nearestByWord } from '../../src/library/search/nearest-words.ts';
import { createSearch } from '../../src/library/search/skill-search.ts';
import { givenLibrary } from '../support/library-folder.ts';

/** A library of these skills that answers every query with these hits. */
async function answering(
  hits: readonly (readonly [name: string, score: number])[],
  among?: readonly string[],
) {
  const names = among ?? hits.map(([name]) => name);
  const real = await givenLibrary(
    Object.fromEntries(
      names.map((name) => [name, { description: `Does ${name}. Use when ${name} is wanted.` }]),
    ),
  );
  const found = hits.map(([name, score]): SearchHit => ({ name, path: '', score, why: [] }));
  const library: Library = {
    ...real,
    find: (name) => real.find(name),
    search: (_, { limit = 10 }: SearchOptions = {}) => found.slice(0, limit),
  };
  return { library, search: createSearch(library) };
}

const HITS = [
  ['a', 0.4],
  ['b', 0.9],
  ['c', 0.3],
  ['d', 0.4],
  ['e', 0.8],
] as const;

describe('of few hits of a short query', () => {
  test.each([
    [1, ['b']],
    [2, ['b', 'e']],
    [3, ['a', 'b', 'e']],
    [4, ['a', 'b', 'c', 'e']],
    [5, ['a', 'b', 'c', 'd', 'e']],
  ])(
    '%i: none that only may fit is there in place of one that fits, and their order stays',
    async (limit, names) => {
      const { search } = await answering(HITS);
      expect((await search.search('any words', { limit })).map(({ name }) => name)).toEqual(names);
    },
  );

  test('all that there is, and of a long text what it says, come by rank', async () => {
    const { search } = await answering(HITS);
    const long = Array.from({ length: 20 }, (_, index) => `word${index}x`).join(' ');
    for (const [query, all] of [
      ['any words', true],
      [long, false],
    ] as const)
      expect((await search.search(query, { limit: 2, all })).map(({ name }) => name)).toEqual(['a', 'b']);
  });
});

describe('where nothing fits', () => {
  const near = async (query: string, hits: readonly (readonly [string, number])[]) => {
    const { library, search } = await answering(hits);
    return nearestByWord(library, search, query);
  };

  test('the first names with a telling word of the query are near, and no more than three', async () => {
    const hits = ['rail', 'docker-patterns', 'docker-expert', 'docker-swarm', 'docker-files'] as const;
    expect(
      await near(
        'docker mess',
        hits.map((name) => [name, 0.5] as const),
      ),
    ).toEqual(['docker-patterns', 'docker-expert', 'docker-swarm']);
  });

  test('short and long forms of a word are one', async () => {
    expect(await near('kubernetes trouble', [['k8s-policies', 0.5]])).toEqual(['k8s-policies']);
  });

  test.each([
    ['words that many requests have', 'good agent, please', [['agent-guide', 0.5]]],
    ['a hit that hardly shares anything', 'docker mess', [['docker-expert', 0.1]]],
    ['a long text', 'docker cat dog tree house river mountain', [['docker-expert', 0.5]]],
  ] as const)('none is by %s', async (_, query, hits) => {
    expect(await near(query, hits)).toEqual([]);
  });
});

describe('where nothing fits and no name has a word of it', () => {
  const FILLER = Array.from({ length: 40 }, (_, index) => `step${index}`).join(' ');
  const body = (word: string) => `# Steps\n\nBuild it as ${word} first. ${FILLER}\n`;
  const near = async (query: string, skills: Parameters<typeof givenLibrary>[0]) => {
    const library = await givenLibrary({
      ...Object.fromEntries(
        Array.from({ length: 15 }, (_, index) => [
          `plugin-${index}`,
          { description: `Gives shape ${index}.`, body: `${FILLER}\n` },
        ]),
      ),
      ...skills,
    });
    const search = createSearch(library);
    expect(await search.search(query)).toEqual([]);
    return nearestByWord(library, search, query);
  };
  const holding = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`server-${index}`, { body: body('wasm') }]),
    );

  test('the skills whose bodies or headings alone hold a word are near', async () => {
    expect(await near('wasm', { kotlin: { body: body('WASM') }, rust: { body: body('an app') } })).toEqual([
      'kotlin',
    ]);
    expect(await near('good wasm', { go: { body: `# In wasm\n\n${FILLER}\n` } })).toEqual(['go']);
  });

  test('one of them has a place beside names with another word', async () => {
    expect(await near('wasm plugin', holding(2))).toEqual(['plugin-0', 'plugin-1', 'server-0']);
  });

  test('five may hold it, of which three are named', async () => {
    expect(await near('wasm', holding(5))).toEqual(['server-0', 'server-1', 'server-2']);
    expect(await near('wasm', holding(6))).toEqual([]);
  });

  test('a query of three words is about more than one', async () => {
    expect(await near('wasm kitten lemonade', holding(1))).toEqual([]);
  });

  test('what people alone may use is not near', async () => {
    const more = 'disable-model-invocation: true';
    expect(await near('wasm', { kotlin: { body: body('wasm'), more } })).toEqual([]);
  });
});
