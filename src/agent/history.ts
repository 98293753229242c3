import type { ChatMessage, ToolCall } from '../model/model.ts';
import { readArguments } from '../tool/run-tool.ts';
import type { ToolResult } from '../tool/tool.ts';

export type AssistantMessage = Extract<ChatMessage, { role: 'assistant' }>;

/**
 * The message as the history keeps it: arguments are always JSON, since many servers parse them again with each
 * request and would refuse the conversation from then on. Malformed ones stand under `malformed`.
 */
export function toHistory(message: AssistantMessage): AssistantMessage {
  if (!message.toolCalls) return message;
  return {
    ...message,
    toolCalls: message.toolCalls.map((call) => ({ ...call, arguments: historyArguments(call) })),
  };
}

function historyArguments(call: ToolCall): string {
  if (call.arguments.trim() === '') return '{}';
  return readArguments(call).ok
    ? call.arguments
    : JSON.stringify({ malformed: call.arguments.slice(0, 4000) });
}

/** The message with ids that no earlier call of the conversation has: some servers count anew with each answer. */
export function withFreshIds(message: AssistantMessage, messages: readonly ChatMessage[]): AssistantMessage {
  if (!message.toolCalls) return message;
  const used = new Set(messages.flatMap((earlier) => (earlier.role === 'tool' ? [earlier.callId] : [])));
  const toolCalls = message.toolCalls.map((call) => {
    let id = call.id;
    for (let copy = 2; used.has(id) || id === ''; copy++) id = `${call.id || 'call'}_${copy}`;
    used.add(id);
    return { ...call, id };
  });
  return { ...message, toolCalls };
}

/** The answer to one call; one that never came says so, so that every call is answered. */
export function toolMessage(call: ToolCall, result: Pick<ToolResult, 'text'> | undefined): ChatMessage {
  return {
    role: 'tool',
    callId: call.id,
    name: call.name,
    content: result?.text ?? 'Not run: the turn ended before',
  };
}
