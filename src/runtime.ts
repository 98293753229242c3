import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { Conversation } from './agent/conversation.ts';
import { type Config, type Environment, loadConfig } from './config.ts';
import type { Catalog } from './disclosure/catalog.ts';
import { KnackError, messageOf } from './errors.ts';
import { type Folder, readFolder } from './folder.ts';
import type { Draft } from './gate/draft.ts';
import type { GateInput, GateResult } from './gate/gate.ts';
import { createHistory, type History } from './history/history.ts';
import { type Library, openLibrary, type SkillRoot } from './library/library.ts';
import { openUsage, type Usage } from './library/usage.ts';
import type { Model } from './model/model.ts';
import { createPrompts, type Prompts } from './model/prompts.ts';
import type { ReviewOutcome } from './review/outcome.ts';
import type { ReviewOptions, ReviewParts } from './review/parts.ts';
import type { PendingStore } from './review/pending.ts';
import type { ReviewQueue } from './review/queue.ts';
import { createSandbox, detectSandbox, type Sandbox } from './scripts/sandbox.ts';
import type { SkillTestOutcome } from './scripts/skill-tests.ts';
import type { Skill, SkillTestCase } from './skill/skill.ts';
import type { ApprovalAnswer, ApprovalRequest } from './tool/approval.ts';
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

export interface FolderGateRequest {
  /** Absolute. */
  readonly dir: string;
  /** Absolute, or `none`; the library's skill of that name by default. */
  readonly base?: string;
  /** Absolute files. */
  readonly draft?: string;
  readonly evidence: readonly string[];
  readonly judge: boolean;
  readonly unsandboxed: boolean;
  readonly allow: readonly { readonly rule: string; readonly why: string }[];
  readonly signal: AbortSignal;
}

export interface ConversationRequest {
  /** Absolute folder that the tools work in. */
  readonly cwd: string;
  /** Patterns of `--allow`. */
  readonly allow: readonly string[];
  readonly unsandboxed: boolean;
  readonly ask?: (request: ApprovalRequest) => Promise<ApprovalAnswer>;
  /** Id of an earlier session to go on with. */
  readonly resume?: string;
}

/** Everything of one workspace, each part opened when it is first asked for. */
export interface Runtime {
  readonly workspace: Workspace;
  readonly config: Config;
  library(): Promise<Library>;
  /** Throws `not-found` with near names. */
  skill(name: string): Promise<Skill>;
  catalog(): Promise<Catalog>;
  history(): Promise<History>;
  usage(): Promise<Usage>;
  /** Undefined where no model is set. */
  model(role: ModelRole): Promise<Model | undefined>;
  /** Redacted. */
  transcript(file: string, format?: string): Promise<Transcript>;
  conversation(request: ConversationRequest): Promise<Conversation>;
  gateFolder(request: FolderGateRequest): Promise<GateResult>;
  review(transcript: Transcript, options?: ReviewOptions): Promise<ReviewOutcome>;
  pending(): Promise<PendingStore>;
  /** Opens the background queue; what an earlier process left waiting starts at once. */
  queue(): Promise<ReviewQueue>;
  /** Keeps an ended session for review, whoever does it. */
  enqueueReview(session: string, file: string): Promise<void>;
  testSkill(
    skill: Skill,
    options: { unsandboxed: boolean; signal: AbortSignal },
  ): Promise<SkillTestOutcome[]>;
  proposeTests(skill: Skill): Promise<SkillTestCase[]>;
  /** Stops the queue within the given time (milliseconds); what did not end waits for the next start. */
  close(drainMs?: number): Promise<{ readonly left: number }>;
}

