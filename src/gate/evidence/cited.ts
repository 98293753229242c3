import { eventText, type Transcript, type TranscriptEvent } from '../../transcript/event.ts';
import { createRedactor } from '../../transcript/redact.ts';
import { callText, type ToolPair, toolPairs } from '../../transcript/results.ts';
import type { CheckFinding } from '../check.ts';
import type { Evidence } from '../draft.ts';
import { wordsOf } from '../markdown.ts';

/** Characters of the shortest quote that shows something. */
const SHORTEST = 12;

/** A piece of evidence with what it cites. */
export interface Cited {
  readonly evidence: Evidence;
  readonly transcript: Transcript;
  readonly event: TranscriptEvent;
  /** Position of the event in the transcript. */
  readonly index: number;
  /** The call that the event is, or is the result of. */
  readonly pair: ToolPair | undefined;
}

/** Looks up every citation; those that do not hold come back as findings for `file`. */
export function lookUp(
  citations: readonly Evidence[],
  transcripts: readonly Transcript[],
  file: string,
): { cited: Cited[]; findings: CheckFinding[] } {
  const cited: Cited[] = [];
  const findings: CheckFinding[] = [];
  for (const evidence of citations) {
    const found = find(evidence, transcripts);
    if ('event' in found) cited.push(found);
    else findings.push({ ...found, file });
  }
  return { cited, findings };
}

/** Whether the person wrote this, and not a program in the person's name. */
export function isSpeech(event: TranscriptEvent): boolean {
  return (
    event.kind === 'text' && event.role === 'user' && event.injected === undefined && event.sidechain !== true
  );
}

function find(evidence: Evidence, transcripts: readonly Transcript[]): Cited | CheckFinding {
  const { session, event: id, quote } = evidence;
  const known = transcripts.filter((transcript) => transcript.session.id === session);
  if (known.length === 0)
    return refuse(
      'session-unknown',
      `it cites the session "${session}", which is not among those given`,
      session,
    );
  const places = known.flatMap((transcript) =>
    transcript.events.flatMap((event, index) => (event.id === id ? [{ transcript, event, index }] : [])),
  );
  if (places.length === 0)
    return refuse(
      'event-unknown',
      `it cites the event "${id}", which the session "${session}" does not have`,
      id,
    );
  const place = places.find(({ event }) => standsIn(event, quote));
  if (place === undefined) {
    const elsewhere = known.flatMap(({ events }) => events).find((event) => standsIn(event, quote));
    return refuse(
      'quote-not-found',
      `the quote ${shown(quote)} does not stand in the event ${id}${elsewhere === undefined ? '' : `, but in ${elsewhere.id}`}: copy it letter by letter`,
      quote,
    );
  }
  const { transcript, event, index } = place;
  if (isTooShort(quote) && !isWhole(event, quote))
    return refuse(
      'quote-too-short',
      `the quote ${shown(quote)} is too short to show anything: quote at least ${SHORTEST} characters and two words, or the whole event`,
      quote,
    );
  // By the event itself: the id of a call may stand for several calls of one session.
  const pair = toolPairs(transcript).find(({ call, result }) => call === event || result === event);
  return { evidence, transcript, event, index, pair };
}

const redactor = createRedactor();

/**
 * Verbatim but for runs of white space, which the digest shows as one blank where it keeps an event to a line; redaction
 * may number the same value differently from run to run.
 */
function standsIn(event: TranscriptEvent, quote: string): boolean {
  const wanted = comparable(quote);
  return textsOf(event).some((text) => text.includes(wanted));
}

function isWhole(event: TranscriptEvent, quote: string): boolean {
  const wanted = comparable(quote).trim();
  return wanted !== '' && textsOf(event).some((text) => text.trim() === wanted);
}

function textsOf(event: TranscriptEvent): string[] {
  const texts = [
    eventText(event),
    ...(event.kind === 'tool-call' ? [callText(event), ...stringsIn(event.args)] : []),
  ];
  return texts.flatMap((text) => [comparable(text), comparable(redactor.text(text))]);
}

/** Fewer characters, or one word, stand nearly everywhere; a character of a script without blanks is most of a word. */
function isTooShort(quote: string): boolean {
  const dense =
    quote.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu)?.length ?? 0;
  return quote.trim().length + 2 * dense < SHORTEST || wordsOf(quote).length < 2;
}

function comparable(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/\[REDACTED:([\w-]+):\d+\]/g, '[REDACTED:$1]');
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(stringsIn);
}

function shown(quote: string): string {
  return JSON.stringify(redactor.text(quote.length > 120 ? `${quote.slice(0, 117)}...` : quote));
}

function refuse(rule: string, message: string, subject: string): CheckFinding {
  return { rule, severity: 'refuse', message, subject };
}
