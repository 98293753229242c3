import { describe, expect, test } from 'vitest';
import type { Folder } from '../../../src/files/folder.ts';
import type { Draft } from '../../../src/gate/draft.ts';
import { runGate } from '../../../src/gate/gate.ts';
import { loadTokenizer } from '../../../src/model/tokens.ts';
import {
  checkFindings,
  checkRules,
  draftOf,
  gateInput,
  libraryOf,
  NAME,
  skillFolder,
} from '../../support/gate-lab.ts';

await loadTokenizer();

import { folderOf, skillText } from '../../support/skills.ts';

const candidate = skillFolder('# Cleaning\n\n- Join rows that a line end within quotes broke.');
const described = (name: string, description: string, files: Readonly<Record<string, string>> = {}): Folder =>
  folderOf({ 'SKILL.md': skillText(name, '# Steps\n\n- Look first.', { description }), ...files });
const queries = (...list: readonly (readonly [string, boolean])[]): string =>
  JSON.stringify(list.map(([query, should_trigger]) => ({ query, should_trigger })));
const draftWith = (...list: readonly (readonly [string, boolean])[]): Draft =>
  draftOf([], { triggers: list.map(([query, should_trigger]) => ({ query, should_trigger })) });

const MEANT = ['the CSV export has broken rows, clean it before loading', true] as const;
const ELSEWHERE = ['write a poem about the sea', false] as const;

describe('the queries of the skill itself', () => {
  test.each([
    ['found by what is meant for it and not by what is not', [MEANT, ELSEWHERE], []],
    ['not found by what is meant for it', [MEANT, ['write a poem', true]], ['refuse not-found']],
    [
      'found by what is meant for others as surely as by what is meant for it',
      [MEANT, ['clean the broken rows of this CSV export before it is loaded', false]],
      ['refuse found-wrongly'],
    ],
    [
      'found more weakly by what is meant for others',
      [MEANT, ['tell me how many rows the table has', false]],
      ['warn found-wrongly'],
    ],
    [
      'found by what is meant for others, with nothing to weigh it against',
      [['tell me how many rows the table has', false]],
      ['refuse found-wrongly'],
    ],
  ] as const)('%s', async (_, triggers, expected) => {
    expect(
      await checkRules('retrieval', {
        candidate,
        library: await libraryOf(),
        draft: draftWith(...triggers),
      }),
    ).toEqual(expected);
  });

  test('say which of those meant for it is too weak, so that its words can go into the description', async () => {
    const other = 'clean the broken rows of this CSV export before it is loaded';
    const [finding] = await checkFindings('retrieval', {
      candidate,
      library: await libraryOf(),
      draft: draftWith(MEANT, [other, false]),
    });
    expect(finding?.message).toContain(
      `as surely as "${MEANT[0]}", which is meant for it: take such words out`,
    );
    expect(finding?.message).toMatch(/or put more of the words of the latter into the description$/);
  });

  test('only warn where another skill comes before it', async () => {
    const library = await libraryOf({
      'row-counting': described('row-counting', 'Counts the rows of a table. Use when rows are counted.'),
    });
    const counts = ['count the rows of this table, broken or not', false] as const;
    const weak = ['clean it', true] as const;
    expect(await checkRules('retrieval', { candidate, library, draft: draftWith(weak, counts) })).toEqual([
      'warn found-wrongly',
    ]);
  });

  test('come from its own evals where a draft brings none', async () => {
    const withEvals = skillFolder('# Cleaning', {
      'evals/triggers.json': queries(['write a poem', true]),
    });
    expect(await checkRules('retrieval', { candidate: withEvals, library: await libraryOf() })).toEqual([
      'refuse not-found',
    ]);
  });

  test('hold a draft that brings easier ones', async () => {
    const withEvals = skillFolder('# Cleaning', { 'evals/triggers.json': queries(['write a poem', true]) });
    const draft = draftWith(MEANT, ELSEWHERE);
    const library = await libraryOf();
    expect(await checkRules('retrieval', { candidate: withEvals, library, draft })).toEqual([
      'refuse not-found',
    ]);
    // What the base fails already is no fault of the change.
    const { findings } = await runGate(gateInput({ candidate: withEvals, base: withEvals, library, draft }));
    expect(findings.filter(({ check }) => check === 'retrieval')).toMatchObject([
      { rule: 'not-found', old: true },
    ]);
  });

  test('count for nothing as text: a skill is not found because it recorded the query', async () => {
    const withEvals = skillFolder('# Cleaning', {
      'evals/triggers.json': queries(['zeppelin maintenance', true]),
    });
    expect(await checkRules('retrieval', { candidate: withEvals, library: await libraryOf() })).toEqual([
      'refuse not-found',
    ]);
  });

  test('are not run where there are none', async () => {
    expect(await checkRules('retrieval', { candidate, library: await libraryOf() })).toEqual([
      'not run: no trigger queries: only the places of its neighbours were looked at',
    ]);
  });
});

