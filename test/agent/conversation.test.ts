import { mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AgentEvent } from '../../src/agent/agent-event.ts';
import { type ConversationParts, createConversation, type SkillLoad } from '../../src/agent/conversation.ts';
import { readSession } from '../../src/agent/resume.ts';
import { openLibrary } from '../../src/library/library.ts';
import { createSemanticStage } from '../../src/library/meaning/semantic-stage.ts';
import { createSearch } from '../../src/library/search/skill-search.ts';
import { createEmbeddingModel } from '../../src/model/embedding-model.ts';
import { createOpenAiModel } from '../../src/model/openai-model.ts';
import { createPrompts } from '../../src/model/prompts.ts';
import { createSandbox } from '../../src/scripts/sandbox.ts';
import { createApproval } from '../../src/tool/approval.ts';
import { createSessionLog } from '../../src/transcript/session-log.ts';
import { startEmbeddingServer } from '../support/embedding-server.ts';
import { type ScriptedModel, type Step, startScriptedModel } from '../support/scripted-model.ts';

const signal = new AbortController().signal;
let base: string;
let server: ScriptedModel | undefined;

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'knack-conversation-')));
  mkdirSync(join(base, 'project'));
  writeSkill(
    'tea-brewing',
    'Brews green tea at the right temperature. Use when tea is wanted.',
    'Water at 70 degrees.',
  );
  writeSkill(
    'bread-baking',
    'Bakes rye bread from sourdough. Use when bread is wanted.',
    'Rest the dough for a night.',
  );
});

afterEach(async () => {
  await server?.close();
  server = undefined;
});

function writeSkill(name: string, description: string, body: string, version = '1.0.0'): void {
  mkdirSync(join(base, 'skills', name), { recursive: true });
  writeFileSync(
    join(base, 'skills', name, 'SKILL.md'),
    `---\nname: ${name}\ndescription: ${description}\nmetadata:\n  version: "${version}"\n---\n\n# ${name}\n\n${body}\n`,
  );
}

async function open(steps: readonly Step[], options: Partial<ConversationParts> = {}) {
  server = await startScriptedModel(steps);
  const loads: SkillLoad[] = [];
  const conversation = await createConversation({
    model: createOpenAiModel({ baseUrl: server.url, apiKey: 'none', model: 'scripted', retries: 0 }),
    prompts: createPrompts({
      packageDir: join(import.meta.dirname, '../../prompts'),
      overridable: ['assistant'],
    }),
    library: await openLibrary({ roots: [{ name: 'workspace', dir: join(base, 'skills'), writable: true }] }),
    sandbox: createSandbox({ mode: 'unsandboxed', path: process.env['PATH'] ?? '', timeoutSeconds: 20 }),
    approval: createApproval([]),
    log: createSessionLog({
      file: join(base, 'session.jsonl'),
      header: {
        id: 's1',
        started: '2030-01-02T03:04:05.000Z',
        cwd: join(base, 'project'),
        model: 'scripted',
        purpose: 'chat',
      },
    }),
    cwd: join(base, 'project'),
    limits: { maxTurns: 10, maxTokens: 100_000, contextTokens: 100_000 },
    disclosure: { catalogTokens: 2000, turnTokens: 600, sessionTokens: 6000, pinned: [] },
    now: () => new Date('2030-01-02T03:04:05Z'),
    onLoad: (load) => loads.push(load),
    ...options,
  });
  const send = (text: string, onEvent?: (event: AgentEvent) => void) =>
    conversation.send(text, { signal, ...(onEvent ? { onEvent } : {}) });
  return { conversation, send, loads, requests: server.requests };
}

