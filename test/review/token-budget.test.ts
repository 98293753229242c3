import { expect, test } from 'vitest';
import { createOpenAiModel } from '../../src/model/openai-model.ts';
import { countTokens, loadTokenizer } from '../../src/model/tokens.ts';
import { createTokenBudget } from '../../src/review/token-budget.ts';
import { chunk, startScriptedModel } from '../support/scripted-model.ts';

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

test('a try that breaks off amid its answer, or is stopped there, counts; one that was never answered does not', async () => {
  const piece = chunk({ content: 'a begun answer' });
  const server = await startScriptedModel([
    { raw: [piece], ending: 'destroy' },
    { status: 500, error: { error: { message: 'overloaded' } } },
    { text: 'done', promptTokens: 10 },
    { raw: [piece], ending: 'hang' },
  ]);
  const model = createOpenAiModel({
    baseUrl: server.url,
    apiKey: 'none',
    model: 'scripted',
    retries: 2,
    retryDelayMs: 1,
  });
  const budget = createTokenBudget(100_000, 'review.maxTokens');
  const messages = [{ role: 'user' as const, content: 'go on with it' }];
  await loadTokenizer();
  const broken = countTokens('go on with it') + countTokens('a begun answer');
  await budget.meter(model, 'reviewer').complete({ messages });
  expect(budget.spent().reviewer).toBe(broken + 11);
  const stop = new AbortController();
  const stopped = budget
    .meter(model, 'judge')
    .complete({ messages, signal: stop.signal, onText: () => stop.abort() });
  await expect(stopped).rejects.toMatchObject({ code: 'aborted' });
  expect(budget.spent().judge).toBe(broken);
  await server.close();
});
