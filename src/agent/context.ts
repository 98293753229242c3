import type { ChatMessage, ToolDefinition } from '../model/model.ts';
import { countTokens } from '../model/tokens.ts';
import type { Tool } from '../tool/tool.ts';

/** Tokens that a message takes beside its text, about. */
const PER_MESSAGE = 4;

/** The tools as the model is told of them, in their order. */
export function definitionsOf(tools: readonly Tool[]): readonly ToolDefinition[] {
  return tools.map(({ name, description, parameters }) => ({ name, description, parameters }));
}

/** Tokens of a request, by our own count; `loadTokenizer` must have been awaited. */
function estimateTokens(messages: readonly ChatMessage[], definitions: readonly ToolDefinition[]): number {
  const calls = (message: ChatMessage) =>
    message.role === 'assistant'
      ? (message.toolCalls ?? []).reduce(
          (sum, call) => sum + countTokens(call.name) + countTokens(call.arguments),
          0,
        )
      : 0;
  return messages.reduce(
    (sum, message) => sum + PER_MESSAGE + countTokens(message.content) + calls(message),
    definitions.length === 0 ? 0 : countTokens(JSON.stringify(definitions)),
  );
}

/** Watches how full the context window is, by our count mended with what the server counted. */
export interface ContextGauge {
  /** Tokens of the next request. */
  tokens(messages: readonly ChatMessage[]): number;
  /** Takes up the server's count of the request that these messages made. */
  measured(messages: readonly ChatMessage[], promptTokens: number): void;
}

export function createContextGauge(definitions: readonly ToolDefinition[]): ContextGauge {
  let correction = 0;
  return {
    tokens: (messages) => estimateTokens(messages, definitions) + correction,
    measured: (messages, promptTokens) => {
      correction = Math.max(0, promptTokens - estimateTokens(messages, definitions));
    },
  };
}
