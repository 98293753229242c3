import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KnackError } from '../../errors.ts';
import type { Model } from '../../model/model.ts';
import { createRecordingModel, createReplayModel } from '../../model/replay-model.ts';
import { type ModelRole, openRuntime, type Runtime } from '../../runtime/runtime.ts';
import { counted } from '../../text/counted.ts';
import { findSignals } from '../../transcript/signals.ts';
import { knackPackage } from '../../workspace.ts';
import type { CommandContext, ExitCode } from '../command.ts';
import { clip } from '../output.ts';
import { describeOutcome, showReview } from '../review-view.ts';
import { createTurnView } from '../turn-view.ts';

export const RECORD_COMMAND = 'OPENAI_BASE_URL=… npm run demo:record';

const SESSION = join(knackPackage.examples, 'demo', 'session.jsonl');
const RECORDING = join(knackPackage.examples, 'demo', 'recording.json');

/** What the person of the second session asks; it names no skill. */
const QUESTION =
  'Tomorrow I get the next export of our sales, with the same columns. How should a script add it up per region, and how should the amounts look?';

/** Nothing else of the environment reaches the demo's prompts, so that a recording holds everywhere. */
const DAY = new Date('2026-12-01T09:00:00Z');

/** The whole loop on the session that ships with the package, in a workspace of its own that is removed again. */
export async function runDemo(context: CommandContext, record: boolean): Promise<ExitCode> {
  const { output, environment } = context;
  if (context.workspace !== undefined)
    throw new KnackError(
      'usage',
      'the demo makes a workspace of its own and removes it: leave out --workspace',
    );
  const live = environment.apiKey !== undefined || environment.baseUrl !== undefined;
  if (record && !live) throw new KnackError('usage', `--record needs a live model: ${RECORD_COMMAND}`);
  if (environment.baseUrl !== undefined)
    (await import('../../model/base-url.ts')).checkedUrl(environment.baseUrl);
  const dir = await mkdtemp(join(tmpdir(), 'knack-demo-'));
  const title = (text: string) => output.print(`\n${output.style('bold', `── ${text} `)}`);
  output.print(
    live
      ? `knack demo, live: the answers come from ${environment.baseUrl ?? 'the OpenAI API'}`
      : 'knack demo, replayed: the answers were recorded in examples/demo, drafts, verdicts and the new session by a reader each (set OPENAI_API_KEY or OPENAI_BASE_URL to run it live)',
  );
  const createModel = live ? await liveModels(context, dir, record) : () => createReplayModel(recording(dir));
  const runtime = await openRuntime({
    workspace: join(dir, 'workspace'),
    environment: { ...environment, secrets: [] },
    log: () => undefined,
    ...(createModel === undefined ? {} : { createModel }),
    now: () => DAY,
  });
  try {
    title('1 the library and its catalog');
    const catalog = await runtime.catalog();
    output.emit({ stage: 'catalog', live, total: catalog.total, tokens: catalog.tokens });
    output.print(catalog.text);
    output.print(
      output.style(
        'dim',
        `${counted(catalog.total, 'skill')}, ${counted(catalog.tokens, 'token')}; this is all of them that a session begins with`,
      ),
    );

    title('2 a real session');
    const transcript = await runtime.transcript(SESSION);
    output.emit({ stage: 'session', file: transcript.file, events: transcript.events.length });
    for (const event of transcript.events) {
      if (event.injected !== undefined || event.kind === 'thinking') continue;
      if (event.kind === 'text')
        output.print(
          `${output.style(event.role === 'user' ? 'cyan' : 'bold', event.role.padEnd(9))} ${clip(event.text, 400)}`,
        );
      if (event.kind === 'tool-call')
        output.print(
          output.style('dim', `  → ${event.id} ${event.toolName} ${clip(JSON.stringify(event.args), 160)}`),
        );
      if (event.kind === 'tool-result')
        output.print(output.style(event.isError ? 'red' : 'dim', `  ← ${clip(event.text, 160)}`));
    }

    title('3 what there is to learn from, found without a model');
    const signals = findSignals(transcript);
    output.emit({ stage: 'signals', signals });
    for (const signal of signals)
      output.print(`${signal.kind} at ${signal.event}: ${clip(signal.quote, 160)}`);

    title('4 the review');
    const review = await runtime.review(transcript, {
      onProgress: (event) => {
        if (event.type !== 'signals-found') showReview(event, output);
      },
      signal: context.signal,
    });
    const { outcome, skill, version, reasons, tokens } = review;
    output.emit({ stage: 'review', outcome, skill, version, reasons, tokens: tokens.total });
    output.print(describeOutcome(review, output));
    if (skill === undefined || outcome !== 'committed') {
      output.print(`\nThis run ended as "${outcome}", so there is nothing to use and to take back.`);
      // A live model may decide otherwise; that it failed is no decision.
      return live && outcome !== 'failed' ? 0 : 1;
    }
    return await showRest(runtime, skill, context, title);
  } finally {
    await runtime.close();
    await rm(dir, { recursive: true, force: true });
  }
}

