import { KnackError } from '../errors.ts';
import type { ChatMessage, Model, ModelReply, ToolDefinition, Usage } from '../model/model.ts';
import { looksLikePrintedCall } from '../model/text-tool-calls.ts';
import type { Approval } from '../tool/approval.ts';
import { notRun } from '../tool/run-tool.ts';
import type { Tool, ToolResult } from '../tool/tool.ts';
import type { AgentEvent, NoteReason, StopReason } from './agent-event.ts';
import { createCallRunner } from './call-runner.ts';
import type { ContextGauge } from './context.ts';
import { toHistory, toolMessage, withFreshIds } from './history.ts';
import { claimsSuccess } from './success-claim.ts';

export interface TurnLimits {
  /** Model calls. */
  readonly maxTurns: number;
  /** Tokens of prompts and completions together. */
  readonly maxTokens: number;
  /** The model's context window. */
  readonly contextTokens: number;
}

export interface TurnOptions {
  readonly model: Model;
  readonly tools: readonly Tool[];
  /** As the model is told of the tools: the same list with every request of a conversation. */
  readonly definitions: readonly ToolDefinition[];
  /** Ends with the user's message; appended to, and never changed otherwise. */
  readonly messages: ChatMessage[];
  readonly approval: Approval;
  readonly limits: TurnLimits;
  readonly gauge: ContextGauge;
  readonly cwd: string;
  readonly signal: AbortSignal;
  readonly onText: (text: string) => void;
  readonly onRetry: (event: Extract<AgentEvent, { type: 'retry' }>) => void;
  /** What it rejects with ends the turn and is passed on. */
  readonly emit: (event: AgentEvent) => Promise<void>;
}

export interface TurnOutcome {
  readonly stop: StopReason;
  /** The last words of the model; not whole if `stop` is not `answer`. */
  readonly text: string;
  /** Of this turn alone. */
  readonly usage: Usage;
  /** What stopped it and what to do, in one sentence; absent for an answer. */
  readonly problem?: string;
}

/** Malformed calls in a row that are asked for again. */
const MALFORMED_AGAIN = 2;

const NOTES: Record<NoteReason, string> = {
  'unproven-success':
    'The last tool results were errors, yet your answer reports success. Check it with a tool, or say plainly what failed.',
  'printed-call':
    'You printed a tool call as text, so nothing ran. Make it as a real call, or answer without it.',
  'empty-answer': 'Your answer was empty. Say what came out, or what is still to be done.',
};

/**
 * One user message to its end: model, tool calls, results, model, until an answer or another named reason. A failing
 * tool is a result; a failing model ends the turn. However it ends, also by a throwing `emit`, every call in
 * `messages` is answered.
 */
export async function runTurn(options: TurnOptions): Promise<TurnOutcome> {
  const { messages, signal, emit } = options;
  const runner = createCallRunner({ ...options, context: { cwd: options.cwd, signal } });
  const told = new Set<NoteReason>();
  let usage: Usage = { promptTokens: 0, completionTokens: 0 };
  let text = '';
  let failed = false;
  let malformed = 0;
  let cut = false;

  const end = async (stop: StopReason, problem?: string): Promise<TurnOutcome> => {
    const why = problem === undefined ? {} : { problem };
    await emit({ type: 'turn-end', stop, ...why });
    return { stop, text, usage, ...why };
  };
  const tell = async (reason: NoteReason): Promise<boolean> => {
    if (told.has(reason)) return false;
    told.add(reason);
    messages.push({ role: 'user', content: NOTES[reason] });
    await emit({ type: 'note', reason, text: NOTES[reason] });
    return true;
  };

  for (let turn = 0; ; turn++) {
    if (signal.aborted) return end('aborted', STOPPED);
    const limit = limitReached(options, turn, usage);
    if (limit) return end(...limit);

    const reply = await ask(options);
    if ('stop' in reply) {
      text = reply.text;
      return end(reply.stop, reply.problem);
    }
    options.gauge.measured(messages, reply.usage.promptTokens);
    usage = added(usage, reply.usage);
    text = reply.message.content;
    const message = withFreshIds(reply.message, messages);
    const calls = message.toolCalls ?? [];
    const { finish } = reply;
    if (text.trim() === '' && calls.length === 0) {
      if (finish === 'stop' && (await tell('empty-answer'))) continue;
      return end(...nothingSaid(finish));
    }

    messages.push(toHistory(message));
    const results = new Map<string, ToolResult>();
    let circles: 'done' | 'stuck' = 'done';
    try {
      await emit({ type: 'message', message, finish, usage: reply.usage });
      if (reply.warning !== undefined) await emit({ type: 'warning', text: reply.warning });
      if (finish === 'length' || finish === 'filtered') await refuseAll(calls, results, emit);
      else circles = await runner.run(calls, results);
    } finally {
      messages.push(...calls.map((call) => toolMessage(call, results.get(call.id))));
    }

    if (finish === 'filtered')
      return end('model-error', 'the provider withheld the answer: its filter objected');
    if (finish === 'length') {
      if (calls.length === 0 || cut)
        return end('length', 'the answer was cut by the token limit and is not whole');
      cut = true;
      continue;
    }
    if (calls.length > 0) {
      failed = [...results.values()].every((result) => result.isError);
      malformed = [...results.values()].some((result) => result.notRun === 'malformed') ? malformed + 1 : 0;
      if (circles === 'stuck')
        return end('stuck', 'the model repeated a call that had failed again and again');
      if (malformed > MALFORMED_AGAIN)
        return end('stuck', `the model wrote malformed arguments ${malformed} times in a row`);
      continue;
    }
    if (looksLikePrintedCall(text, options.definitions) && (await tell('printed-call'))) continue;
    if (failed && claimsSuccess(text) && (await tell('unproven-success'))) continue;
    return end('answer');
  }
}

