import { createHash } from 'node:crypto';
import type { EventCollector } from '../event-collector.ts';
import { asFields, asText, asTime, contentBlocks, contentText, type Fields, imageMark } from '../fields.ts';
import type { SessionFacts, TranscriptFormat } from '../format.ts';
import { type Common, createQueue, pushSpeech, type Queue } from './claude-code-queue.ts';
import { markAbandoned, type TreeRecord } from './claude-code-tree.ts';

/** Lines and attachments that say nothing about the talk. A `summary` is a title, often of another session. */
const QUIET =
  /^(?:summary|progress|file-history-snapshot|mode|permission-mode|(?:ai|custom)-title|agent-(?:name|color|setting)|last-prompt|pr-link|tag|bridge-session|worktree-state|attribution-snapshot|content-replacement|marble-\w+|speculation-\w+)$/;

const INTERRUPTED = /^\[Request interrupted by user[^\]]*\]$/;
const REJECTED = /^The user doesn't want to (?:proceed with this tool use|take this action)/;
/** After a rejection the host quotes what the user typed; these words are theirs. */
const SAID_WITH_REJECTION = /\bthe user said:\s*([\s\S]+?)(?:\n\nNote: The user's next message|$)/;
const SKILL_BODY = /^\s*Base directory for this skill: (\S.*)/;

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
    const seen = new Set<string>();
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
      if (uuid !== undefined && seen.has(uuid)) continue;
      if (uuid !== undefined) seen.add(uuid);
      facts.take(record);
      const first = collect.events.length;
      readRecord(type, record, commonOf(record, line), collect, queue);
      records.push({
        uuid,
        parent: asText(record['parentUuid']) ?? asText(record['logicalParentUuid']),
        messageId: asText(asFields(record['message'])?.['id']),
        isTalk: (type === 'user' || type === 'assistant') && record['isSidechain'] !== true,
        first,
        end: collect.events.length,
      });
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
      const isMeta = attachment['isMeta'] === true || attachment['commandMode'] === 'task-notification';
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
  const call = collect.events.findLast((event) => event.kind === 'tool-call');
  const callId = call?.kind === 'tool-call' ? call.callId : '';
  const text = collect.output(contentText(record['output'] ?? record['content']));
  collect.events.push({ ...base, role: 'tool', kind: 'tool-result', toolName, callId, text });
}

function readUser(
  record: Fields,
  message: Fields,
  common: Common,
  collect: EventCollector,
  queue: Queue,
): void {
  const blocks = contentBlocks(message['content']);
  const isInterrupted = blocks.some((block) => INTERRUPTED.test(String(block['text']).trim()));
  let part = 0;
  const next = () => {
    part += 1;
    return common(part);
  };
  for (const block of blocks) {
    const text = asText(block['text']);
    if (block['type'] === 'tool_result') {
      readResult(record, block, next, collect, isInterrupted);
    } else if (text === undefined) {
      if (block['type'] === 'text') next();
      else
        collect.events.push({
          ...next(),
          role: 'user',
          kind: 'text',
          injected: 'attachment',
          text: imageMark(block),
        });
    } else if (INTERRUPTED.test(text.trim())) {
      collect.events.push({ ...next(), role: 'user', kind: 'interrupt', text: text.trim() });
    } else if (record['isCompactSummary'] === true) {
      collect.events.push({ ...next(), role: 'system', kind: 'summary', text: collect.speech(text) });
    } else {
      queue.arrived(text);
      readSpeech(record, text, next, collect);
    }
  }
}

/** What stands as text in a user's line: their words, a command with its arguments, the body of a skill, a reminder. */
function readSpeech(
  record: Fields,
  text: string,
  next: () => ReturnType<Common>,
  collect: EventCollector,
): void {
  const skill = SKILL_BODY.exec(text)?.[1]
    ?.trim()
    .split(/[\\/]/)
    .findLast((piece) => piece !== '');
  if (/^\s*<command-(?:name|message)>/.test(text)) {
    pushSpeech(text, next(), 'command', collect);
    const words = asText(/<command-args>([\s\S]*?)<\/command-args>/.exec(text)?.[1]);
    if (words) pushSpeech(words.trim(), next(), undefined, collect);
    return;
  }
  const isMeta = record['isMeta'] === true;
  pushSpeech(text, next(), skill ? 'skill' : isMeta ? 'harness' : undefined, collect);
  if (skill)
    collect.events.push({
      ...next(),
      role: 'system',
      kind: 'skill-load',
      skill: collect.speech(skill),
      contentHash: createHash('sha256').update(text).digest('hex'),
      by: 'model',
    });
}

function readResult(
  record: Fields,
  block: Fields,
  next: () => ReturnType<Common>,
  collect: EventCollector,
  isInterrupted: boolean,
): void {
  const text = contentText(block['content']);
  const detail = asFields(record['toolUseResult']);
  const isError = block['is_error'];
  collect.events.push({
    ...next(),
    role: 'tool',
    kind: 'tool-result',
    callId: asText(block['tool_use_id']) ?? '',
    text: collect.output(text),
    ...(typeof isError === 'boolean' ? { isError } : {}),
  });
  const isRejected = REJECTED.test(text);
  if ((isRejected || detail?.['interrupted'] === true) && !isInterrupted) {
    const said = isRejected ? (text.split('\n')[0] ?? '') : 'Interrupted by the user';
    collect.events.push({ ...next(), role: 'user', kind: 'interrupt', text: collect.speech(said) });
  }
  const words = isRejected ? asText(SAID_WITH_REJECTION.exec(text)?.[1]) : undefined;
  if (words) pushSpeech(words.trim(), next(), undefined, collect);
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
      collect.unknown(`assistant:${String(type)}`);
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
