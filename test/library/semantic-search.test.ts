import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Library, RankShares } from '../../src/library/library.ts';
import {
  createSemanticStage,
  type SemanticStage,
  type SemanticStageParts,
} from '../../src/library/meaning/semantic-stage.ts';
import { narrowingTo } from '../../src/library/search/narrowing.ts';
import { createSearch } from '../../src/library/search/skill-search.ts';
import { createEmbeddingModel } from '../../src/model/embedding-model.ts';
import { createRedactor } from '../../src/transcript/redact.ts';
import { answerOf, type EmbeddingServer, startEmbeddingServer } from '../support/embedding-server.ts';
import { type LibraryFolder, libraryFolder } from '../support/library-folder.ts';

let server: EmbeddingServer;
let root: LibraryFolder;
let library: Library;
let logs: string;
let notes: string[];
let stages: SemanticStage[];
let time: number;
const { signal } = new AbortController();

beforeEach(async () => {
  server = await startEmbeddingServer();
  root = libraryFolder();
  logs = join(libraryFolder().dir, 'logs');
  notes = [];
  stages = [];
  time = 0;
  root.skill('car-repair', {
    description: 'Repairs a car that does not start. Use when a car stands still.',
  });
  root.skill('dinner-plan', { description: 'Plans a dinner for guests. Use when dinner has to be cooked.' });
  root.skill('tax-return', {
    description: 'Fills in forms of the tax office.',
    body: '# Forms\n\n## Deadlines\n',
  });
  root.skill('garden', { description: 'Prunes roses and waters beds.' });
  library = await root.open();
});
afterEach(async () => {
  for (const stage of stages) await stage.close();
  await server.close();
});

const model = (name = 'double') =>
  createEmbeddingModel({ baseUrl: server.url, apiKey: 'k', model: name, retries: 0 });

/** Search as a process of its own would open it. */
function process(parts: Partial<SemanticStageParts> = {}) {
  const stage = createSemanticStage({
    embedder: model(),
    dir: logs,
    redact: (text) => createRedactor().text(text),
    note: (line) => notes.push(line),
    now: () => time,
    queryMs: 20_000,
    ...parts,
  });
  stages.push(stage);
  const search = createSearch(library, stage);
  const found = async (query: string) => (await search.search(query)).map(({ name }) => name);
  return { stage, found, ...search };
}

const vectorFiles = () => readdirSync(logs).filter((name) => name.startsWith('vectors-'));
const vectorFile = () => join(logs, vectorFiles()[0] ?? '');
const size = () => statSync(vectorFile()).size;

describe('what words cannot find', () => {
  test('is found by meaning, and says so', async () => {
    expect(library.search('mend my automobile')).toEqual([]);
    const [hit, ...others] = await process().search('mend my automobile');
    expect(hit).toEqual({
      name: 'car-repair',
      path: root.path('car-repair/SKILL.md'),
      score: hit?.score,
      why: [expect.stringMatching(/^meaning: rank 1, similarity 0\.\d\d, fits from 0\.\d\d$/)],
    });
    expect(hit?.score).toBeGreaterThanOrEqual(0.7);
    expect(others).toEqual([]);
  });

  test('is not found where meaning is not near either', async () => {
    const { found, search } = process();
    expect(await found('quantum chromodynamics lecture')).toEqual([]);
    const all = await search('quantum chromodynamics lecture', { all: true });
    expect(all).toHaveLength(4);
    expect(all.every(({ score, why }) => score < 0.7 && /below/.test(why.join()))).toBe(true);
  });

  test('what a skill is not for does not attract', async () => {
    root.skill('walks', { description: 'Plans walks.', more: 'when_not_to_use: to mend an automobile' });
    await library.refresh();
    expect(await process().found('mend my automobile')).toEqual(['car-repair']);
    expect(server.sent().join()).not.toContain('to mend an automobile');
  });
});

test('hits of both stages are fused, each with the part of either, and scores fall', async () => {
  const hits = await process().search('a supper: dinner for guests, with roses in beds');
  expect(hits[0]?.name).toBe('dinner-plan');
  expect(hits[0]?.why).toEqual([
    'words: rank 1',
    'name: dinner',
    'description: dinner, guests',
    'headings: dinner',
    'body: dinner',
    expect.stringMatching(/^meaning: rank 1, /),
  ]);
  expect(hits[1]).toMatchObject({
    name: 'garden',
    why: ['words: rank 2', 'description: roses, beds', expect.stringMatching(/^meaning: /)],
  });
  const scores = hits.map(({ score }) => score);
  expect(scores).toEqual([...scores].sort((left, right) => right - left));
});

