import type { EventCollector } from '../event-collector.ts';
import { asFields, asText, asTime, asWord, contentBlocks, contentText, type Fields } from '../fields.ts';
import type { SessionFacts, TranscriptFormat } from '../format.ts';
import { type Common, createQueue, isOfHost, pushSpeech, type Queue } from './claude-code-queue.ts';
import { markAbandoned, type TreeRecord } from './claude-code-tree.ts';
import { readUser } from './claude-code-user.ts';

/** Lines and attachments that say nothing about the talk. A `summary` is a title, often of another session. */
const QUIET =
  /^(?:summary|progress|file-history-snapshot|mode|permission-mode|(?:ai|custom)-title|agent-(?:name|color|setting)|last-prompt|pr-link|tag|bridge-session|worktree-state|attribution-snapshot|content-replacement|marble-\w+|speculation-\w+)$/;

/** Its result follows a call closely. */
const CALL_WITHIN = 200;

/**
 * Sessions of Claude Code, one line a block or event. The path from the last line to the first is what the user saw;
 * what a rewind left is `abandoned`. Ids are `<uuid>.<part>`, of lines without one `e<line>.<part>`; a line copied in by
 * a resumed session counts once.
 */
export const claudeCodeFormat: TranscriptFormat = {
  id: 'claude-code',
  agent: 'claude-code',
  async read(source, collect) {
    const facts = createFacts();
    const places = new Map<string, number>();
    const queue = createQueue(collect);
    const records: TreeRecord[] = [];
    for await (const { line, value } of source.records()) {
      const record = asFields(value);
      const type = asText(record?.['type']);
      if (!record || type === undefined) {
        collect.unknown('record without a type');
        continue;
      }
      const uuid = asText(record['uuid']);
      if (uuid !== undefined && places.has(uuid)) continue;
      const parent = asText(record['parentUuid']) ?? asText(record['logicalParentUuid']);
      facts.take(record);
      const first = collect.events.length;
      readRecord(type, record, commonOf(record, line), collect, queue);
      records.push({
        parent: parent === undefined ? undefined : places.get(parent),
        messageId: asText(asFields(record['message'])?.['id']),
        isTalk: (type === 'user' || type === 'assistant') && record['isSidechain'] !== true,
        first,
        end: collect.events.length,
      });
      if (uuid !== undefined) places.set(uuid, records.length - 1);
    }
    const events = markAbandoned(collect.events, records).filter(({ id }) => !queue.sent.has(id));
    return { facts: facts.found(events.every(({ sidechain }) => sidechain === true)), events };
  },
};

function commonOf(record: Fields, line: number): Common {
  const [uuid, parent, ts] = [
    asText(record['uuid']),
    asText(record['parentUuid']),
    asTime(record['timestamp']),
  ];
  return (part) => ({
    id: uuid ? `${uuid}.${part}` : `e${line}.${part}`,
    ref: `line ${line}`,
    ...(parent ? { parentId: parent } : {}),
    ...(ts ? { ts } : {}),
    ...(record['isSidechain'] === true ? { sidechain: true } : {}),
  });
}

function readRecord(
  type: string,
  record: Fields,
  common: Common,
  collect: EventCollector,
  queue: Queue,
): void {
  const message = asFields(record['message']);
  switch (type) {
    case 'user':
      if (message) readUser(record, message, common, collect, queue);
      else collect.unknown('user without a message');
      return;
    case 'assistant':
      if (message) readAssistant(record, message, common, collect);
      else collect.unknown('assistant without a message');
      return;
    case 'system':
      if (record['subtype'] === 'api_error') {
        const said = asText(asFields(record['error'])?.['message']) ?? 'API error';
        collect.events.push({ ...common(1), role: 'system', kind: 'error', text: collect.speech(said) });
      }
      return;
    case 'queue-operation':
      queue.take(record, common);
      return;
    case 'attachment': {
      const attachment = asFields(record['attachment']) ?? {};
      if (attachment['type'] !== 'queued_command') return;
      const words = contentBlocks(attachment['prompt']).flatMap((block) => asText(block['text']) ?? []);
      const isMeta =
        attachment['isMeta'] === true ||
        attachment['commandMode'] === 'task-notification' ||
        isOfHost(attachment['origin']);
      words.forEach((text, index) => {
        queue.arrived(text);
        pushSpeech(text, common(index + 1), isMeta ? 'harness' : undefined, collect);
      });
      return;
    }
    case 'tool_use':
    case 'tool_result':
      readOldCall(type, record, common, collect);
      return;
    default:
      if (!QUIET.test(type)) collect.unknown(type);
  }
}

/** Early versions wrote calls and results as lines of their own, without ids. */
function readOldCall(type: string, record: Fields, common: Common, collect: EventCollector): void {
  const toolName = asText(record['name']) ?? 'unnamed';
  const base = common(1);
  if (type === 'tool_use') {
    const args = collect.value(record['input'] ?? {});
    collect.events.push({ ...base, role: 'assistant', kind: 'tool-call', toolName, callId: base.id, args });
    return;
  }
  const call = collect.events.slice(-CALL_WITHIN).findLast((event) => event.kind === 'tool-call');
  const callId = call?.kind === 'tool-call' ? call.callId : '';
  const text = collect.output(contentText(record['output'] ?? record['content']));
  collect.events.push({ ...base, role: 'tool', kind: 'tool-result', toolName, callId, text });
}

function readAssistant(record: Fields, message: Fields, common: Common, collect: EventCollector): void {
  const isLocal = message['model'] === '<synthetic>' || record['isApiErrorMessage'] === true;
  contentBlocks(message['content']).forEach((block, index) => {
    const base = { ...common(index + 1), role: 'assistant' as const };
    const { type } = block;
    const text = asText(block['text']);
    const name = asText(block['name']);
    if (type === 'text') {
      if (text && isLocal)
        collect.events.push({ ...base, role: 'system', kind: 'error', text: collect.speech(text) });
      else if (text) collect.events.push({ ...base, kind: 'text', text: collect.speech(text) });
    } else if (type === 'thinking') {
      const thought = asText(block['thinking']);
      if (thought) collect.events.push({ ...base, kind: 'thinking', text: collect.speech(thought) });
    } else if ((type === 'tool_use' || type === 'server_tool_use') && name) {
      const args = collect.value(block['input'] ?? {});
      const callId = asText(block['id']) ?? base.id;
      collect.events.push({ ...base, kind: 'tool-call', toolName: name, callId, args });
    } else if (type !== 'redacted_thinking') {
      collect.unknown(`assistant:${asWord(type)}`);
    }
  });
}

function createFacts() {
  let facts: SessionFacts = {};
  let agentId: string | undefined;
  return {
    /** The last session id counts: a resumed session begins with copies of the lines of another. */
    take(record: Fields): void {
      const [id, cwd] = [asText(record['sessionId']) ?? asText(record['session_id']), asText(record['cwd'])];
      const model = asText(asFields(record['message'])?.['model']);
      const started = asTime(record['timestamp']);
      agentId ??= asText(record['agentId']);
      facts = {
        ...facts,
        ...(id && asText(record['uuid']) ? { id } : {}),
        ...(cwd && !facts.cwd ? { cwd } : {}),
        ...(model && model !== '<synthetic>' && !facts.model ? { model } : {}),
        ...(started && !facts.started ? { started } : {}),
      };
    },
    /** The file of a sub-agent carries the id of the session that started it. */
    found(isSubAgent: boolean): SessionFacts {
      return isSubAgent && agentId && facts.id
        ? { ...facts, id: `agent-${agentId}`, parentId: facts.id }
        : facts;
    },
  };
}
