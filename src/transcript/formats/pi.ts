import type { TranscriptEvent } from '../event.ts';
import type { EventCollector } from '../event-collector.ts';
import {
  asFields,
  asText,
  asTime,
  asWord,
  contentBlocks,
  contentText,
  type Fields,
  imageMark,
} from '../fields.ts';
import type { SessionFacts, TranscriptFormat } from '../format.ts';

/** Entries that say nothing about the talk. */
const QUIET = new Set([
  'thinking_level_change',
  'label',
  'session_info',
  'custom',
  'queue_message',
  'active_tools_change',
]);

interface Entry {
  readonly id: string | undefined;
  readonly parentId: string | undefined;
  readonly first: number;
  readonly end: number;
}

/**
 * pi sessions, versions 1 (a line of entries without ids) to 3 (a tree). The path from the last entry to the root
 * is what the user saw; events off it are `abandoned`.
 */
export const piFormat: TranscriptFormat = {
  id: 'pi',
  agent: 'pi',
  async read(source, collect) {
    let facts: SessionFacts = {};
    const entries: Entry[] = [];
    for await (const { line, value } of source.records()) {
      const record = asFields(value);
      if (!record || typeof record['type'] !== 'string') {
        collect.unknown('record without a type');
        continue;
      }
      if (record['type'] === 'session') {
        facts = { ...readHeader(record), ...facts };
        continue;
      }
      if (record['type'] === 'model_change') {
        const model = asText(record['modelId']);
        if (model && !facts.model) facts = { ...facts, model };
      }
      const first = collect.events.length;
      readEntry(record, line, collect);
      entries.push({
        id: asText(record['id']),
        parentId: asText(record['parentId']),
        first,
        end: collect.events.length,
      });
    }
    return { facts, events: markBranches(collect.events, entries) };
  },
};

function readHeader(record: Fields): SessionFacts {
  const [id, cwd, model] = [asText(record['id']), asText(record['cwd']), asText(record['modelId'])];
  const started = asTime(record['timestamp']);
  const parentId = asText(record['parentSession']) ?? asText(record['branchedFrom']);
  return {
    ...(id ? { id } : {}),
    ...(cwd ? { cwd } : {}),
    ...(model ? { model } : {}),
    ...(started ? { started } : {}),
    ...(parentId ? { parentId } : {}),
  };
}

function readEntry(record: Fields, line: number, collect: EventCollector): void {
  const message = asFields(record['message']);
  const parent = asText(record['parentId']);
  const ts = asTime(record['timestamp']) ?? asTime(message?.['timestamp']);
  const own = asText(record['id']);
  const common = (part: number) => ({
    id: own ? `${own}.${part}` : `e${line}.${part}`,
    ref: `line ${line}`,
    ...(parent ? { parentId: parent } : {}),
    ...(ts ? { ts } : {}),
  });
  const summary = (text: unknown) => {
    if (typeof text === 'string')
      collect.events.push({ ...common(1), role: 'system', kind: 'summary', text: collect.speech(text) });
  };
  switch (record['type']) {
    case 'message':
      if (message) readMessage(message, common, collect);
      else collect.unknown('message without content');
      return;
    case 'compaction':
    case 'branch_summary':
      summary(record['summary']);
      return;
    case 'custom_message':
      collect.events.push({
        ...common(1),
        role: 'user',
        kind: 'text',
        injected: 'extension',
        text: collect.speech(contentText(record['content'])),
      });
      return;
    case 'model_change':
      return;
    default:
      if (!QUIET.has(asWord(record['type']))) collect.unknown(asWord(record['type']));
  }
}

type Common = (part: number) => { readonly id: string; readonly ref: string };

