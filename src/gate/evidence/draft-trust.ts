import { leastTrusted, type Trust } from '../../history/trust.ts';
import type { Transcript } from '../../transcript/event.ts';
import type { Draft } from '../draft.ts';
import { lookUp } from './cited.ts';
import { lineageOf } from './lineage.ts';

/**
 * The least trusted speaker that each operation of a draft cites, in their order; undefined for one that cites nothing
 * that is there. Whatever the draft says of itself, this is read off the transcripts.
 */
export function trustsOf(
  { operations }: Pick<Draft, 'operations'>,
  transcripts: readonly Transcript[],
): (Trust | undefined)[] {
  return operations.map(({ evidence, file }) => {
    const { cited } = lookUp(evidence, transcripts, file);
    return leastTrusted(cited.map(({ transcript, event }) => lineageOf(transcript).trustOf(event)));
  });
}
