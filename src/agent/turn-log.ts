import { readArguments } from '../tool/run-tool.ts';
import type { LoggableEvent, SessionLog } from '../transcript/session-log.ts';
import type { AgentEvent } from './agent-event.ts';
import type { LoadedSkill } from './resume.ts';

/** Text that the runtime puts beside the user's words; it never counts as theirs. */
export interface InjectedPart {
  /** `skill-candidates`, `skill-content`, … */
  readonly reason: string;
  readonly text: string;
}

/**
 * What the session log keeps beside an event, as much as the message cannot be made from it again: that a part belongs
 * to the user message before it, arguments as they were written, the provider's own fields, the tokens.
 */
interface NativeFields {
  readonly joins?: true;
  readonly arguments?: string;
  readonly provider?: { readonly provider: string; readonly fields: Readonly<Record<string, unknown>> };
  readonly usage?: { readonly promptTokens: number; readonly completionTokens: number };
}

/** Writes what happens in a conversation as events of its session log, in order. Rejects as the log does. */
export interface TurnLog {
  system(text: string): Promise<void>;
  user(text: string, injected: readonly InjectedPart[]): Promise<void>;
  load(loaded: LoadedSkill, by: 'model' | 'user'): Promise<void>;
  agent(event: AgentEvent): Promise<void>;
}

type Unstamped<E> = E extends LoggableEvent ? Omit<E, 'id' | 'ts'> : never;

export function createTurnLog(log: SessionLog, now: () => Date): TurnLog {
  const append = (event: Unstamped<LoggableEvent>, native: NativeFields = {}): Promise<void> =>
    log.append(
      { ...event, id: log.nextId(), ts: now().toISOString() },
      Object.keys(native).length > 0 ? native : undefined,
    );

  async function message(event: Extract<AgentEvent, { type: 'message' }>): Promise<void> {
    const { content, toolCalls = [], native } = event.message;
    let beside: NativeFields = {
      ...(native === undefined ? {} : { provider: native }),
      ...(event.usage === undefined ? {} : { usage: event.usage }),
    };
    if (content !== '') {
      await append({ kind: 'text', role: 'assistant', text: content }, beside);
      beside = {};
    }
    for (const { id, name, arguments: raw } of toolCalls) {
      const read = readArguments({ id, name, arguments: raw });
      const args = read.ok ? read.args : raw;
      const exact = read.ok && JSON.stringify(args) === raw;
      await append(
        { kind: 'tool-call', role: 'assistant', callId: id, toolName: name, args },
        { ...beside, ...(exact ? {} : { arguments: raw }) },
      );
      beside = {};
    }
  }

  return {
    system: (text) => append({ kind: 'text', role: 'system', injected: 'system-prompt', text }),
    async user(text, injected) {
      await append({ kind: 'text', role: 'user', text });
      for (const part of injected)
        await append({ kind: 'text', role: 'user', injected: part.reason, text: part.text }, { joins: true });
    },
    load: ({ skill, version, contentHash }, by) =>
      append({
        kind: 'skill-load',
        role: by === 'model' ? 'assistant' : 'user',
        skill,
        contentHash,
        by,
        ...(version === undefined ? {} : { version }),
      }),
    async agent(event) {
      switch (event.type) {
        case 'message':
          return message(event);
        case 'tool-end': {
          const { text, isError, exitCode } = event.result;
          return append({
            kind: 'tool-result',
            role: 'tool',
            callId: event.call.id,
            toolName: event.call.name,
            text,
            isError,
            ...(exitCode === undefined ? {} : { exitCode }),
          });
        }
        case 'note':
          return append({ kind: 'text', role: 'user', injected: event.reason, text: event.text });
        case 'turn-end':
          if (event.stop === 'aborted')
            return append({ kind: 'interrupt', role: 'user', text: event.problem ?? '' });
          if (event.problem !== undefined)
            return append({ kind: 'error', role: 'system', text: `${event.stop}: ${event.problem}` });
          return;
        default:
          return;
      }
    },
  };
}
