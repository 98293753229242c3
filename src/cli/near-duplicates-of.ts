import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { NEAR_DUPLICATE } from '../gate/checks/novelty.ts';
import { keptNearDuplicates } from '../library/likeness/kept-duplicates.ts';
import { findNearDuplicates, type SkillPair } from '../library/likeness/near-duplicates.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { CommandContext } from './command.ts';
import { stepsOf } from './steps.ts';

/**
 * The skills of the library that say the same, by the bound of the gate; kept in the workspace for the next time, unless
 * there is none yet or the library is a folder alone (`own` is false).
 */
export async function nearDuplicatesOf(
  context: CommandContext,
  runtime: Runtime,
  own: boolean,
): Promise<readonly SkillPair[]> {
  const { skills } = await runtime.library();
  const options = { atLeast: NEAR_DUPLICATE, step: stepsOf(context, 'looking for near-duplicates') };
  if (!own || !existsSync(runtime.workspace.logs)) return findNearDuplicates(skills, options);
  const file = join(runtime.workspace.logs, 'near-duplicates.bin');
  return keptNearDuplicates(skills, { ...options, file, now: Date.now() });
}
