import type { ToolCall } from './model.ts';

/** What one streamed completion came to, before it is judged whole. */
export interface Assembled {
  readonly content: string;
  readonly toolCalls: readonly ToolCall[];
  /** Absent if the stream ended without one: it is not whole then. */
  readonly finish: string | undefined;
  /** Tokens that the server counted; no prompt has none, so 0 there means that it did not. */
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
  typeof value === 'object' && value !== null ? JSON.stringify(value) : text(value);
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
 * whole arguments, since some servers give all of them the index 0; ids and arguments are kept as they came.
 */
export function createAssembler(onText: (piece: string) => void): {
  add(chunk: unknown): void;
  result(): Assembled;
} {
  let content = '';
  let finish: string | undefined;
  let usage: Pick<Assembled, 'promptTokens' | 'completionTokens'> = NOT_COUNTED;
  const calls: OpenCall[] = [];
  const extra = new Map<string, unknown>();

  function addCall(piece: Chunk): void {
    const index = typeof piece['index'] === 'number' ? piece['index'] : 0;
    const called = record(piece['function']);
    const next = {
      id: text(piece['id']),
      name: text(called['name']),
      arguments: argumentText(called['arguments']),
    };
    const open =
      calls.findLast((call) => call.index === index && next.id !== '' && call.id === next.id) ??
      calls.findLast((call) => call.index === index);
    if (open === undefined || startsAnother(open, next)) {
      calls.push({ ...next, index });
      return;
    }
    open.id ||= next.id;
    open.name ||= next.name;
    open.arguments += next.arguments;
  }

  return {
    add(chunk) {
      const { choices, usage: counted } = record(chunk);
      if (typeof counted === 'object' && counted !== null) usage = usageOf(record(counted));
      const choice = record(Array.isArray(choices) ? choices[0] : undefined);
      const delta = record(choice['delta'] ?? choice['message']);
      const piece = contentText(delta['content']);
      if (piece !== '') onText(piece);
      content += piece;
      for (const call of Array.isArray(delta['tool_calls']) ? delta['tool_calls'] : []) addCall(record(call));
      for (const [field, value] of Object.entries(delta)) {
        if (field === 'content' || field === 'role' || field === 'tool_calls') continue;
        const before = extra.get(field);
        if (typeof value === 'string') extra.set(field, text(before) + value);
        else if (Array.isArray(value)) extra.set(field, [...(Array.isArray(before) ? before : []), ...value]);
      }
      if (typeof choice['finish_reason'] === 'string') finish = choice['finish_reason'];
    },
    result: () => ({
      content,
      toolCalls: calls.map((call, index) => ({
        id: call.id || `call_${index + 1}`,
        name: call.name,
        arguments: call.arguments,
      })),
      finish,
      ...usage,
      extra: Object.fromEntries(extra),
    }),
  };
}

const NOT_COUNTED = { promptTokens: undefined, completionTokens: undefined };

function usageOf({
  prompt_tokens: prompt,
  completion_tokens: completion,
}: Chunk): Pick<Assembled, 'promptTokens' | 'completionTokens'> {
  const isCount = (value: unknown): value is number => typeof value === 'number' && value >= 0;
  if (!isCount(prompt) || prompt === 0) return NOT_COUNTED;
  return { promptTokens: prompt, completionTokens: isCount(completion) ? completion : undefined };
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
