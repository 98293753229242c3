import type { JsonSchema } from '../text/json-schema.ts';

/** A call as the model wrote it; `arguments` is the raw JSON text and may be malformed. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/**
 * One message of a conversation in our words. `native` keeps what else the provider sent (reasoning); it goes back to the
 * same provider alone, and only the fields that this one wants.
 */
export type ChatMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | {
      readonly role: 'assistant';
      readonly content: string;
      readonly toolCalls?: readonly ToolCall[];
      readonly native?: { readonly provider: string; readonly fields: Readonly<Record<string, unknown>> };
    }
  | { readonly role: 'tool'; readonly callId: string; readonly name: string; readonly content: string };

export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
}

/** Tokens as the provider counted them, or as estimated with `tokens.ts` where it did not. */
export interface Usage {
  readonly promptTokens: number;
  readonly completionTokens: number;
}

export interface ModelRequest {
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly ToolDefinition[];
  /** Ask for one JSON object (json_schema, json_object or by prompt, as far as the provider can). */
  readonly json?: { readonly name: string; readonly schema: JsonSchema };
  readonly maxTokens?: number;
  readonly signal?: AbortSignal;
  /** Called with each piece of text as it streams. */
  readonly onText?: (text: string) => void;
  /** Called when an answer failed and is asked for again: the text given so far is void. `attempt` counts from 1. */
  readonly onRetry?: (why: string, next: { readonly attempt: number; readonly of: number }) => void;
}

export interface ModelReply {
  readonly message: Extract<ChatMessage, { role: 'assistant' }>;
  /** `length`: cut by the token limit, never to be saved as whole. */
  readonly finish: 'stop' | 'tool-calls' | 'length' | 'filtered';
  readonly usage: Usage;
  /** Something that the person should know, such as a prompt that the server cut. */
  readonly warning?: string;
  /** The server read only a part of the prompt: nothing that builds on the whole of it may be trusted. */
  readonly promptCut?: true;
}

/**
 * A hosted model. `complete` rejects with a `KnackError` (`model-failed`, `model-missing`, `aborted`) that
 * carries the provider's message; passing faults were already retried within bounds.
 */
export interface Model {
  readonly id: string;
  complete(request: ModelRequest): Promise<ModelReply>;
}
