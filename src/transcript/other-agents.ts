import { asFields, asList, asWord, type Fields } from './fields.ts';
import type { FormatId } from './format.ts';

/** A way of writing sessions down that knack knows by sight and cannot read yet; the first that fits names it. */
interface ForeignRule {
  readonly agent: string;
  readonly fits: (record: Fields) => boolean;
}

const isOneOf = (value: unknown, names: string) =>
  typeof value === 'string' && names.split(' ').includes(value);
const has = (record: Fields, ...keys: string[]) => keys.every((key) => record[key] !== undefined);
const firstOf = (value: unknown): Fields => asFields(asList(value)[0]) ?? {};

/** Looks at one record of a JSON Lines file. */
const LINE_RULES: readonly ForeignRule[] = [
  { agent: 'OpenClaw', fits: (r) => /^openclaw/.test(asWord(r['customType'] ?? r['id'])) && has(r, 'type') },
  { agent: 'Droid', fits: (r) => r['type'] === 'session_start' },
  { agent: 'Copilot', fits: (r) => r['type'] === 'session.start' && has(r, 'data') },
  {
    agent: 'Kimi',
    fits: (r) => has(r, 'protocol_version') || (r['type'] === 'config.update' && has(r, 'profileName')),
  },
  {
    agent: 'Qwen Code',
    fits: (r) =>
      has(r, 'uuid', 'sessionId') && (has(r, 'systemPayload') || has(asFields(r['message']) ?? {}, 'parts')),
  },
  {
    agent: 'Hermes Agent',
    fits: (r) =>
      r['role'] === 'session_meta' ||
      (has(r, 'session_id', 'messages') && (has(r, 'platform') || has(r, 'source'))),
  },
  { agent: 'ShareGPT', fits: (r) => has(firstOf(r['conversations'] ?? r['conversation']), 'from') },
  {
    agent: 'Codex exec',
    fits: (r) => isOneOf(r['type'], 'thread.started turn.started item.completed turn.completed'),
  },
  { agent: 'Gemini CLI', fits: (r) => has(r, 'sessionId', 'projectHash') || r['type'] === 'gemini' },
  {
    agent: 'OpenHands',
    fits: (r) => /(?:Event|UserRejectObservation)$/.test(asWord(r['kind'])) && has(r, 'source'),
  },
  { agent: 'ATIF', fits: (r) => r['__header__'] === true || has(r, 'step_id', 'source') },
  {
    agent: 'Cursor',
    fits: (r) =>
      (has(r, 'role') && has(asFields(r['message']) ?? {}, 'content')) || r['type'] === 'turn_ended',
  },
  {
    agent: 'Grok',
    fits: (r) =>
      has(r, 'synthetic_reason') ||
      (isOneOf(r['type'], 'system user assistant') && has(r, 'content') && !has(r, 'role', 'message')),
  },
];

/** Looks at a whole JSON document. */
const DOCUMENT_RULES: readonly ForeignRule[] = [
  { agent: 'ATIF', fits: (r) => /^ATIF/.test(asWord(r['schema_version'])) },
  {
    agent: 'mini-swe-agent',
    fits: (r) =>
      /^mini-swe-agent/.test(asWord(r['trajectory_format'])) ||
      asList(r['messages']).some((m) => /<returncode>/.test(asWord(asFields(m)?.['content']))),
  },
  {
    agent: 'Gemini CLI',
    fits: (r) =>
      has(r, 'sessionId', 'projectHash') ||
      (has(r, 'sessionId') && asList(r['messages']).some((m) => asFields(m)?.['type'] === 'gemini')),
  },
  {
    agent: 'OpenCode',
    fits: (r) =>
      has(asFields(asList(r['messages'])[0]) ?? {}, 'info', 'parts') ||
      has(r, 'sessionID') ||
      has(r, 'projectID'),
  },
  { agent: 'Claude web export', fits: (r) => Array.isArray(r['loglines']) },
  { agent: 'OpenAI Responses', fits: (r) => r['object'] === 'response' },
  {
    agent: 'Anthropic Messages',
    fits: (r) => r['type'] === 'message' || asList(r['messages']).some(hasAnthropicBlocks),
  },
  { agent: 'OpenTelemetry', fits: (r) => has(r, 'resourceSpans') },
  {
    agent: 'Hermes Agent',
    fits: (r) =>
      has(r, 'session_id', 'messages') && ['platform', 'session_start', 'source'].some((key) => has(r, key)),
  },
  { agent: 'ShareGPT', fits: (r) => has(firstOf(r['conversations'] ?? r['conversation']), 'from') },
  { agent: 'LangSmith', fits: (r) => has(r, 'run_type') },
];

