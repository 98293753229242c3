import { eventText, type TranscriptEvent } from '../transcript/event.ts';
import { headAndTail } from '../transcript/event-collector.ts';
import type { ResultStatus } from '../transcript/results.ts';

/**
 * An event with its words, cut to `limit` characters at head and tail. The words are verbatim, so that a quote of
 * them can be found again; what a signal quotes of the event is kept wherever it stands in it.
 */
export function entry(
  event: TranscriptEvent,
  status: ResultStatus | undefined,
  limit: number,
  quote: string | undefined,
): string {
  return `[${label(event, status)}] ${disarm(excerpt(eventText(event).trim(), limit, quote))}`;
}

/** An event in one line of about `limit` characters. */
export function line(event: TranscriptEvent, status: ResultStatus | undefined, limit: number): string {
  const text = eventText(event)
    .slice(0, limit * 4)
    .replace(/\s+/g, ' ')
    .trim();
  return `[${label(event, status)}] ${text.length > limit ? `${text.slice(0, limit)} […]` : text}`;
}

function excerpt(text: string, limit: number, quote: string | undefined): string {
  const cut = headAndTail(text, limit);
  if (quote === undefined || cut.includes(quote) || !text.includes(quote)) return cut;
  const rest = Math.max(80, limit - quote.length);
  const at = text.indexOf(quote);
  const head = text.slice(0, Math.min(at, Math.floor(rest / 2)));
  const tail = text.slice(Math.max(at + quote.length, text.length - Math.floor(rest / 2)));
  return `${head}\n[…]\n${quote}\n[…]\n${tail}`;
}

/** A line in the words of an event that looks like the beginning of an entry must not pass for one. */
function disarm(text: string): string {
  return text.replace(
    /^(?=\s*(?:\[[^\]\n]{1,80} (?:user|assistant|system|call|result|skill|interrupt|summary|error)|\(left out:|Signals:))/gm,
    '| ',
  );
}

const STATUS: Record<ResultStatus, string> = { success: ', worked', failure: ', failed', unknown: '' };

/** Who speaks: `e12 user`, `e14 result of bash, failed`; text that a program put there never passes for the user's. */
function label(event: TranscriptEvent, status: ResultStatus | undefined): string {
  const branch = event.branch === 'abandoned' ? ', on a way that was given up' : '';
  const side = event.sidechain === true ? ', sub-agent' : '';
  return `${event.id} ${speaker(event, status)}${branch}${side}`;
}

function speaker(event: TranscriptEvent, status: ResultStatus | undefined): string {
  switch (event.kind) {
    case 'tool-call':
      return event.injected === undefined
        ? `call ${event.toolName}`
        : `call ${event.toolName}, by the user's own hand`;
    case 'tool-result':
      return `result${event.toolName === undefined ? '' : ` of ${event.toolName}`}${status === undefined ? '' : STATUS[status]}`;
    case 'skill-load':
      return 'skill loaded';
    case 'text':
      return event.injected === undefined
        ? event.role
        : `system, put into the user's turn by ${event.injected}`;
    default:
      return event.kind;
  }
}