test('an exact name is first, whatever is nearer', async () => {
  root.skill('automobile', { description: 'Something else entirely.' });
  await library.refresh();
  const hits = await process().search('automobile');
  expect(hits[0]?.name).toBe('automobile');
  expect(hits[0]?.why).toContain('exact name');
});

test('without the setting, search is the library’s own', async () => {
  const query = 'forms for the tax office';
  expect(await createSearch(library).search(query)).toEqual(library.search(query));
  expect(server.requests).toEqual([]);
});

describe('vectors are kept', () => {
  test('a second process sends the query alone', async () => {
    await process().found('mend my automobile');
    expect(server.sent().length).toBeGreaterThan(4);
    expect(await process().found('mend my automobile')).toEqual(['car-repair']);
    expect(server.sent()).toEqual(['mend my automobile']);
    expect(statSync(vectorFile()).mode & 0o777).toBe(0o600);
  });

  test('a changed skill is embedded anew, alone, and appended', async () => {
    await process().found('soup');
    const before = readFileSync(vectorFile());
    server.sent();
    root.skill('garden', { description: 'Repairs fences.' });
    await library.refresh();
    await process().found('soup');
    expect(server.sent()).toEqual(['garden\nRepairs fences.\ngarden', 'soup']);
    expect(readFileSync(vectorFile()).subarray(0, before.length)).toEqual(before);
    expect(size()).toBeGreaterThan(before.length);
  });

  test('a change that touches nothing of what is embedded sends nothing', async () => {
    await process().found('soup');
    server.sent();
    root.skill('garden', { description: 'Prunes roses and waters beds.', body: '# garden\n\nIn March.\n' });
    await library.refresh();
    await process().found('soup');
    expect(server.sent()).toEqual(['soup']);
  });

  test('each model has vectors of its own', async () => {
    await process().found('soup');
    await process({ embedder: model('other') }).found('soup');
    expect(vectorFiles()).toHaveLength(2);
    server.sent();
    await process().found('soup');
    expect(server.sent()).toEqual(['soup']);
  });

  test.each<readonly [string, () => void]>([
    ['a torn end', () => truncateSync(vectorFile(), size() - 7)],
    ['a foreign end', () => appendFileSync(vectorFile(), 'not a vector')],
    ['a changed byte', () => writeFileSync(vectorFile(), readFileSync(vectorFile()).with(size() - 30, 99))],
    ['another first line', () => writeFileSync(vectorFile(), '{"a":1}\nabc')],
    ['nothing in it', () => truncateSync(vectorFile(), 0)],
  ])('of a file with %s, what is whole is used and the rest made anew', async (_, damage) => {
    await process().found('soup');
    const whole = readFileSync(vectorFile());
    damage();
    expect(await process().found('mend my automobile')).toEqual(['car-repair']);
    expect(size()).toBeGreaterThanOrEqual(whole.length);
    server.sent();
    expect(await process().found('mend my automobile')).toEqual(['car-repair']);
    expect(server.sent()).toEqual(['mend my automobile']);
    expect(notes).toEqual([]);
  });

  test('where they cannot be kept, search works and a note says why', async () => {
    writeFileSync(root.path('file'), '');
    expect(await process({ dir: root.path('file/logs') }).found('mend my automobile')).toEqual([
      'car-repair',
    ]);
    expect(notes).toEqual([expect.stringMatching(/^vectors of skills cannot be kept: ENOTDIR/)]);
  });

  test('what is stale by far is dropped', async () => {
    const opened = process();
    for (let round = 0; round < 4; round += 1) {
      for (let index = 0; index < 50; index += 1)
        root.skill(`skill-${index}`, { description: `Does thing ${index} in round ${round}.` });
      await library.refresh();
      await opened.prepare({ signal });
    }
    const record = 256 + 20;
    expect(size() / record).toBeLessThan(3 * 66 + 101);
    const { count } = await process().stage.kept(library.skills);
    expect(count).toBe(54);
  });
});

