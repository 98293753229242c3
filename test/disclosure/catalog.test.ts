import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { buildCatalog, type CatalogOptions } from '../../src/disclosure/catalog.ts';
import { catalogEntry } from '../../src/disclosure/entry.ts';
import { type Library, openLibrary } from '../../src/library/library.ts';
import { countTokens, loadTokenizer } from '../../src/model/tokens.ts';
import { givenLibrary, libraryFolder, type SkillFields } from '../support/library-folder.ts';

beforeAll(loadTokenizer);

const named = (count: number, fields: (index: number) => SkillFields = () => ({})) =>
  givenLibrary(Object.fromEntries(Array.from({ length: count }, (_, index) => [`s${index}`, fields(index)])));

const lines = (text: string) => text.split('\n');
const entries = (text: string) => lines(text).filter((line) => line.startsWith('- '));
const note = (left: number, total: number) =>
  `(${left} of ${total} skills are not described here. Find them with search_skills; what may fit a message is also put beside it.)`;

describe('a library that fits', () => {
  test('is there in full, a line each, by name, and nothing else', async () => {
    const library = await givenLibrary({
      tea: { description: 'Brews tea.' },
      bread: { description: 'Bakes.' },
    });
    const text = '- bread: Bakes.\n- tea: Brews tea.';
    expect(buildCatalog(library, { catalogTokens: 2000 })).toEqual({
      text,
      tokens: countTokens(text),
      shown: 2,
      total: 2,
      described: ['bread', 'tea'],
    });
  });

  test('fits to the token', async () => {
    const library = await named(20);
    const { tokens } = buildCatalog(library, { catalogTokens: 100_000 });
    expect(buildCatalog(library, { catalogTokens: tokens }).shown).toBe(20);
    expect(buildCatalog(library, { catalogTokens: tokens - 1 }).shown).toBeLessThan(20);
  });

  test('has no limit of its own on how many there are', async () => {
    expect(buildCatalog(await named(300), { catalogTokens: 100_000 })).toMatchObject({
      shown: 300,
      total: 300,
    });
  });

  test('without a skill is no text', async () => {
    const empty = { text: '', tokens: 0, shown: 0, total: 0, described: [] };
    expect(buildCatalog(await givenLibrary({}), { catalogTokens: 2000 })).toEqual(empty);
    const userOnly = await givenLibrary({ secret: { more: 'disable-model-invocation: true' } });
    expect(buildCatalog(userOnly, { catalogTokens: 2000 })).toEqual(empty);
  });
});

describe('a library whose names fit', () => {
  test('has every name, the pinned and most used in full first, then what there is room for', async () => {
    const library = await named(60, (index) => ({
      description: `Does ${'this and that '.repeat(12)}${index}.`,
    }));
    const { text, shown, tokens } = buildCatalog(library, {
      catalogTokens: 700,
      pinned: ['s7', 'gone'],
      mostUsed: ['s33', 's7'],
    });
    expect(tokens).toBeLessThanOrEqual(700);
    expect(
      entries(text)
        .slice(0, 2)
        .map((line) => line.split(':')[0]),
    ).toEqual(['- s7', '- s33']);
    const others = /^Others, by name: (.*)$/m.exec(text)?.[1]?.split(', ') ?? [];
    expect(others.length + entries(text).length).toBe(60);
    expect(lines(text).at(-1)).toBe(note(60 - shown, 60));
  });

  test('shows 32 others beside one with a description of 3 kB, and names that', async () => {
    const library = await named(33, (index) =>
      index === 4 ? { description: `${'It goes on and on. '.repeat(160)}` } : {},
    );
    const { text, shown } = buildCatalog(library, { catalogTokens: 700 });
    expect(shown).toBe(32);
    expect(text).toContain('Others, by name: s4\n');
    expect(lines(text).at(-1)).toBe(note(1, 33));
  });

  test('is not robbed of its names by one that is very long', async () => {
    const long = `x${'y'.repeat(3000)}`;
    const skills = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [
        index === 3 ? long : `s${index}`,
        { description: `Does ${'one or another thing '.repeat(20)}.` },
      ]),
    );
    const { text, tokens, total } = buildCatalog(await givenLibrary(skills), { catalogTokens: 600 });
    expect(total).toBe(40);
    expect(tokens).toBeLessThanOrEqual(600);
    expect(text).toContain('Others, by name: ');
    expect(text).toContain(`, x${'y'.repeat(29)}…${'y'.repeat(30)}\n`);
    for (let index = 0; index < 40; index += 1)
      if (index !== 3) expect(text).toMatch(new RegExp(`\\bs${index}\\b`));
  });
});

test('a name that is long is there whole where it takes little, behind the others', async () => {
  const long = `x${'y'.repeat(150)}`;
  const skills = Object.fromEntries(
    ['a', long, ...Array.from({ length: 20 }, (_, index) => `s${index + 10}`)].map((name) => [
      name,
      { description: `Does ${'one or another thing '.repeat(40)}.` },
    ]),
  );
  const { text } = buildCatalog(await givenLibrary(skills), { catalogTokens: 400 });
  expect(text).toMatch(new RegExp(`^Others, by name: (?:\\w+, )+s29, ${long}$`, 'm'));
});

