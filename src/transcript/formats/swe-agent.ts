import type { EventCollector } from '../event-collector.ts';
import { asFields, asList, asText, asWord, contentText, type Fields } from '../fields.ts';
import type { SessionFacts, TranscriptFormat } from '../format.ts';

/**
 * SWE-agent `.traj` files. With a trajectory its steps are the events (`e<step>.<part>`: thought 1, action 2,
 * observation 3) and the history gives what came before the first answer (`h<message>.<part>`); without one,
 * the history is all there is. Demonstrations are left out: they happened in another session.
 */
export const sweAgentFormat: TranscriptFormat = {
  id: 'swe-agent',
  agent: 'swe-agent',
  async read(source, collect) {
    const root = asFields(await source.document()) ?? {};
    const steps = asList(root['trajectory']);
    const history = asList(root['history']).map((message) => asFields(message) ?? {});
    const answer = history.findIndex(
      (message) => message['role'] === 'assistant' && !isDemonstration(message),
    );
    const opening = steps.length > 0 && answer >= 0 ? history.slice(0, answer) : history;
    for (const [index, message] of opening.entries()) {
      await source.pause();
      readHistory(message, index + 1, collect);
    }
    for (const [index, step] of steps.entries()) {
      await source.pause();
      readStep(asFields(step) ?? {}, index + 1, collect);
    }
    return { facts: readFacts(root), events: collect.events };
  },
};

function readFacts(root: Fields): SessionFacts {
  const info = asFields(root['info']) ?? {};
  const status = asText(info['exit_status']);
  if (!status) return {};
  // "submitted (exit_cost)": handed in because the money ran out.
  const outcome = status === 'submitted' ? 'success' : status.startsWith('submitted') ? 'unknown' : 'failure';
  return { outcome };
}

const isDemonstration = (message: Fields) =>
  message['is_demo'] === true || message['message_type'] === 'demonstration';

function readHistory(message: Fields, number: number, collect: EventCollector): void {
  if (isDemonstration(message)) return;
  const base = (part: number) => ({ id: `h${number}.${part}`, ref: `history[${number - 1}]` });
  const text = contentText(message['content']);
  switch (message['role']) {
    case 'system':
      collect.events.push({ ...base(1), role: 'system', kind: 'text', text: collect.speech(text) });
      return;
    case 'user': {
      // Observations stand in user messages where the model calls no functions; the first message is the task.
      const asked = collect.events.some((event) => event.role === 'assistant');
      const last = collect.events.findLast((event) => event.kind === 'tool-call');
      if (asked && last?.kind === 'tool-call')
        collect.events.push({
          ...base(1),
          role: 'tool',
          kind: 'tool-result',
          callId: last.callId,
          toolName: last.toolName,
          text: collect.output(text),
        });
      else
        collect.events.push({
          ...base(1),
          role: 'user',
          kind: 'text',
          text: collect.speech(text),
          // Nobody is there to speak once the agent works: its environment complains of an answer without a call.
          ...(asked ? { injected: 'harness' } : {}),
        });
      return;
    }
    case 'tool': {
      const callId = asWord(asList(message['tool_call_ids'])[0] ?? '');
      collect.events.push({
        ...base(1),
        role: 'tool',
        kind: 'tool-result',
        callId,
        text: collect.output(text),
      });
      return;
    }
    case 'assistant': {
      const thought = asText(message['thought']) ?? asText(text);
      if (thought)
        collect.events.push({ ...base(1), role: 'assistant', kind: 'text', text: collect.speech(thought) });
      const call = asFields(asList(message['tool_calls'])[0]);
      const action = asText(message['action'])?.trim();
      if (action ?? call)
        collect.events.push({
          ...base(2),
          role: 'assistant',
          kind: 'tool-call',
          callId: asText(call?.['id']) ?? base(2).id,
          ...readAction(action ?? JSON.stringify(call?.['function']), collect),
        });
      return;
    }
    default:
      collect.unknown(`history:${asWord(message['role'])}`);
  }
}

function readStep(step: Fields, number: number, collect: EventCollector): void {
  const base = (part: number) => ({ id: `e${number}.${part}`, ref: `trajectory[${number - 1}]` });
  const thought = asText(step['thought']);
  const action = asText(step['action'])?.trim();
  const callId = base(2).id;
  if (thought)
    collect.events.push({
      ...base(1),
      role: 'assistant',
      kind: 'text',
      text: collect.speech(thought.trim()),
    });
  if (action)
    collect.events.push({
      ...base(2),
      role: 'assistant',
      kind: 'tool-call',
      callId,
      ...readAction(action, collect),
    });
  if (step['observation'] !== undefined && step['observation'] !== null)
    collect.events.push({
      ...base(3),
      role: 'tool',
      kind: 'tool-result',
      callId,
      ...(action ? { toolName: readAction(action, collect).toolName } : {}),
      text: collect.output(contentText(step['observation'])),
    });
}

/** An action is a command line whose first word names one of the agent's own commands or a program. */
function readAction(action: string, collect: EventCollector): { toolName: string; args: unknown } {
  const args = collect.value(action);
  return { toolName: /^[\w./-]{1,60}/.exec(asWord(args))?.[0] ?? 'shell', args };
}
