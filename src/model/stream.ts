import type { ToolCall } from './model.ts';

/** What one streamed completion came to, before it is judged whole. */
export interface Assembled {
  readonly content: string;
  readonly toolCalls: readonly ToolCall[];
  /** Absent if the stream ended without one: it is not whole then. */
  readonly finish: string | undefined;
  readonly usage: { readonly prompt_tokens?: number; readonly completion_tokens?: number } | undefined;
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

/** Puts the chunks of a stream together. Anything may be missing in a chunk; a new id or name at a known index is a new call. */
export function createAssembler(onText: (piece: string) => void): {
  add(chunk: unknown): void;
  result(): Assembled;
} {
  let content = '';
  let finish: string | undefined;
  let usage: Assembled['usage'];
  const calls: OpenCall[] = [];
  const extra: Record<string, unknown> = {};

  function addCall(piece: Chunk): void {
    const index = typeof piece['index'] === 'number' ? piece['index'] : 0;
    const { name, arguments: args } = record(piece['function']);
    const id = text(piece['id']);
    const open = calls.findLast((call) => call.index === index);
    const isNew = open === undefined || startsAnother(open, id, text(name));
    if (isNew) calls.push({ id, name: text(name), arguments: text(args), index });
    else {
      open.id ||= id;
      open.name ||= text(name);
      open.arguments += typeof args === 'object' && args !== null ? JSON.stringify(args) : text(args);
    }
  }

  return {
    add(chunk) {
      const { choices, usage: counted } = record(chunk);
      if (typeof counted === 'object' && counted !== null) usage = counted;
      const choice = record(Array.isArray(choices) ? choices[0] : undefined);
      const delta = record(choice['delta'] ?? choice['message']);
      const piece = text(delta['content']);
      if (piece !== '') onText(piece);
      content += piece;
      for (const call of Array.isArray(delta['tool_calls']) ? delta['tool_calls'] : []) addCall(record(call));
      for (const [key, value] of Object.entries(delta)) {
        if (key === 'content' || key === 'role' || key === 'tool_calls') continue;
        if (typeof value === 'string') extra[key] = text(extra[key]) + value;
        else if (Array.isArray(value))
          extra[key] = [...(Array.isArray(extra[key]) ? (extra[key] as unknown[]) : []), ...value];
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
      usage,
      extra,
    }),
  };
}

/** A new id at a known index, or a name once more where no id tells calls apart and the last one is whole. */
function startsAnother(open: OpenCall, id: string, name: string): boolean {
  if (id !== '' && open.id !== '') return id !== open.id;
  return name !== '' && open.name !== '' && (name !== open.name || isWhole(open.arguments));
}

function isWhole(json: string): boolean {
  try {
    JSON.parse(json);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