const STOPPED = 'stopped by the user';

/** The model's reply, or how the turn ends because there is none. What had streamed before an abort is kept. */
async function ask(
  options: TurnOptions,
): Promise<ModelReply | { stop: StopReason; text: string; problem: string }> {
  const { model, messages, definitions, signal, onText, emit } = options;
  let streamed = '';
  try {
    return await model.complete({
      messages,
      signal,
      ...(definitions.length > 0 ? { tools: definitions } : {}),
      onText: (piece) => {
        streamed += piece;
        onText(piece);
      },
      // What a failed try streamed is void, and whoever reads along is told so.
      onRetry: (why, next) => {
        if (streamed !== '') onText(`\n(${why}; once more)\n`);
        streamed = '';
        options.onRetry({ type: 'retry', why, ...next });
      },
    });
  } catch (error) {
    if (!(error instanceof KnackError)) throw error;
    if (!signal.aborted) return { stop: 'model-error', text: '', problem: error.message };
    if (streamed.trim() !== '') {
      const message = { role: 'assistant' as const, content: streamed };
      messages.push(message);
      await emit({ type: 'message', message, finish: 'interrupted' });
    }
    return { stop: 'aborted', text: streamed, problem: STOPPED };
  }
}

function limitReached(
  { limits, gauge, messages }: TurnOptions,
  turn: number,
  usage: Usage,
): [StopReason, string] | undefined {
  if (turn >= limits.maxTurns)
    return [
      'turn-limit',
      `stopped after ${turn} model calls for one message (assistant.maxTurns); say "go on" to continue`,
    ];
  const spent = usage.promptTokens + usage.completionTokens;
  if (spent >= limits.maxTokens)
    return [
      'token-limit',
      `stopped after ${spent} tokens for one message (assistant.maxTokens); say "go on" to continue`,
    ];
  const tokens = gauge.tokens(messages);
  if (tokens > limits.contextTokens * 0.95)
    return [
      'context-limit',
      `the conversation has about ${tokens} tokens and the model's window ${limits.contextTokens} (model.contextTokens): begin a new session; this one is kept`,
    ];
  return undefined;
}

async function refuseAll(
  calls: NonNullable<Extract<ChatMessage, { role: 'assistant' }>['toolCalls']>,
  results: Map<string, ToolResult>,
  emit: TurnOptions['emit'],
): Promise<void> {
  for (const call of calls) {
    const result = notRun(
      'cut',
      'your message was cut by the token limit, so no call of it ran. Make fewer or smaller calls',
    );
    results.set(call.id, result);
    await emit({ type: 'tool-end', call, result });
  }
}

function nothingSaid(finish: ModelReply['finish']): [StopReason, string] {
  if (finish === 'length') return ['length', 'the token limit was reached before the model said anything'];
  if (finish === 'filtered') return ['model-error', 'the provider withheld the answer: its filter objected'];
  return ['model-error', 'the model answered with nothing, twice; try again or take another model'];
}

function added(left: Usage, right: Usage): Usage {
  return {
    promptTokens: left.promptTokens + right.promptTokens,
    completionTokens: left.completionTokens + right.completionTokens,
  };
}
