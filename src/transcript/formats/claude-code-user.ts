import { createHash } from 'node:crypto';
import type { EventCollector } from '../event-collector.ts';
import { asFields, asText, asWord, contentBlocks, contentText, type Fields, imageMark } from '../fields.ts';
import { type Common, isOfHost, pushSpeech, type Queue } from './claude-code-queue.ts';
import { isRejection, wordsWithRejection } from './claude-code-rejection.ts';

const INTERRUPTED = /^\[Request interrupted by user[^\]]*\]$/;
const SKILL_BODY = /^\s*Base directory for this skill: (\S.*)/;

/** A line of the user's side: speech, results of calls, interrupts, and what the host wrote in their name. */
export function readUser(
  record: Fields,
  message: Fields,
  common: Common,
  collect: EventCollector,
  queue: Queue,
): void {
  const blocks = contentBlocks(message['content']);
  const isInterrupted = blocks.some((block) => INTERRUPTED.test(asWord(block['text']).trim()));
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
  const isHost = record['isMeta'] === true || isOfHost(record['origin']);
  pushSpeech(text, next(), skill ? 'skill' : isHost ? 'harness' : undefined, collect);
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
  const isRejected = isRejection(record, block, collect.events);
  // Of the results only that of the host's own shell says so itself; what others hold comes from servers.
  const isStopped = detail?.['interrupted'] === true && typeof detail['stdout'] === 'string';
  if ((isRejected || isStopped) && !isInterrupted) {
    const said = isRejected ? (text.split('\n')[0] ?? '') : 'Interrupted by the user';
    collect.events.push({ ...next(), role: 'user', kind: 'interrupt', text: collect.speech(said) });
  }
  const words = isRejected ? wordsWithRejection(text) : undefined;
  if (words) pushSpeech(words, next(), undefined, collect);
}
