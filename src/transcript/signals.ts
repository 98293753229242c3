import { isCorrection, isCourseChange, isStandingWish } from './cues.ts';
import { eventText, type Signal, type SignalKind, type Transcript, type TranscriptEvent } from './event.ts';
import { type CallEvent, callClass, callText, isAccident, type ToolPair, toolPairs } from './results.ts';

const LONGEST_QUOTE = 400;
/** A working call later than this after the failing one is not its remedy. */
const REMEDY_WITHIN = 12;
const RETRIES = 3;
/** A longer first message is a task with its rules, often written by a program. */
const LONGEST_FIRST_WISH = 600;

/** The deterministic findings of a transcript, in the order of their events. Injected text and sub-agents never count. */
export function findSignals(transcript: Transcript): Signal[] {
  const pairs = toolPairs(transcript).filter((pair) => pair.call.sidechain !== true);
  const found = [...FINDERS.flatMap((find) => find(transcript.events, pairs))];
  const place = new Map(transcript.events.map((event, index) => [event.id, index]));
  return found.sort((left, right) => (place.get(left.event) ?? 0) - (place.get(right.event) ?? 0));
}

type Finder = (events: readonly TranscriptEvent[], pairs: readonly ToolPair[]) => Signal[];

const FINDERS: readonly Finder[] = [
  fromWords,
  fromInterrupts,
  fromErrors,
  fromRetries,
  fromCourseChanges,
  fromBranches,
  fromEmptySearches,
  fromSkills,
];

type Speech = Extract<TranscriptEvent, { readonly text: string; readonly kind: unknown }> & {
  readonly kind: 'text';
};

/** The person's own words: not what a program put into a user turn, and not a sub-agent's orders. */
function isSpeech(event: TranscriptEvent): event is Speech {
  return (
    event.kind === 'text' &&
    event.role === 'user' &&
    event.injected === undefined &&
    event.sidechain !== true &&
    event.text.trim() !== ''
  );
}

/** What somebody says after the assistant did something; the first request is no correction. */
function fromWords(events: readonly TranscriptEvent[]): Signal[] {
  const signals: Signal[] = [];
  let before: TranscriptEvent | undefined;
  for (const event of events) {
    if (event.role === 'assistant' && (event.kind === 'text' || event.kind === 'tool-call')) before = event;
    if (!isSpeech(event)) continue;
    if (before !== undefined && isCorrection(event.text))
      signals.push(signal('correction', event, event.text, [before.id]));
    else if ((before !== undefined || event.text.length <= LONGEST_FIRST_WISH) && isStandingWish(event.text))
      signals.push(signal('standing-wish', event, event.text, before === undefined ? [] : [before.id]));
  }
  return signals;
}

function fromInterrupts(events: readonly TranscriptEvent[]): Signal[] {
  return events.flatMap((event, index) => {
    if (event.kind !== 'interrupt' || event.sidechain === true) return [];
    const next = events.slice(index + 1).find(isSpeech);
    return [signal('interrupt', event, next?.text ?? event.text, next === undefined ? [] : [next.id])];
  });
}

/** A failure and the first later call of its class that works; accidents of the surroundings are none. */
function fromErrors(_: readonly TranscriptEvent[], pairs: readonly ToolPair[]): Signal[] {
  const signals: Signal[] = [];
  const used = new Set<string>();
  for (const [index, failed] of pairs.entries()) {
    if (
      failed.status !== 'failure' ||
      failed.result === undefined ||
      isAccident(failed.result.text.slice(0, 4000))
    )
      continue;
    const kind = callClass(failed.call);
    const remedy = pairs
      .slice(index + 1, index + 1 + REMEDY_WITHIN)
      .find(
        (pair) => callClass(pair.call) === kind && pair.status !== 'failure' && pair.result !== undefined,
      );
    if (remedy?.result === undefined || used.has(remedy.call.id) || callText(remedy.call) === '') continue;
    used.add(remedy.call.id);
    signals.push(
      signal('error-then-success', failed.result, failed.result.text, [
        failed.call.id,
        remedy.call.id,
        remedy.result.id,
      ]),
    );
  }
  return signals;
}

/** The same call three times in a row or more, without a working result between. */
function fromRetries(_: readonly TranscriptEvent[], pairs: readonly ToolPair[]): Signal[] {
  const signals: Signal[] = [];
  let run: CallEvent[] = [];
  const close = () => {
    const [first] = run;
    if (first !== undefined && run.length >= RETRIES)
      signals.push(
        signal(
          'retry',
          first,
          `${run.length} times: ${callText(first)}`,
          run.slice(1).map((call) => call.id),
        ),
      );
    run = [];
  };
  for (const { call, status } of pairs) {
    const [first] = run;
    if (first !== undefined && (callText(first) !== callText(call) || first.toolName !== call.toolName))
      close();
    if (status === 'success') close();
    else run.push(call);
  }
  close();
  return signals;
}

/** Only where there was something to change: a failure, or words of the user, shortly before. */
function fromCourseChanges(events: readonly TranscriptEvent[], pairs: readonly ToolPair[]): Signal[] {
  const failures = new Set(pairs.filter((pair) => pair.status === 'failure').map((pair) => pair.result?.id));
  return events.flatMap((event, index) => {
    if (
      event.kind !== 'text' ||
      event.role !== 'assistant' ||
      event.sidechain === true ||
      !isCourseChange(event.text)
    )
      return [];
    const near = events
      .slice(Math.max(0, index - 4), index)
      .filter((before) => failures.has(before.id) || isSpeech(before))
      .at(-1);
    const isFirstAnswer = !events.slice(0, index).some((before) => before.role === 'assistant');
    return near === undefined || isFirstAnswer ? [] : [signal('course-change', event, event.text, [near.id])];
  });
}

function fromBranches(events: readonly TranscriptEvent[]): Signal[] {
  return events.flatMap((event, index) => {
    const isStart = event.branch === 'abandoned' && events[index - 1]?.branch !== 'abandoned';
    return isStart ? [signal('abandoned-branch', event, eventText(event), [])] : [];
  });
}

/** A search for skills that found none, before work that was done all the same. */
function fromEmptySearches(_: readonly TranscriptEvent[], pairs: readonly ToolPair[]): Signal[] {
  return pairs.flatMap(({ call, result }) => {
    const isEmpty =
      call.toolName === 'search_skills' && result !== undefined && /^No skill fits/.test(result.text);
    return isEmpty ? [signal('empty-search', call, eventText(call), [result.id])] : [];
  });
}

/** A skill was loaded, and what followed was corrected. */
function fromSkills(events: readonly TranscriptEvent[]): Signal[] {
  return events.flatMap((event, index) => {
    if (event.kind !== 'skill-load') return [];
    const after = events.slice(index + 1);
    const answered = after.findIndex((later) => later.role === 'assistant' && later.kind === 'text');
    const words = answered < 0 ? undefined : after.slice(answered + 1).find(isSpeech);
    return words !== undefined && isCorrection(words.text)
      ? [signal('contradicted-skill', words, words.text, [event.id])]
      : [];
  });
}

function signal(kind: SignalKind, event: TranscriptEvent, quote: string, related: readonly string[]): Signal {
  return { kind, event: event.id, quote: quote.trim().slice(0, LONGEST_QUOTE), related };
}
