import {
  correctionIn,
  courseChangeIn,
  isAcceptance,
  isConcession,
  quoteAround,
  standingWishIn,
} from './cues.ts';
import { eventText, type Signal, type TranscriptEvent } from './event.ts';
import type { ToolPair } from './results.ts';

type TextEvent = Extract<TranscriptEvent, { kind: 'text' | 'thinking' | 'summary' | 'error' | 'interrupt' }>;

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
export function fromWords(events: readonly TranscriptEvent[], isCustomer: boolean): Signal[] {
  const signals: Signal[] = [];
  const said: string[] = [];
  let before: TranscriptEvent | undefined;
  let question = false;
  for (const [index, event] of events.entries()) {
    if (isWork(event)) before = event;
    if (event.role === 'assistant' && event.kind === 'text') question = asks(event.text);
    if (!isSpeech(event) || isCommand(event.text)) continue;
    const related = before === undefined ? [] : [before.id];
    const quote =
      before === undefined
        ? undefined
        : (correctionIn(event.text, { afterQuestion: question, isCustomer }) ??
          (!isCustomer &&
          !isAcceptance(event.text) &&
          (givesIn(events, index) || isRepeated(event.text, said))
            ? quoteAround(event.text, 0)
            : undefined));
    if (quote !== undefined) signals.push({ kind: 'correction', event: event.id, quote, related });
    const wish =
      isCustomer || (before === undefined && event.text.length > LONGEST_FIRST_WISH)
        ? undefined
        : standingWishIn(event.text);
    if (wish !== undefined) signals.push({ kind: 'standing-wish', event: event.id, quote: wish, related });
    said.push(event.text);
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

const wordsOf = (text: string) => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);

/** Words that may differ between two wordings of one demand. */
const SMALL_WORDS = new Set(
  'a an the this that it of to in on for with and or please again still now once more just i you me my your is are be do as at by 请 再 bitte noch mal nochmal das die der den es por favor otra vez el la lo'.split(
    ' ',
  ),
);

/**
 * The same demand once more, in nearly the same words and with no new one: "a light theme" after "a dark theme" is
 * the next request.
 */
function isRepeated(text: string, said: readonly string[]): boolean {
  const words = wordsOf(text);
  if (words.size < 5 || text.length > 1200) return false;
  return said.some((earlier) => {
    const other = wordsOf(earlier.slice(0, 2000));
    const common = [...words].filter((word) => other.has(word)).length;
    return (
      common / (words.size + other.size - common) >= 0.6 &&
      [...words].every((word) => other.has(word) || SMALL_WORDS.has(word))
    );
  });
}

/**
 * The user stopped work that had begun, and the words that follow say why; "continue" says nothing. Where these words
 * are a correction already, the finding shows what was stopped instead.
 */
export function fromInterrupts(events: readonly TranscriptEvent[], corrections: readonly Signal[]): Signal[] {
  return events.flatMap((event, index): Signal[] => {
    if (event.kind !== 'interrupt' || event.sidechain === true) return [];
    const turn = events.slice(0, index).findLastIndex(isSpeech);
    const work = events.slice(turn + 1, index).filter(isWork);
    const stopped = work.findLast(({ kind }) => kind === 'text') ?? work.at(-1);
    const next = events.slice(index + 1).find((later) => isSpeech(later) || isWork(later));
    if (
      stopped === undefined ||
      next === undefined ||
      !isSpeech(next) ||
      isCommand(next.text) ||
      isAcceptance(next.text) ||
      (wordsOf(next.text).size < 3 && !/\p{Script=Han}|\p{Script=Hiragana}/u.test(next.text))
    )
      return [];
    return corrections.some((correction) => correction.event === next.id)
      ? [
          {
            kind: 'interrupt',
            event: event.id,
            quote: quoteAround(eventText(stopped), 0),
            related: [stopped.id, next.id],
          },
        ]
      : [
          {
            kind: 'interrupt',
            event: event.id,
            quote: quoteAround(next.text, 0),
            related: [next.id],
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
  return events.flatMap((load, index) => {
    if (load.kind !== 'skill-load') return [];
    const after = events.slice(index + 1);
    const answered = after.findIndex(isWork);
    const words =
      answered < 0
        ? []
        : after
            .slice(answered + 1)
            .filter(isSpeech)
            .slice(0, 2);
    const correction = corrections.find(({ event }) => words.some((said) => said.id === event));
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
