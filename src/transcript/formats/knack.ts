import type { TranscriptEvent } from '../event.ts';
import type { EventCollector } from '../event-collector.ts';
import { asFields, asText, asTime, asWord, type Fields } from '../fields.ts';
import type { SessionFacts, TranscriptFormat } from '../format.ts';

const ROLES = ['user', 'assistant', 'tool', 'system'] as const;
const BRANCHES = ['live', 'abandoned', 'archived'] as const;

/** knack's own session log: a header line, then one event a line (`session-log.ts` writes it). */
export const knackFormat: TranscriptFormat = {
  id: 'knack',
  agent: 'knack',
  async read(source, collect) {
    let facts: SessionFacts = {};
    const seen = new Set<string>();
    for await (const { line, value } of source.records()) {
      const record = asFields(value);
      if (record?.['type'] === 'session') {
        facts = { ...readHeader(record), ...facts };
      } else if (record?.['type'] === 'event') {
        const event = readEvent(record, line, collect);
        if (!event || seen.has(event.id)) {
          collect.unknown(
            event ? 'event with an id that was used before' : `event:${asWord(record['kind'])}`,
          );
          continue;
        }
        seen.add(event.id);
        collect.events.push(event);
      } else {
        collect.unknown(asWord(record?.['type']));
      }
    }
    return { facts, events: collect.events };
  },
};

function readHeader(record: Fields): SessionFacts {
  const [id, cwd, model] = [asText(record['id']), asText(record['cwd']), asText(record['model'])];
  const started = asTime(record['started']);
  const purpose = record['purpose'];
  return {
    ...(id ? { id } : {}),
    ...(cwd ? { cwd } : {}),
    ...(model ? { model } : {}),
    ...(started ? { started } : {}),
    ...(purpose === 'chat' || purpose === 'review' ? { purpose } : {}),
  };
}

function readEvent(record: Fields, line: number, collect: EventCollector): TranscriptEvent | undefined {
  const id = asText(record['id']);
  const role = ROLES.find((known) => known === record['role']);
  if (!id || !role) return undefined;
  const { parentId, ts, injected, sidechain, branch } = record;
  const knownBranch = BRANCHES.find((known) => known === branch);
  const base = {
    id,
    role,
    ref: `line ${line}`,
    ...(typeof parentId === 'string' ? { parentId } : {}),
    ...(typeof ts === 'string' ? { ts } : {}),
    ...(injected === undefined || injected === null ? {} : { injected: asWord(injected) }),
    ...(sidechain === true ? { sidechain } : {}),
    ...(knownBranch ? { branch: knownBranch } : {}),
  };
  const text = typeof record['text'] === 'string' ? record['text'] : undefined;
  const callId = asText(record['callId']);
  const toolName = asText(record['toolName']);
  switch (record['kind']) {
    case 'text':
    case 'thinking':
    case 'summary':
    case 'error':
    case 'interrupt':
      return text === undefined ? undefined : { ...base, kind: record['kind'], text: collect.speech(text) };
    case 'tool-call':
      return callId && toolName
        ? { ...base, kind: 'tool-call', callId, toolName, args: collect.value(record['args']) }
        : undefined;
    case 'tool-result': {
      const { isError, exitCode } = record;
      if (!callId || text === undefined) return undefined;
      return {
        ...base,
        kind: 'tool-result',
        callId,
        text: collect.output(text),
        ...(toolName ? { toolName } : {}),
        ...(typeof isError === 'boolean' ? { isError } : {}),
        ...(typeof exitCode === 'number' ? { exitCode } : {}),
      };
    }
    case 'skill-load': {
      const { skill, version, contentHash, by } = record;
      if (typeof skill !== 'string' || typeof contentHash !== 'string' || (by !== 'model' && by !== 'user'))
        return undefined;
      return {
        ...base,
        kind: 'skill-load',
        skill,
        contentHash,
        by,
        ...(typeof version === 'string' ? { version } : {}),
      };
    }
    default:
      return undefined;
  }
}
