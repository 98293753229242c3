import { KnackError } from '../errors.ts';
import type { GateResult } from '../gate/gate.ts';
import { judgeCost } from '../gate/judge-cost.ts';
import { vetoing } from '../gate/verdict.ts';
import { type ImportRequest, importInput, isJudged, judgeImport, unjudged } from './import-gate.ts';
import { type ImportJudge, isMilestone, type TransferParts } from './parts.ts';

/** Whether a judge is asked: within the cap, of everything, of nothing, or of nothing with what it would take. */
export type JudgeMode = 'capped' | 'all' | 'none' | 'estimate';

/** What would be judged within the cap, of how many, and about how many tokens it takes to judge all. */
export interface JudgePlan {
  readonly within: number;
  readonly of: number;
  readonly tokens: number;
  /** Tokens that may be spent unasked. */
  readonly ceiling: number;
}

/** What judging came to. Tokens of those that were left are an estimate. */
export interface JudgeSummary {
  readonly judged: number;
  readonly tokens: number;
  readonly left: readonly { readonly name: string; readonly tokens: number }[];
}

export interface ToJudge extends ImportRequest {
  readonly source: string;
  /** How far the run is: `2 of 7`. */
  readonly place?: string;
}

/** The judge of one run of add or update. */
export interface Judging {
  plan(imports: readonly ImportRequest[]): Promise<JudgePlan>;
  /** Has what passed the static checks judged, unless the cap is reached. Rejects only with `aborted`. */
  judge(request: ToJudge, passed: GateResult): Promise<GateResult>;
  summary(): JudgeSummary;
}

/** Skills that are judged unasked in one run. */
export const MOST_UNASKED = 10;
/** Failures in a row after which the endpoint is left alone. */
const MOST_FAILURES = 2;

/** Opens the judge of a run. Throws `model-missing` where all is to be judged and there is no model. */
export async function openJudging(parts: TransferParts, mode: JudgeMode): Promise<Judging> {
  const judge = mode === 'none' ? undefined : await parts.judge(mode === 'all' ? 'all' : 'capped');
  if (judge !== undefined) return judgingBy(parts, judge, mode);
  if (mode === 'all')
    throw new KnackError(
      'model-missing',
      '--judge needs a model: set OPENAI_API_KEY, or OPENAI_BASE_URL for an endpoint of your own',
    );
  const why = mode === 'none' ? 'not asked for (--no-judge)' : 'no model is configured for the judge';
  return {
    plan: () => Promise.resolve({ within: 0, of: 0, tokens: 0, ceiling: 0 }),
    judge: (_, passed) => Promise.resolve(unjudged(passed, why)),
    summary: () => ({ judged: 0, tokens: 0, left: [] }),
  };
}

function judgingBy(parts: TransferParts, judge: ImportJudge, mode: JudgeMode): Judging {
  const left: { name: string; tokens: number }[] = [];
  let asked = 0;
  let judged = 0;
  let failures = 0;
  const costOf = (request: ImportRequest) => judgeCost(importInput(parts, request), judge.prompts);
  const isWithin = (count: number, tokens: number) =>
    mode === 'all' || (count < MOST_UNASKED && tokens <= judge.ceiling);
  return {
    async plan(imports) {
      let [within, planned, tokens] = [0, 0, 0];
      for (const request of imports) {
        const cost = await costOf(request);
        tokens += cost;
        if (!isWithin(within, planned + cost)) continue;
        within += 1;
        planned += cost;
      }
      return { within, of: imports.length, tokens, ceiling: judge.ceiling };
    },
    async judge(request, passed) {
      const tokens = await costOf(request);
      if (mode === 'estimate' || !isWithin(asked, judge.spent() + tokens)) {
        left.push({ name: request.name, tokens });
        return unjudged(
          passed,
          mode === 'estimate' ? 'a dry run asks no judge' : `more than is judged unasked (${judge.setting})`,
        );
      }
      if (failures >= MOST_FAILURES) return refusedUnasked(passed);
      asked += 1;
      parts.onProgress(
        `judging ${request.place === undefined ? '' : `${request.place}: `}${request.name}, about ${tokens} tokens`,
        isMilestone(asked),
      );
      const gate = await judgeImport(parts, request, passed, judge);
      judged += Number(isJudged(gate));
      failures = vetoing(gate).some(({ rule }) => rule === 'check-failed') ? failures + 1 : 0;
      const { promptTokens, completionTokens } = gate.usage;
      await judge.keep({
        skill: request.name,
        source: request.source,
        verdict: gate.verdict,
        tokens: promptTokens + completionTokens,
      });
      return gate;
    },
    summary: () => ({ judged, tokens: judge.spent(), left }),
  };
}

/** An endpoint that failed again and again is not waited for once more; what it did not judge is refused all the same. */
function refusedUnasked(passed: GateResult): GateResult {
  const message = `the judge failed ${MOST_FAILURES} times in a row and was not asked any more, which counts as a refusal`;
  return {
    ...unjudged(passed, 'it failed before'),
    findings: [...passed.findings, { check: 'judge', rule: 'check-failed', severity: 'refuse', message }],
    verdict: 'reject',
  };
}
