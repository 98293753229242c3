import type { ChatMessage, ModelReply, ToolCall, Usage } from '../model/model.ts';
import type { ToolResult } from '../tool/tool.ts';

/**
 * Why a turn ended: with an answer; at a limit of model calls, of tokens or of the context window; by the user; because
 * the model failed; because its answer was cut by the token limit (and is not whole); or because it went in circles.
 */
export type StopReason =
  | 'answer'
  | 'turn-limit'
  | 'token-limit'
  | 'context-limit'
  | 'aborted'
  | 'model-error'
  | 'length'
  | 'stuck';

/** What the loop says to the model of its own accord, each at most once a turn. */
export type NoteReason = 'unproven-success' | 'printed-call' | 'empty-answer';

/** One thing that happened in a turn, in order. */
export type AgentEvent =
  /** A piece of the answer as it streams. */
  | { readonly type: 'text'; readonly text: string }
  /** No answer came, and the model is asked again; `attempt` counts from 1. Not part of the session's log. */
  | { readonly type: 'retry'; readonly why: string; readonly attempt: number; readonly of: number }
  /** The model's message, whole; `interrupted` means that the user stopped it there. */
  | {
      readonly type: 'message';
      readonly message: Extract<ChatMessage, { role: 'assistant' }>;
      readonly finish: ModelReply['finish'] | 'interrupted';
      readonly usage?: Usage;
    }
  | { readonly type: 'tool-start'; readonly call: ToolCall }
  | { readonly type: 'tool-end'; readonly call: ToolCall; readonly result: ToolResult }
  | { readonly type: 'note'; readonly reason: NoteReason; readonly text: string }
  /** For the person: something about the model's server that should be mended. */
  | { readonly type: 'warning'; readonly text: string }
  /** `problem` says in one sentence what stopped it and what to do; absent for an answer. */
  | { readonly type: 'turn-end'; readonly stop: StopReason; readonly problem?: string };
