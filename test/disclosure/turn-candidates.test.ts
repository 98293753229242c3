import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { activate } from '../../src/disclosure/activation.ts';
import { findFileChanges } from '../../src/disclosure/file-changes.ts';
import { createSessionDisclosure, type SessionDisclosure } from '../../src/disclosure/session-disclosure.ts';
import { type TurnBudget, turnCandidates } from '../../src/disclosure/turn-candidates.ts';
import type { Library } from '../../src/library/library.ts';
import { FITS } from '../../src/library/search/ranking.ts';
import { countTokens, loadTokenizer } from '../../src/model/tokens.ts';
import { type LibraryFolder, libraryFolder } from '../support/library-folder.ts';

const BUDGET: TurnBudget = { turnTokens: 600, sessionTokens: 6000 };

let root: LibraryFolder;
let library: Library;
let session: SessionDisclosure;

beforeAll(loadTokenizer);

beforeEach(async () => {
  root = libraryFolder();
  root.skill('tea', { description: 'Brews green tea.' });
  root.skill('bread', { description: 'Bakes rye bread.' });
  root.skill('soup', { description: 'Cooks onion soup.' });
  library = await root.open();
  session = createSessionDisclosure();
});

function beside(words: string, budget = BUDGET) {
  const find = (all: boolean) => library.search(words, { limit: 40, all });
  return turnCandidates(library, session, budget, { fitting: find(false), all: find(true) });
}

const block = (...lines: string[]) =>
  [
    '<skill_candidates source="knack, not the user">',
    ...lines,
    'Load one with load_skill if it fits the task; leave it if it does not.',
    '</skill_candidates>',
  ].join('\n');

/** Changes the library and takes the change up. */
async function change(...changes: (() => void)[]): Promise<void> {
  for (const each of changes) each();
  await library.refresh();
}

describe('a skill that the words bring up', () => {
  test('is put beside the message in full, marked as not the user’s words', () => {
    expect(beside('please brew some green tea')).toEqual({
      text: block('- tea: Brews green tea.'),
      names: ['tea'],
    });
  });

  test('stands behind all others where it failed of late', () => {
    const failure = { skill: 'tea', hash: '', session: 's', event: 'e', outcome: 'failed', at: '' } as const;
    const toRepair = ({ name }: { name: string }) => (name === 'tea' ? [failure] : []);
    const words = 'brew green tea, and some rye bread';
    expect(beside(words)?.names).toEqual(['tea', 'bread']);
    session = createSessionDisclosure();
    expect(beside(words, { ...BUDGET, toRepair })?.names).toEqual(['bread', 'tea']);
  });

  test('is there once a session', () => {
    beside('brew green tea');
    expect(beside('brew green tea')).toBeUndefined();
    expect(beside('brew tea and bake rye bread')?.names).toEqual(['bread']);
  });

  test('is only named, once, where the catalog has it in full', async () => {
    session = createSessionDisclosure(['tea', 'soup']);
    expect(beside('brew tea, cook soup and bake bread')).toEqual({
      text: block('- in the list above, and may fit: soup, tea', '- bread: Bakes rye bread.'),
      names: ['soup', 'tea', 'bread'],
    });
    expect(beside('brew tea, cook soup and bake bread')).toBeUndefined();
    await change(() => root.skill('tea', { description: 'Brews black tea.' }));
    expect(beside('brew tea')?.text).toBe(block('- tea: Brews black tea. (changed)'));
  });

  test('is not there if it was shown or loaded before', () => {
    session.shown.add('tea');
    expect(beside('brew green tea')).toBeUndefined();
  });

  test('is not there if it is for the user alone', async () => {
    await change(() => root.skill('tea', { description: 'Brews.', more: 'disable-model-invocation: true' }));
    expect(beside('tea')?.text ?? '').not.toContain('tea: Brews');
  });
});

