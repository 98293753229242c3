import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { SearchHit } from '../../src/library/library.ts';
import { openUsage } from '../../src/library/use/usage.ts';
import { type LibraryFolder, libraryFolder } from '../support/library-folder.ts';
import { temporary } from '../support/skills.ts';

let root: LibraryFolder;

const names = (hits: readonly SearchHit[]) => hits.map(({ name }) => name);

beforeEach(() => {
  root = libraryFolder();
  root.skill('csv-import', { description: 'Loads comma separated tables into a database.' });
  root.skill('pdf-forms', {
    description: 'Fills in the fields of PDF forms. Use when a form has to be completed.',
  });
  root.skill('release-notes', { description: 'Writes release notes from commits.' });
  root.skill('team-standup', { description: 'Summarises what a team did yesterday.' });
});

describe('what belongs together comes up together', () => {
  beforeEach(() => {
    root.skill('chart-drawing', {
      description: 'Draws charts from numbers.',
      more: 'related_skills: palette',
    });
    root.skill('palette', { description: 'Picks colours.', more: 'related_skills: chart-drawing, gone' });
  });

  test('after the one that names it, with the edge as the reason, and circles end', async () => {
    const hits = (await root.open()).search('draw charts from these numbers');
    expect(hits.map(({ name }) => name)).toEqual(['chart-drawing', 'palette']);
    expect(hits[1]?.why).toEqual(['related to chart-drawing']);
    // It comes along, and says honestly that none of the words are its own.
    expect(hits[1]?.score).toBe(0);
  });

  test('by use, but not where use is left out of account', async () => {
    const recorded = { queriesOf: () => [], coUse: () => [['release-notes', 'team-standup'] as const] };
    const library = await root.open({ recorded });
    const found = (withoutRecorded: boolean) =>
      names(library.search('write release notes', { withoutRecorded }));
    expect(found(false)).toEqual(['release-notes', 'team-standup']);
    expect(found(true)).toEqual(['release-notes']);
  });

  test('without use as if there were none, also where both were used and one names the other', async () => {
    root.skill('mailing', {
      description: 'Sends letters about release notes.',
      body: 'See `release-notes`.',
    });
    const coUse = () => [['mailing', 'release-notes'] as const];
    const used = await root.open({ recorded: { queriesOf: () => [], coUse } });
    const unused = await root.open();
    const query = 'write release notes';
    expect(used.search(query, { withoutRecorded: true })).toEqual(unused.search(query));
  });
});