async function showRest(
  runtime: Runtime,
  skill: string,
  context: CommandContext,
  title: (text: string) => void,
): Promise<ExitCode> {
  const { output } = context;
  const history = await runtime.history();
  await (await runtime.library()).refresh();

  title('5 a new session, whose words bring the skill up');
  const cwd = join(runtime.workspace.dir, '..', 'work');
  await mkdir(cwd);
  const conversation = await runtime.conversation({
    cwd,
    allow: [],
    unsandboxed: false,
  });
  output.print(`${output.style('cyan', 'user')}      ${QUESTION}`);
  const hits = (await runtime.library()).search(QUESTION, { limit: 3 });
  output.print(
    output.style(
      'dim',
      `  found beside the message: ${hits.map((hit) => `${hit.name} (${hit.score.toFixed(2)})`).join(', ') || 'nothing'}`,
    ),
  );
  const view = createTurnView(output, runtime.config.model.assistant);
  const turn = await conversation.send(QUESTION, { signal: context.signal, onEvent: view.show });
  output.print(view.end(turn));
  await conversation.end();
  const loads = conversation.loaded.map((load) => load.skill);
  output.emit({
    stage: 'use',
    found: hits.map((hit) => hit.name),
    loaded: loads,
    stop: turn.stop,
    text: turn.text,
  });
  output.print(output.style('dim', `  loaded: ${loads.join(', ') || 'no skill'}`));

  title(`6 knack skills log ${skill}`);
  const revisions = await history.log(skill);
  output.emit({ stage: 'log', revisions });
  for (const revision of revisions)
    output.print(
      `${revision.version}  ${revision.sha.slice(0, 10)}  ${revision.actor}  ${revision.what}\n  why: ${revision.why.split('\n')[0]}\n  taught by ${revision.sessions.map((session) => `${session.id} (${session.events.join(', ')})`).join('; ')}`,
    );

  title(`7 knack skills blame ${skill}, one line`);
  const taught = (await history.blame(skill)).filter((each) => each.session !== undefined);
  const line = taught.find((each) => /^[-*] |^\d+\. /.test(each.text)) ?? taught.at(-1);
  output.emit({ stage: 'blame', line });
  if (line !== undefined)
    output.print(
      `${line.version} line ${line.line} │ ${line.text}\n  taught by ${line.session} ${line.events?.join(', ')}: “${line.quote}”`,
    );

  title('8 and taken back');
  const outcome = await history.rollback(skill, undefined, 'shown in the demo');
  output.emit({ stage: 'rollback', outcome: outcome.kind });
  output.print(
    `knack skills rollback ${skill}: ${outcome.kind === 'committed' ? outcome.revision.what : outcome.kind}`,
  );
  await (await runtime.library()).refresh();
  output.print(
    `the library has it ${(await runtime.library()).find(skill) === undefined ? 'no more' : 'at the version before'}; knack skills log ${skill} still shows ${counted((await history.log(skill)).length, 'revision')}`,
  );
  return turn.stop === 'answer' ? 0 : 1;
}

async function liveModels(
  context: CommandContext,
  dir: string,
  record: boolean,
): Promise<((role: ModelRole) => Model) | undefined> {
  if (!record) return undefined;
  const { createOpenAiModel } = await import('../../model/openai-model.ts');
  const { baseUrl, apiKey, model } = context.environment;
  const made = createRecordingModel(
    createOpenAiModel({ baseUrl, apiKey, model: model ?? 'gpt-5-mini', idleMs: 3_000_000 }),
    recording(dir),
  );
  return () => made;
}

function recording(dir: string) {
  return {
    file: RECORDING,
    folders: { [dir]: '<workspace>', [knackPackage.dir]: '<package>' },
    remedy: RECORD_COMMAND,
  };
}
