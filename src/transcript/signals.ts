import { setImmediate } from 'node:timers/promises';
import { KnackError } from '../errors.ts';
import {
  fromEmptySearches,
  fromErrors,
  fromFailedSkillCommands,
  fromRetries,
  fromSetups,
} from './call-signals.ts';
import { quoteAround } from './cues.ts';
import { eventText, type Signal, type Transcript, type TranscriptEvent } from './event.ts';
import { toolPairs } from './results.ts';
import {
  fromCorrectedSkills,
  fromCourseChanges,
  fromInterrupts,
  fromWords,
  type Steps,
} from './word-signals.ts';

/**
 * The deterministic findings of a transcript, in the order of their events. Injected text, sub-agents and accidents
 * of the surroundings never count by themselves; quotes are verbatim pieces of the event named or of the first
 * related one. None means that there is nothing to learn here.
 */
export function findSignals(transcript: Transcript): Signal[] {
  const steps = signalsOf(transcript);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** The same for long sessions: lets others run in between, and throws `aborted` once `signal` is. */
export async function searchSignals(transcript: Transcript, signal: AbortSignal): Promise<Signal[]> {
  const steps = signalsOf(transcript);
  for (;;) {
    if (signal.aborted)
      throw new KnackError('aborted', `looking for signals in ${transcript.file} was stopped.`);
    const { done, value } = steps.next();
    if (done) return value;
    await setImmediate();
  }
}

function* signalsOf(transcript: Transcript): Steps<Signal[]> {
  const isCustomer = isService(transcript);
  const place = new Map(transcript.events.map((event, index) => [event.id, index]));
  const signals: Signal[] = [];
  for (const events of conversationsOf(transcript.events)) {
    for (const signal of yield* fromConversation(events, isCustomer)) signals.push(signal);
    yield undefined;
  }
  return signals.sort((left, right) => (place.get(left.event) ?? 0) - (place.get(right.event) ?? 0));
}

function* fromConversation(events: readonly TranscriptEvent[], isCustomer: boolean): Steps<Signal[]> {
  const pairs = toolPairs({ events }).filter(
    ({ call }) => call.sidechain !== true && call.injected === undefined,
  );
  const words = yield* fromWords(events, isCustomer);
  const corrections = words.filter(({ kind }) => kind === 'correction');
  const others: readonly (() => Signal[])[] = [
    () => fromInterrupts(events, corrections),
    () => fromErrors(pairs),
    () => fromSetups(pairs),
    () => fromRetries(pairs),
    () => (isCustomer ? [] : fromCourseChanges(events, pairs)),
    () => fromBranches(events),
    () => fromEmptySearches(pairs),
    () => fromCorrectedSkills(events, corrections),
    () => fromFailedSkillCommands(events, pairs),
  ];
  const signals = [words];
  for (const find of others) {
    signals.push(find());
    yield undefined;
  }
  return signals.flat();
}

/** Unrelated conversations of one file say nothing about each other. */
function conversationsOf(events: readonly TranscriptEvent[]): TranscriptEvent[][] {
  const conversations = new Map<number, TranscriptEvent[]>();
  for (const event of events) {
    const number = event.conversation ?? 0;
    const conversation = conversations.get(number);
    if (conversation) conversation.push(event);
    else conversations.set(number, [event]);
  }
  return [...conversations.values()];
}

const WORKING_TOOL =
  /bash|shell|terminal|exec|command|file|edit|write|read|grep|glob|patch|python|code|git|browser|skill|finish|think/i;

/** A service with tools of its own trade and none to work with: its user is a customer and directs nobody. */
function isService({ session, events }: Transcript): boolean {
  if (session.format !== 'openai-chat') return false;
  const tools = events.flatMap((event) => (event.kind === 'tool-call' ? [event.toolName] : []));
  return (
    tools.length > 0 && tools.filter((tool) => tool !== 'think').every((tool) => !WORKING_TOOL.test(tool))
  );
}

/** The first event of each stretch that was left, with the first thing that was said in it. */
function fromBranches(events: readonly TranscriptEvent[]): Signal[] {
  const isPart = ({ kind }: TranscriptEvent) => kind === 'text' || kind === 'tool-call';
  const onward: (TranscriptEvent | undefined)[] = [];
  for (let index = events.length - 1; index >= 0; index -= 1) {
    const event = events[index];
    const isTaken = event !== undefined && event.branch !== 'abandoned' && event.injected === undefined;
    onward[index] = isTaken && isPart(event) ? event : onward[index + 1];
  }
  return events.flatMap((event, index) => {
    if (event.branch !== 'abandoned' || events[index - 1]?.branch === 'abandoned') return [];
    let end = index;
    while (events[end]?.branch === 'abandoned') end += 1;
    const branch = events.slice(index, end);
    const said =
      branch.find((later) => later.kind === 'text') ?? branch.find((later) => later.kind === 'tool-call');
    if (said === undefined) return [];
    const taken = onward[end];
    return [
      {
        kind: 'abandoned-branch',
        event: said.id,
        quote: quoteAround(eventText(said), 0),
        related: taken === undefined ? [] : [taken.id],
      } as const,
    ];
  });
}
