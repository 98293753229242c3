import type { TranscriptEvent } from '../event.ts';
import { asText, contentText, type Fields } from '../fields.ts';

const REJECTED = /^The user doesn't want to (?:proceed with this tool use|take this action)/;
/** After a rejection the host quotes what the user typed; these words are theirs. */
const SAID =
  /\b(?:the user said|the user provided the following reason for the rejection):\s*([\s\S]+?)(?:\n\nNote: The user's next message|$)/i;
/** A result follows its call closely, also among parallel ones. */
const CALL_WITHIN = 200;

/**
 * Whether the user turned a call down. The words of a result prove nothing, as any page or program can print them: the
 * block must be marked as an error and the record carry the host's own note beside it.
 */
export function isRejection(record: Fields, block: Fields, events: readonly TranscriptEvent[]): boolean {
  if (block['is_error'] !== true || !REJECTED.test(contentText(block['content']))) return false;
  const denial = asText(record['toolDenialKind']);
  if (denial !== undefined) return denial === 'user-rejected';
  const note = record['toolUseResult'];
  if (note === 'User rejected tool use') return true;
  if (typeof note !== 'string' || !note.startsWith('Error: ') || !REJECTED.test(note.slice(7))) return false;
  // The error of a server's tool is noted in the same way, with the words that the server chose.
  const tool = toolOf(asText(block['tool_use_id']), events);
  return tool !== undefined && !tool.startsWith('mcp__');
}

/** What the user typed when they turned a call down. */
export function wordsWithRejection(text: string): string | undefined {
  return asText(SAID.exec(text)?.[1])?.trim();
}

function toolOf(callId: string | undefined, events: readonly TranscriptEvent[]): string | undefined {
  const call = events
    .slice(-CALL_WITHIN)
    .findLast((event) => event.kind === 'tool-call' && event.callId === callId);
  return call?.kind === 'tool-call' ? call.toolName : undefined;
}
