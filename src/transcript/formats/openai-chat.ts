import type { EventCollector } from '../event-collector.ts';
import {
  asFields,
  asList,
  asText,
  asWord,
  contentBlocks,
  contentText,
  type Fields,
  imageMark,
} from '../fields.ts';
import type { SessionFacts, TranscriptFormat } from '../format.ts';
import { resultsOf } from '../results.ts';

/** How far before a result its call may stand. */
const CALL_WITHIN = 500;

/** Where a message stands: `prefix` of its event ids and its place in the file. */
interface Place {
  readonly prefix: string;
  readonly ref: string;
  readonly conversation: number | undefined;
}

/**
 * Messages as the chat API takes them: an array, `{messages}` with or without a reward or a response, or JSON
 * Lines of conversations or of single messages. Ids are `e<message>.<part>`, in lines of conversations
 * `e<line>.<message>.<part>`.
 */
export const openaiChatFormat: TranscriptFormat = {
  id: 'openai-chat',
  agent: 'openai-chat',
  async read(source, collect) {
    if (!source.isLines) {
      const root = await source.document();
      for (const [index, message] of messagesOf(root).entries()) {
        await source.pause();
        readMessage(
          message,
          { prefix: `e${index + 1}`, ref: `messages[${index}]`, conversation: undefined },
          collect,
        );
      }
      return { facts: readFacts(asFields(root) ?? {}), events: collect.events };
    }
    const found: SessionFacts[] = [];
    for await (const { line, value } of source.records()) {
      const record = asFields(value);
      if (record && typeof record['role'] === 'string') {
        readMessage(record, { prefix: `e${line}`, ref: `line ${line}`, conversation: undefined }, collect);
        continue;
      }
      const messages = messagesOf(value);
      if (messages.length === 0) collect.unknown('line without messages');
      else found.push(readFacts(record ?? {}));
      for (const [index, message] of messages.entries()) {
        await source.pause();
        const place = { prefix: `e${line}.${index + 1}`, ref: `line ${line}, messages[${index}]` };
        readMessage(message, { ...place, conversation: found.length }, collect);
      }
    }
    // Facts of one conversation say nothing about a file of several.
    return { facts: found.length === 1 ? (found[0] ?? {}) : {}, events: collect.events };
  },
};

function messagesOf(root: unknown): readonly Fields[] {
  const fields = asFields(root);
  const container = asFields(fields?.['body']) ?? asFields(fields?.['input']) ?? fields;
  const messages = Array.isArray(root) ? root : asList(container?.['messages']);
  const answers = asList(asFields(fields?.['response'])?.['choices']).map(
    (choice) => asFields(choice)?.['message'],
  );
  return [...messages, ...answers].map((message) => asFields(message) ?? {});
}

function readFacts(root: Fields): SessionFacts {
  const id =
    asText(root['session_id']) ??
    asText(root['conversation_id']) ??
    asText(root['custom_id']) ??
    asText(root['id']);
  const model = asText(root['model']) ?? asText(asFields(root['response'])?.['model']);
  const { reward } = root;
  return {
    ...(id ? { id } : {}),
    ...(model ? { model } : {}),
    ...(typeof reward === 'number'
      ? { outcome: reward >= 1 ? 'success' : reward <= 0 ? 'failure' : 'unknown' }
      : {}),
  };
}

function readMessage(message: Fields, place: Place, collect: EventCollector): void {
  const { role, content } = message;
  const base = (part: number) => ({
    id: `${place.prefix}.${part}`,
    ref: place.ref,
    ...(place.conversation === undefined ? {} : { conversation: place.conversation }),
  });
  if (role === 'tool' || role === 'function') {
    const name = asText(message['name']);
    collect.events.push({
      ...base(1),
      role: 'tool',
      kind: 'tool-result',
      callId: asText(message['tool_call_id']) ?? openCall(collect, name) ?? '',
      text: collect.output(contentText(content)),
      ...(name ? { toolName: name } : {}),
    });
    return;
  }
  if (role !== 'user' && role !== 'assistant' && role !== 'system' && role !== 'developer') {
    collect.unknown(`message:${asWord(role)}`);
    return;
  }
  const speaker = role === 'developer' ? 'system' : role;
  const reasoning = asText(message['reasoning_content']) ?? asText(message['reasoning']);
  const blocks = contentBlocks(content);
  if (reasoning)
    collect.events.push({ ...base(0), role: speaker, kind: 'thinking', text: collect.speech(reasoning) });
  blocks.forEach((block, index) => {
    const text = asText(block['text']) ?? asText(block['refusal']);
    const injected = text ? undefined : 'attachment';
    if (!text && typeof block['type'] === 'string' && block['type'] === 'text') return;
    collect.events.push({
      ...base(index + 1),
      role: speaker,
      kind: 'text',
      text: collect.speech(text ?? imageMark(block)),
      ...(speaker === 'user' && injected ? { injected } : {}),
    });
  });
  const legacy = asFields(message['function_call']);
  const calls = [...asList(message['tool_calls']), ...(legacy ? [{ function: legacy }] : [])];
  calls.forEach((call, index) => {
    const id = base(Math.max(1, blocks.length) + index + 1);
    readCall(asFields(call) ?? {}, id, collect);
  });
}

function readCall(call: Fields, base: { id: string; ref: string }, collect: EventCollector): void {
  const called = asFields(call['function']) ?? asFields(call['custom']) ?? {};
  const toolName = asText(called['name']);
  if (!toolName) {
    collect.unknown('tool call without a name');
    return;
  }
  const callId = asText(call['id']) ?? base.id;
  const args = collect.value(parseArguments(called['arguments'] ?? called['input'] ?? ''));
  collect.events.push({ ...base, role: 'assistant', kind: 'tool-call', toolName, callId, args });
}

/** The arguments as a value; what is no JSON stays the text it is. */
function parseArguments(given: unknown): unknown {
  if (typeof given !== 'string') return given;
  try {
    return JSON.parse(given);
  } catch (error) {
    if (error instanceof SyntaxError) return given;
    throw error;
  }
}

/** The id of the last call without a result, for the old form whose results carry only a name. */
function openCall(collect: EventCollector, name: string | undefined): string | undefined {
  // Only near it: each result of a long session would look through all of it.
  const near = collect.events.slice(-CALL_WITHIN);
  const results = resultsOf(near);
  const open = near.findLast(
    (event) => event.kind === 'tool-call' && !results.has(event) && (!name || event.toolName === name),
  );
  return open?.kind === 'tool-call' ? open.callId : undefined;
}
