import { KnackError } from '../errors.ts';
import type { Override } from '../history/revision.ts';
import type { TransferParts } from './parts.ts';

/**
 * Keeps in the ledger which rules were overridden for a skill that is written by now. Where that fails the skill is no
 * less there, so it is a reason beside its outcome.
 */
export async function keepOverrides(
  { keepOverride }: Pick<TransferParts, 'keepOverride'>,
  name: string,
  overrides: readonly Override[],
): Promise<{ readonly reason?: string }> {
  try {
    for (const { rule, why } of overrides) await keepOverride(name, rule, why);
    return {};
  } catch (error) {
    if (!(error instanceof KnackError)) throw error;
    return { reason: `that rules were overridden could not be kept in the ledger: ${error.message}` };
  }
}