describe('a long first run', () => {
  beforeEach(async () => {
    for (let index = 0; index < 150; index += 1)
      root.skill(`skill-${index}`, { description: `Does thing number ${index}.` });
    await library.refresh();
  });

  test('says how far it is and sends some at a time', async () => {
    const progress: string[] = [];
    await process().prepare({ signal, onProgress: (done, of) => progress.push(`${done}/${of}`) });
    expect([progress[0], progress.at(-1)]).toEqual(['0/166', '166/166']);
    expect(Math.max(...server.requests.map(({ input }) => input.length))).toBeLessThanOrEqual(32);
  });

  test('that is stopped keeps what was done', async () => {
    const stop = new AbortController();
    const stopped = process().prepare({
      signal: stop.signal,
      onProgress: (done) => done >= 32 && stop.abort(),
    });
    await expect(stopped).rejects.toMatchObject({ code: 'aborted' });
    expect(notes).toEqual([]);
    const first = server.sent().length;
    await process().prepare({ signal });
    expect(server.sent().length).toBeLessThan(166);
    expect(first).toBeGreaterThanOrEqual(32);
  });

  test('that brings nothing for long is given up, and words serve', async () => {
    server.answerWith(() => 'hang');
    const { prepare, found } = process({ idleMs: 20 });
    await prepare({ signal });
    expect(notes).toEqual([
      expect.stringMatching(/^search goes by words alone: no vectors of skills in 0\.02 s/),
    ]);
    expect(await found('car repair')).toContain('car-repair');
  });

  test('of two processes at once leaves whole vectors', async () => {
    await Promise.all([process().prepare({ signal }), process().prepare({ signal })]);
    await process().prepare({ signal });
    server.sent();
    await process().prepare({ signal });
    expect([server.sent(), notes]).toEqual([[], []]);
  });

  test('behind a query does not hold it up, and ends with the process', async () => {
    server.answerWith(({ input }) => (input.length > 1 ? 'hang' : undefined));
    const { found, stage } = process();
    expect(await found('tax forms')).toEqual(library.search('tax forms').map(({ name }) => name));
    await stage.close();
    expect(notes).toEqual([]);
  });

  test('goes on without a text that the server refuses', async () => {
    server.answerWith(({ input }) =>
      input.some((text) => text.includes('number 70.'))
        ? { status: 400, body: { error: { message: 'input too long' } } }
        : undefined,
    );
    const { prepare, stage, found } = process();
    await prepare({ signal });
    expect((await stage.kept(library.skills)).count).toBe(153);
    expect(notes).toEqual([expect.stringMatching(/^a skill is found by its words alone: .*input too long/)]);
    expect(await found('mend my automobile')).toContain('car-repair');
    expect(await found('thing number 70')).toContain('skill-70');
  });
});

describe('secrets stay here', () => {
  const secret = `ghp_${'a1B2'.repeat(9)}`;

  test('of skills and of queries', async () => {
    root.skill('deploy', { description: `Deploys with ${secret}.` });
    await library.refresh();
    await process().found(`deploy with ${secret}`);
    const sent = server.sent().join('\n');
    expect(sent).toContain('Deploys with [REDACTED:');
    expect(sent).toContain('deploy with [REDACTED:');
    expect(sent).not.toContain(secret);
  });

  test('also where the bound would cut them', async () => {
    await process().found(`${'word '.repeat(318)}${secret}`);
    expect(server.sent().join('\n')).not.toContain('ghp_');
  });

  test('texts are bounded in bytes, between characters', async () => {
    root.skill('long', { description: 'x'.repeat(900), body: `${'## 漢字の見出し\n\n'.repeat(300)}` });
    await library.refresh();
    await process().found('語'.repeat(5000));
    const sent = server.sent();
    expect(Math.max(...sent.map((text) => Buffer.byteLength(text)))).toBeLessThanOrEqual(1600);
    expect(sent.join()).not.toContain('\uFFFD');
  });
});

