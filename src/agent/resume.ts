import { hasSystemCode, KnackError } from '../errors.ts';
import { readOwnFile } from '../files/own-file.ts';
import type { ChatMessage, ToolCall } from '../model/model.ts';
import { asFields, asText, type Fields } from '../transcript/fields.ts';
import { toHistory, toolMessage } from './history.ts';

/** Instructions that are in a conversation, as they were when they came in. */
export interface LoadedSkill {
  /** The name that found this skill alone. */
  readonly skill: string;
  readonly contentHash: string;
  readonly version?: string;
}

/** An earlier session as its log has it. */
export interface ResumedSession {
  readonly id: string;
  /** ISO 8601. */
  readonly started: string;
  readonly cwd: string;
  /** Every message but the system prompt; each call is answered. */
  readonly messages: readonly ChatMessage[];
  /** The instructions that are in these messages, the last version of each skill. */
  readonly loads: readonly LoadedSkill[];
  /** The last system prompt that was logged. */
  readonly system: string | undefined;
}

/**
 * Reads a session log so that its conversation can go on. Lines that are broken (a crash cuts the last one) are left
 * out, and calls that were never answered are answered so. Throws `not-found`, or `transcript-unreadable` for a file
 * that is no log of a knack conversation.
 */
export async function readSession(file: string): Promise<ResumedSession> {
  const records = (await readLines(file)).map(parsed).filter((record) => record !== undefined);
  const header = records.find((record) => record['type'] === 'session' && record['format'] === 'knack');
  const [id, started, cwd] = [asText(header?.['id']), asText(header?.['started']), asText(header?.['cwd'])];
  if (!id || !started || !cwd)
    throw new KnackError(
      'transcript-unreadable',
      `${file} is no session log of knack: it has no session line`,
    );
  if (header?.['purpose'] === 'review')
    throw new KnackError(
      'transcript-unreadable',
      `${file} is the log of a review, which cannot be gone on with`,
    );
  const events = records.filter((record) => record['type'] === 'event');
  const system = events.findLast((event) => event['injected'] === 'system-prompt')?.['text'];
  return {
    id,
    started,
    cwd,
    messages: messagesOf(events),
    loads: loadsOf(events),
    system: typeof system === 'string' ? system : undefined,
  };
}

/** The messages that these logged events were. */
function messagesOf(events: readonly Fields[]): ChatMessage[] {
  const messages: ChatMessage[] = [];
  let open: { content: string; calls: ToolCall[]; native: Fields | undefined } | undefined;
  const answers = new Map<string, string>();

  const close = () => {
    if (open === undefined) return;
    const { content, calls, native } = open;
    const provider = asText(native?.['provider']);
    const fields = asFields(native?.['fields']);
    messages.push(
      toHistory({
        role: 'assistant',
        content,
        ...(calls.length > 0 ? { toolCalls: calls } : {}),
        ...(provider && fields ? { native: { provider, fields } } : {}),
      }),
    );
    for (const call of calls) {
      const text = answers.get(call.id);
      messages.push(toolMessage(call, text === undefined ? undefined : { text }));
    }
    open = undefined;
    answers.clear();
  };

  for (const event of events) {
    const native = asFields(event['native']);
    const text = typeof event['text'] === 'string' ? event['text'] : '';
    if (event['kind'] === 'text' && event['role'] === 'user') {
      close();
      const last = messages.at(-1);
      if (native?.['joins'] === true && last?.role === 'user')
        messages[messages.length - 1] = { role: 'user', content: `${last.content}\n\n${text}` };
      else messages.push({ role: 'user', content: text });
    } else if (event['kind'] === 'text' && event['role'] === 'assistant') {
      close();
      open = { content: text, calls: [], native: asFields(native?.['provider']) };
    } else if (event['kind'] === 'tool-call') {
      if (answers.size > 0) close();
      open ??= { content: '', calls: [], native: asFields(native?.['provider']) };
      open.calls.push(callOf(event, native));
    } else if (event['kind'] === 'tool-result') {
      answers.set(String(event['callId']), text);
    }
  }
  close();
  return messages;
}

function callOf(event: Fields, native: Fields | undefined): ToolCall {
  const raw = native?.['arguments'];
  return {
    id: String(event['callId']),
    name: String(event['toolName']),
    arguments: typeof raw === 'string' ? raw : JSON.stringify(event['args'] ?? {}),
  };
}

function loadsOf(events: readonly Fields[]): ResumedSession['loads'] {
  const loads = new Map<string, LoadedSkill>();
  for (const event of events) {
    const [skill, contentHash, version] = [
      asText(event['skill']),
      asText(event['contentHash']),
      asText(event['version']),
    ];
    if (event['kind'] !== 'skill-load' || !skill || !contentHash) continue;
    loads.set(skill, { skill, contentHash, ...(version ? { version } : {}) });
  }
  return [...loads.values()];
}

async function readLines(file: string): Promise<string[]> {
  try {
    return (await readOwnFile(file)).split('\n');
  } catch (error) {
    if (hasSystemCode(error, 'ENOENT', 'ENOTDIR'))
      throw new KnackError('not-found', `there is no session log ${file}`, { cause: error });
    throw error;
  }
}

function parsed(line: string): Fields | undefined {
  try {
    return asFields(JSON.parse(line));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