describe('a pinned skill', () => {
  const prolix = `Does ${'one or another thing '.repeat(40)}.`;

  test('is found by its alias, and by a name that is written otherwise', async () => {
    const library = await named(60, (index) => ({
      description: `Does ${'this and that '.repeat(12)}${index}.`,
      more: index === 7 ? 'aliases: seventh' : '',
    }));
    const { described } = buildCatalog(library, { catalogTokens: 700, pinned: ['seventh', 'S33', 's7'] });
    expect(described.slice(0, 2)).toEqual(['s7', 's33']);
  });

  test('comes first however many are pinned', async () => {
    const library = await named(200, (index) => ({ description: `Does ${'this '.repeat(12)}${index}.` }));
    const pinned = library.skills.slice(-60).map(({ name }) => name);
    const { described } = buildCatalog(library, { catalogTokens: 3000, pinned, mostUsed: ['s1'] });
    expect(described.slice(0, 60)).toEqual(pinned);
  });

  test('is named where there is no room for its description nor for all names', async () => {
    const library = await named(1500, (index) => ({
      ...(index === 5 ? { description: prolix } : {}),
      more: `tags: ${index % 3 === 0 ? 'cooking' : 'garden'}`,
    }));
    const { text, tokens } = buildCatalog(library, { catalogTokens: 120, pinned: ['s5', 's9'] });
    expect(tokens).toBeLessThanOrEqual(120);
    expect(text).toMatch(/^- s9: /);
    expect(text).toContain('\nPinned, by name: s5\nAll by topic: ');
    expect(buildCatalog(library, { catalogTokens: 60, pinned: ['s5'] }).text).toContain(
      'Pinned, by name: s5\n',
    );
  });
});

describe('what is described', () => {
  const long = (text: string) => `${text} ${'and one thing or another '.repeat(10)}`;
  const describedOf = async (library: Library, catalogTokens: number) =>
    buildCatalog(library, { catalogTokens }).described;

  test('comes by name, not the shortest first', async () => {
    const library = await named(40, (index) => ({
      description: long(`Does ${index}.`).slice(0, 200 - index),
    }));
    const described = await describedOf(library, 900);
    expect(described.length).toBeGreaterThan(5);
    expect(described).toEqual(library.skills.slice(0, described.length).map(({ name }) => name));
  });

  test('is a skill once before any copy of one', async () => {
    const library = await named(40, (index) => ({ description: long(`Does ${index % 10}.`) }));
    const described = await describedOf(library, 600);
    expect(described.length).toBeGreaterThan(5);
    expect(new Set(described.map((name) => Number(name.slice(1)) % 10)).size).toBe(described.length);
  });

  test('is of the writable root before others', async () => {
    const [own, others] = [libraryFolder(), libraryFolder()];
    for (let index = 0; index < 30; index += 1) {
      own.skill(`z${index}`, { description: long(`Does own ${index}.`) });
      others.skill(`a${index}`, { description: long(`Does other ${index}.`) });
    }
    const library = await openLibrary({
      roots: [
        { name: 'workspace', dir: own.dir, writable: true },
        { name: 'others', dir: others.dir, writable: false },
      ],
    });
    const described = await describedOf(library, 1000);
    expect(described.length).toBeGreaterThan(5);
    expect(described.filter((name) => name.startsWith('a'))).toEqual([]);
  });

  test('is one that only repeats its name after all that say something', async () => {
    const library = await givenLibrary({
      'an-agent-workflow-designer-for-teams': { description: 'Agent Workflow Designer for Teams' },
      ...Object.fromEntries(
        Array.from({ length: 40 }, (_, index) => [`s${index}`, { description: `Does ${index}.` }]),
      ),
    });
    const { described, shown } = buildCatalog(library, { catalogTokens: 280 });
    expect(shown).toBeGreaterThan(3);
    expect(described).not.toContain('an-agent-workflow-designer-for-teams');
    expect(
      buildCatalog(library, { catalogTokens: 280, pinned: ['an-agent-workflow-designer-for-teams'] })
        .described,
    ).toContain('an-agent-workflow-designer-for-teams');
  });

  test('is long only where nothing shorter is left', async () => {
    const library = await named(40, (index) =>
      index === 0 ? { description: long(long(long('Long.'))) } : { description: long(`Does ${index}.`) },
    );
    expect(await describedOf(library, 900)).not.toContain('s0');
  });
});

