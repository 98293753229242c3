import type { Usage } from '../../model/model.ts';
import type { JsonSchema } from '../../text/json-schema.ts';
import type { Check, CheckContext, CheckFinding, CheckOutcome } from '../check.ts';
import { askJudge } from '../judge.ts';
import { type JudgeMaterial, judgeMaterial } from '../judge-material.ts';
import { checkedText } from '../texts.ts';

/** The questions of `prompts/judge-questions.md`, with the answer that lets a change through. */
export const JUDGE_QUESTIONS = {
  follows: 'yes',
  differs: 'no',
  shown: 'yes',
  undone: 'no',
  general: 'yes',
  harmful: 'no',
  contradicts: 'no',
  understood: 'yes',
  worth: 'yes',
} as const;

type QuestionId = keyof typeof JUDGE_QUESTIONS;
const IDS = Object.keys(JUDGE_QUESTIONS) as QuestionId[];
/** Questions that only evidence can answer. */
const ON_EVIDENCE: ReadonlySet<string> = new Set<QuestionId>(['follows', 'differs', 'shown', 'undone']);
/** What of an import is for the person who asked for it to weigh. */
const OF_WORTH: ReadonlySet<string> = new Set(
  ['general', 'contradicts', 'understood', 'worth', 'no-better'].map((id) => `judge-${id}`),
);

interface Answers {
  readonly answers: readonly {
    readonly id: QuestionId;
    readonly reason: string;
    readonly answer: 'yes' | 'no' | 'not-applicable';
    readonly quote: string;
  }[];
}

interface WorstDefect {
  readonly defect: string;
  readonly quote: string;
  readonly severity: 'none' | 'slight' | 'serious';
  readonly better: 'new' | 'old' | 'equal';
}

const text = { type: 'string' };
const object = (properties: Record<string, unknown>): JsonSchema => ({
  type: 'object',
  additionalProperties: false,
  properties,
  required: Object.keys(properties),
});

const ANSWERS: JsonSchema = object({
  answers: {
    type: 'array',
    items: object({
      id: { enum: IDS },
      reason: text,
      answer: { enum: ['yes', 'no', 'not-applicable'] },
      quote: text,
    }),
  },
});

const WORST_DEFECT: JsonSchema = object({
  defect: text,
  quote: text,
  severity: { enum: ['none', 'slight', 'serious'] },
  better: { enum: ['new', 'old', 'equal'] },
});

/**
 * An independent model under two prompts that know neither each other's answer nor the author nor the attempt: fixed
 * questions with a quote each, and a hunt for the worst defect with the order of old and new swapped. Both must let
 * the change through; a tie, a quote that stands nowhere and half an answer are refusals. Of an import what is said of its
 * worth warns, and so does a picture that no judge can read.
 */
export const judge: Check = {
  id: 'judge',
  kind: 'costly',
  knowsOld: false,
  async run(context) {
    if (context.judge === undefined)
      return { findings: [], notRun: ['no model is configured for the judge'] };
    const material = judgeMaterial(context);
    const unseen = material.unseen.map((file) => ({
      rule: 'judge-unseen',
      severity: isAsset(context, file) ? ('warn' as const) : ('ask' as const),
      message: `${file} is too long or no text, so the judge could not read it`,
      file,
    }));
    const first = weighed(context, await fixedQuestions(context, material));
    // What one of them refuses the other cannot let through.
    if (first.findings.some(({ severity }) => severity === 'refuse'))
      return { ...first, findings: [...unseen, ...first.findings] };
    const second = weighed(context, await worstDefect(context, material));
    return {
      findings: [...unseen, ...first.findings, ...second.findings],
      usage: sum(first.usage, second.usage),
    };
  },
};

/** A file of an import that nothing reads as text: no prose, no script, no settings. */
function isAsset({ imported, base, candidate }: CheckContext, file: string): boolean {
  return (
    imported === true &&
    [base, candidate].every((folder) => folder === undefined || checkedText(folder, file) === undefined)
  );
}