/** Opens a workspace, made where it is missing. Throws `config-invalid` and `io`. */
export async function openRuntime(options: RuntimeOptions): Promise<Runtime> {
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
    const opened = createHistory({ root: workspace.skills, environment, log });
    await opened.open();
    return opened;
  });
  const library = once(async () => {
    const recorded = options.onlyRoot === undefined ? { recorded: await usage() } : {};
    return openLibrary({ roots: rootsOf(options, workspace, config), log, ...recorded });
  });
  const model = async (role: ModelRole): Promise<Model | undefined> => {
    if (options.createModel !== undefined) return options.createModel(role);
    const { apiKey, baseUrl } = config.model;
    if (apiKey === undefined && baseUrl === undefined) return undefined;
    const { createOpenAiModel } = await import('./model/openai-model.ts');
    return createOpenAiModel({ apiKey, baseUrl, model: config.model[role] });
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
  const review = async (
    transcript: Transcript,
    reviewOptions: ReviewOptions = {},
  ): Promise<ReviewOutcome> => {
    const { reviewTranscript } = await import('./review/review.ts');
    return reviewTranscript(await reviewParts(), transcript, reviewOptions);
  };
  const transcript = async (file: string, format?: string): Promise<Transcript> => {
    const { readTranscript } = await import('./transcript/read.ts');
    return readTranscript(file, { redactor, ...(format === undefined ? {} : { format }) });
  };
  let opened: Promise<ReviewQueue> | undefined;
  const queue = (): Promise<ReviewQueue> => {
    opened ??= import('./review/queue.ts').then(({ openReviewQueue }) =>
      openReviewQueue({
        dir: workspace.queue,
        now,
        log,
        run: async (job, signal) => review(await transcript(job.file), { signal }),
      }),
    );
    return opened;
  };

  return {
    workspace,
    config,
    library,
    history,
    usage,
    model,
    transcript,
    review,
    pending,
    queue,
    async skill(name) {
      const found = (await library()).find(name);
      if (found !== undefined) return found;
      const near = (await library()).suggest(name);
      throw new KnackError(
        'not-found',
        `there is no skill "${name}"${near.length === 0 ? '; `knack skills list` shows those that there are' : `; did you mean ${near.join(', ')}?`}`,
      );
    },
    async catalog() {
      const [{ buildCatalog }, { loadTokenizer }] = await Promise.all([
        import('./disclosure/catalog.ts'),
        import('./model/tokens.ts'),
      ]);
      await loadTokenizer();
      return buildCatalog(await library(), { ...config.disclosure, mostUsed: (await usage()).mostUsed() });
    },
    async conversation(request) {
      const assistant = await model('assistant');
      if (assistant === undefined) throw new KnackError('model-missing', NO_MODEL);
      const [{ createConversation }, { createApproval }, { createSessionLog }] = await Promise.all([
        import('./agent/conversation.ts'),
        import('./tool/approval.ts'),
        import('./transcript/session-log.ts'),
      ]);
      const resumed =
        request.resume === undefined
          ? undefined
          : await (await import('./agent/resume.ts')).readSession(
              join(workspace.sessions, `${request.resume}.jsonl`),
            );
      const started = now().toISOString();
      const id =
        resumed?.id ??
        `${started.slice(0, 19).replace(/[-:]/g, '').replace('T', '-')}-${newId().slice(0, 6)}`;
      const header = {
        id,
        started: resumed?.started ?? started,
        cwd: request.cwd,
        model: assistant.id,
        purpose: 'chat' as const,
        workspace: workspace.dir,
      };
      const uses = await usage();
      return createConversation({
        model: assistant,
        prompts,
        library: await library(),
        sandbox: sandbox(request.unsandboxed),
        approval: createApproval(
          [
            ...request.allow.map((pattern) => ({ pattern, decision: 'allow' as const })),
            ...config.assistant.approval,
          ],
          request.ask === undefined ? {} : { ask: request.ask },
        ),
        log: createSessionLog({ file: join(workspace.sessions, `${id}.jsonl`), header }),
        cwd: request.cwd,
        limits: { ...config.assistant, contextTokens: config.model.contextTokens },
        disclosure: { ...config.disclosure, mostUsed: uses.mostUsed() },
        now,
        onLoad: ({ skill, by, query }) => {
          uses
            .record({ skill: skill.name, session: id, query, by, at: now().toISOString() })
            .catch((error: unknown) => log(messageOf(error)));
        },
        ...(resumed === undefined ? {} : { resumed }),
      });
    },
    async gateFolder(request) {
      const { runGate } = await import('./gate/gate.ts');
      const { ownPrompts } = await import('./review/own-prompts.ts');
      const { loadTokenizer } = await import('./model/tokens.ts');
      await loadTokenizer();
      const name = basename(request.dir);
      const candidate = await readFolder(request.dir);
      const standing = (await library()).find(name);
      const base =
        request.base === undefined
          ? await standingFolder(request, standing, await library(), history)
          : request.base === 'none'
            ? undefined
            : await readFolder(request.base);
      const judge = request.judge ? await model('judge') : undefined;
      const tests = await runTests(request.unsandboxed);
      const evidence: Transcript[] = [];
      for (const file of request.evidence) evidence.push(await transcript(file));
      const result = await runGate({
        name,
        dir: standing?.dir ?? join(workspace.skills, name),
        candidate,
        library: await library(),
        ownPrompts: await ownPrompts(prompts),
        path: environment.path,
        allow: request.allow,
        signal: request.signal,
        ...(base === undefined ? {} : { base }),
        ...(request.draft === undefined ? {} : { draft: await readDraftFile(request.draft) }),
        ...(evidence.length === 0 ? {} : { evidence }),
        ...(judge === undefined ? {} : { judge: { model: judge, prompts } }),
        ...(tests === undefined ? {} : { runTests: tests }),
      });
      for (const { rule, why } of request.allow) {
        const overrides = result.findings.some(
          (found) =>
            found.allowed !== undefined && [found.rule, `${found.check}/${found.rule}`].includes(rule),
        );
        if (overrides)
          await (await ledger()).append({
            type: 'override',
            at: now().toISOString(),
            skill: name,
            rule,
            why,
          });
        else log(`--allow ${rule} overrides nothing: no finding that counts is of that rule`);
      }
      return result;
    },
    async enqueueReview(session, file) {
      if (config.review.autonomy === 'off' || !existsSync(file)) return;
      if (opened !== undefined) return (await opened).add({ session, file });
      const { createJobFiles, jobId } = await import('./review/job-files.ts');
      await createJobFiles(workspace.queue).write({
        id: jobId({ session, file }),
        session,
        file,
        added: now().toISOString(),
        state: 'waiting',
      });
    },
    async testSkill(skill, { unsandboxed, signal }) {
      const { runSkillTests } = await import('./scripts/skill-tests.ts');
      return runSkillTests(skill, sandbox(unsandboxed), { signal });
    },
    async proposeTests(skill) {
      return (await import('./scripts/skill-tests.ts')).proposeCases(skill);
    },
    async close(drainMs = 0) {
      return opened === undefined ? { left: 0 } : (await opened).drain(drainMs);
    },
  };
}

