import { expect } from 'vitest';
import type { AgentEvent } from '../../src/agent/agent-event.ts';
import { createContextGauge, definitionsOf } from '../../src/agent/context.ts';
import { runTurn, type TurnLimits, type TurnOutcome } from '../../src/agent/loop.ts';
import type { ChatMessage } from '../../src/model/model.ts';
import { createOpenAiModel } from '../../src/model/openai-model.ts';
import { loadTokenizer } from '../../src/model/tokens.ts';
import { createApproval } from '../../src/tool/approval.ts';
import type { Tool, ToolResult } from '../../src/tool/tool.ts';
import { type ChatBody, type Step, startScriptedModel } from '../support/scripted-model.ts';

export interface ScriptedTurn {
  readonly outcome: TurnOutcome;
  readonly messages: readonly ChatMessage[];
  readonly events: readonly AgentEvent[];
  readonly requests: readonly ChatBody[];
}

export interface ScriptedTurnOptions {
  readonly tools?: readonly Tool[];
  readonly limits?: Partial<TurnLimits>;
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: AgentEvent) => void;
}

/** Runs one turn against a real endpoint that answers by script; afterwards every call must be answered. */
export async function scriptedTurn(
  steps: readonly Step[],
  options: ScriptedTurnOptions = {},
): Promise<ScriptedTurn> {
  await loadTokenizer();
  const server = await startScriptedModel(steps);
  const tools = options.tools ?? [];
  const definitions = definitionsOf(tools);
  const messages: ChatMessage[] = [
    { role: 'system', content: 'You help.' },
    { role: 'user', content: 'Go.' },
  ];
  const events: AgentEvent[] = [];
  const note = (event: AgentEvent) => {
    events.push(event);
    options.onEvent?.(event);
  };
  try {
    const outcome = await runTurn({
      model: createOpenAiModel({ baseUrl: server.url, apiKey: 'none', model: 'scripted', retries: 0 }),
      tools,
      definitions,
      messages,
      approval: createApproval([{ pattern: '*', decision: 'allow' }]),
      limits: { maxTurns: 20, maxTokens: 1_000_000, contextTokens: 100_000, ...options.limits },
      gauge: createContextGauge(definitions),
      cwd: '/',
      signal: options.signal ?? new AbortController().signal,
      onText: (text) => note({ type: 'text', text }),
      onRetry: note,
      emit: (event) => {
        note(event);
        return Promise.resolve();
      },
    });
    return { outcome, messages, events, requests: server.requests };
  } finally {
    expectPaired(messages);
    await server.close();
  }
}

/** Every call is answered once, right after its message, and nothing answers a call that was not made. */
function expectPaired(messages: readonly ChatMessage[]): void {
  let open: string[] = [];
  for (const message of messages) {
    if (message.role === 'tool') {
      expect(open).toContain(message.callId);
      open = open.filter((id) => id !== message.callId);
    } else {
      expect(open).toEqual([]);
      open = message.role === 'assistant' ? (message.toolCalls ?? []).map((call) => call.id) : [];
    }
  }
  expect(open).toEqual([]);
}

/** A tool whose answers come from a function. */
export function toolOf(
  name: string,
  run: (args: Readonly<Record<string, unknown>>) => ToolResult | Promise<ToolResult>,
  effect: Tool['effect'] = 'read',
): Tool {
  return {
    name,
    description: `${name} for tests`,
    parameters: { type: 'object', properties: { n: { type: 'integer' } } },
    effect,
    run: async (args) => run(args),
  };
}

export const ok = (text: string): ToolResult => ({ text, isError: false });
export const bad = (text: string): ToolResult => ({ text, isError: true });
