import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readEnvironment } from '../../src/config.ts';
import { openRuntime, type Runtime } from '../../src/runtime/runtime.ts';
import { type ScriptedModel, type Step, startScriptedModel } from '../support/scripted-model.ts';
import { folderOf, skillText, temporary } from '../support/skills.ts';

const signal = new AbortController().signal;
const DESCRIPTION = 'Ties a bowline that holds. Use when a rope has to be made fast.';
let server: ScriptedModel;
let runtime: Runtime;
let dir: string;

beforeEach(async () => {
  dir = await temporary('bytes');
});

afterEach(async () => {
  await server.close();
});

/** A conversation in a workspace with the bundled skills, with an endpoint that keeps what it receives. */
async function open(steps: readonly Step[], resume?: string) {
  server = await startScriptedModel(steps);
  runtime = await openRuntime({
    workspace: join(dir, 'workspace'),
    environment: { ...readEnvironment(), baseUrl: server.url, apiKey: 'none', model: 'scripted', home: dir },
    log: () => undefined,
    now: () => new Date('2030-01-02T03:04:05Z'),
  });
  const conversation = await runtime.conversation({
    cwd: dir,
    allow: [],
    unsandboxed: true,
    ...(resume === undefined ? {} : { resume }),
  });
  return { conversation, send: (text: string) => conversation.send(text, { signal }) };
}

/** Commits a version of the skill as a review does. */
async function commit(name: string, body: string, version: string): Promise<void> {
  const history = await runtime.history();
  const outcome = await history.commit({
    skill: name,
    base: await history.committed(name),
    target: folderOf({ 'SKILL.md': skillText(name, body, { description: DESCRIPTION, version }) }),
    to: version,
    what: 'a knot',
    why: 'it held',
    actor: 'reviewer',
    sessions: [],
    operations: [],
  });
  expect(outcome.kind).toBe('committed');
}

/** The messages and the tools of a request as they stand in its bytes. */
function partsOf(body: string | undefined): { readonly messages: string; readonly tools: string } {
  const { messages, tools } = JSON.parse(String(body)) as { messages: unknown; tools: unknown };
  const texts = { messages: JSON.stringify(messages), tools: JSON.stringify(tools) };
  // What was parsed and written again is what was sent.
  for (const text of Object.values(texts)) expect(body).toContain(text);
  return texts;
}

const count = (text: string, part: string) => text.split(part).length - 1;

test('a skill committed between two turns leaves every byte before the tail, is told once there, and loads by name at once', async () => {
  const { conversation, send } = await open([
    { text: 'one' },
    { text: 'two' },
    { toolCalls: [{ name: 'load_skill', arguments: { name: 'knot-tying' } }] },
    { text: 'three' },
    { text: 'four' },
  ]);
  await send('Hello.');
  await send('How was your day?');
  await commit('knot-tying', 'The rabbit comes out of its hole.', '1.0.0');
  await send('And what about tomorrow?');
  await send('And the day after?');
  await conversation.end();
  const parts = server.bodies.map(partsOf);
  for (const [index, { messages, tools }] of parts.entries()) {
    const before = parts[index - 1];
    if (before === undefined) continue;
    expect(tools).toBe(before.tools);
    expect(messages.startsWith(before.messages.slice(0, -1))).toBe(true);
  }
  expect(parts.map(({ messages }) => count(messages, DESCRIPTION))).toEqual([0, 0, 1, 1, 1]);
  expect(String(server.requests[2]?.messages.at(-1)?.content)).toMatch(
    new RegExp(`^And what about tomorrow\\?\\n\\n[^]*- knot-tying: ${DESCRIPTION} \\(new\\)`),
  );
  expect(String(server.requests[3]?.messages.at(-1)?.content)).toContain('The rabbit comes out of its hole.');
  expect(server.requests[4]?.messages.at(-1)?.content).toBe('And the day after?');
});

test('the catalog of a session that is gone on with stands there once, as the library is now, and loaded instructions to the letter', async () => {
  const first = await open([
    { toolCalls: [{ name: 'load_skill', arguments: { name: 'git-commit' } }] },
    { text: 'one' },
  ]);
  await first.send('Hello.');
  await first.conversation.end();
  await commit('knot-tying', 'The rabbit comes out of its hole.', '1.0.0');
  const body = (await runtime.skill('git-commit')).body;
  await server.close();
  const second = await open([{ text: 'two' }], first.conversation.id);
  await second.send('Hello again.');
  await second.conversation.end();
  const catalog = (await runtime.catalog()).text;
  const contents = (server.requests[0]?.messages ?? []).map(({ content }) => content ?? '');
  expect(catalog).toContain(`- knot-tying: ${DESCRIPTION}`);
  expect(contents.filter((content) => content.includes(catalog))).toHaveLength(1);
  expect(contents.join('\n').split(catalog)).toHaveLength(2);
  expect(contents.filter((content) => content.includes(body))).toHaveLength(1);
});

test('the same library gives the same bytes in two sessions', async () => {
  const { send, conversation } = await open([{ text: 'one' }, { text: 'one' }]);
  await send('Hello.');
  await conversation.end();
  const other = await runtime.conversation({ cwd: dir, allow: [], unsandboxed: true });
  await other.send('Hello.', { signal });
  await other.end();
  expect(server.bodies[1]).toBe(server.bodies[0]);
});
