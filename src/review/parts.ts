import type { Config } from '../config.ts';
import type { GateInput, Replay } from '../gate/check.ts';
import type { History } from '../history/history.ts';
import type { Library } from '../library/library.ts';
import type { ToRepair } from '../library/use/trials.ts';
import type { Usage } from '../library/use/usage.ts';
import type { Model } from '../model/model.ts';
import type { Prompts } from '../model/prompts.ts';
import type { Redactor } from '../transcript/redact.ts';
import type { Workspace } from '../workspace.ts';
import type { Ledger } from './ledger.ts';
import type { ReviewEvent } from './outcome.ts';
import type { PendingStore } from './pending.ts';

/** All that a review works with. It has no tools: the commit and the pending store are its only effects. */
export interface ReviewParts {
  readonly settings: Config['review'];
  readonly workspace: Pick<Workspace, 'skills' | 'reviews'>;
  readonly library: Library;
  readonly history: History;
  readonly ledger: Ledger;
  readonly pending: PendingStore;
  /** Of the package alone. */
  readonly prompts: Prompts;
  /** See `loadGuidance`. */
  readonly guidance: string;
  /** Undefined where none is set: of sessions with signals nothing is drafted then. */
  readonly reviewer: Model | undefined;
  readonly judge: Model | undefined;
  /** For all that is written; transcripts come redacted. */
  readonly redactor: Pick<Redactor, 'text' | 'value'>;
  /** Where it is noted how sessions went with the skills that they loaded. */
  readonly usage?: Pick<Usage, 'tried'>;
  /** Skills that failed of late, which the drafter is shown where they are near. */
  readonly toRepair?: ToRepair;
  readonly runTests?: GateInput['runTests'];
  /** What does a session's task again, if it shall; `meter` puts its model under the review's ceiling. */
  readonly replay?: (meter: (model: Model) => Model) => Promise<Replay | undefined>;
  /** `PATH` of the interpreters that check scripts. */
  readonly path?: string;
  readonly now: () => Date;
  /** A fresh random number of 16 hexadecimal digits. */
  readonly newId: () => string;
}

export interface ReviewOptions {
  /** Review it although it was reviewed. @default false */
  readonly again?: boolean;
  readonly signal?: AbortSignal;
  /** Must not throw. */
  readonly onProgress?: (event: ReviewEvent) => void;
}
