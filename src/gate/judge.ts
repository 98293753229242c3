import type { ChatMessage, Model, ModelReply, Usage } from '../model/model.ts';
import { type JsonSchema, schemaFaults } from '../text/json-schema.ts';
import { readJsonAnswer } from './json-answer.ts';

/** One question to the judge: its prompt, what it reads, and what its answer means. */
export interface JudgeQuestion<T> {
  readonly model: Model;
  readonly system: string;
  readonly user: string;
  readonly form: { readonly name: string; readonly schema: JsonSchema };
  /** What is wrong with an answer that has the right form, a sentence each. */
  readonly faults: (answer: T) => readonly string[];
  readonly signal?: AbortSignal;
}

/** An answer that can be used, or why there is none; either way what it cost. */
export type JudgeAnswer<T> =
  | { readonly kind: 'answer'; readonly value: T; readonly usage: Usage }
  | {
      readonly kind: 'none';
      readonly rule: 'judge-malformed' | 'judge-cut';
      readonly why: string;
      readonly usage: Usage;
    };

/** Room for the reasoning of the model and its answer. */
const MOST_TOKENS = 8000;

/**
 * Asks once; a malformed answer is sent back once with its faults named. An answer that was cut or withheld is none.
 * Rejects with what the model rejects with.
 */
export async function askJudge<T>(question: JudgeQuestion<T>): Promise<JudgeAnswer<T>> {
  const messages: ChatMessage[] = [
    { role: 'system', content: question.system },
    { role: 'user', content: question.user },
  ];
  let usage: Usage = { promptTokens: 0, completionTokens: 0 };
  let faults: readonly string[] = [];
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const reply = await question.model.complete({
      messages: [...messages],
      json: question.form,
      maxTokens: MOST_TOKENS,
      ...(question.signal === undefined ? {} : { signal: question.signal }),
    });
    usage = {
      promptTokens: usage.promptTokens + reply.usage.promptTokens,
      completionTokens: usage.completionTokens + reply.usage.completionTokens,
    };
    const cut = cutReason(reply);
    if (cut !== undefined) return { kind: 'none', rule: 'judge-cut', why: cut, usage };
    const read = readAnswer(question, reply.message.content);
    if ('value' in read) return { kind: 'answer', value: read.value, usage };
    faults = read.faults;
    messages.push(
      { role: 'assistant', content: reply.message.content },
      {
        role: 'user',
        content: `That answer cannot be used:\n${faults.map((fault) => `- ${fault}`).join('\n')}\nGive the whole JSON object again with these mended.`,
      },
    );
  }
  return {
    kind: 'none',
    rule: 'judge-malformed',
    why: `the judge's answer could not be used twice: ${faults.join('; ')}`,
    usage,
  };
}

function cutReason({ finish, promptCut, warning = 'the server cut it' }: ModelReply): string | undefined {
  if (promptCut) return `the judge did not see the whole question: ${warning}`;
  if (finish === 'length') return "the judge's answer was cut at the token limit, and half an answer is none";
  return finish === 'filtered' ? 'the judge withheld its answer (content filter)' : undefined;
}

function readAnswer<T>(
  { form, faults }: JudgeQuestion<T>,
  text: string,
): { value: T } | { faults: readonly string[] } {
  const read = readJsonAnswer(text);
  if ('fault' in read) return { faults: [read.fault] };
  const wrong = schemaFaults(form.schema, read.value);
  if (wrong.length > 0) return { faults: wrong };
  const value = read.value as T;
  const meaning = faults(value);
  return meaning.length > 0 ? { faults: meaning } : { value };
}
