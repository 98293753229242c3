import { randomBytes } from 'node:crypto';
import { basename, join, resolve } from 'node:path';
import { type Config, type Environment, loadConfig } from './config.ts';
import type { GateInput } from './gate/gate.ts';
import type { History } from './history/history.ts';
import { type Library, openLibrary, type SkillRoot } from './library/library.ts';
import { openUsage, type Usage } from './library/usage.ts';
import type { Model } from './model/model.ts';
import { createPrompts, type Prompts } from './model/prompts.ts';
import type { Ledger } from './review/ledger.ts';
import type { ReviewParts } from './review/parts.ts';
import type { PendingStore } from './review/pending.ts';
import { createSandbox, detectSandbox, type Sandbox } from './scripts/sandbox.ts';
import type { Transcript } from './transcript/event.ts';
import { createRedactor, type Redactor } from './transcript/redact.ts';
import { knackPackage, locateWorkspace, makeWorkspace, type Workspace } from './workspace.ts';

export type ModelRole = 'assistant' | 'reviewer' | 'judge';

export interface RuntimeOptions {
  /** `--workspace`. */
  readonly workspace: string | undefined;
  readonly environment: Environment;
  /** Lines for the person: reloads, recoveries. */
  readonly log: (line: string) => void;
  /** Takes the place of every root: the library is this folder alone. */
  readonly onlyRoot?: string;
  /** Takes the place of the configured endpoint. */
  readonly createModel?: (role: ModelRole) => Model;
  /** @default the clock */
  readonly now?: () => Date;
}

/** What a runtime is made of, each part opened when it is first asked for. */
export interface RuntimeParts {
  readonly environment: Environment;
  readonly log: (line: string) => void;
  readonly workspace: Workspace;
  readonly config: Config;
  readonly prompts: Prompts;
  readonly now: () => Date;
  readonly newId: () => string;
  library(): Promise<Library>;
  history(): Promise<History>;
  usage(): Promise<Usage>;
  ledger(): Promise<Ledger>;
  pending(): Promise<PendingStore>;
  /** Undefined where no model is set. */
  model(role: ModelRole): Promise<Model | undefined>;
  /** Redacted. */
  transcript(file: string, format?: string): Promise<Transcript>;
  sandbox(unsandboxed: boolean): Sandbox;
  /** Undefined where there is no sandbox to run them in. */
  runTests(unsandboxed: boolean): Promise<GateInput['runTests']>;
  reviewParts(): Promise<ReviewParts>;
}

/** Opens the parts of a workspace, made where it is missing. Throws `config-invalid` and `io`. */
export async function openParts(options: RuntimeOptions): Promise<RuntimeParts> {
  const { environment, log } = options;
  const now = options.now ?? (() => new Date());
  const newId = () => randomBytes(8).toString('hex');
  const workspace = locateWorkspace(options.workspace, environment);
  const config = await loadConfig(workspace.dir, environment);
  if (options.onlyRoot === undefined) await makeWorkspace(workspace);
  const redactor: Redactor = createRedactor({ secrets: environment.secrets, home: environment.home });
  const prompts: Prompts = createPrompts({
    packageDir: knackPackage.prompts,
    overrideDir: workspace.prompts,
    overridable: ['assistant'],
  });

  const usage = once(() => openUsage(workspace.usage, (text) => redactor.text(text)));
  const history = once(async () => {
    const { createHistory } = await import('./history/history.ts');
    const opened = createHistory({ root: workspace.skills, environment, log });
    await opened.open();
    return opened;
  });
  const library = once(async () => {
    const recorded = options.onlyRoot === undefined ? { recorded: await usage() } : {};
    return openLibrary({
      roots: rootsOf(options, workspace, config),
      log,
      ...recorded,
      // The clock that the times of files come from, whatever `now` says.
      ...(options.onlyRoot === undefined
        ? { cache: { file: join(workspace.logs, 'readings.bin'), now: Date.now() } }
        : {}),
    });
  });
  const model = async (role: ModelRole): Promise<Model | undefined> => {
    if (options.createModel !== undefined) return options.createModel(role);
    const { apiKey, baseUrl } = config.model;
    if (apiKey === undefined && baseUrl === undefined) return undefined;
    const { createOpenAiModel } = await import('./model/openai-model.ts');
    return createOpenAiModel({
      apiKey,
      baseUrl,
      model: config.model[role],
      idleMs: config.model.idleSeconds * 1000,
    });
  };
  const sandbox = (unsandboxed: boolean): Sandbox =>
    createSandbox({
      mode: unsandboxed ? 'unsandboxed' : 'bubblewrap',
      path: environment.path,
      timeoutSeconds: config.scripts.timeoutSeconds,
    });
  const runTests = async (unsandboxed: boolean): Promise<GateInput['runTests']> => {
    if (!unsandboxed && !(await detectSandbox(environment.path)).ok) return undefined;
    const { runFolderTests } = await import('./scripts/skill-tests.ts');
    return (dir, folder) => runFolderTests(dir, folder, sandbox(unsandboxed));
  };

  const ledger = once(async () => (await import('./review/ledger.ts')).createLedger(workspace.ledger));
  const pending = once(async () => {
    const { createPendingStore } = await import('./review/pending.ts');
    const parts = { library: await library(), history: await history(), ledger: await ledger() };
    return createPendingStore({
      dir: workspace.pending,
      skillsDir: workspace.skills,
      prompts,
      path: environment.path,
      now,
      newId,
      ...parts,
    });
  });
  const reviewParts = async (): Promise<ReviewParts> => {
    const { loadGuidance } = await import('./review/guidance.ts');
    const tests = await runTests(false);
    return {
      settings: config.review,
      workspace,
      library: await library(),
      history: await history(),
      ledger: await ledger(),
      pending: await pending(),
      prompts,
      guidance: await loadGuidance(knackPackage.skills),
      reviewer: await model('reviewer'),
      judge: await model('judge'),
      redactor,
      ...(tests === undefined ? {} : { runTests: tests }),
      path: environment.path,
      now,
      newId,
    };
  };
  const transcript = async (file: string, format?: string): Promise<Transcript> => {
    const { readTranscript } = await import('./transcript/read.ts');
    return readTranscript(file, { redactor, ...(format === undefined ? {} : { format }) });
  };
  return {
    environment,
    log,
    workspace,
    config,
    prompts,
    now,
    newId,
    library,
    history,
    usage,
    ledger,
    pending,
    model,
    transcript,
    sandbox,
    runTests,
    reviewParts,
  };
}

function once<T>(open: () => Promise<T>): () => Promise<T> {
  let opened: Promise<T> | undefined;
  return () => {
    opened ??= open().catch((error: unknown) => {
      // Tried anew when it is asked for again, as when a full disk has space.
      opened = undefined;
      throw error;
    });
    return opened;
  };
}

function rootsOf(options: RuntimeOptions, workspace: Workspace, config: Config): SkillRoot[] {
  if (options.onlyRoot !== undefined)
    return [{ name: basename(resolve(options.onlyRoot)), dir: resolve(options.onlyRoot), writable: false }];
  const names = new Set(['workspace', 'bundled']);
  const configured = config.roots.map((dir): SkillRoot => {
    const base = basename(dir) === 'skills' ? basename(join(dir, '..')) : basename(dir);
    let name = base;
    for (let count = 2; names.has(name); count += 1) name = `${base}-${count}`;
    names.add(name);
    return { name, dir, writable: false };
  });
  return [
    { name: 'workspace', dir: workspace.skills, writable: true },
    ...configured,
    { name: 'bundled', dir: knackPackage.skills, writable: false },
  ];
}
