import type { EventCollector } from '../event-collector.ts';
import {
  asFields,
  asList,
  asText,
  asTime,
  asWord,
  contentBlocks,
  type Fields,
  imageMark,
} from '../fields.ts';
import type { SessionFacts, TranscriptFormat } from '../format.ts';
import { createDoubles, type Doubles } from './codex-doubles.ts';
import { readOutput } from './codex-output.ts';

/** Display events and items that say nothing that the protocol does not say as well, or nothing about the talk. */
const QUIET_EVENT =
  /^(?:token_count|task_started|turn_started|task_complete|turn_complete|turn\.completed|context_compacted|thread_\w+|web_search_\w+|mcp_tool_call_begin|exec_command_(?:begin|output_delta)|patch_apply_begin|image_generation_\w+|sub_agent_activity|collab_\w+|(?:entered|exited)_review_mode|item_(?:started|completed)|session_configured|plan_update|turn_diff|view_image_tool_call|agent_reasoning_(?:raw_content|section_break|delta)|background_event|guardian_\w+|codex\/event\/\w+|account\/\w+)$/;
const QUIET_ITEM =
  /^(?:compaction|context_compaction|compaction_trigger|ghost_snapshot|agent_message|image_generation_call|other)$/;
const QUIET_LINE = /^(?:world_state|state|inter_agent_communication\w*)$/;

/**
 * Rollouts of Codex: lines of `{type, payload}`, and the old ones of bare items. Protocol and display share the file;
 * calls and answers are taken from the protocol, what the user typed from the display where it is there. Ids are
 * `e<line>.<part>`.
 */
export const codexFormat: TranscriptFormat = {
  id: 'codex',
  agent: 'codex',
  async read(source, collect) {
    let facts: SessionFacts = {};
    let isSubAgent = false;
    const doubles = createDoubles(collect.events);
    for await (const { line, value } of source.records()) {
      const record = asFields(value);
      if (!record) {
        collect.unknown('no record');
        continue;
      }
      const { type, payload } = unwrap(record);
      const ts = asTime(record['timestamp']);
      const common: Common = (part = 1) => ({
        id: `e${line}.${part}`,
        ref: `line ${line}`,
        ...(ts ? { ts } : {}),
      });
      if (type === 'session_meta') {
        // A fork begins with the copied lines of its parent; the first header is its own.
        if (facts.id === undefined) {
          facts = { ...readHeader(payload), ...facts };
          isSubAgent = asFields(payload['source'])?.['subagent'] !== undefined;
        }
      } else if (type === 'turn_context') {
        const [model, cwd] = [asText(payload['model']), asText(payload['cwd'])];
        facts = { ...(model ? { model } : {}), ...(cwd ? { cwd } : {}), ...facts };
      } else if (type === 'response_item') readItem(payload, common, collect, doubles);
      else if (type === 'event_msg') readDisplay(payload, common, collect, doubles);
      else if (type === 'compacted') {
        const text = asText(payload['message']);
        if (text)
          collect.events.push({ ...common(), role: 'system', kind: 'summary', text: collect.speech(text) });
      } else if (!QUIET_LINE.test(type)) collect.unknown(type);
    }
    const events = doubles.resolved();
    return { facts, events: isSubAgent ? events.map((event) => ({ ...event, sidechain: true })) : events };
  },
};

type Common = (part?: number) => { readonly id: string; readonly ref: string };

/** Lines of the old form are the payload itself. */
function unwrap(record: Fields): { type: string; payload: Fields } {
  const payload = asFields(record['payload']);
  const type = asText(record['type']);
  if (payload) return { type: type ?? 'record without a type', payload };
  if (record['record_type'] !== undefined) return { type: asWord(record['record_type']), payload: record };
  return {
    type: type === undefined && record['instructions'] !== undefined ? 'session_meta' : 'response_item',
    payload: record,
  };
}

function readHeader(payload: Fields): SessionFacts {
  const [id, cwd] = [asText(payload['id']) ?? asText(payload['session_id']), asText(payload['cwd'])];
  const started = asTime(payload['timestamp']);
  const parentId = asText(payload['forked_from_id']) ?? asText(payload['parent_thread_id']);
  return {
    ...(id ? { id } : {}),
    ...(cwd ? { cwd } : {}),
    ...(started ? { started } : {}),
    ...(parentId ? { parentId } : {}),
  };
}

