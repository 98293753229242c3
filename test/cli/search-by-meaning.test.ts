import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { freshKnack, type Knack, onTerminal } from '../support/command-line.ts';
import { type EmbeddingServer, startEmbeddingServer } from '../support/embedding-server.ts';
import { startScriptedModel } from '../support/scripted-model.ts';
import { skillText } from '../support/skills.ts';

let server: EmbeddingServer;
let knack: Knack;
let workspace: string;

beforeEach(async () => {
  server = await startEmbeddingServer();
  ({ knack, workspace } = await freshKnack('meaning'));
  await knack(['init']);
  for (const [name, description] of [
    ['car-repair', 'Repairs a car that does not start.'],
    ['room-lights', 'Switches lamps on and off.'],
  ] as const) {
    mkdirSync(join(workspace, 'skills', name), { recursive: true });
    writeFileSync(join(workspace, 'skills', name, 'SKILL.md'), skillText(name, '- x', { description }));
  }
});
afterEach(() => server.close());

const set = (embeddings: unknown) =>
  writeFileSync(join(workspace, 'knack.json'), JSON.stringify({ search: { embeddings } }));
// No word of it stands in a skill, nor in a bundled one.
const QUERY = ['skills', 'search', 'that automobile'];

async function hitsOf(args: readonly string[] = QUERY) {
  const { code, stdout, stderr } = await knack([...args, '--json']);
  const { hits } = JSON.parse(stdout) as { hits: { name: string; why: string[] }[] };
  return { code, stderr, names: hits.map(({ name }) => name), why: hits[0]?.why };
}

test('off unless it is set: nothing is asked and nothing written', async () => {
  expect(await hitsOf()).toEqual({ code: 0, stderr: '', names: [], why: undefined });
  expect(server.requests).toEqual([]);
  expect(readdirSync(join(workspace, 'logs')).filter((name) => name.startsWith('vectors-'))).toEqual([]);
});

test('set, it finds by meaning and says so; the next process sends the query alone', async () => {
  set({ model: 'double', baseUrl: server.url });
  expect(await hitsOf()).toEqual({
    code: 0,
    stderr: '',
    names: ['car-repair'],
    why: [expect.stringMatching(/^meaning: rank 1, similarity /)],
  });
  server.sent();
  const { stdout } = await knack([...QUERY, '--why']);
  expect(stdout).toMatch(
    /^ 1\. fits {5}car-repair: Repairs a car that does not start\.\n {13}fit \d\.\d\d; meaning: rank 1, similarity /,
  );
  expect(server.sent()).toEqual(['that automobile']);
});

test('the base URL of the model and its key are those of embeddings unless they have their own', async () => {
  set({ model: 'double', dimensions: 64 });
  const { stdout } = await knack([...QUERY, '--json'], {
    OPENAI_BASE_URL: server.url,
    OPENAI_API_KEY: 'k-1',
  });
  expect(stdout).toContain('car-repair');
  expect(server.requests.at(-1)).toEqual({ model: 'double', input: ['that automobile'], dimensions: 64 });
  expect(server.keys.at(-1)).toBe('Bearer k-1');
});

test('queries of a file go the same way', async () => {
  set({ model: 'double', baseUrl: server.url });
  const file = join(workspace, 'queries.jsonl');
  writeFileSync(file, '{"id":1,"query":"that automobile"}\n{"id":2,"query":"lamps"}\n');
  const { stdout } = await knack(['skills', 'search', '--queries', file]);
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { hits: { name: string }[] });
  expect(lines.map(({ hits }) => hits[0]?.name)).toEqual(['car-repair', 'room-lights']);
});

test('a task gets the skill that is near by meaning, and ends although the endpoint hangs', async () => {
  set({ model: 'double', baseUrl: server.url });
  const model = await startScriptedModel([{ text: 'Done.' }, { text: 'Done.' }]);
  const env = { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'none', KNACK_MODEL: 'scripted' };
  await knack(QUERY);
  await knack(['run', 'that automobile'], env);
  server.answerWith(() => 'hang');
  const { code, stderr } = await knack(['run', 'that automobile'], env);
  await model.close();
  const [near, alone] = model.requests.map(({ messages }) => String(messages.at(-1)?.content));
  expect(near).toMatch(/^that automobile\n\n<skill_candidates[\s\S]*may fit: car-repair/);
  expect({ alone, code }).toEqual({ alone: 'that automobile', code: 0 });
  expect(stderr).toContain('search goes by words alone: no vector of the query in 2 s');
});

test('Ctrl-C ends a first run that hangs', async () => {
  set({ model: 'double', baseUrl: server.url });
  server.answerWith(() => 'hang');
  const { code } = await onTerminal(QUERY, [['embedding skills: 0 of ', '\u0003']], { workspace });
  expect(code).toBe(130);
});

test('a folder that is searched alone stays at home', async () => {
  set({ model: 'double', baseUrl: server.url });
  await knack([...QUERY, '--root', join(workspace, 'skills')]);
  expect(server.requests).toEqual([]);
});

test.each([
  [
    'an endpoint that is down',
    { model: 'double', baseUrl: 'http://127.0.0.1:9/v1' },
    'search.embeddings.baseUrl and that',
  ],
  ['none', { model: 'double' }, 'there is no endpoint for the embedding model "double"'],
  ['one that is no URL', { model: 'double', baseUrl: 'localhost' }, 'is not a URL'],
])('%s costs a note on stderr', async (_, embeddings, note) => {
  set(embeddings);
  const { code, stdout, stderr } = await knack(['skills', 'search', 'lamps', '--json']);
  expect({ code, name: JSON.parse(stdout).hits[0].name }).toEqual({ code: 0, name: 'room-lights' });
  expect(stderr).toMatch(/^search goes by words alone: .*\n$/);
  expect(stderr).toContain(note);
});

test('a setting without a model is refused with its place', async () => {
  set({ baseUrl: server.url });
  const { code, stderr } = await knack(QUERY);
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('search.embeddings') });
});

test('on a terminal a first run shows how far it is', async () => {
  set({ model: 'double', baseUrl: server.url });
  const { code, screen } = await onTerminal(QUERY, [], { workspace });
  expect(code).toBe(0);
  expect(screen).toContain('embedding skills: 0 of ');
});
