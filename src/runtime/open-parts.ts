import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { type Config, type Environment, loadConfig } from '../config.ts';
import type { GateInput } from '../gate/gate.ts';
import type { History } from '../history/history.ts';
import type { Library } from '../library/library.ts';
import type { SemanticStage } from '../library/meaning/semantic-stage.ts';
import type { Project } from '../library/project/project.ts';
import type { SkillSearch } from '../library/search/skill-search.ts';
import { createToRepair, type ToRepair } from '../library/use/trials.ts';
import { openUsage, type Usage } from '../library/use/usage.ts';
import type { Model } from '../model/model.ts';
import { createPrompts, type Prompts } from '../model/prompts.ts';
import type { Ledger } from '../review/ledger.ts';
import type { ReviewParts } from '../review/parts.ts';
import type { PendingStore } from '../review/pending.ts';
import { createSandbox, detectSandbox, type Sandbox } from '../scripts/sandbox.ts';
import type { Transcript } from '../transcript/event.ts';
import { createRedactor, type Redactor } from '../transcript/redact.ts';
import { mendImports } from '../transfer/mend-imports.ts';
import {
  checkWorkspace,
  knackPackage,
  locateWorkspace,
  makeWorkspace,
  type Workspace,
} from '../workspace.ts';
import { createLibraryParts } from './library-parts.ts';
import { once } from './once.ts';

export type ModelRole = 'assistant' | 'reviewer' | 'judge';

export interface RuntimeOptions {
  /** `--workspace`. */
  readonly workspace: string | undefined;
  readonly environment: Environment;
  /** Lines for the person: a workspace that was made, reloads, recoveries. */
  readonly log: (line: string) => void;
  /** Lines on skills that changed since the library was opened. @default `log` */
  readonly logReload?: (line: string) => void;
  /** Makes nothing: a workspace that is missing stays so, and holds nothing. @default false */
  readonly looksOnly?: boolean;
  /** A workspace that is missing is made by `makeWorkspace` and the first commit alone, for a command that may fail before. @default false */
  readonly makesLate?: boolean;
  /** The folder that somebody works in, for what its checkout holds; without one no project is looked at. */
  readonly cwd?: string;
  /** Takes the place of every root: the library is this folder alone. */
  readonly onlyRoot?: string;
  /** Ends the reading of the library when it is opened, with `aborted`. */
  readonly signal?: AbortSignal;
  /** Takes the place of the configured endpoint. */
  readonly createModel?: (role: ModelRole) => Model;
  /** @default the clock */
  readonly now?: () => Date;
  /** Told of the places around `cwd` whenever the library's roots are taken from them. */
  readonly onProject?: (project: Project) => void;
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
  /** Makes the workspace where it is missing still and not only looked at: before anything but a commit is written. Throws `io`. */
  makeWorkspace(): Promise<void>;
  /** The places around the working folder, as they are at this moment. */
  project(): Project;
  library(): Promise<Library>;
  /** Search by words, and by meaning where `search.embeddings` is set. */
  search(): Promise<SkillSearch>;
  /** Undefined where it is not set, where one folder is the library, and where it cannot work, which is logged. */
  semanticStage(): Promise<SemanticStage | undefined>;
  /** Stops what search does in the background. */
  closeSearch(): Promise<void>;
  history(): Promise<History>;
  usage(): Promise<Usage>;
  toRepair(): Promise<ToRepair>;
  ledger(): Promise<Ledger>;
  pending(): Promise<PendingStore>;
  /** Undefined where no model is set. */
  model(role: ModelRole): Promise<Model | undefined>;
  /** Redacted. */
  transcript(file: string, format?: string, signal?: AbortSignal): Promise<Transcript>;
  sandbox(unsandboxed: boolean): Sandbox;
  /** Undefined where there is no sandbox to run them in. */
  runTests(unsandboxed: boolean): Promise<GateInput['runTests']>;
  reviewParts(): Promise<ReviewParts>;
}

