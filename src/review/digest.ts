import { countTokens } from '../model/tokens.ts';
import {
  eventText,
  type Signal,
  type SignalKind,
  type Transcript,
  type TranscriptEvent,
} from '../transcript/event.ts';
import { headAndTail } from '../transcript/event-collector.ts';
import { toolPairs } from '../transcript/results.ts';

export interface Digest {
  readonly text: string;
  readonly tokens: number;
  /** Ids of the events that stand in it with their words, in order. */
  readonly events: readonly string[];
}

/** How much of it is kept: characters of an event's words and of a one-line event, and which of these there are. */
interface Detail {
  readonly words: number;
  readonly line: number;
  /** One-line events at most this many events away from a signal. */
  readonly around: number;
}

const DETAILS: readonly Detail[] = [
  { words: 4000, line: 160, around: Number.POSITIVE_INFINITY },
  { words: 2500, line: 120, around: 12 },
  { words: 1600, line: 100, around: 4 },
  { words: 1000, line: 80, around: 1 },
  { words: 700, line: 0, around: 0 },
];

/** What a person said tells most; these are kept longest. */
const WEIGHT: Record<SignalKind, number> = {
  correction: 0,
  'standing-wish': 0,
  'contradicted-skill': 0,
  interrupt: 1,
  'error-then-success': 1,
  'abandoned-branch': 2,
  'course-change': 2,
  retry: 3,
  'empty-search': 4,
};

/**
 * What the drafter sees of a transcript within a budget of tokens: the events of the signals with their words and ids,
 * each call with its result, the first request and the end; the rest one line each, or counted. Where even that is too
 * much, later signals of the lesser kinds are left out, and the text says so. Needs `loadTokenizer`.
 */
export function buildDigest(
  transcript: Transcript,
  signals: readonly Signal[],
  options: { readonly tokens: number },
): Digest {
  const ranked = [...signals].sort((left, right) => WEIGHT[left.kind] - WEIGHT[right.kind]);
  for (let kept = ranked.length; kept > 0; kept = Math.floor(kept * 0.75)) {
    const chosen = new Set(ranked.slice(0, kept));
    const some = signals.filter((signal) => chosen.has(signal));
    for (const detail of kept === ranked.length ? DETAILS : DETAILS.slice(-2)) {
      const digest = render(transcript, some, detail, signals.length - some.length);
      if (digest.tokens <= options.tokens) return digest;
    }
  }
  const least = DETAILS.at(-1) ?? { words: 700, line: 0, around: 0 };
  return render(transcript, ranked.slice(0, 1), least, signals.length - 1);
}

function render(transcript: Transcript, signals: readonly Signal[], detail: Detail, dropped: number): Digest {
  const whole = wholeEvents(transcript, signals);
  const places = transcript.events.flatMap((event, index) => (whole.has(event.id) ? [index] : []));
  const lines = [
    `Signals: ${signals.map(({ kind, event }) => `${kind} at ${event}`).join('; ')}${dropped > 0 ? `; ${dropped} more left out` : ''}`,
  ];
  let skipped = 0;
  const flush = () => {
    if (skipped > 0) lines.push(`(${skipped} events left out)`);
    skipped = 0;
  };
  for (const [index, event] of transcript.events.entries()) {
    if (event.kind === 'thinking' || (event.role === 'system' && !whole.has(event.id))) continue;
    if (whole.has(event.id)) {
      flush();
      lines.push(`[${label(event)}]\n${headAndTail(eventText(event), detail.words)}`);
    } else if (detail.line > 0 && places.some((place) => Math.abs(place - index) <= detail.around)) {
      flush();
      lines.push(`[${label(event)}] ${eventText(event).replace(/\s+/g, ' ').slice(0, detail.line)}`);
    } else skipped += 1;
  }
  flush();
  const text = lines.join('\n');
  return {
    text,
    tokens: countTokens(text),
    events: transcript.events.flatMap((event) => (whole.has(event.id) ? [event.id] : [])),
  };
}

/** The events whose words are kept: of the signals, their calls and results, the first request and the end. */
function wholeEvents(transcript: Transcript, signals: readonly Signal[]): Set<string> {
  const kept = new Set(signals.flatMap((signal) => [signal.event, ...signal.related]));
  const speech = transcript.events.filter(
    (event) => event.kind === 'text' && event.injected === undefined && event.sidechain !== true,
  );
  const first = speech.find((event) => event.role === 'user');
  const last = [
    speech.findLast((event) => event.role === 'user'),
    speech.findLast((event) => event.role === 'assistant'),
  ];
  for (const event of [first, ...last]) if (event !== undefined) kept.add(event.id);
  // What was done about a correction belongs to it: the calls up to the next word of the user.
  for (const { event } of signals.filter(
    (signal) => signal.kind === 'correction' || signal.kind === 'interrupt',
  ))
    for (const id of consequences(transcript, event)) kept.add(id);
  for (const { call, result } of toolPairs(transcript)) {
    if (result === undefined || !(kept.has(call.id) || kept.has(result.id))) continue;
    kept.add(call.id);
    kept.add(result.id);
  }
  return kept;
}

const MOST_CONSEQUENCES = 6;

function consequences(transcript: Transcript, id: string): string[] {
  const start = transcript.events.findIndex((event) => event.id === id);
  const after = transcript.events.slice(start + 1);
  const end = after.findIndex(
    (event) => event.kind === 'text' && event.role === 'user' && event.injected === undefined,
  );
  const between = end < 0 ? after : after.slice(0, end);
  const calls = between.filter((event) => event.kind === 'tool-call').slice(-MOST_CONSEQUENCES);
  const answer = between.findLast((event) => event.kind === 'text' && event.role === 'assistant');
  return [...calls, ...(answer === undefined ? [] : [answer])].map((event) => event.id);
}

/** `e12 user`, `e14 result failed`, with why it is not the user's own words. */
function label(event: TranscriptEvent): string {
  const branch = event.branch === 'abandoned' ? ' on a branch that was left' : '';
  switch (event.kind) {
    case 'tool-call':
      return `${event.id} call ${event.toolName}${branch}`;
    case 'tool-result':
      return `${event.id} result${event.isError === true || (event.exitCode ?? 0) !== 0 ? ' failed' : ''}${branch}`;
    case 'skill-load':
      return `${event.id} skill loaded`;
    case 'text':
      return `${event.id} ${event.role}${event.injected === undefined ? '' : `, not the user's words: ${event.injected}`}${branch}`;
    default:
      return `${event.id} ${event.kind}${branch}`;
  }
}
