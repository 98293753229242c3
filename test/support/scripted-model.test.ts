import { expect, test } from 'vitest';
import { startScriptedModel } from './scripted-model.ts';

const post = async (url: string, body: unknown) => {
  const response = await fetch(`${url}/chat/completions`, { method: 'POST', body: JSON.stringify(body) });
  return { status: response.status, text: await response.text() };
};
const asking = (content: string) => ({ model: 'm', messages: [{ role: 'user', content }] });

test('answers whole where no stream is asked for, and lists its model', async () => {
  const server = await startScriptedModel([{ text: 'yes', promptTokens: 3 }]);
  const { text } = await post(server.url, asking('hello'));
  expect(JSON.parse(text)).toMatchObject({
    choices: [{ message: { role: 'assistant', content: 'yes' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 3, completion_tokens: 1 },
  });
  expect(await (await fetch(`${server.url}/models`)).json()).toEqual({ data: [{ id: 'scripted' }] });
  await server.close();
});

test('takes the step that fits the request', async () => {
  const server = await startScriptedModel([
    { text: 'to b', when: (body) => body.messages[0]?.content === 'b' },
    { answer: (body) => ({ text: `to ${body.messages[0]?.content}` }) },
  ]);
  const answers = [await post(server.url, asking('a')), await post(server.url, asking('b'))];
  expect(answers.map(({ text }) => /"content":"(.*?)"/.exec(text)?.[1])).toEqual(['to a', 'to b']);
  await server.close();
});

test('an unexpected request and an unused step are failures', async () => {
  const unused = await startScriptedModel([{ text: 'never' }]);
  await expect(unused.close()).rejects.toThrow('1 steps were not used');
  const unexpected = await startScriptedModel([]);
  expect((await post(unexpected.url, asking('hello'))).status).toBe(500);
  expect((await post(unexpected.url, 'not a completion')).status).toBe(500);
  await expect(unexpected.close()).rejects.toThrow(/unexpected requests:\n.*hello.*\n.*no chat completion/);
});
