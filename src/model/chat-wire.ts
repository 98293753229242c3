import type { ChatMessage, ModelRequest } from './model.ts';
import type { ProviderQuirks } from './provider-quirks.ts';
import { describeTextCalls } from './text-tool-calls.ts';

/** The form in which a server takes requests, as far as it is known. */
export interface Wire {
  readonly usage: boolean;
  /** Use the other of `max_tokens` and `max_completion_tokens`. */
  readonly otherTokenLimit: boolean;
  readonly json: 'schema' | 'object' | 'prompt';
  readonly tools: 'native' | 'text';
}

/** The body of one chat completion. */
export function requestBody(
  request: ModelRequest,
  model: string,
  quirks: ProviderQuirks,
  wire: Wire,
): Record<string, unknown> {
  const tools = request.tools ?? [];
  const textual = wire.tools === 'text' && tools.length > 0;
  const hints = [
    textual ? describeTextCalls(tools) : '',
    request.json !== undefined && wire.json !== 'schema'
      ? `Answer with one JSON object and nothing else. Its JSON Schema: ${JSON.stringify(request.json.schema)}`
      : '',
  ];
  const limit =
    wire.otherTokenLimit === (quirks.maxTokens === 'max_tokens') ? 'max_completion_tokens' : 'max_tokens';
  return {
    model,
    messages: wireMessages(
      withHint(request.messages, hints.filter((hint) => hint !== '').join('\n\n')),
      quirks,
      textual,
    ),
    ...(tools.length > 0 && !textual
      ? { tools: tools.map((tool) => ({ type: 'function', function: tool })) }
      : {}),
    ...(request.maxTokens === undefined ? {} : { [limit]: request.maxTokens }),
    ...jsonForm(request, wire),
    stream: true,
    ...(wire.usage ? { stream_options: { include_usage: true } } : {}),
  };
}

function jsonForm(request: ModelRequest, wire: Wire): Record<string, unknown> {
  if (request.json === undefined || wire.json === 'prompt') return {};
  if (wire.json === 'object') return { response_format: { type: 'json_object' } };
  return {
    response_format: {
      type: 'json_schema',
      json_schema: { name: request.json.name, schema: request.json.schema },
    },
  };
}

/** A hint goes to the end of the system message, or becomes one. */
function withHint(messages: readonly ChatMessage[], hint: string): readonly ChatMessage[] {
  if (hint === '') return messages;
  const [first, ...rest] = messages;
  if (first?.role !== 'system') return [{ role: 'system', content: hint }, ...messages];
  return [{ role: 'system', content: `${first.content}\n\n${hint}` }, ...rest];
}

function wireMessages(
  messages: readonly ChatMessage[],
  quirks: ProviderQuirks,
  textual: boolean,
): Record<string, unknown>[] {
  const wired = messages.map((message) => toWire(message, quirks, textual));
  if (!textual) return wired;
  // Results are user messages here, and many chat templates refuse two of them in a row.
  const merged: Record<string, unknown>[] = [];
  for (const message of wired) {
    const last = merged.at(-1);
    if (last?.['role'] === 'user' && message['role'] === 'user')
      last['content'] = `${last['content']}\n\n${message['content']}`;
    else merged.push(message);
  }
  return merged;
}

function toWire(message: ChatMessage, quirks: ProviderQuirks, textual: boolean): Record<string, unknown> {
  switch (message.role) {
    case 'system':
    case 'user':
      return { role: message.role, content: message.content };
    case 'tool':
      return textual
        ? { role: 'user', content: `Result of ${message.name}:\n${message.content}` }
        : { role: 'tool', tool_call_id: message.callId, content: message.content };
    case 'assistant': {
      const calls = message.toolCalls ?? [];
      const native = echoOf(message.native, quirks);
      if (textual) {
        const lines = calls.map((call) => `tool: ${call.name}(${call.arguments})`);
        return {
          role: 'assistant',
          content: [message.content, ...lines].filter((line) => line !== '').join('\n'),
        };
      }
      const content = message.content === '' && calls.length > 0 ? quirks.emptyContent : message.content;
      const tool_calls = calls.map((call) => ({
        id: call.id,
        type: 'function',
        function: { name: call.name, arguments: call.arguments },
      }));
      return { role: 'assistant', content, ...(calls.length > 0 ? { tool_calls } : {}), ...native };
    }
  }
}

function echoOf(
  native: Extract<ChatMessage, { role: 'assistant' }>['native'],
  quirks: ProviderQuirks,
): Record<string, unknown> {
  if (native?.provider !== quirks.provider) return {};
  return Object.fromEntries(Object.entries(native.fields).filter(([field]) => quirks.echoes.includes(field)));
}
