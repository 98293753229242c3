import { expect, test } from 'vitest';
import { createOpenAiModel } from '../../src/model/openai-model.ts';
import { createTokenBudget } from '../../src/review/token-budget.ts';
import { startScriptedModel } from '../support/scripted-model.ts';

test('an agent that does a task again spends from the same ceiling as reviewer and judge, and is told apart', async () => {
  const server = await startScriptedModel([
    { text: 'done', promptTokens: 300 },
    { text: 'well', promptTokens: 500 },
  ]);
  const model = createOpenAiModel({ baseUrl: server.url, apiKey: 'none', model: 'scripted', retries: 0 });
  const budget = createTokenBudget(1000, 'review.maxTokens');
  const ask = (role: 'reviewer' | 'replay') =>
    budget.meter(model, role).complete({ messages: [{ role: 'user', content: 'go on' }] });
  await ask('reviewer');
  expect(budget.spent()).toEqual({ reviewer: 301, judge: 0, total: 301 });
  await ask('replay');
  expect(budget.spent()).toEqual({ reviewer: 301, judge: 0, replay: 501, total: 802 });
  await expect(ask('replay')).rejects.toMatchObject({ code: 'refused' });
  expect(budget.exhausted()).toMatch(/802 are spent/);
  await server.close();
});
