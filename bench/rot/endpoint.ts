import { JUDGE_QUESTIONS } from '../../src/gate/checks/judge.ts';
import type { Model } from '../../src/model/model.ts';
import { createOpenAiModel } from '../../src/model/openai-model.ts';
import {
  type ChatBody,
  type ScriptedModel,
  type Step,
  startScriptedModel,
} from '../../test/support/scripted-model.ts';
import type { Proposal } from './proposal.ts';

/** An endpoint whose reviewer offers what it is told to, and whose judge finds everything good. */
export interface Endpoint {
  readonly model: Model;
  /** What the reviewer offers from now on, asked for at each attempt; `quote` is what the judge quotes. */
  offer(next: () => Proposal, quote: string): void;
  close: ScriptedModel['close'];
}

const wants = (form: string) => (body: ChatBody) => body.response_format?.json_schema?.name === form;

export async function startEndpoint(): Promise<Endpoint> {
  let propose = (): Proposal => {
    throw new Error('nothing is offered yet');
  };
  let offered: Proposal | undefined;
  let quoted = '';
  const always = (form: string, answer: () => unknown): Step => ({
    always: true,
    when: wants(form),
    answer: () => ({ json: answer() }),
  });
  const server = await startScriptedModel([
    always('abstract', () => {
      offered = propose();
      return offered.abstract;
    }),
    always('draft', () => offered?.draft),
    always('judge_questions', () => ({
      answers: Object.entries(JUDGE_QUESTIONS).map(([id, answer]) => ({
        id,
        reason: 'so it is',
        answer,
        quote: answer === 'yes' ? quoted : '',
      })),
    })),
    always('judge_worst_defect', () => ({ defect: '', quote: '', severity: 'none', better: 'new' })),
  ]);
  return {
    model: createOpenAiModel({ baseUrl: server.url, apiKey: 'none', model: 'scripted', retries: 0 }),
    offer(next, quote) {
      propose = next;
      quoted = quote;
    },
    close: server.close,
  };
}