describe('the queries of other skills', () => {
  const query = 'repair broken rows of a table';
  const neighbours = (names: readonly string[]): Record<string, Folder> =>
    Object.fromEntries(
      names.map((name) => [name, described(name, 'Repairs a table. Use when a table has broken rows.')]),
    );

  test('refuse a skill that pushes their own out of the first three', async () => {
    const library = await libraryOf({
      ...neighbours(['rows-a', 'rows-b']),
      'rows-z': described('rows-z', 'Repairs a table. Use when a table has broken rows.', {
        'evals/triggers.json': queries([query, true]),
      }),
    });
    const greedy = folderOf({
      'SKILL.md': skillText(NAME, '# Repair broken rows of a table', {
        description:
          'Repairs broken rows of a table. Use when the rows of a table are broken or a table wants repair.',
      }),
    });
    expect(await checkRules('retrieval', { candidate: greedy, library })).toEqual([
      'refuse steals-query',
      'not run: no trigger queries: only the places of its neighbours were looked at',
    ]);
    const [finding] = await checkFindings('retrieval', { candidate: greedy, library });
    expect(finding?.message).toContain('is a query of "rows-z", which falls out of the first 3');
  });

  test('a query of another skill that this one answers before it is refused', async () => {
    const query = 'repair the broken rows of a table';
    const library = await libraryOf({
      'rows-z': described('rows-z', 'Mends tables. Use when a table has broken rows.', {
        'evals/triggers.json': queries([query, true]),
      }),
    });
    const greedy = described(
      NAME,
      'Repairs broken rows of a table. Use when the rows of a table are broken or a table wants repair.',
    );
    expect(await checkRules('retrieval', { candidate: greedy, library, draft: draftWith() })).toEqual([
      'refuse takes-first-place',
      'not run: no trigger queries: only the places of its neighbours were looked at',
    ]);
  });

  test('a query that stands with another skill is not recorded with this one too', async () => {
    const library = await libraryOf({
      'rows-z': described('rows-z', 'Draws maps of towns. Use when a map is wanted.', {
        'evals/triggers.json': queries(['Clean this CSV export, its rows are broken!', true]),
      }),
    });
    const draft = draftWith(['clean this CSV export, its rows are broken', true]);
    expect(await checkRules('retrieval', { candidate, library, draft })).toContain('refuse claims-query');
  });

  test('do not concern a skill far from them', async () => {
    const library = await libraryOf({
      'rows-z': described('rows-z', 'Repairs a table. Use when a table has broken rows.', {
        'evals/triggers.json': queries([query, true]),
      }),
    });
    const poem = folderOf({
      'SKILL.md': skillText(NAME, '# Poems', { description: 'Writes poems. Use when a poem is wanted.' }),
    });
    expect(await checkRules('retrieval', { candidate: poem, library })).toEqual([
      'not run: no trigger queries: only the places of its neighbours were looked at',
    ]);
  });
});
