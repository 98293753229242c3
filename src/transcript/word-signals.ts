import {
  correctionIn,
  courseChangeIn,
  isAcceptance,
  isConcession,
  quoteAround,
  standingWishIn,
} from './cues.ts';
import { eventText, type Signal, type TranscriptEvent } from './event.ts';
import { createSaidTexts, wordsOf } from './repetition.ts';
import type { ToolPair } from './results.ts';

type TextEvent = Extract<TranscriptEvent, { kind: 'text' | 'thinking' | 'summary' | 'error' | 'interrupt' }>;

/** Work in steps, between which others may run or stop it. */
export type Steps<T> = Generator<undefined, T>;

/** Events between two pauses. */
const STEP = 1000;
/** A longer first message is a task with its rules, often written by a program. */
const LONGEST_FIRST_WISH = 600;

/** The person's own words: not what a program put into a user turn, not a sub-agent's orders, not a bare command. */
export function isSpeech(event: TranscriptEvent): event is TextEvent {
  return (
    event.kind === 'text' &&
    event.role === 'user' &&
    event.injected === undefined &&
    event.sidechain !== true &&
    event.text.trim() !== ''
  );
}

const isCommand = (text: string) => /^\s*[/!]\S*\s*$/.test(text);
const isWork = (event: TranscriptEvent) =>
  event.role === 'assistant' &&
  event.sidechain !== true &&
  (event.kind === 'text' || event.kind === 'tool-call');

/**
 * What somebody says after the assistant did something: corrections by their words, by being said again, or by
 * the assistant giving in at once, and wishes for all times. The first request is no correction. Of a customer of
 * a service only plain denials count.
 */
export function* fromWords(events: readonly TranscriptEvent[], isCustomer: boolean): Steps<Signal[]> {
  const signals: Signal[] = [];
  const said = createSaidTexts();
  let before: TranscriptEvent | undefined;
  let question = false;
  for (const [index, event] of events.entries()) {
    if (index % STEP === STEP - 1) yield undefined;
    if (isWork(event)) before = event;
    if (event.role === 'assistant' && event.kind === 'text') question = asks(event.text);
    if (!isSpeech(event) || isCommand(event.text)) continue;
    const related = before === undefined ? [] : [before.id];
    const quote =
      before === undefined
        ? undefined
        : (correctionIn(event.text, { afterQuestion: question, isCustomer }) ??
          (!isCustomer && !isAcceptance(event.text) && (givesIn(events, index) || said.isRepeated(event.text))
            ? quoteAround(event.text, 0)
            : undefined));
    if (quote !== undefined) signals.push({ kind: 'correction', event: event.id, quote, related });
    const wish =
      isCustomer || (before === undefined && event.text.length > LONGEST_FIRST_WISH)
        ? undefined
        : standingWishIn(event.text);
    if (wish !== undefined) signals.push({ kind: 'standing-wish', event: event.id, quote: wish, related });
    said.add(event.text);
    question = false;
  }
  return signals;
}

/** Whether the assistant's last sentences ask something. */
const asks = (text: string) => /[?？][^.。]{0,80}$/.test(text.trim().slice(-300));

/** The next thing the assistant says is that the user is right. */
function givesIn(events: readonly TranscriptEvent[], index: number): boolean {
  // Without a copy of the rest: a long session has a hundred thousand events, and thousands of them are speech.
  let at = index + 1;
  while (events[at]?.kind === 'thinking' || events[at]?.kind === 'summary') at += 1;
  const next = events[at];
  return next?.kind === 'text' && next.role === 'assistant' && isConcession(next.text);
}

/**
 * The user stopped work that had begun, and the words that follow say why; "continue" says nothing. Where these words
 * are a correction already, the finding shows what was stopped instead.
 */
export function fromInterrupts(events: readonly TranscriptEvent[], corrections: readonly Signal[]): Signal[] {
  const corrected = new Set(corrections.map(({ event }) => event));
  const next = nextPlaces(events, (event) => isSpeech(event) || isWork(event));
  let work: TranscriptEvent | undefined;
  let answer: TranscriptEvent | undefined;
  return events.flatMap((event, index): Signal[] => {
    // What was done since the user last spoke.
    if (isWork(event)) work = event;
    if (isWork(event) && event.kind === 'text') answer = event;
    if (isSpeech(event)) {
      work = undefined;
      answer = undefined;
    }
    if (event.kind !== 'interrupt' || event.sidechain === true) return [];
    const [stopped, later] = [answer ?? work, events[next[index] ?? -1]];
    if (
      stopped === undefined ||
      later === undefined ||
      !isSpeech(later) ||
      isCommand(later.text) ||
      isAcceptance(later.text) ||
      (wordsOf(later.text).size < 3 && !/\p{Script=Han}|\p{Script=Hiragana}/u.test(later.text))
    )
      return [];
    return corrected.has(later.id)
      ? [
          {
            kind: 'interrupt',
            event: event.id,
            quote: quoteAround(eventText(stopped), 0),
            related: [stopped.id, later.id],
          },
        ]
      : [
          {
            kind: 'interrupt',
            event: event.id,
            quote: quoteAround(later.text, 0),
            related: [later.id],
          },
        ];
  });
}

/** The assistant takes its own way back, where there was cause: a failure, or words of the user, shortly before. */
export function fromCourseChanges(events: readonly TranscriptEvent[], pairs: readonly ToolPair[]): Signal[] {
  const failures = new Set(pairs.filter((pair) => pair.status === 'failure').map((pair) => pair.result?.id));
  const firstWork = events.findIndex(isWork);
  return events.flatMap((event, index) => {
    if (event.kind !== 'text' || !isWork(event) || index === firstWork) return [];
    const quote = courseChangeIn(event.text);
    const cause = events
      .slice(Math.max(0, index - 4), index)
      .findLast((earlier) => failures.has(earlier.id) || isSpeech(earlier));
    return quote === undefined || cause === undefined
      ? []
      : [{ kind: 'course-change', event: event.id, quote, related: [cause.id] } as const];
  });
}

/** A skill was loaded, and what was done with it was corrected within the next two things the user said. */
export function fromCorrectedSkills(
  events: readonly TranscriptEvent[],
  corrections: readonly Signal[],
): Signal[] {
  const byEvent = new Map(corrections.map((correction) => [correction.event, correction]));
  const nextWork = nextPlaces(events, isWork);
  const nextSpeech = nextPlaces(events, isSpeech);
  return events.flatMap((load, index) => {
    if (load.kind !== 'skill-load') return [];
    const answered = nextWork[index];
    const first = answered === undefined ? undefined : nextSpeech[answered];
    const second = first === undefined ? undefined : nextSpeech[first];
    const correction = [first, second]
      .map((place) => byEvent.get(events[place ?? -1]?.id ?? ''))
      .find((found) => found !== undefined);
    return correction === undefined
      ? []
      : [
          {
            kind: 'contradicted-skill',
            event: correction.event,
            quote: correction.quote,
            related: [load.id],
          } as const,
        ];
  });
}

/** For each event the place of the next one after it that counts. */
function nextPlaces(
  events: readonly TranscriptEvent[],
  counts: (event: TranscriptEvent) => boolean,
): (number | undefined)[] {
  const places: (number | undefined)[] = [];
  let next: number | undefined;
  for (let index = events.length - 1; index >= 0; index -= 1) {
    places[index] = next;
    const event = events[index];
    if (event !== undefined && counts(event)) next = index;
  }
  return places;
}