describe('a fault of the endpoint costs a turn nothing', () => {
  const words = () => library.search('dinner for guests').map(({ name }) => name);

  test.each<readonly [string, Parameters<EmbeddingServer['answerWith']>[0], RegExp]>([
    ['a wrong key', () => ({ status: 401, body: { error: 'no' } }), /: no\. Check OPENAI_API_KEY\.$/],
    ['too many requests', () => ({ status: 429, body: { error: 'slowly' } }), /slowly/],
    ['a web page', () => ({ body: '<html>', type: 'text/html' }), /web page/],
    [
      'NaN',
      (_, [vector]) => ({ body: answerOf([vector?.with(0, Number.NaN)]) }),
      /texts and answered|finite/,
    ],
    ['a broken connection', () => 'break', /that the server runs/],
    ['refusals of every text', () => ({ status: 400, body: { error: 'no such model' } }), /no such model/],
  ])('%s', async (_, fault, message) => {
    server.answerWith(fault);
    const { found } = process();
    expect(await found('dinner for guests')).toEqual(words());
    expect(await found('dinner for guests')).toEqual(words());
    expect(notes).toEqual([expect.stringMatching(/^search goes by words alone: /)]);
    expect(notes[0]).toMatch(message);
  });

  test('silence, within the time of a query', async () => {
    await process().found('soup');
    server.answerWith(() => 'hang');
    expect(await process({ queryMs: 30 }).found('dinner for guests')).toEqual(words());
    expect(notes).toEqual([expect.stringContaining('no vector of the query in 0.03 s')]);
  });

  test('it is asked again after a while, and said once', async () => {
    server.answerWith(() => ({ status: 503, body: { error: 'busy' } }));
    const { found, prepare } = process();
    await found('mend my automobile');
    // Until what began behind it has ended.
    await prepare({ signal });
    const asked = server.requests.length;
    await found('mend my automobile');
    expect(server.requests).toHaveLength(asked);
    time = 31_000;
    await found('mend my automobile');
    expect(server.requests.length).toBeGreaterThan(asked);
    server.answerWith(undefined);
    time = 300_000;
    expect(await found('mend my automobile')).toEqual(['car-repair']);
    expect(notes).toHaveLength(1);
  });

  test('another model under the same name', async () => {
    await process().found('soup');
    server.answerWith(({ input }) => ({ body: answerOf(input.map(() => [1, 2, 3])) }));
    expect(await process().found('dinner for guests')).toEqual(words());
    expect(notes).toEqual([expect.stringContaining(`remove ${vectorFile()} to embed the skills anew`)]);
  });

  test('an abort is no fault', async () => {
    const stop = new AbortController();
    server.answerWith(() => {
      stop.abort();
      return 'hang';
    });
    await process().search('dinner for guests', { signal: stop.signal });
    expect(notes).toEqual([]);
  });
});

test('an empty library and an empty query ask nothing', async () => {
  const empty = await libraryFolder().open();
  const stage = createSemanticStage({
    embedder: model(),
    dir: logs,
    redact: (text) => text,
    note: (line) => notes.push(line),
    now: () => time,
  });
  expect(await createSearch(empty, stage).search('anything')).toEqual([]);
  expect(await process().found('   ')).toEqual([]);
  expect([server.requests, existsSync(logs), notes]).toEqual([[], false, []]);
});

test('shares of a fused hit add up, those of its words below them; what is named has no other', async () => {
  const { search } = process();
  const hits = await search('a supper: dinner for guests, with roses in beds', { shares: true });
  const [words, meaning] = hits[0]?.shares?.parts ?? [];
  expect([words?.part, words?.of, meaning?.part, meaning?.of]).toEqual([
    'words',
    'rank 1',
    'meaning',
    'rank 1',
  ]);
  expect(sum(hits[0]?.shares)).toBeCloseTo(hits[0]?.shares?.rank ?? 0, 9);
  expect(sum(words?.shares)).toBeCloseTo(words?.shares?.rank ?? 0, 9);
  const ranks = hits.map(({ shares }) => shares?.rank ?? 0);
  expect(ranks).toEqual([...ranks].sort((left, right) => right - left));
  const unbounded = Number.POSITIVE_INFINITY;
  expect((await search('garden', { shares: true }))[0]?.shares).toEqual({
    rank: unbounded,
    parts: [{ part: 'exact name', value: unbounded }],
  });
});

function sum(shares: RankShares | undefined): number {
  return (shares?.parts ?? []).reduce((all, { value }) => all + value, 0);
}

test('tags narrow what meaning finds too', async () => {
  root.skill('bicycle-repair', {
    description: 'Mends a bicycle, and an automobile where it has to.',
    more: 'tags: [two wheels]',
  });
  await library.refresh();
  const { search } = process();
  const narrowed = async (tags: string[]) =>
    new Set(
      (await search('mend my automobile', { narrowing: narrowingTo(library, tags) })).map(({ name }) => name),
    );
  const both = new Set(['bicycle-repair', 'car-repair']);
  expect(new Set(await process().found('mend my automobile'))).toEqual(both);
  expect(await narrowed(['two-wheels'])).toEqual(new Set(['bicycle-repair']));
  expect(await narrowed(['garden'])).toEqual(both);
});