function readMessage(message: Fields, common: Common, collect: EventCollector): void {
  const { role, content } = message;
  switch (role) {
    case 'user':
      contentBlocks(content).forEach((block, index) => {
        const text = asText(block['text']);
        const base = { ...common(index + 1), role: 'user' as const, kind: 'text' as const };
        if (text) collect.events.push({ ...base, text: collect.speech(text) });
        else if (block['type'] === 'image')
          collect.events.push({ ...base, injected: 'image', text: imageMark(block) });
      });
      return;
    case 'assistant':
      readAssistant(message, common, collect);
      return;
    case 'toolResult': {
      const { toolCallId, toolName, isError } = message;
      collect.events.push({
        ...common(1),
        role: 'tool',
        kind: 'tool-result',
        callId: typeof toolCallId === 'string' ? toolCallId : '',
        text: collect.output(contentText(content)),
        ...(typeof toolName === 'string' ? { toolName } : {}),
        ...(typeof isError === 'boolean' ? { isError } : {}),
      });
      return;
    }
    case 'bashExecution': {
      // The user's own shell line: it stands in the context, and nobody said it.
      const callId = common(1).id;
      const { command, output, exitCode } = message;
      collect.events.push(
        {
          ...common(1),
          role: 'user',
          kind: 'tool-call',
          injected: 'shell',
          toolName: 'bash',
          callId,
          args: collect.value({ command }),
        },
        {
          ...common(2),
          role: 'tool',
          kind: 'tool-result',
          toolName: 'bash',
          callId,
          text: collect.output(contentText(output)),
          ...(typeof exitCode === 'number' ? { exitCode } : {}),
        },
      );
      return;
    }
    case 'branchSummary':
    case 'compactionSummary':
      collect.events.push({
        ...common(1),
        role: 'system',
        kind: 'summary',
        text: collect.speech(contentText(message['summary'] ?? content)),
      });
      return;
    case 'custom':
    case 'hookMessage':
      collect.events.push({
        ...common(1),
        role: 'user',
        kind: 'text',
        injected: 'extension',
        text: collect.speech(contentText(content)),
      });
      return;
    default:
      collect.unknown(`message:${asWord(role)}`);
  }
}

function readAssistant(message: Fields, common: Common, collect: EventCollector): void {
  const blocks = contentBlocks(message['content']);
  blocks.forEach((block, index) => {
    const base = { ...common(index + 1), role: 'assistant' as const };
    const { type } = block;
    const name = asText(block['name']);
    if (type === 'text') {
      const text = asText(block['text']);
      if (text) collect.events.push({ ...base, kind: 'text', text: collect.speech(text) });
    } else if (type === 'thinking') {
      const text = asText(block['thinking']);
      if (text) collect.events.push({ ...base, kind: 'thinking', text: collect.speech(text) });
    } else if (type === 'toolCall' && name) {
      const callId = asText(block['id']) ?? base.id;
      collect.events.push({
        ...base,
        kind: 'tool-call',
        toolName: name,
        callId,
        args: collect.value(block['arguments'] ?? {}),
      });
    } else {
      collect.unknown(`assistant:${asWord(type)}`);
    }
  });
  const { stopReason, errorMessage } = message;
  const said = typeof errorMessage === 'string' ? errorMessage : asWord(stopReason);
  const last = { ...common(blocks.length + 1), text: collect.speech(said) };
  if (stopReason === 'aborted') collect.events.push({ ...last, role: 'user', kind: 'interrupt' });
  else if (stopReason === 'error') collect.events.push({ ...last, role: 'system', kind: 'error' });
}

function markBranches(events: readonly TranscriptEvent[], entries: readonly Entry[]): TranscriptEvent[] {
  const byId = new Map(entries.flatMap((entry, index) => (entry.id ? [[entry.id, index] as const] : [])));
  const live = new Set<number>();
  let at = entries.length - 1;
  while (at >= 0 && !live.has(at)) {
    live.add(at);
    const entry = entries[at];
    // A parent that was lost with a bad line, or that a version without ids never had, is the entry before.
    const parent = entry?.parentId === undefined ? undefined : byId.get(entry.parentId);
    at = parent ?? (entry?.id !== undefined && entry.parentId === undefined ? -1 : at - 1);
  }
  if (live.size === entries.length || entries.every((entry) => entry.parentId === undefined))
    return [...events];
  return entries.flatMap((entry, index) =>
    events
      .slice(entry.first, entry.end)
      .map((event) => (live.has(index) ? event : { ...event, branch: 'abandoned' as const })),
  );
}
