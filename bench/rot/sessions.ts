import type { Transcript, TranscriptEvent } from '../../src/transcript/event.ts';

/** A place that a draft of the measurement may cite. */
export interface Place {
  readonly event: string;
  readonly quote: string;
}

/** Where in a session of `teachingSession` what can be cited. */
export const FAILED: Place = { event: 'e3', quote: 'error: the result does not fit' };
export const CLAIMED: Place = { event: 'e4', quote: 'It should be fine like this.' };
export const THANKED: Place = { event: 'e9', quote: 'Right, thanks for that.' };

/** A session in which a user corrects the assistant with these sentences, and a page that was read says `page`. */
export function teachingSession(
  id: string,
  { ask, sentences, page }: { ask: string; sentences: readonly string[]; page: string },
): Transcript {
  const said = (place: string, role: 'user' | 'assistant', text: string): TranscriptEvent => ({
    id: place,
    role,
    kind: 'text',
    ref: place,
    text,
  });
  const call = (place: string, callId: string, command: string): TranscriptEvent => ({
    id: place,
    role: 'assistant',
    kind: 'tool-call',
    toolName: 'shell',
    callId,
    args: { command },
    ref: place,
  });
  const result = (place: string, callId: string, text: string, isError: boolean): TranscriptEvent => ({
    id: place,
    role: 'tool',
    kind: 'tool-result',
    toolName: 'shell',
    callId,
    text,
    isError,
    ref: place,
  });
  return {
    file: `/sessions/${id}.jsonl`,
    session: {
      id,
      agent: 'knack',
      format: 'knack',
      confidence: 1,
      stats: { lines: 9, badLines: [], unknownRecords: {} },
    },
    events: [
      said('e1', 'user', `Please do this: ${ask}.`),
      call('e2', 'c1', 'make check'),
      result('e3', 'c1', `${FAILED.quote}\n${page}`, true),
      said('e4', 'assistant', CLAIMED.quote),
      said('e5', 'user', `No, that is wrong. From now on always keep to this.\n${sentences.join('\n')}`),
      call('e6', 'c2', 'make check'),
      result('e7', 'c2', 'ok: 14 checks passed', false),
      said('e8', 'assistant', 'Done, all checks pass now.'),
      said('e9', 'user', THANKED.quote),
    ],
  };
}