describe('copies of one skill', () => {
  beforeEach(async () => {
    await change(() => {
      for (let index = 2; index < 60; index += 1)
        root.skill(`tea-${index}`, { description: 'Brews green tea.' });
      root.skill('kettle', { description: 'Boils water for tea.' });
      root.skill('tea-secret', { description: 'Brews green tea.', more: 'disable-model-invocation: true' });
    });
    session.known = undefined;
  });

  test('take the place of one, and are counted', () => {
    const { text, names } = beside('brew some green tea') ?? {};
    expect(text).toMatch(/^- tea(?:-\d+)?: Brews green tea\. \(59 copies\)$/m);
    expect(String(text).match(/Brews green tea/g)).toHaveLength(1);
    expect(names).toEqual(['tea', 'kettle']);
  });

  test('do not come up beside a later message', async () => {
    beside('brew some green tea');
    const again = beside('brew some green tea')?.names ?? [];
    expect(again.filter((name) => session.shown.has(name))).toEqual(again);
    root.skill('stove', { description: 'Boils water fast.' });
    await library.refresh();
    // The kettle only came along with the tea, and is what is wanted now.
    expect(beside('boil water')?.names).toEqual(['stove', 'kettle']);
  });
});

test('what fits less surely stands behind what fits, while half of the budget is left', async () => {
  await change(() => {
    for (let index = 0; index < 30; index += 1)
      root.skill(`other-${index}`, { description: `Sorts the invoices of client ${index} by date.` });
    root.skill('cups', { description: 'Chooses glazed cups, saucers and trays for a table of many guests.' });
  });
  session.known = undefined;
  const words =
    'Please brew some green tea for our relatives. They arrive by train around noon, tired and hungry, and grandmother would love sandwiches with cucumber from the garden, linen napkins, glazed porcelain, and music afterwards in the library upstairs.';
  const hits = library.search(words, { all: true });
  const sure = hits.filter(({ score }) => score >= FITS).map(({ name }) => name);
  const all = hits.map(({ name }) => name);
  expect([sure, all]).toEqual([['tea'], ['tea', 'cups']]);
  expect(beside(words)?.names).toEqual(all);
  session.shown.clear();
  session.tokens = BUDGET.sessionTokens / 2;
  expect(beside(words)?.names).toEqual(sure);
});

test('what hardly fits stays away from the message, and is left to search', () => {
  const hit = (name: string, score: number) => ({ name, path: '', score, why: [] });
  const fitting = [hit('tea', 0.9), hit('soup', 0.4), hit('bread', 0.2)];
  const candidates = turnCandidates(library, session, BUDGET, { fitting, all: fitting });
  expect(candidates?.names).toEqual(['tea', 'soup']);
});

test.each(['', '   ', 'Hello!', 'quantum chromodynamics'])('nothing is put beside %j', (words) => {
  expect(beside(words)).toBeUndefined();
});

describe('the budget', () => {
  const words = 'cook the soup';

  beforeEach(async () => {
    const about = (index: number) => `Cooks soup number ${index}. ${'It is a good soup to cook. '.repeat(4)}`;
    await change(() => {
      for (let index = 0; index < 8; index += 1) root.skill(`soup-${index}`, { description: about(index) });
    });
    session.known = new Map(library.skills.map(({ name, contentHash }) => [name, contentHash]));
  });

  test('of a message holds whole entries only', () => {
    const { text = '', names = [] } = beside(words, { ...BUDGET, turnTokens: 200 }) ?? {};
    expect(countTokens(text)).toBeLessThanOrEqual(200);
    expect(names.length).toBeGreaterThan(1);
    for (const name of names)
      expect(text).toContain(`\n- ${name}: ${library.find(name)?.description.trim()}\n`);
  });

  test('that a long entry does not fit leaves its place to the next', async () => {
    await change(() =>
      root.skill('soup-0', { description: `Cooks soup. ${'Cook a soup like this. '.repeat(80)}` }),
    );
    session.known = undefined;
    expect(beside('cook soup', { ...BUDGET, turnTokens: 150 })?.names).not.toContain('soup-0');
    expect(session.shown.size).toBeGreaterThan(0);
  });

  test('of a session is not overspent, and what was not shown is not taken for shown', () => {
    const budget = { turnTokens: 150, sessionTokens: 250 };
    let spent = 0;
    const seen: string[] = [];
    for (let turn = 0; turn < 6; turn += 1) {
      const found = beside(words, budget);
      spent += countTokens(found?.text ?? '');
      seen.push(...(found?.names ?? []));
    }
    expect(spent).toBe(session.tokens);
    expect(spent).toBeLessThanOrEqual(250);
    expect(new Set(seen).size).toBe(seen.length);
    expect(session.shown).toEqual(new Set(seen));
    expect(seen.length).toBeLessThan(8);
  });
});