function readItem(item: Fields, common: Common, collect: EventCollector, doubles: Doubles): void {
  const type = asText(item['type']) ?? (typeof item['role'] === 'string' ? 'message' : 'item without a type');
  const callId = asText(item['call_id']) ?? asText(item['id']) ?? common().id;
  const call = (toolName: string, args: unknown) =>
    collect.events.push({
      ...common(),
      role: 'assistant',
      kind: 'tool-call',
      toolName,
      callId,
      args: collect.value(args),
    });
  switch (type) {
    case 'message':
      readMessage(item, common, collect, doubles);
      return;
    case 'reasoning': {
      const text = [...asList(item['summary']), ...asList(item['content'])]
        .flatMap((piece) => asText(asFields(piece)?.['text']) ?? [])
        .join('\n');
      if (text)
        doubles.protocol({ ...common(), role: 'assistant', kind: 'thinking', text: collect.speech(text) });
      return;
    }
    case 'function_call':
      call(asText(item['name']) ?? 'unnamed', parsed(item['arguments']));
      return;
    case 'custom_tool_call':
      call(asText(item['name']) ?? 'unnamed', parsed(item['input']));
      return;
    case 'local_shell_call':
      call('shell', asFields(item['action']) ?? {});
      return;
    case 'web_search_call':
      call('web_search', asFields(item['action']) ?? {});
      return;
    case 'tool_search_call':
      call('tool_search', item['arguments'] ?? {});
      return;
    case 'function_call_output':
    case 'custom_tool_call_output':
    case 'tool_search_output': {
      const { text, exitCode, isError } = readOutput(item['output'] ?? item['tools']);
      doubles.result(
        {
          ...common(),
          role: 'tool',
          kind: 'tool-result',
          callId,
          text: collect.output(text),
          ...(exitCode === undefined ? {} : { exitCode }),
          ...(isError === undefined ? {} : { isError }),
        },
        'protocol',
      );
      return;
    }
    default:
      if (!QUIET_ITEM.test(type)) collect.unknown(`item:${type}`);
  }
}

function readMessage(item: Fields, common: Common, collect: EventCollector, doubles: Doubles): void {
  const { role } = item;
  contentBlocks(item['content']).forEach((block, index) => {
    const base = common(index + 1);
    const text = asText(block['text']);
    if (role !== 'user' && role !== 'assistant' && role !== 'developer' && role !== 'system') {
      collect.unknown(`message:${asWord(role)}`);
    } else if (text === undefined) {
      if (role === 'user' && /image|file/.test(asWord(block['type'])))
        collect.events.push({ ...base, role, kind: 'text', injected: 'attachment', text: imageMark(block) });
    } else {
      const speaker = role === 'developer' ? 'system' : role;
      doubles.protocol({ ...base, role: speaker, kind: 'text', text: collect.speech(text) });
    }
  });
}

function readDisplay(event: Fields, common: Common, collect: EventCollector, doubles: Doubles): void {
  const type = asText(event['type']) ?? 'event without a type';
  const text = asText(event['message']) ?? asText(event['text']);
  const callId = asText(event['call_id']) ?? '';
  const said = (role: 'user' | 'assistant', kind: 'text' | 'thinking') => {
    if (text) doubles.display({ ...common(), role, kind, text: collect.speech(text) });
  };
  const ended = (output: string, mark: { isError?: boolean; exitCode?: number }) =>
    doubles.result(
      { ...common(), role: 'tool', kind: 'tool-result', callId, text: collect.output(output), ...mark },
      'display',
    );
  switch (type) {
    case 'user_message':
      said('user', 'text');
      return;
    case 'agent_message':
      said('assistant', 'text');
      return;
    case 'agent_reasoning':
      said('assistant', 'thinking');
      return;
    case 'turn_aborted': {
      const reason = asText(event['reason']) ?? 'interrupted';
      // What replaces a turn is no stop by the user.
      if (reason !== 'replaced')
        collect.events.push({ ...common(), role: 'user', kind: 'interrupt', text: collect.speech(reason) });
      return;
    }
    case 'thread_rolled_back':
      if (typeof event['num_turns'] === 'number') doubles.rolledBack(event['num_turns']);
      return;
    case 'exec_command_end': {
      const exitCode = event['exit_code'];
      ended(
        asText(event['aggregated_output']) ?? asText(event['stdout']) ?? '',
        typeof exitCode === 'number' ? { exitCode } : {},
      );
      return;
    }
    case 'patch_apply_end': {
      const { success } = event;
      const output = [asText(event['stdout']), asText(event['stderr'])].filter((piece) => piece).join('\n');
      ended(output, typeof success === 'boolean' ? { isError: !success } : {});
      return;
    }
    case 'mcp_tool_call_end': {
      const result = asFields(event['result']) ?? {};
      const isError = result['Err'] !== undefined || asFields(result['Ok'])?.['isError'] === true;
      ended(readOutput(asFields(result['Ok'])?.['content'] ?? result['Err']).text, { isError });
      return;
    }
    case 'error':
    case 'stream_error': {
      const message = text ?? asText(asFields(event['error'])?.['message']);
      if (message)
        collect.events.push({ ...common(), role: 'system', kind: 'error', text: collect.speech(message) });
      return;
    }
    default:
      if (!QUIET_EVENT.test(type)) collect.unknown(`event:${type}`);
  }
}

/** Arguments as a value; what is no JSON, a patch for one, stays the text it is. */
function parsed(given: unknown): unknown {
  if (typeof given !== 'string') return given ?? {};
  try {
    return JSON.parse(given);
  } catch (error) {
    if (error instanceof SyntaxError) return given;
    throw error;
  }
}
