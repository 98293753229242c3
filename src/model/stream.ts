import { isTooDeep } from '../text/json.ts';
import type { ToolCall } from './model.ts';

/** What one streamed completion came to, before it is judged whole. */
export interface Assembled {
  readonly content: string;
  readonly toolCalls: readonly ToolCall[];
  /** Absent if the stream ended without one: it is not whole then. */
  readonly finish: string | undefined;
  /** Numbers that the server gave for its tokens. They may be anything. */
  readonly promptTokens: number | undefined;
  readonly completionTokens: number | undefined;
  /** Fields of the deltas that are not ours, joined. */
  readonly extra: Readonly<Record<string, unknown>>;
}

interface OpenCall {
  id: string;
  name: string;
  arguments: string;
  readonly index: number;
}

type Chunk = Readonly<Record<string, unknown>>;
const record = (value: unknown): Chunk =>
  typeof value === 'object' && value !== null ? (value as Chunk) : {};
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
/** Some servers give the arguments as a value instead of its JSON text. */
const argumentText = (value: unknown): string =>
  typeof value === 'object' && value !== null
    ? isTooDeep(value)
      ? TOO_DEEP
      : JSON.stringify(value)
    : text(value);
/** No JSON, so that the call is refused with these words. */
const TOO_DEEP = 'arguments that are nested too deeply';
/** Some servers give the text as a list of typed parts, with their reasoning among them. */
const contentText = (value: unknown): string =>
  Array.isArray(value)
    ? value
        .map(record)
        .map((part) => (part['type'] === 'text' ? text(part['text']) : ''))
        .join('')
    : text(value);

/**
 * Puts the chunks of a stream together. Anything may be missing in a chunk. Calls are told apart by index, id, name and
 * whole arguments, since some servers give all of them the index 0; ids and arguments are kept as they came. Of texts
 * that have more than `most` characters together no more is kept, and the answer ends as `length`.
 */
export function createAssembler(
  onText: (piece: string) => void,
  most = Number.POSITIVE_INFINITY,
): {
  /** Whether the chunk carried anything. */
  add(chunk: unknown): boolean;
  /** Whether more came than may. */
  isFull(): boolean;
  result(): Assembled;
} {
  let content = '';
  let finish: string | undefined;
  let usage: Pick<Assembled, 'promptTokens' | 'completionTokens'> = NOT_COUNTED;
  const calls: OpenCall[] = [];
  const extra = new Map<string, unknown>();
  let left = most;
  let isFull = false;

  /** As much of a text as there is room for. */
  function taken(piece: string): string {
    if (piece.length > left) isFull = true;
    const kept = piece.slice(0, left);
    left -= kept.length;
    return kept;
  }

  function addExtra(field: string, value: unknown): void {
    const before = extra.get(field);
    if (typeof value === 'string' && value !== '') {
      extra.set(field, text(before) + taken(value));
    } else if (Array.isArray(value) && value.length > 0 && !isTooDeep(value)) {
      left -= JSON.stringify(value).length;
      if (left < 0) isFull = true;
      else if (Array.isArray(before)) for (const each of value) before.push(each);
      else extra.set(field, [...value]);
    }
    left = Math.max(0, left);
  }

  function addCall(piece: Chunk): void {
    const index = typeof piece['index'] === 'number' ? piece['index'] : 0;
    const called = record(piece['function']);
    const next = {
      id: text(piece['id']),
      name: text(called['name']),
      arguments: taken(argumentText(called['arguments'])),
    };
    const open =
      calls.findLast((call) => call.index === index && next.id !== '' && call.id === next.id) ??
      calls.findLast((call) => call.index === index);
    if (open === undefined || startsAnother(open, next)) {
      calls.push({ id: taken(next.id), name: taken(next.name), arguments: next.arguments, index });
      left = Math.max(0, left - CALL_ROOM);
      return;
    }
    open.id ||= next.id;
    open.name ||= next.name;
    open.arguments += next.arguments;
  }

  return {
    add(chunk) {
      const before = { left, finish, usage };
      const { choices, usage: counted } = record(chunk);
      if (typeof counted === 'object' && counted !== null) usage = usageOf(record(counted));
      const choice = record(Array.isArray(choices) ? choices[0] : undefined);
      const delta = record(choice['delta'] ?? choice['message']);
      const piece = taken(contentText(delta['content']));
      if (piece !== '') onText(piece);
      content += piece;
      for (const call of Array.isArray(delta['tool_calls']) ? delta['tool_calls'] : []) addCall(record(call));
      for (const [field, value] of Object.entries(delta))
        if (field !== 'content' && field !== 'role' && field !== 'tool_calls') addExtra(field, value);
      if (typeof choice['finish_reason'] === 'string') finish = choice['finish_reason'];
      return left < before.left || finish !== before.finish || usage !== before.usage;
    },
    isFull: () => isFull,
    result: () => ({
      content,
      toolCalls: calls.map((call, index) => ({
        id: call.id || `call_${index + 1}`,
        name: call.name,
        arguments: call.arguments,
      })),
      finish: isFull ? 'length' : finish,
      ...usage,
      extra: Object.fromEntries(extra),
    }),
  };
}

/** What a call takes beside its texts. */
const CALL_ROOM = 64;
const NOT_COUNTED = { promptTokens: undefined, completionTokens: undefined };

function usageOf({
  prompt_tokens: prompt,
  completion_tokens: completion,
}: Chunk): Pick<Assembled, 'promptTokens' | 'completionTokens'> {
  const number = (value: unknown) => (typeof value === 'number' ? value : undefined);
  // No prompt has no tokens: the server did not count.
  if (number(prompt) === undefined || prompt === 0) return NOT_COUNTED;
  return { promptTokens: number(prompt), completionTokens: number(completion) };
}

/** A new id or name at a known index, or arguments once more where those of the open call are whole. */
function startsAnother(open: OpenCall, next: Omit<OpenCall, 'index'>): boolean {
  if (next.id !== '' && open.id !== '' && next.id !== open.id) return true;
  if (next.name !== '' && open.name !== '' && next.name !== open.name) return true;
  return next.arguments.trimStart().startsWith('{') && isWholeObject(open.arguments);
}

function isWholeObject(json: string): boolean {
  if (!json.trimEnd().endsWith('}')) return false;
  try {
    JSON.parse(json);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
