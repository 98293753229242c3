import { expect, test } from 'vitest';
import { createContextGauge } from '../../src/agent/context.ts';
import type { ChatMessage } from '../../src/model/model.ts';
import { loadTokenizer } from '../../src/model/tokens.ts';

test('the context is counted by us, and as the server counts where that is more', async () => {
  await loadTokenizer();
  const messages: ChatMessage[] = [{ role: 'user', content: 'hello' }];
  const gauge = createContextGauge([]);
  expect(gauge.tokens(messages)).toBe(5);
  gauge.measured(messages, 900);
  expect(gauge.tokens(messages)).toBe(900);
  expect(gauge.tokens([...messages, { role: 'user', content: 'hello' }])).toBe(905);
  gauge.measured(messages, 2);
  expect(gauge.tokens(messages)).toBe(5);
});

test('arguments of calls and definitions of tools count', async () => {
  await loadTokenizer();
  const call = { id: 'a', name: 'look', arguments: '{"n":1}' };
  const messages: ChatMessage[] = [{ role: 'assistant', content: '', toolCalls: [call] }];
  const bare = createContextGauge([]).tokens(messages);
  const tool = { name: 'look', description: 'looks', parameters: { type: 'object' } };
  expect(bare).toBeGreaterThan(4);
  expect(createContextGauge([tool]).tokens(messages)).toBeGreaterThan(bare);
});
