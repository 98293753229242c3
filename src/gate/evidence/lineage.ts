import { leastTrusted, type Trust } from '../../history/trust.ts';
import { eventText, type Transcript, type TranscriptEvent } from '../../transcript/event.ts';
import { callText, type ToolPair, toolPairs } from '../../transcript/results.ts';
import { isSpeech } from './cited.ts';
import { reportedOrders, sentences } from './reports.ts';

/** Tools that bring text which somebody elsewhere wrote. */
const FETCHING_TOOL =
  /^mcp_|(?:^|[_.-])(?:web|url|http|browser?|crawl|scrape|download)|(?:^|[_.-])fetch|web_?(?:search|fetch|page)|browse/i;
const FETCHING_COMMAND = /\b(?:curl|wget|lynx|w3m|https?|gh (?:api|issue|pr|gist|release)|glab)\s+\S/;
const ON_THIS_MACHINE = /\b(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\])/;
/** Tools that show skills, under MCP with the server's name before. */
const SKILL_TOOL = /(?:^|_)(?:load_skill|read_skill_file|search_skills|list_skill_files)$/;

/** Who is behind what the events of one session say. */
export interface Lineage {
  /**
   * The least trusted speaker behind an event. An order that the assistant tells again is foreign, wherever it says that
   * it comes from; a summary is whatever it sums up, and foreign where nobody can see what that was.
   */
  trustOf(event: TranscriptEvent): Trust;
  /**
   * What an event has others say is to be done, sentence by sentence: text from elsewhere and summaries of it as a
   * whole, of the assistant's own words those that report an order. Empty for what a person said, and for what a
   * program of this machine printed, whose words are compared as they are.
   */
  toldBy(event: TranscriptEvent): readonly string[];
}

const known = new WeakMap<Transcript, Lineage>();

/** Decided from the transcript alone; no model is asked. */
export function lineageOf(transcript: Transcript): Lineage {
  const lineage = known.get(transcript) ?? createLineage(transcript);
  known.set(transcript, lineage);
  return lineage;
}

function createLineage(transcript: Transcript): Lineage {
  const calls = new Map<TranscriptEvent, ToolPair['call']>(
    toolPairs(transcript).flatMap(({ call, result }) => (result === undefined ? [] : [[result, call]])),
  );
  const { events } = transcript;
  /** What was said and shown before each; undefined for nothing. */
  const heard = new Map<TranscriptEvent, Trust | undefined>();
  let least: Trust | undefined;
  for (const event of events) {
    heard.set(event, least);
    if (event.role === 'system') continue;
    least = leastTrusted([least ?? 'user', plainTrust(event, calls.get(event)) ?? 'assistant']);
  }
  const trustOf = (event: TranscriptEvent): Trust => {
    const plain = plainTrust(event, calls.get(event));
    if (plain !== undefined) return plain;
    const before = heard.get(event);
    if (isSummary(event)) return leastTrusted([before ?? 'foreign', 'assistant']) ?? 'foreign';
    return reportedOrders(eventText(event)).length === 0 ? 'assistant' : 'foreign';
  };
  return {
    trustOf,
    toldBy(event) {
      const trust = trustOf(event);
      if (isSummary(event)) return trust === 'assistant' ? [] : sentences(eventText(event));
      if (event.role === 'assistant' && event.kind !== 'tool-call') return reportedOrders(eventText(event));
      return trust === 'foreign' ? sentences(eventText(event)) : [];
    },
  };
}

/** The results of calls that show skills, whose words are the library's own. */
export function skillResults(transcript: Transcript): ReadonlySet<TranscriptEvent> {
  return new Set(
    toolPairs(transcript).flatMap(({ call, result }) =>
      result !== undefined && SKILL_TOOL.test(call.toolName) ? [result] : [],
    ),
  );
}

/** By the kind of the event alone; undefined where it depends on what came before. */
function plainTrust(event: TranscriptEvent, call: ToolPair['call'] | undefined): Trust | undefined {
  if (isSpeech(event)) return 'user';
  if (isSummary(event)) return undefined;
  if (event.injected !== undefined) return 'tool';
  switch (event.kind) {
    case 'interrupt':
      return 'user';
    case 'tool-call':
      return 'assistant';
    case 'tool-result':
      return call !== undefined && isFetching(call) ? 'foreign' : 'tool';
    case 'text':
    case 'thinking':
      // A sub-agent is told by an assistant what to do.
      return event.role === 'assistant' ? undefined : event.role === 'user' ? 'assistant' : 'tool';
    default:
      return 'tool';
  }
}

function isFetching(call: ToolPair['call']): boolean {
  if (SKILL_TOOL.test(call.toolName)) return false;
  if (FETCHING_TOOL.test(call.toolName)) return true;
  const command = callText(call);
  return FETCHING_COMMAND.test(command) && !ON_THIS_MACHINE.test(command);
}

/** Of a conversation, or of what was left of it; some hosts put it into a user's turn. */
function isSummary({ kind, injected }: TranscriptEvent): boolean {
  return kind === 'summary' || injected === 'summary';
}