describe('recorded queries', () => {
  const recorded = (queries: Record<string, readonly string[]>) => ({
    queriesOf: (name: string) => queries[name] ?? [],
    coUse: () => [],
  });

  test('bring up the skill that they belong to, and say so', async () => {
    const library = await root.open({ recorded: recorded({ 'team-standup': ['who did the dishes'] }) });
    expect(library.search('dishes')[0]).toMatchObject({
      name: 'team-standup',
      why: ['recorded queries: dishes'],
    });
    expect(library.search('dishes', { withoutRecorded: true })).toEqual([]);
  });

  test('count by a word that shares its stem with a stop word', async () => {
    const library = await root.open({
      recorded: recorded({ 'team-standup': ['do not put this in notion', 'not in notion this time'] }),
    });
    expect(library.search('notion')[0]).toMatchObject({ name: 'team-standup' });
  });

  test('count for the skill whose alias they were recorded under, and for no other', async () => {
    root.skill('absorber', { description: 'Waters plants.', more: 'aliases: [Old Name, csv-import]' });
    const usage = await openUsage(join(await temporary(), 'usage.jsonl'), String);
    const use = { session: 's1', by: 'model', at: '2030-01-02T03:04:05.000Z' } as const;
    await usage.record({ ...use, skill: 'old-name', query: 'who did the dishes' });
    await usage.record({ ...use, session: 's2', skill: 'csv-import', query: 'polish the silver' });
    const library = await root.open({ recorded: usage });
    expect(library.search('dishes')[0]).toMatchObject({
      name: 'absorber',
      why: ['recorded queries: dishes'],
    });
    expect(names(library.search('silver'))).toEqual(['csv-import']);
  });

  test('of a popular skill do not swallow what another is plainly for', async () => {
    const many = Array.from(
      { length: 30 },
      (_, index) => `team question ${index} about the form and the table`,
    );
    const library = await root.open({ recorded: recorded({ 'team-standup': many }) });
    expect(library.search('fill in the fields of a PDF form')[0]?.name).toBe('pdf-forms');
  });

  test('of one skill, two hundred of them, leave every other skill its queries', async () => {
    const topics = [
      'agenda',
      'minutes',
      'colleagues',
      'sprint',
      'retrospective',
      'blockers',
      'holiday',
      'desk',
    ];
    const asks = [
      'can you show me',
      'please write about',
      'I need help with',
      'find and list',
      'how do we handle',
    ];
    const many = Array.from(
      { length: 200 },
      (_, index) =>
        `${asks[index % 5]} the ${topics[index % 8]} and the ${topics[(index * 3) % 7]} of week ${index}`,
    );
    const used = await root.open({ recorded: recorded({ 'team-standup': many }) });
    const first = (query: string) => used.search(query)[0]?.name;
    expect(first('can you show me how to load tables into the database')).toBe('csv-import');
    expect(first('please write release notes for this week')).toBe('release-notes');
    expect(first('I need help with the form fields')).toBe('pdf-forms');
    expect(first('find and list the blockers of the sprint')).toBe('team-standup');
  });

  test('count as wholes: one that the query is nearly all of before a long one that has its words among others', async () => {
    const library = await root.open({
      recorded: recorded({
        'csv-import': [
          'paint and lacquer for the hull, the mast, the deck, the ropes and the anchor of boats',
        ],
        'team-standup': ['paint hull'],
      }),
    });
    expect(names(library.search('hull paint'))).toEqual(['team-standup', 'csv-import']);
  });

  test('say less of a query that asks for one thing more than any of them', async () => {
    const asked = ['weekly sales numbers of the north', 'weekly sales numbers of the south'];
    const library = await root.open({ recorded: recorded({ 'team-standup': asked }) });
    const first = (query: string) => library.search(query, { all: true })[0]?.name;
    expect(first('weekly sales numbers for the database')).toBe('team-standup');
    expect(first('weekly sales numbers, also for the database')).toBe('csv-import');
  });

  test('tell by pairs of words what single words do not', async () => {
    const library = await root.open({
      recorded: recorded({
        'csv-import': ['open house data', 'house of cards', 'open cards'],
        'team-standup': ['house data open', 'house of cards', 'open cards'],
      }),
    });
    expect(library.search('an open house')[0]?.name).toBe('csv-import');
  });

  test('that ship with a skill count where the root is writable, and nowhere else', async () => {
    root.file(
      'pdf-forms/evals/triggers.json',
      JSON.stringify([
        { query: 'tax return', should_trigger: true },
        { query: 'holiday pictures', should_trigger: false },
      ]),
    );
    expect(names((await root.open()).search('tax return'))).toEqual(['pdf-forms']);
    expect(names((await root.open()).search('holiday pictures'))).toEqual([]);
    const readOnly = await root.open({ roots: [{ name: 'other', dir: root.dir, writable: false }] });
    expect(readOnly.search('tax return')).toEqual([]);
  });
});

test('what another process recorded or forgot counts from the next look at the disk', async () => {
  const file = join(await temporary('search-by-use'), 'usage.jsonl');
  const [here, there] = [await openUsage(file, String), await openUsage(file, String)];
  const library = await root.open({ recorded: here });
  const found = () => names(library.search('quench my thirst'));
  const use = { skill: 'pdf-forms', session: 's', query: 'quench my thirst', by: 'user', at: '' } as const;
  const seen: string[][] = [found()];
  await there.record(use);
  await library.refresh();
  seen.push(found());
  await there.forget({ skills: ['pdf-forms'] });
  await library.refresh();
  seen.push(found());
  expect(seen).toEqual([[], ['pdf-forms'], []]);
});
