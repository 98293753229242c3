/**
 * The gate on drafts of which it is known whether they are sound. Run: `npx tsx bench/gate/run.ts [--judge] [--sealed]`.
 * Without `--judge` only what needs no model runs. With it every draft that no other check refused goes to the judge:
 * behind OPENAI_BASE_URL or OPENAI_API_KEY to a model, whose answers are kept in `verdicts.json` beside the cases, else
 * to those answers. Further: `--only SESSION`, `--parallel N` (requests at a time), `--list` (each case on stderr).
 */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readEnvironment } from '../../src/config.ts';
import type { Model } from '../../src/model/model.ts';
import { createOpenAiModel } from '../../src/model/openai-model.ts';
import { createRecordingModel, createReplayModel } from '../../src/model/replay-model.ts';
import { type Half, readCorpus, sessionOf } from './corpus.ts';
import { openGateLab } from './lab.ts';
import { type CaseOutcome, runCases } from './outcome.ts';
import { reportOf, wronglyHeld } from './report.ts';

const { values } = parseArgs({
  options: {
    judge: { type: 'boolean', default: false },
    sealed: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    only: { type: 'string' },
    parallel: { type: 'string', default: '1' },
  },
});
const half: Half = values.sealed ? 'sealed' : 'open';
const corpus = await readCorpus(half);
const cases = corpus.cases.filter(({ id }) => values.only === undefined || sessionOf({ id }) === values.only);
if (cases.length === 0) throw new Error(`no session is called "${values.only}"`);
const lab = await openGateLab(corpus, values.judge ? judgeOf(half) : undefined);
try {
  const outcomes = await runCases(lab, cases, {
    parallel: Math.max(1, Number(values.parallel) || 1),
    onCase: (outcome) => values.list && process.stderr.write(`${lineOf(outcome)}\n`),
  });
  const held = wronglyHeld(outcomes);
  process.stdout.write(`${reportOf(outcomes)}\n`);
  if (held.length > 0) process.stdout.write(`\nSound drafts that did not pass:\n\n- ${held.join('\n- ')}\n`);
} finally {
  await lab.close();
}

function lineOf({ gateCase, verdict, by }: CaseOutcome): string {
  return `${gateCase.id} (${gateCase.kind}): ${verdict} ${by.join(' ')}`.trimEnd();
}

/** A model that is asked and recorded, or the recording. */
function judgeOf(which: Half): Model {
  const recording = {
    file: join(import.meta.dirname, ...(which === 'sealed' ? ['sealed'] : []), 'verdicts.json'),
    folders: {},
    remedy: `OPENAI_BASE_URL=… npx tsx bench/gate/run.ts --judge${which === 'sealed' ? ' --sealed' : ''}`,
  };
  const { apiKey, baseUrl, model = 'judge' } = readEnvironment();
  if (apiKey === undefined && baseUrl === undefined) return createReplayModel(recording);
  if (!existsSync(recording.file)) writeFileSync(recording.file, '{"answers": []}\n');
  return createRecordingModel(createOpenAiModel({ apiKey, baseUrl, model, idleMs: 3_600_000 }), recording);
}
