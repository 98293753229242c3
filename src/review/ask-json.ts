import type { ChatMessage, Model } from '../model/model.ts';
import type { JsonSchema } from '../text/json-schema.ts';

/** One question to a model whose answer is a JSON object. */
export interface JsonQuestion<T> {
  readonly model: Model;
  readonly system: string;
  readonly user: string;
  readonly form: { readonly name: string; readonly schema: JsonSchema };
  /** What the answer means, or its faults, a sentence each. */
  readonly read: (answer: string) => { readonly value: T } | { readonly faults: readonly string[] };
  /** Room for the completion; an answer that is cut gets twice as much, once. */
  readonly maxTokens: number;
  readonly signal?: AbortSignal;
}

/**
 * What came of it. `malformed`: still faulty after the faults were named once. `cut`: no whole answer, so that nothing
 * of it may be used.
 */
export type JsonAnswer<T> =
  | { readonly kind: 'answer'; readonly value: T }
  | { readonly kind: 'malformed'; readonly faults: readonly string[] }
  | { readonly kind: 'cut'; readonly reason: string };

/** Asks, has a malformed answer mended once, and gives a cut one more room once. What the model rejects with passes through. */
export async function askJson<T>(question: JsonQuestion<T>): Promise<JsonAnswer<T>> {
  const messages: ChatMessage[] = [
    { role: 'system', content: question.system },
    { role: 'user', content: question.user },
  ];
  const first = await askWhole(question, messages);
  if ('reason' in first) return { kind: 'cut', reason: first.reason };
  const read = question.read(first.text);
  if ('value' in read) return { kind: 'answer', value: read.value };
  const second = await askWhole(question, [
    ...messages,
    { role: 'assistant', content: first.text },
    {
      role: 'user',
      content: `That answer cannot be used:\n${list(read.faults)}\nGive the whole JSON object again with these mended.`,
    },
  ]);
  if ('reason' in second) return { kind: 'cut', reason: second.reason };
  const again = question.read(second.text);
  return 'value' in again
    ? { kind: 'answer', value: again.value }
    : { kind: 'malformed', faults: again.faults };
}

async function askWhole<T>(
  { model, form, maxTokens, signal }: JsonQuestion<T>,
  messages: readonly ChatMessage[],
): Promise<{ text: string } | { reason: string }> {
  for (const room of [maxTokens, maxTokens * 2]) {
    const reply = await model.complete({
      messages,
      json: form,
      maxTokens: room,
      ...(signal === undefined ? {} : { signal }),
    });
    // A server that cut the prompt has not seen what it answers to.
    if (reply.promptCut) return { reason: `${model.id}: ${reply.warning ?? 'the server cut the prompt'}` };
    if (reply.finish === 'filtered') return { reason: `${model.id} withheld its answer (content filter)` };
    if (reply.finish !== 'length') return { text: reply.message.content };
  }
  return {
    reason: `the answer of ${model.id} was cut at the token limit, also with ${maxTokens * 2} tokens; nothing of it was used`,
  };
}

function list(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}