describe('a session whose budget is nearly spent', () => {
  const budget = { turnTokens: 200, sessionTokens: 1200 };
  const turns = (count: number) => {
    const texts: string[] = [];
    for (let turn = 0; turn < count; turn += 1) {
      const found = beside(`cook dish ${turn}`, budget);
      if (found !== undefined) texts.push(found.text);
    }
    return texts;
  };

  beforeEach(async () => {
    await change(() => {
      for (let index = 0; index < 40; index += 1)
        root.skill(`dish-${index}`, {
          description: `Cooks dish ${index}. ${'Ask who is to eat of it first. '.repeat(6)}`,
        });
    });
    session.known = new Map(library.skills.map(({ name, contentHash }) => [name, contentHash]));
  });

  test('still names what fits, each once, and says where the descriptions are', () => {
    const texts = turns(40);
    const named = texts.flatMap(
      (text) =>
        /^- (?:fit, by name alone.*\(search_skills describes them\)|by name, fit): (.*)$/m.exec(text)?.[1] ??
        [],
    );
    expect(named.length).toBeGreaterThan(1);
    expect(texts.filter((text) => text.includes('by name alone'))).toHaveLength(1);
    const names = named.flatMap((line) => line.split(', '));
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(texts.join('\n')).not.toContain(`- ${name}: `);
  });

  test('says once, last, that no more comes, and stays within its budget', () => {
    const texts = turns(40);
    const isLast = (text: string) => text.includes('nothing more is put beside messages');
    expect(texts.map(isLast)).toEqual([...texts.slice(1).map(() => false), true]);
    expect(texts.at(-1)).toContain('find skills with search_skills');
    const spent = texts.reduce((sum, text) => sum + countTokens(text), 0);
    expect([spent, session.isCut]).toEqual([session.tokens, true]);
    expect(spent).toBeLessThanOrEqual(budget.sessionTokens);
  });
});

describe('a candidate that was shown before', () => {
  const hit = (name: string, score: number) => ({ name, path: '', score, why: [] });
  const show = (...hits: readonly (readonly [name: string, score: number])[]) => {
    const found = hits.map(([name, score]) => hit(name, score));
    return turnCandidates(library, session, BUDGET, { fitting: found, all: found })?.text;
  };

  test('is named again, once, where it only may have fitted then and fits now', () => {
    show(['tea', 0.9], ['soup', 0.4]);
    expect(show(['soup', 2.3], ['tea', 0.9])).toBe(block('- shown above, and fits: soup'));
    expect(show(['soup', 2.3])).toBeUndefined();
  });

  test('is not where it is loaded, or does not fit better than then', async () => {
    show(['tea', 0.9], ['soup', 0.4], ['bread', 0.4]);
    await activate(library, 'soup', { session });
    expect(show(['tea', 1.1], ['soup', 2.3], ['bread', 0.6])).toBeUndefined();
  });

  test('brings nothing along that only may fit', async () => {
    await change(() => root.skill('cups', { description: 'Chooses cups.' }));
    session.known = undefined;
    show(['tea', 0.9]);
    expect(show(['tea', 0.9], ['cups', 0.5])).toBeUndefined();
    expect(show(['bread', 0.9], ['cups', 0.5])).toContain('- cups: ');
  });
});