const NO_MODEL =
  'no model is set: give OPENAI_API_KEY, or OPENAI_BASE_URL for another endpoint (such as http://127.0.0.1:11434/v1), and KNACK_MODEL';

function once<T>(open: () => Promise<T>): () => Promise<T> {
  let opened: Promise<T> | undefined;
  return () => {
    opened ??= open();
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

/**
 * What a change of a skill is measured by. Where `dir` is the place of the skill itself, what stands there is the change,
 * and the base is the last revision; elsewhere than in the writable root nobody knows one. Without a revision a draft is
 * against what stands there.
 */
async function standingFolder(
  { dir, draft }: FolderGateRequest,
  standing: Skill | undefined,
  library: Library,
  history: () => Promise<History>,
): Promise<Folder | undefined> {
  if (standing === undefined) return undefined;
  if ((await realpath(dir)) !== (await realpath(standing.dir))) return readFolder(standing.dir);
  if (!library.rootOf(standing).writable) return undefined;
  const records = await history();
  const [newest] = await records.log(standing.name);
  if (newest !== undefined) return records.folderAt(standing.name, newest.sha);
  return draft === undefined ? undefined : readFolder(dir);
}

async function readDraftFile(file: string): Promise<Draft> {
  const { readFile } = await import('node:fs/promises');
  const { parseDraft } = await import('./gate/draft.ts');
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new KnackError('not-found', `cannot read the draft ${file}: ${messageOf(error)}`, { cause: error });
  });
  const parsed = parseDraft(text);
  if ('faults' in parsed) throw new KnackError('usage', `${file} is no draft: ${parsed.faults.join('; ')}`);
  return parsed.draft;
}