function weighed({ imported }: CheckContext, outcome: CheckOutcome): CheckOutcome {
  if (imported !== true) return outcome;
  return {
    ...outcome,
    findings: outcome.findings.map((finding) =>
      OF_WORTH.has(finding.rule) ? { ...finding, severity: 'warn' as const } : finding,
    ),
  };
}

async function fixedQuestions(context: CheckContext, material: JudgeMaterial): Promise<CheckOutcome> {
  const answer = await ask<Answers>(
    context,
    'judge-questions',
    ANSWERS,
    material.text('old-first'),
    ({ answers }) => [
      ...IDS.filter((id) => answers.filter((given) => given.id === id).length !== 1).map(
        (id) => `answers needs the question "${id}" exactly once`,
      ),
      ...answers.flatMap(({ id, answer, quote }) => {
        if (answer === 'not-applicable')
          return material.hasEvidence || !ON_EVIDENCE.has(id)
            ? [`"${id}" must be answered with yes or no`]
            : [];
        return quoteFaults(material, id, quote, answer === 'yes');
      }),
    ],
  );
  if (answer.kind === 'none') return { findings: [refuse(answer.rule, answer.why)], usage: answer.usage };
  const against = answer.value.answers.filter(
    ({ id, answer }) => answer !== 'not-applicable' && answer !== JUDGE_QUESTIONS[id],
  );
  return {
    findings: against.map(({ id, reason, quote }) =>
      refuse(`judge-${id}`, `${reason.trim()}${quote === '' ? '' : ` (${JSON.stringify(quote)})`}`),
    ),
    usage: answer.usage,
  };
}

async function worstDefect(context: CheckContext, material: JudgeMaterial): Promise<CheckOutcome> {
  const answer = await ask<WorstDefect>(
    context,
    'judge-worst-defect',
    WORST_DEFECT,
    material.text('new-first'),
    ({ defect, quote, severity }) => [
      ...(severity !== 'none' && defect.trim() === ''
        ? [`severity is "${severity}" but defect says nothing`]
        : []),
      ...quoteFaults(material, 'quote', quote, severity === 'serious'),
    ],
  );
  if (answer.kind === 'none') return { findings: [refuse(answer.rule, answer.why)], usage: answer.usage };
  const { defect, quote, severity, better } = answer.value;
  const words = `${defect.trim()}${quote === '' ? '' : ` (${JSON.stringify(quote)})`}`;
  const findings: CheckFinding[] = [];
  if (severity === 'serious') findings.push(refuse('judge-worst-defect', words));
  else if (severity === 'slight')
    findings.push({ rule: 'judge-worst-defect', severity: 'note', message: words });
  if (better !== 'new')
    findings.push(
      refuse(
        'judge-no-better',
        `the judge finds ${better === 'old' ? 'the old version better' : 'neither version better'}, and a tie is a refusal`,
      ),
    );
  return { findings, usage: answer.usage };
}

async function ask<T>(
  { judge: configured, signal }: CheckContext,
  prompt: string,
  schema: JsonSchema,
  user: string,
  faults: (answer: T) => string[],
) {
  if (configured === undefined) throw new Error('the judge is asked without a model');
  return askJudge<T>({
    model: configured.model,
    system: await configured.prompts.render(prompt, {}),
    user,
    form: { name: prompt.replaceAll('-', '_'), schema },
    faults,
    ...(signal === undefined ? {} : { signal }),
  });
}

/** A quote that stands nowhere is made up, and what rests on it counts for nothing. */
function quoteFaults(material: JudgeMaterial, id: string, quote: string, needed: boolean): string[] {
  if (quote.trim() === '') return needed ? [`"${id}" needs a quote from the parts`] : [];
  return material.holds(quote)
    ? []
    : [`the quote ${JSON.stringify(quote.slice(0, 120))} of "${id}" stands in none of the parts`];
}

function sum(left: Usage | undefined, right: Usage | undefined): Usage {
  return {
    promptTokens: (left?.promptTokens ?? 0) + (right?.promptTokens ?? 0),
    completionTokens: (left?.completionTokens ?? 0) + (right?.completionTokens ?? 0),
  };
}

function refuse(rule: string, message: string): CheckFinding {
  return { rule, severity: 'refuse', message };
}