describe('news', () => {
  beforeEach(() => {
    beside('Hello!');
  });

  test('of a new, a changed and a removed skill are told once, whatever the message is about', async () => {
    await change(
      () => root.skill('jam', { description: 'Boils plum jam.' }),
      () => root.skill('tea', { description: 'Brews black tea.' }),
      () => root.remove('bread'),
    );
    expect(beside('Hello!')).toEqual({
      text: block(
        '- jam: Boils plum jam. (new)',
        '- tea: Brews black tea. (changed)',
        '- bread is no longer there',
      ),
      names: ['jam', 'tea', 'bread'],
    });
    expect(beside('boil jam, brew black tea')).toBeUndefined();
  });

  test('of a skill that is loaded say to load it again', async () => {
    session.loaded.set('tea', library.find('tea')?.contentHash ?? '');
    await change(() => root.skill('tea', { description: 'Brews black tea.' }));
    expect(beside('Hello!')?.text).toBe(block('- tea: Brews black tea. (changed, load it again)'));
  });

  const tools = 'tools:\n  - {name: pour, description: Pours., script: pour.sh}\n';

  test('tell of tools that changed although the instructions did not', async () => {
    await activate(library, 'tea', { session });
    await change(() => {
      root.file('tea/tools.yaml', tools);
      root.file('bread/tools.yaml', tools);
    });
    expect(beside('Hello!')?.text.split('\n').slice(1, 3)).toEqual([
      expect.stringMatching(/^- tea: .* \(changed, load it again\)$/),
      expect.stringMatching(/^- bread: .* \(changed\)$/),
    ]);
    expect(beside('Hello!')).toBeUndefined();
    await change(() =>
      root.file('tea/evals/triggers.json', '[{"query": "a drink", "should_trigger": true}]'),
    );
    expect(beside('Hello!')).toBeUndefined();
  });

  test('tell once which files of a loaded skill changed, came or went', async () => {
    const told = async () => {
      await library.refresh();
      const files = await findFileChanges(library, session);
      return turnCandidates(library, session, BUDGET, { fitting: [], all: [], files })?.text;
    };
    root.file('tea/references/leaves.md', 'Green.');
    root.file('tea/scripts/pour.sh', 'pour');
    root.file('bread/references/flour.md', 'Rye.');
    await activate(library, 'tea', { session });
    expect(await told()).toBeUndefined();
    root.file('tea/references/leaves.md', 'Black leaves.');
    root.file('tea/references/<cups>.md', 'Two.');
    root.remove('tea/scripts/pour.sh');
    root.file('bread/references/flour.md', 'Wheat and rye.');
    root.file('tea/tests.yaml', 'cases: []');
    expect(await told()).toBe(
      block(
        '- tea: files changed since it was loaded: references/&lt;cups&gt;.md, references/leaves.md, scripts/pour.sh',
      ),
    );
    expect(await told()).toBeUndefined();
    root.file('tea/references/leaves.md', 'Leaves.');
    root.skill('tea', { description: 'Brews black tea.' });
    expect(await told()).toBe(block('- tea: Brews black tea. (changed, load it again)'));
    expect(await told()).toBeUndefined();
  });

  test('tell of a skill for the user alone that the user has loaded', async () => {
    root.skill('secret', { more: 'disable-model-invocation: true' });
    await library.refresh();
    await activate(library, 'secret', { session });
    expect(beside('Hello!')).toBeUndefined();
    await change(() =>
      root.skill('secret', { description: 'Another.', more: 'disable-model-invocation: true' }),
    );
    expect(beside('Hello!')?.text).toBe(block('- secret: Another. (changed, load it again)'));
  });

  test('tell of a skill that is loaded although another one shadows it', async () => {
    root.skill('old/tea', { description: 'Brews in the old way.' });
    await library.refresh();
    await activate(library, 'workspace:old/tea', { session });
    expect(beside('Hello!')).toBeUndefined();
    await change(() => root.skill('old/tea', { description: 'Brews in an older way.' }));
    expect(beside('Hello!')?.text).toBe(
      block('- workspace:old/tea: Brews in an older way. (changed, load it again)'),
    );
    await change(() => root.remove('old/tea'));
    expect(beside('Hello!')?.text).toBe(block('- workspace:old/tea is no longer there'));
    expect(beside('Hello!')).toBeUndefined();
  });

  test('there are none of a skill that was loaded as it is now', async () => {
    await change(() => {
      root.skill('tea', { description: 'Brews black tea.' });
      root.skill('jam', { description: 'Boils plum jam.' });
    });
    for (const name of ['tea', 'jam']) await activate(library, name, { session });
    expect(beside('Hello!')).toBeUndefined();
  });

  test('there are none where a change was taken back, or is one of a skill for the user alone', async () => {
    await change(() => root.skill('tea', { description: 'Brews black tea.' }));
    await change(() => root.skill('tea', { description: 'Brews green tea.' }));
    await change(() => root.skill('secret', { more: 'disable-model-invocation: true' }));
    expect(beside('Hello!')).toBeUndefined();
  });

  test('of a broken edit there are none', async () => {
    await change(() => root.file('tea/SKILL.md', 'broken'));
    expect(beside('Hello!')).toBeUndefined();
  });

  test('of many skills at once are one line', async () => {
    await change(() => {
      for (let index = 0; index < 11; index += 1)
        root.skill(`jam-${index}`, { description: `Boils jam ${index}.` });
    });
    expect(beside('Hello!')).toEqual({
      text: block('- 11 skills are new, changed or gone; search_skills finds what is there now'),
      names: [],
    });
    expect(beside('Hello!')).toBeUndefined();
    expect(beside('boil jam')?.names).toHaveLength(11);
  });

  test('of many at once still say which of the loaded ones to load again', async () => {
    session.loaded.set('tea', library.find('tea')?.contentHash ?? '');
    await change(() => {
      root.skill('tea', { description: 'Brews black tea.' });
      for (let index = 0; index < 11; index += 1) root.skill(`jam-${index}`, { description: 'Boils jam.' });
    });
    expect(beside('Hello!')?.text).toBe(
      block(
        '- tea: Brews black tea. (changed, load it again)',
        '- 11 skills are new, changed or gone; search_skills finds what is there now',
      ),
    );
    expect(beside('Hello!')).toBeUndefined();
  });

  test('that find no room are told beside a later message', async () => {
    await change(() => {
      for (const name of ['jam', 'juice'])
        root.skill(name, {
          description: `Makes ${name}. ${'It takes a while and some patience. '.repeat(8)}`,
        });
    });
    const budget = { ...BUDGET, turnTokens: 130 };
    expect(beside('Hello!', budget)?.names).toEqual(['jam']);
    expect(beside('Hello!', budget)?.names).toEqual(['juice']);
    expect(beside('Hello!', budget)).toBeUndefined();
  });

  test('are told by name where the session has spent what it may', async () => {
    session.tokens = BUDGET.sessionTokens;
    session.loaded.set('tea', library.find('tea')?.contentHash ?? '');
    await change(
      () => root.skill('jam', { description: 'Boils plum jam.' }),
      () => root.skill('tea', { description: 'Brews black tea.' }),
    );
    expect(beside('bake rye bread')?.text).toBe(block('- tea (changed, load it again)', '- jam (new)'));
    expect(beside('bake rye bread')).toBeUndefined();
  });

  test('that are too long for any message are told by name', async () => {
    await change(() => root.skill('jam', { description: 'Boils plum jam. '.repeat(60) }));
    const budget = { ...BUDGET, turnTokens: 100 };
    expect(beside('Hello!', budget)?.text).toBe(block('- jam (new)'));
    expect(beside('Hello!', budget)).toBeUndefined();
  });
});
