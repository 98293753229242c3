import { asFields, asList, type Fields } from './fields.ts';
import type { FormatId } from './format.ts';
import { agentLine, foreignDocument, foreignLine } from './other-agents.ts';

/** What a transcript was taken for. `foreign` is one that knack knows by name and cannot read yet. */
export type Detection =
  | { readonly kind: 'known'; readonly format: FormatId; readonly confidence: number }
  | { readonly kind: 'foreign'; readonly agent: string }
  | { readonly kind: 'unknown' };

const UNKNOWN: Detection = { kind: 'unknown' };
const known = (format: FormatId, confidence: number): Detection => ({ kind: 'known', format, confidence });

/**
 * Which format the first lines of a JSON Lines file are in. The header decides for formats that have one, else
 * the lines vote; a line that fits nothing has no vote. Path and name of the file play no part.
 */
export function detectLines(values: readonly unknown[]): Detection {
  const records = values.map(asFields).filter((record) => record !== undefined);
  const header = records.find((record) => record['type'] === 'session');
  if (header?.['format'] === 'knack') return known('knack', 1);
  const names = records.flatMap((record) => foreignLine(record) ?? []);
  // These share most of their lines with pi or the chat API; one line of their own tells them apart.
  const decisive = names.find((name) => ['OpenClaw', 'Droid', 'Hermes Agent'].includes(name));
  if (decisive) return { kind: 'foreign', agent: decisive };
  const foreign = mostFrequent(names);
  if (header && typeof header['id'] === 'string')
    return known('pi', typeof header['cwd'] === 'string' ? 0.95 : 0.7);
  const ours = mostFrequent(records.flatMap((record) => formatOfLine(record) ?? []));
  if (foreign && foreign.count >= (ours?.count ?? 0)) return { kind: 'foreign', agent: foreign.name };
  return ours && ours.count * 2 >= records.length
    ? known(ours.name, 0.6 + 0.3 * (ours.count / records.length))
    : UNKNOWN;
}

/** Which format a whole JSON document is in. */
export function detectDocument(document: unknown): Detection {
  const root = asFields(document);
  if (root && isTrajectory(root)) return known('swe-agent', 0.95);
  const agent = foreignDocument(document);
  if (agent) return { kind: 'foreign', agent };
  const confidence = chatConfidence(root ? root['messages'] : document);
  return confidence > 0 ? known('openai-chat', confidence) : UNKNOWN;
}

function isTrajectory(root: Fields): boolean {
  const isStep = (step: unknown) => {
    const fields = asFields(step);
    return fields !== undefined && 'observation' in fields && 'action' in fields;
  };
  const isMessage = (message: unknown) => {
    const fields = asFields(message);
    return typeof fields?.['role'] === 'string' && 'content' in fields;
  };
  const steps = asList(root['trajectory']);
  const history = asList(root['history']);
  return steps.length > 0 ? steps.every(isStep) : history.length > 0 && history.every(isMessage);
}

function formatOfLine(record: Fields): FormatId | undefined {
  const agent = foreignLine(record) === undefined ? agentLine(record) : undefined;
  if (agent) return agent;
  if (record['type'] === 'event' && typeof record['kind'] === 'string' && typeof record['role'] === 'string')
    return 'knack';
  if (record['type'] === 'message' && typeof asFields(record['message'])?.['role'] === 'string') return 'pi';
  const messages =
    asFields(record['body'])?.['messages'] ?? asFields(record['input'])?.['messages'] ?? record['messages'];
  return chatConfidence(messages ?? [record]) > 0 ? 'openai-chat' : undefined;
}

/** 0 where these are no chat messages, more with the marks that only the chat API has. */
function chatConfidence(messages: unknown): number {
  const list = asList(messages).map((message) => asFields(message));
  const isMessage = (message: Fields | undefined) =>
    message !== undefined &&
    typeof message['role'] === 'string' &&
    ['content', 'tool_calls', 'function_call'].some((key) => key in message);
  if (list.length === 0 || !list.every(isMessage)) return 0;
  const marked = list.some(
    (message) =>
      message?.['role'] === 'tool' ||
      message?.['role'] === 'function' ||
      message?.['role'] === 'developer' ||
      Array.isArray(message?.['tool_calls']),
  );
  return marked ? 0.9 : 0.6;
}

function mostFrequent<N extends string>(names: readonly N[]): { name: N; count: number } | undefined {
  const counts = new Map<N, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  const [first] = [...counts].sort((a, b) => b[1] - a[1]);
  return first && { name: first[0], count: first[1] };
}