const lines = () =>
  readFileSync(join(base, 'session.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

const prefixOf = (body: { messages: readonly unknown[]; tools?: unknown } | undefined) =>
  JSON.stringify([body?.tools, body?.messages[0]]);
const contentOf = (body: { messages: readonly { content: unknown }[] } | undefined) =>
  String(body?.messages.at(-1)?.content);

test('tools and system prompt are the same bytes over a session while the library changes, and the change comes once at the tail', async () => {
  const { send, requests, conversation } = await open([
    { text: 'one' },
    { text: 'two' },
    { text: 'three' },
    { text: 'four' },
  ]);
  await send('Hello.');
  await send('What is the weather like?');
  writeSkill(
    'knot-tying',
    'Ties a bowline that holds. Use when a rope has to be made fast.',
    'The rabbit comes out.',
  );
  writeSkill(
    'tea-brewing',
    'Brews green tea at the right temperature. Use when tea is wanted.',
    'Water at 75 degrees.',
    '1.1.0',
  );
  await send('And tomorrow?');
  await send('And the day after?');
  await conversation.end();
  expect(new Set(requests.map(prefixOf)).size).toBe(1);
  expect(prefixOf(requests[0])).toContain('tea-brewing: Brews green tea');
  expect(contentOf(requests[1])).not.toContain('knot-tying');
  expect(contentOf(requests[2])).toContain('knot-tying');
  expect(contentOf(requests[2])).toContain('tea-brewing');
  expect(contentOf(requests[3])).not.toMatch(/knot-tying|tea-brewing/);
});

test('history is only appended to: each request begins with the messages of the one before', async () => {
  const { send, requests } = await open([
    { toolCalls: [{ name: 'load_skill', arguments: { name: 'tea-brewing' } }] },
    { text: 'one' },
    { text: 'two' },
  ]);
  await send('Make green tea.');
  await send('Thanks.');
  for (const [index, body] of requests.slice(1).entries()) {
    const before = requests[index]?.messages ?? [];
    expect(body.messages.slice(0, before.length)).toEqual(before);
  }
});

test('a skill that was added a moment ago can be loaded by name in the same turn', async () => {
  const { send, requests } = await open([
    {
      answer: () => {
        writeSkill(
          'knot-tying',
          'Ties a bowline that holds. Use when a rope has to be made fast.',
          'The rabbit comes out.',
        );
        return { toolCalls: [{ name: 'load_skill', arguments: { name: 'knot-tying' } }] };
      },
    },
    { text: 'Tied.' },
  ]);
  await send('Tie a knot.');
  expect(contentOf(requests[1])).toContain('The rabbit comes out.');
});

test('a load by the model is logged with version, content hash and whose wish it was', async () => {
  const { send, conversation, loads } = await open([
    { toolCalls: [{ name: 'load_skill', arguments: { name: 'tea-brewing' }, id: 'c1' }] },
    { text: 'Tea.' },
  ]);
  await send('Make green tea.');
  await conversation.end();
  const contentHash = loads[0]?.skill.contentHash;
  expect(lines().find(({ kind }) => kind === 'skill-load')).toEqual({
    type: 'event',
    id: expect.stringMatching(/^e\d+$/),
    ts: '2030-01-02T03:04:05.000Z',
    kind: 'skill-load',
    role: 'assistant',
    skill: 'tea-brewing',
    version: '1.0.0',
    contentHash,
    by: 'model',
  });
  expect(loads.map(({ skill, by, query }) => [skill.name, by, query])).toEqual([
    ['tea-brewing', 'model', 'Make green tea.'],
  ]);
  expect(conversation.loaded.map(({ skill }) => skill)).toEqual(['tea-brewing']);
});

test('what the user loads goes with the next message and never counts as their words', async () => {
  const { send, conversation, requests, loads } = await open([{ text: 'Bread.' }]);
  expect((await conversation.loadSkill('bread-baking')).kind).toBe('loaded');
  await send('Go on.');
  await conversation.end();
  expect(contentOf(requests[0])).toMatch(/^Go on\.\n\n[\s\S]*Rest the dough for a night\./);
  const own = lines().filter(
    (line) => line['kind'] === 'text' && line['role'] === 'user' && !line['injected'],
  );
  expect(own.map(({ text }) => text)).toEqual(['Go on.']);
  expect(lines().filter(({ injected }) => injected === 'skill-content')).toHaveLength(1);
  expect(loads.map(({ by }) => by)).toEqual(['user']);
});

test('a second load of the same version is a stub, by whomever', async () => {
  const { send, conversation, requests } = await open([
    { toolCalls: [{ name: 'load_skill', arguments: { name: 'tea-brewing' } }] },
    { toolCalls: [{ name: 'load_skill', arguments: { name: 'tea-brewing' } }] },
    { text: 'Tea.' },
  ]);
  await send('Make green tea.');
  expect(contentOf(requests[1])).toContain('Water at 70 degrees.');
  expect(contentOf(requests[2])).not.toContain('Water at 70 degrees.');
  expect((await conversation.loadSkill('tea-brewing')).kind).toBe('already');
});

test('a name that does not exist is refused to the user with near ones', async () => {
  const { conversation } = await open([]);
  await expect(conversation.loadSkill('tea-brewin')).rejects.toMatchObject({
    code: 'not-found',
    message: expect.stringContaining('tea-brewing'),
  });
});

test('the words of a message bring up the skill that they want, marked and logged as injected', async () => {
  for (let index = 0; index < 400; index++)
    writeSkill(
      `filler-${index}`,
      `Handles case ${index} of the ledger. Use when number ${index} is asked for.`,
      'Nothing.',
    );
  const { send, conversation, requests } = await open([{ text: 'Tea.' }]);
  await send('Please brew some green tea at the right temperature');
  await conversation.end();
  expect(contentOf(requests[0])).toMatch(/^Please brew[\s\S]*tea-brewing/);
  const injected = lines().find((line) => line['injected'] === 'skill-candidates');
  expect(injected).toMatchObject({ role: 'user', text: expect.stringContaining('tea-brewing') });
});

test('what the catalog says in full is said once, and beside the message only named', async () => {
  const { send, requests } = await open([{ text: 'Tea.' }, { text: 'More tea.' }]);
  await send('Please brew some green tea at the right temperature');
  await send('Brew green tea again');
  expect(contentOf(requests[0])).toContain('in the list above, and may fit: tea-brewing');
  expect(contentOf(requests[1])).toBe('Brew green tea again');
  expect(JSON.stringify(requests[1]).split('Brews green tea at the right temperature')).toHaveLength(2);
});

test('a resumed session goes on with the same messages and knows what was loaded', async () => {
  const first = await open([
    { toolCalls: [{ name: 'load_skill', arguments: { name: 'tea-brewing' } }] },
    { text: 'Tea.' },
  ]);
  await first.send('Make green tea.');
  await first.conversation.end();
  const before = first.requests[1]?.messages ?? [];
  await server?.close();
  const second = await open(
    [{ toolCalls: [{ name: 'load_skill', arguments: { name: 'tea-brewing' } }] }, { text: 'More.' }],
    { resumed: await readSession(join(base, 'session.jsonl')) },
  );
  expect(second.conversation.loaded.map(({ skill }) => skill)).toEqual(['tea-brewing']);
  await second.send('More.');
  await second.conversation.end();
  expect(second.requests[0]?.messages.slice(0, before.length)).toEqual(before);
  expect(contentOf(second.requests[1])).not.toContain('Water at 70 degrees.');
  const ids = lines().flatMap(({ id, type }) => (type === 'event' ? [id] : []));
  expect(new Set(ids).size).toBe(ids.length);
  expect(lines().filter(({ injected }) => injected === 'system-prompt')).toHaveLength(1);
});

test('a resumed session gets a skill anew that has changed since', async () => {
  const first = await open([
    { toolCalls: [{ name: 'load_skill', arguments: { name: 'tea-brewing' } }] },
    { text: 'Tea.' },
  ]);
  await first.send('Make green tea.');
  await first.conversation.end();
  await server?.close();
  writeSkill(
    'tea-brewing',
    'Brews green tea at the right temperature. Use when tea is wanted.',
    'Water at 75 degrees.',
    '1.1.0',
  );
  const second = await open(
    [{ toolCalls: [{ name: 'load_skill', arguments: { name: 'tea-brewing' } }] }, { text: 'More.' }],
    { resumed: await readSession(join(base, 'session.jsonl')) },
  );
  await second.send('More.');
  expect(contentOf(second.requests[1])).toContain('Water at 75 degrees.');
});

test('a resumed session is told of tools that change while it goes on, not of those that there are', async () => {
  const tools = (name: string) => `tools:\n  - {name: ${name}, description: Pours., script: pour.sh}\n`;
  const write = (name: string) => writeFileSync(join(base, 'skills/tea-brewing/tools.yaml'), tools(name));
  write('pour');
  const first = await open([
    { toolCalls: [{ name: 'load_skill', arguments: { name: 'tea-brewing' } }] },
    { text: 'Tea.' },
  ]);
  await first.send('Make green tea.');
  await first.conversation.end();
  await server?.close();
  const second = await open([{ text: 'One.' }, { text: 'Two.' }], {
    resumed: await readSession(join(base, 'session.jsonl')),
  });
  await second.send('Hm.');
  write('stir');
  await second.send('Hm?');
  const said = second.requests.map(contentOf).map((content) => content.includes('changed, load it again'));
  expect(said).toEqual([false, true]);
});

test('a session without a message leaves no file; a message after the end or beside another is refused', async () => {
  const silent = await open([]);
  await silent.conversation.end();
  await silent.conversation.end();
  expect(() => lines()).toThrow('ENOENT');
  await expect(silent.send('Hello.')).rejects.toMatchObject({ code: 'conflict' });
  await expect(silent.send('  ')).rejects.toMatchObject({ code: 'usage' });
  const busy = await open([{ text: 'one' }]);
  const turn = busy.send('Hello.');
  await expect(busy.send('Hello again.')).rejects.toThrow('still being answered');
  expect((await turn).stop).toBe('answer');
});

test('usage adds up over the turns', async () => {
  const { send, conversation } = await open([
    { text: 'one', promptTokens: 3000 },
    { text: 'two', promptTokens: 4000 },
  ]);
  await send('Hello.');
  await send('Hello.');
  expect(conversation.usage.promptTokens).toBe(7000);
  expect(conversation.contextTokens()).toBeGreaterThan(4000);
});

test('a skill that is near by meaning comes beside the message and out of search_skills', async () => {
  writeSkill('car-repair', 'Repairs a car that does not start.', 'Look at the battery.');
  writeSkill('room-lights', 'Switches lamps.', 'On and off.');
  const embeddings = await startEmbeddingServer();
  const library = await openLibrary({
    roots: [{ name: 'workspace', dir: join(base, 'skills'), writable: true }],
  });
  const notes: string[] = [];
  const stage = createSemanticStage({
    embedder: createEmbeddingModel({ baseUrl: embeddings.url, apiKey: 'none', model: 'double', retries: 0 }),
    dir: base,
    redact: (text) => text,
    note: (line) => notes.push(line),
    now: () => 0,
    queryMs: 20_000,
  });
  try {
    const search = createSearch(library, stage);
    const { send, requests } = await open(
      [
        { toolCalls: [{ name: 'search_skills', arguments: { query: 'mending an automobile', limit: 1 } }] },
        { text: 'Done.' },
        { text: 'Hm.' },
      ],
      { library, search },
    );
    await send('mend my automobile');
    expect(contentOf(requests[0])).toContain('may fit: car-repair');
    expect(contentOf(requests[1])).toContain('- car-repair: Repairs a car');
    embeddings.answerWith(() => ({ status: 500, body: { error: 'down' } }));
    await send('mend my other automobile');
    expect([contentOf(requests[2]), notes]).toEqual([
      'mend my other automobile',
      [expect.stringContaining('search goes by words alone')],
    ]);
  } finally {
    await stage.close();
    await embeddings.close();
  }
});

test('a skill that failed of late is not described, stands last beside a message, and says so when it is loaded', async () => {
  const failure = {
    skill: 'tea-brewing',
    hash: '',
    session: 's',
    event: 'e',
    outcome: 'failed',
    at: '',
  } as const;
  const { send, conversation, requests } = await open(
    [
      { toolCalls: [{ name: 'load_skill', arguments: { name: 'tea-brewing' } }] },
      { text: 'Done.' },
      { text: 'More.' },
    ],
    {
      disclosure: {
        catalogTokens: 2000,
        turnTokens: 600,
        sessionTokens: 6000,
        pinned: [],
        toRepair: ({ name }) => (name === 'tea-brewing' ? [failure, failure] : []),
      },
    },
  );
  await send('Brew tea and bake bread, please.');
  const [system, user] = requests[0]?.messages ?? [];
  expect(system?.content).not.toContain('Brews green tea');
  expect(system?.content).toContain('- bread-baking: Bakes rye bread');
  expect(user?.content).toMatch(/bread-baking[\s\S]*- tea-brewing: Brews green tea/);
  expect(requests[1]?.messages.at(-1)?.content).toContain('These instructions failed in 2 recent sessions');
  expect((await conversation.loadSkill('tea-brewing')).kind).toBe('already');
  await send('Go on.');
  expect(requests[2]?.messages[0]).toEqual(system);
});
