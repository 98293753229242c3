import type { RuntimeParts } from './open-parts.ts';
import type { TransferParts } from './transfer/parts.ts';

/** What bringing skills in and handing them out needs of a workspace. */
export async function openTransfer(
  { workspace, environment, prompts, now, library, history, ledger }: RuntimeParts,
  { signal, onProgress }: Pick<TransferParts, 'signal' | 'onProgress'>,
): Promise<TransferParts> {
  const { ownPrompts } = await import('./review/own-prompts.ts');
  const { loadTokenizer } = await import('./model/tokens.ts');
  await loadTokenizer();
  return {
    workspace,
    library: await library(),
    history: await history(),
    environment,
    ownPrompts: await ownPrompts(prompts),
    keepOverride: async (skill, rule, why) =>
      (await ledger()).append({ type: 'override', at: now().toISOString(), skill, rule, why }),
    signal,
    onProgress,
  };
}
