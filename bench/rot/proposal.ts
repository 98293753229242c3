import type { Claim, Draft, DraftOperation } from '../../src/gate/draft.ts';
import type { Abstract } from '../../src/review/abstract.ts';
import type { Place } from './sessions.ts';

/** What the scripted reviewer offers at one attempt. */
export interface Proposal {
  readonly abstract: Abstract;
  readonly draft: Draft;
}

type Operation = Pick<DraftOperation, 'op'> &
  Partial<Pick<DraftOperation, 'file' | 'anchor' | 'text'>> & {
    readonly claim?: Claim;
    /** Nothing: it cites nothing. */
    readonly places: readonly Place[];
    /** @default the session under review */
    readonly session?: string;
  };

export interface Wanted {
  readonly decision: 'create' | 'patch';
  readonly skill: string;
  readonly session: string;
  readonly lesson: string;
  readonly operations: readonly Operation[];
  readonly triggers?: Draft['triggers'];
  /** Where the abstract says that it comes from. */
  readonly from: Place;
}

/** A decision and the draft that fits it. */
export function proposal({ decision, skill, session, lesson, operations, triggers, from }: Wanted): Proposal {
  return {
    abstract: {
      task_class: 'the class of the task',
      difference: 'the user corrected it',
      particular: '',
      decision,
      reason: 'the session shows it',
      skill,
      title: lesson.slice(0, 60),
      lesson,
      wanted_when: 'when such a task comes up',
      not_wanted_when: '',
      evidence: [from],
    },
    draft: {
      decision,
      skill,
      lesson,
      change: decision === 'create' ? 'minor' : 'patch',
      operations: operations.map(
        ({ places, claim = 'preference', file = 'SKILL.md', session: other, ...rest }) => ({
          ...rest,
          skill,
          file,
          claim,
          evidence: places.map(({ event, quote }) => ({ session: other ?? session, event, quote })),
        }),
      ),
      triggers: triggers ?? [],
    },
  };
}

/** The queries of a topic as a draft brings them. */
export function triggersOf(asks: readonly string[]): Draft['triggers'] {
  return asks.map((query, index) => ({ query, should_trigger: index < asks.length - 1 }));
}
