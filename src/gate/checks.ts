import type { Check, CheckId } from './check.ts';
import { bounds } from './checks/bounds.ts';
import { evidence } from './checks/evidence.ts';
import { format } from './checks/format.ts';
import { judge } from './checks/judge.ts';
import { novelty } from './checks/novelty.ts';
import { replay } from './checks/replay.ts';
import { retrieval } from './checks/retrieval.ts';
import { safety } from './checks/safety.ts';
import { scope } from './checks/scope.ts';
import { tests } from './checks/tests.ts';

/** Every check of the gate; the order is that of `CHECK_IDS`. */
export const CHECKS = {
  format,
  bounds,
  evidence,
  scope,
  safety,
  novelty,
  retrieval,
  tests,
  judge,
  replay,
} satisfies Record<CheckId, Check>;