/** Looks at the elements of a JSON array. */
const LIST_RULES: readonly ForeignRule[] = [
  {
    agent: 'Cline',
    fits: (r) => isOneOf(r['type'], 'say ask') || /<environment_details>|^<task>/.test(blockTexts(r)),
  },
  { agent: 'OpenHands', fits: (r) => has(r, 'source') && (has(r, 'action') || has(r, 'observation')) },
  { agent: 'mini-swe-agent', fits: (r) => r['role'] === 'user' && /<returncode>/.test(asWord(r['content'])) },
  {
    agent: 'OpenAI Responses',
    fits: (r) => isOneOf(r['type'], 'function_call function_call_output reasoning'),
  },
  { agent: 'Anthropic Messages', fits: hasAnthropicBlocks },
  { agent: 'LangSmith', fits: (r) => has(r, 'run_type') },
  { agent: 'ShareGPT', fits: (r) => has(firstOf(r['conversations']), 'from') },
];

/** The agent or format that a line of JSON Lines belongs to, if it is one that knack knows by sight and cannot read. */
export function foreignLine(record: Fields): string | undefined {
  return LINE_RULES.find((rule) => rule.fits(record))?.agent;
}

/** Types of the lines that Claude Code writes. */
const CLAUDE_CODE =
  'user assistant system summary progress attachment queue-operation file-history-snapshot permission-mode mode ai-title custom-title agent-name last-prompt pr-link bridge-session';

/** The format of a line that another agent wrote and knack reads; look-alikes are told apart by `foreignLine` first. */
export function agentLine(record: Fields): FormatId | undefined {
  const isRollout =
    has(record, 'type', 'payload') &&
    isOneOf(record['type'], 'session_meta turn_context response_item event_msg compacted world_state');
  const isOldRollout =
    has(record, 'record_type') || (has(record, 'id', 'timestamp', 'instructions') && !has(record, 'type'));
  const isBareItem =
    isOneOf(record['type'], 'function_call function_call_output reasoning local_shell_call message') &&
    (has(record, 'call_id') || has(record, 'summary') || has(record, 'role', 'content'));
  if (isRollout || isOldRollout || isBareItem) return 'codex';
  return isOneOf(record['type'], CLAUDE_CODE) &&
    ['uuid', 'sessionId', 'leafUuid', 'messageId', 'session_id', 'message'].some((key) => has(record, key))
    ? 'claude-code'
    : undefined;
}

/** The same for a whole document, an object or an array. */
export function foreignDocument(document: unknown): string | undefined {
  const record = asFields(document);
  if (record) return DOCUMENT_RULES.find((rule) => rule.fits(record))?.agent;
  const elements = asList(document)
    .slice(0, 50)
    .map(asFields)
    .filter((element) => element !== undefined);
  return LIST_RULES.find((rule) => elements.some(rule.fits))?.agent;
}

function hasAnthropicBlocks(message: unknown): boolean {
  return asList(asFields(message)?.['content']).some((block) =>
    /^(?:tool_use|tool_result|thinking|redacted_thinking)$/.test(asWord(asFields(block)?.['type'])),
  );
}

function blockTexts(message: Fields): string {
  return asList(message['content'])
    .map((block) => asWord(asFields(block)?.['text'] ?? ''))
    .join('\n');
}
