import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';

export type LongFormat = 'claude-code' | 'codex';

/** What a long session is made of. */
export interface LongSession {
  readonly format: LongFormat;
  /** At least so long, to the end of a step. */
  readonly bytes: number;
  /** Text that outputs are pieces of. */
  readonly corpus: string;
  /** @default 1 */
  readonly seed?: number;
}

/**
 * Writes a session as its agent does, in steps of a thought or a word, a call and its result, with something from the
 * user after every dozen. Of the outputs seven in ten are below 4,000 characters, one in twenty reaches 200,000 and one
 * in a thousand some millions; one in ten failed. The same arguments give the same bytes.
 */
export async function writeLongSession(file: string, options: LongSession): Promise<{ records: number }> {
  const { format, bytes, corpus, seed = 1 } = options;
  const random = createRandom(seed);
  const piece = (length: number) => {
    let text = '';
    while (text.length < length) {
      const at = Math.floor(random() * corpus.length);
      text += corpus.slice(at, at + length - text.length);
    }
    return text.toWellFormed();
  };
  const id = () =>
    [8, 4, 4, 4, 12]
      .map((length) => Array.from({ length }, () => Math.floor(random() * 16).toString(16)).join(''))
      .join('-');
  const write = { 'claude-code': claudeCodeStep, codex: codexStep }[format];
  const stream = createWriteStream(file);
  let written = 0;
  let records = 0;
  const parts: StepParts = { random, piece, id, session: id(), last: undefined, time: Date.UTC(2026, 0, 5) };
  for (let step = 0; written < bytes; step += 1) {
    for (const record of write(parts, step)) {
      const line = `${JSON.stringify(record)}\n`;
      written += Buffer.byteLength(line);
      records += 1;
      if (!stream.write(line)) await once(stream, 'drain');
    }
  }
  stream.end();
  await finished(stream);
  return { records };
}

interface StepParts {
  readonly random: () => number;
  readonly piece: (length: number) => string;
  readonly id: () => string;
  readonly session: string;
  last: string | undefined;
  time: number;
}

function outputLength(random: () => number): number {
  const [kind, size] = [random(), random()];
  if (kind < 0.7) return Math.ceil(200 + size * 3_800);
  if (kind < 0.95) return Math.ceil(4_000 + size * 26_000);
  if (kind < 0.999) return Math.ceil(30_000 + size * 170_000);
  return Math.ceil(2_000_000 + size * 8_000_000);
}

const timeOf = (parts: StepParts) => {
  parts.time += 2_000;
  return new Date(parts.time).toISOString();
};

function claudeCodeStep(parts: StepParts, step: number): object[] {
  const { random, piece, id, session } = parts;
  const line = (type: string, message: object, more: object = {}) => {
    const uuid = id();
    const record = {
      parentUuid: parts.last ?? null,
      isSidechain: false,
      userType: 'external',
      cwd: '/srv/project',
      sessionId: session,
      version: '2.1.80',
      gitBranch: 'main',
      type,
      message,
      ...more,
      uuid,
      timestamp: timeOf(parts),
    };
    parts.last = uuid;
    return record;
  };
  const answer = (content: object[], message: string) =>
    line('assistant', { id: message, type: 'message', role: 'assistant', model: 'a-model', content });
  const [message, call] = [`msg_${id()}`, `toolu_${id()}`];
  const failed = random() < 0.1;
  const stdout = `${failed ? 'Error: it failed\n' : ''}${piece(outputLength(random))}`;
  return [
    ...(step % 12 === 0
      ? [line('user', { role: 'user', content: step === 0 ? 'Please mend the build.' : piece(200) })]
      : []),
    answer([{ type: random() < 0.5 ? 'thinking' : 'text', thinking: piece(300), text: piece(200) }], message),
    answer(
      [{ type: 'tool_use', id: call, name: 'Bash', input: { command: `npm test -- ${step}` } }],
      message,
    ),
    line(
      'user',
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: call, is_error: failed, content: stdout }],
      },
      { toolUseResult: { stdout, stderr: '', interrupted: false } },
    ),
  ];
}

function codexStep(parts: StepParts, step: number): object[] {
  const { random, piece, id, session } = parts;
  const line = (type: string, payload: object) => ({ timestamp: timeOf(parts), type, payload });
  const call = `call_${id()}`;
  const failed = random() < 0.1;
  const output = piece(outputLength(random));
  const said = piece(200);
  const wish = step === 0 ? 'Please mend the build.' : piece(200);
  const spoken = (role: string, type: string, text: string) =>
    line('response_item', { type: 'message', role, content: [{ type, text }] });
  return [
    ...(step === 0 ? [line('session_meta', { id: session, cwd: '/srv/project', originator: 'cli' })] : []),
    ...(step % 12 === 0
      ? [spoken('user', 'input_text', wish), line('event_msg', { type: 'user_message', message: wish })]
      : []),
    spoken('assistant', 'output_text', said),
    line('event_msg', { type: 'agent_message', message: said }),
    line('response_item', {
      type: 'function_call',
      name: 'shell',
      arguments: JSON.stringify({ command: ['npm', 'test', '--', String(step)] }),
      call_id: call,
    }),
    line('response_item', {
      type: 'function_call_output',
      call_id: call,
      output: JSON.stringify({ output, metadata: { exit_code: failed ? 1 : 0, duration_seconds: 1 } }),
    }),
  ];
}

/** Numbers from 0 up to 1, the same ones for the same seed (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
