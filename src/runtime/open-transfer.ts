import type { ImportJudge, TransferParts } from '../transfer/parts.ts';
import type { RuntimeParts } from './open-parts.ts';

/** What bringing skills in and handing them out needs of a workspace. */
export async function openTransfer(
  parts: RuntimeParts,
  { signal, onProgress }: Pick<TransferParts, 'signal' | 'onProgress'>,
): Promise<TransferParts> {
  const { workspace, environment, prompts, now, library, history, ledger } = parts;
  const { ownPrompts } = await import('../review/own-prompts.ts');
  const { loadTokenizer } = await import('../model/tokens.ts');
  await loadTokenizer();
  return {
    workspace,
    library: await library(),
    history: await history(),
    makeWorkspace: parts.makeWorkspace,
    environment,
    ownPrompts: await ownPrompts(prompts),
    keepOverride: async (skill, rule, why) =>
      (await ledger()).append({ type: 'override', at: now().toISOString(), skill, rule, why }),
    judge: (asked) => openJudge(parts, asked),
    signal,
    onProgress,
  };
}

/** What is judged unasked stays below the ceiling of one review; whatever is judged, below that of the day. */
async function openJudge(
  { config, prompts, now, model, ledger, makeWorkspace }: RuntimeParts,
  asked: 'capped' | 'all',
): Promise<ImportJudge | undefined> {
  const judge = await model('judge');
  if (judge === undefined) return undefined;
  const { brakesOf } = await import('../review/brakes.ts');
  const { createTokenBudget } = await import('../review/token-budget.ts');
  const { append, entries } = await ledger();
  const { tokensLeft } = brakesOf(await entries(), config.review, now());
  const isOfDay = asked === 'all' || tokensLeft < config.review.maxTokens;
  const ceiling = isOfDay ? tokensLeft : config.review.maxTokens;
  const setting = isOfDay ? 'what is left of review.dailyTokens' : 'review.maxTokens';
  const budget = createTokenBudget(ceiling, setting, 'this import');
  return {
    model: budget.meter(judge, 'judge'),
    prompts,
    ceiling,
    setting,
    spent: () => budget.spent().total,
    async keep(judged) {
      await makeWorkspace();
      await append({ type: 'import-judged', at: now().toISOString(), ...judged });
    },
  };
}