describe('a library whose names do not fit', () => {
  const large = (fields: (index: number) => SkillFields) => named(1500, fields);

  test('is a map of tags with counts, the largest first, with the pinned in full and then others by name', async () => {
    const library = await large((index) => ({
      more: `tags: ${index % 3 === 0 ? 'cooking' : 'Garden, outdoors'}`,
    }));
    const { text, tokens } = buildCatalog(library, { catalogTokens: 120, pinned: ['s5'] });
    expect(tokens).toBeLessThanOrEqual(120);
    const entry = (name: string) => `- ${name}: Does ${name}. Use when ${name} is wanted.`;
    expect(text).toBe(
      `${['s5', 's1', 's0', 's10'].map(entry).join('\n')}\nAll by topic: garden (1000), outdoors (1000), cooking (500)\n${note(1496, 1500)}`,
    );
  });

  test('uses its budget', async () => {
    const library = await large((index) => ({ more: `tags: topic${'abcdefghij'[index % 10]}` }));
    for (const catalogTokens of [500, 2000]) {
      const { tokens } = buildCatalog(library, { catalogTokens });
      expect(tokens).toBeLessThanOrEqual(catalogTokens);
      expect(tokens).toBeGreaterThan(catalogTokens - 20);
    }
  });

  test('keeps its pinned beside as many topics as fit', async () => {
    const library = await large((index) => ({
      more: `tags: topic${'abcdefghij'[index % 10]}${index % 90}x`,
    }));
    const text = (catalogTokens: number) => {
      const catalog = buildCatalog(library, { catalogTokens, pinned: ['s5'] });
      expect(catalog.tokens).toBeLessThanOrEqual(catalogTokens);
      return catalog.text;
    };
    expect(text(2000)).toMatch(/^- s5: [\s\S]*\nAll by topic: .*\(17\), [^;]*\n/);
    expect(text(150)).toMatch(/^- s5: [\s\S]*\nAll by topic: .*\(17\).*; \d+ on other topics\n/);
    expect(text(56)).toBe(`- s5: Does s5. Use when s5 is wanted.\n${note(1499, 1500)}`);
  });
});

test('a description in any block of YAML is there as its value, on one line, and no line is an indicator', async () => {
  const folder = libraryFolder();
  const blocks = ['>', '>-', '>+', '|', '|-', '|+', '>2-', '|-2', '>- # why'];
  for (const [index, indicator] of blocks.entries()) {
    const text = '  Makes tea.\n\n  Use when\n    tea is wanted.\n\n';
    folder.file(`s${index}/SKILL.md`, `---\nname: s${index}\ndescription: ${indicator}\n${text}---\nx\n`);
  }
  // A block without a text is no description: what is left is an indicator.
  folder.file('empty/SKILL.md', '---\nname: empty\ndescription: >-\n---\nx\n');
  const { text, total } = buildCatalog(await folder.open(), { catalogTokens: 2000 });
  expect(total).toBe(blocks.length);
  expect(lines(text)).toEqual(blocks.map((_, index) => `- s${index}: Makes tea. Use when tea is wanted.`));
});

test('the smallest budget still says what is left out and how to find it', async () => {
  expect(buildCatalog(await named(3), { catalogTokens: 1 })).toMatchObject({ text: note(3, 3), shown: 0 });
});

test('the same skills give the same bytes, in whatever order they came', async () => {
  const fields = (index: number) => ({
    description: `${'Does things. '.repeat((index % 7) + 1)}`,
    more: `tags: t${index % 11}`,
  });
  const library = await named(200, fields);
  const shuffled = library.with([...library.skills].reverse());
  for (const catalogTokens of [100, 500, 1500, 3000, 20_000]) {
    const options = { catalogTokens, pinned: ['s9'], mostUsed: ['s3', 's1'] };
    expect(buildCatalog(shuffled, options)).toEqual(buildCatalog(library, options));
  }
});

test('within the budget, entries whole or not there, and counts that add up, for any library and budget', async () => {
  const description = fc
    .array(
      fc.constantFrom(
        'Short.',
        'Reads a file; writes another one.',
        'Ends nowhere and',
        '读取文件。',
        'word '.repeat(90),
      ),
      {
        minLength: 1,
        maxLength: 4,
      },
    )
    .map((parts) => parts.join(' '));
  await fc.assert(
    fc.asyncProperty(
      fc.array(description, { minLength: 1, maxLength: 40 }),
      fc.integer({ min: 1, max: 1500 }),
      fc.subarray(['s0', 's3', 's9', 's20']),
      async (descriptions, catalogTokens, pinned) => {
        const library = await named(descriptions.length, (index) => ({
          description: descriptions[index] ?? '',
        }));
        checkCatalog(library, { catalogTokens, pinned });
      },
    ),
    { numRuns: 30 },
  );
});

function checkCatalog(library: Library, options: CatalogOptions): void {
  const { text, tokens, shown, total, described } = buildCatalog(library, options);
  const whole = new Map(library.skills.map((skill) => [catalogEntry(skill), skill.name]));
  const names = entries(text).map((line) => whole.get(line));
  expect(names).toEqual(described);
  expect([shown, total]).toEqual([names.length, library.skills.length]);
  expect(tokens).toBe(countTokens(text));
  expect(tokens).toBeLessThanOrEqual(Math.max(options.catalogTokens, countTokens(note(total, total))));
  if (shown < total) expect(lines(text).at(-1)).toBe(note(total - shown, total));
}
