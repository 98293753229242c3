import type { ReplayParts } from '../agent/replay.ts';
import type { Replay } from '../gate/check.ts';
import type { Model } from '../model/model.ts';
import type { RuntimeParts } from './open-parts.ts';

/** Model calls of one agent that does a task again. */
const MOST_TURNS = 25;
/** Two agents take this part of what a review may spend each. */
const PART = 4;

/** What does a session's task again with this model (see `createReplay`); each agent has a quarter of `review.maxTokens`. */
export async function openReplay(
  {
    config,
    prompts,
    environment,
    now,
    sandbox,
  }: Pick<RuntimeParts, 'config' | 'sandbox'> & Pick<ReplayParts, 'prompts' | 'environment' | 'now'>,
  model: Model,
): Promise<Replay> {
  const { createReplay } = await import('../agent/replay.ts');
  return createReplay({
    model,
    prompts,
    environment,
    now,
    sandbox: sandbox(false),
    limits: {
      maxTurns: Math.min(config.assistant.maxTurns, MOST_TURNS),
      maxTokens: Math.ceil(config.review.maxTokens / PART),
      contextTokens: config.model.contextTokens,
    },
    disclosure: { ...config.disclosure, pinned: [] },
  });
}
