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
import { fromCorrectedSkills, fromCourseChanges, fromInterrupts, fromWords } from './word-signals.ts';

/**
 * The deterministic findings of a transcript, in the order of their events. Injected text, sub-agents and accidents
 * of the surroundings never count by themselves; quotes are verbatim pieces of the event named or of the first
 * related one. None means that there is nothing to learn here.
 */
export function findSignals(transcript: Transcript): Signal[] {
  const isCustomer = isService(transcript);
  const place = new Map(transcript.events.map((event, index) => [event.id, index]));
  return conversationsOf(transcript.events)
    .flatMap((events) => fromConversation(events, isCustomer))
    .sort((left, right) => (place.get(left.event) ?? 0) - (place.get(right.event) ?? 0));
}

function fromConversation(events: readonly TranscriptEvent[], isCustomer: boolean): Signal[] {
  const pairs = toolPairs({ events }).filter(
    ({ call }) => call.sidechain !== true && call.injected === undefined,
  );
  const words = fromWords(events, isCustomer);
  const corrections = words.filter(({ kind }) => kind === 'correction');
  return [
    ...words,
    ...fromInterrupts(events, corrections),
    ...fromErrors(pairs),
    ...fromSetups(pairs),
    ...fromRetries(pairs),
    ...(isCustomer ? [] : fromCourseChanges(events, pairs)),
    ...fromBranches(events),
    ...fromEmptySearches(pairs),
    ...fromCorrectedSkills(events, corrections),
    ...fromFailedSkillCommands(events, pairs),
  ];
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
  return events.flatMap((event, index) => {
    if (event.branch !== 'abandoned' || events[index - 1]?.branch === 'abandoned') return [];
    const rest = events.slice(index);
    const end = rest.findIndex((later) => later.branch !== 'abandoned');
    const branch = end < 0 ? rest : rest.slice(0, end);
    const said =
      branch.find((later) => later.kind === 'text') ?? branch.find((later) => later.kind === 'tool-call');
    if (said === undefined) return [];
    const taken = rest.find(
      (later) =>
        later.branch !== 'abandoned' &&
        later.injected === undefined &&
        (later.kind === 'text' || later.kind === 'tool-call'),
    );
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