/** Opens the parts of a workspace, made where it is missing unless it is only looked at. Throws `config-invalid` and `io`. */
export async function openParts(options: RuntimeOptions): Promise<RuntimeParts> {
  const { environment, log } = options;
  const now = options.now ?? (() => new Date());
  const newId = () => randomBytes(8).toString('hex');
  const workspace = locateWorkspace(options.workspace, environment);
  const config = await loadConfig(workspace.dir, environment);
  const looksOnly = options.looksOnly === true || options.onlyRoot !== undefined;
  let isUnmade = looksOnly || (options.makesLate === true && !existsSync(workspace.skills));
  const make = once(async () => {
    if (await makeWorkspace(workspace)) log(`new workspace ${workspace.dir}`);
    isUnmade = false;
  });
  if (isUnmade) checkWorkspace(workspace);
  else await make();
  if (options.onlyRoot === undefined) await mendImports(workspace.imports, log);
  const redactor: Redactor = createRedactor(environment);
  const prompts: Prompts = createPrompts({
    packageDir: knackPackage.prompts,
    overrideDir: workspace.prompts,
    overridable: ['assistant'],
  });

  const usage = once(() => openUsage(workspace.usage, (text) => redactor.text(text)));
  const toRepair = async () => createToRepair(await usage(), { limit: config.disclosure.failures });
  const history = once(async () => {
    const { createHistory } = await import('../history/history.ts');
    const opened = createHistory({
      root: workspace.skills,
      environment,
      log,
      looksOnly: () => options.looksOnly === true || (isUnmade && !looksOnly),
      ...(looksOnly ? {} : { beforeWrite: make }),
      ...config.history,
    });
    await opened.open();
    return opened;
  });
  const { project, library, semanticStage, search, closeSearch } = createLibraryParts(options, {
    workspace,
    config,
    looksOnly: () => isUnmade,
    usage,
    history,
  });
  const model = async (role: ModelRole): Promise<Model | undefined> => {
    if (options.createModel !== undefined) return options.createModel(role);
    const { apiKey, baseUrl } = config.model;
    if (apiKey === undefined && baseUrl === undefined) return undefined;
    const { createOpenAiModel } = await import('../model/openai-model.ts');
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
    const { runFolderTests } = await import('../scripts/skill-tests.ts');
    const { find } = await library();
    return (dir, folder) => runFolderTests(dir, folder, sandbox(unsandboxed), find);
  };

  const ledger = once(async () => (await import('../review/ledger.ts')).createLedger(workspace.ledger));
  const pending = once(async () => {
    const { createPendingStore } = await import('../review/pending.ts');
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
  const replay: ReviewParts['replay'] = async (meter) => {
    const agent = await model('assistant');
    if (agent === undefined) return undefined;
    const { openReplay } = await import('./open-replay.ts');
    return openReplay({ config, prompts, environment, now, sandbox }, meter(agent));
  };
  const reviewParts = async (): Promise<ReviewParts> => {
    const { loadGuidance } = await import('../review/guidance.ts');
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
      usage: await usage(),
      toRepair: await toRepair(),
      ...(tests === undefined ? {} : { runTests: tests }),
      ...(config.review.replay ? { replay } : {}),
      path: environment.path,
      now,
      newId,
    };
  };
  const transcript = async (file: string, format?: string, signal?: AbortSignal): Promise<Transcript> => {
    const { readTranscript } = await import('../transcript/read.ts');
    return readTranscript(file, {
      redactor,
      ...(format === undefined ? {} : { format }),
      ...(signal === undefined ? {} : { signal }),
    });
  };
  return {
    environment,
    log,
    workspace,
    config,
    prompts,
    now,
    newId,
    makeWorkspace: looksOnly ? () => Promise.resolve() : make,
    project,
    library,
    search,
    semanticStage,
    closeSearch,
    history,
    usage,
    toRepair,
    ledger,
    pending,
    model,
    transcript,
    sandbox,
    runTests,
    reviewParts,
  };
}
