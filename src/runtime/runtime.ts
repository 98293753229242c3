import { existsSync } from 'node:fs';
import type { Conversation } from '../agent/conversation.ts';
import type { Config } from '../config.ts';
import type { Catalog } from '../disclosure/catalog.ts';
import type { GateResult } from '../gate/gate.ts';
import type { History } from '../history/history.ts';
import type { Library } from '../library/library.ts';
import type { SemanticStage } from '../library/meaning/semantic-stage.ts';
import type { Project } from '../library/project/project.ts';
import type { SkillSearch } from '../library/search/skill-search.ts';
import type { ToRepair } from '../library/use/trials.ts';
import type { Usage } from '../library/use/usage.ts';
import type { Model } from '../model/model.ts';
import type { Ledger } from '../review/ledger.ts';
import type { ReviewOutcome } from '../review/outcome.ts';
import type { ReviewOptions } from '../review/parts.ts';
import type { PendingStore } from '../review/pending.ts';
import type { ReviewQueue } from '../review/queue.ts';
import type { SkillTestOutcome } from '../scripts/skill-tests.ts';
import type { Skill, SkillTestCase } from '../skill/skill.ts';
import type { Transcript } from '../transcript/event.ts';
import type { TransferParts } from '../transfer/parts.ts';
import type { Workspace } from '../workspace.ts';
import { type FolderGateRequest, gateFolder } from './gate-folder.ts';
import { type ModelRole, openParts, type RuntimeOptions } from './open-parts.ts';
import { openTransfer } from './open-transfer.ts';
import { type ConversationRequest, startConversation } from './start-conversation.ts';

export type { ModelRole, RuntimeOptions } from './open-parts.ts';

/** Everything of one workspace, each part opened when it is first asked for. */
export interface Runtime {
  readonly workspace: Workspace;
  readonly config: Config;
  /** With `makesLate`: makes the workspace where it is missing still. Throws `io`. */
  makeWorkspace(): Promise<void>;
  /** The places around the working folder, as they are at this moment. */
  project(): Project;
  library(): Promise<Library>;
  /** Search by words, and by meaning where `search.embeddings` is set. */
  search(): Promise<SkillSearch>;
  /** Undefined where it is not set or cannot work. */
  semanticStage(): Promise<SemanticStage | undefined>;
  /** Throws `not-found` with near names. */
  skill(name: string): Promise<Skill>;
  catalog(): Promise<Catalog>;
  history(): Promise<History>;
  usage(): Promise<Usage>;
  /** Which skills are to be repaired, by `disclosure.failures`. */
  toRepair(): Promise<ToRepair>;
  /** Undefined where no model is set. */
  model(role: ModelRole): Promise<Model | undefined>;
  /** Redacted. */
  transcript(file: string, format?: string, signal?: AbortSignal): Promise<Transcript>;
  conversation(request: ConversationRequest): Promise<Conversation>;
  gateFolder(request: FolderGateRequest): Promise<GateResult>;
  /** What the library's skills are brought in and handed out with. */
  transfer(options: Pick<TransferParts, 'signal' | 'onProgress'>): Promise<TransferParts>;
  /** A job of the queue for the same session is done with it, unless it failed. */
  review(transcript: Transcript, options?: ReviewOptions): Promise<ReviewOutcome>;
  /** Whether a review covers all of it, and ended otherwise than `failed`. */
  isReviewed(transcript: Transcript): Promise<boolean>;
  /** Why the last review of exactly this much of the session failed; undefined where it did not. */
  lastFailure(transcript: Transcript): Promise<string | undefined>;
  pending(): Promise<PendingStore>;
  /** What was reviewed and what it cost. */
  ledger(): Promise<Ledger>;
  /** Lets learning go on although the last reviews were refused. */
  resetBreaker(): Promise<void>;
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

/** Opens a workspace, made where it is missing unless it is only looked at. Throws `config-invalid` and `io`. */
export async function openRuntime(options: RuntimeOptions): Promise<Runtime> {
  const parts = await openParts(options);
  const { workspace, config, now, log, library, history, usage, model, transcript, pending, sandbox } = parts;
  const review = async (
    transcript: Transcript,
    reviewOptions: ReviewOptions = {},
  ): Promise<ReviewOutcome> => {
    const { reviewTranscript } = await import('../review/review.ts');
    return reviewTranscript(await parts.reviewParts(), transcript, reviewOptions);
  };
  let opened: Promise<ReviewQueue> | undefined;
  const queue = (): Promise<ReviewQueue> => {
    opened ??= import('../review/queue.ts').then(({ openReviewQueue }) =>
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
    makeWorkspace: parts.makeWorkspace,
    project: parts.project,
    library,
    search: parts.search,
    semanticStage: parts.semanticStage,
    history,
    usage,
    toRepair: parts.toRepair,
    model,
    transcript,
    async review(transcript, reviewOptions) {
      await parts.makeWorkspace();
      const { createJobFiles, withoutJob } = await import('../review/job-files.ts');
      const job = { session: transcript.session.id, file: transcript.file };
      return withoutJob(createJobFiles(workspace.queue), job, () => review(transcript, reviewOptions));
    },
    async isReviewed(transcript) {
      const { prefixHash } = await import('../review/ledger.ts');
      return (await parts.ledger()).isReviewed(transcript.session.id, prefixHash(transcript));
    },
    async lastFailure(transcript) {
      const { prefixHash } = await import('../review/ledger.ts');
      return (await parts.ledger()).lastFailure(transcript.session.id, prefixHash(transcript));
    },
    pending,
    ledger: parts.ledger,
    async resetBreaker() {
      await parts.makeWorkspace();
      await (await parts.ledger()).append({ type: 'breaker-reset', at: now().toISOString() });
    },
    queue,
    async skill(name) {
      const found = (await library()).find(name);
      if (found !== undefined) return found;
      const { whyNoSkill } = await import('./why-no-skill.ts');
      throw await whyNoSkill(name, await library(), options.onlyRoot === undefined ? history : undefined);
    },
    async catalog() {
      const [{ buildCatalog }, { loadTokenizer }] = await Promise.all([
        import('../disclosure/catalog.ts'),
        import('../model/tokens.ts'),
      ]);
      await loadTokenizer();
      const skills = await library();
      const mostUsed = (await usage()).mostUsed((name) => skills.find(name)?.name ?? name);
      return buildCatalog(skills, { ...config.disclosure, mostUsed, toRepair: await parts.toRepair() });
    },
    conversation: (request) => startConversation(parts, request),
    gateFolder: (request) => gateFolder(parts, request),
    transfer: (transferOptions) => openTransfer(parts, transferOptions),
    async enqueueReview(session, file) {
      if (config.review.autonomy === 'off' || !existsSync(file)) return;
      if (opened !== undefined) return (await opened).add({ session, file });
      const { createJobFiles, jobId } = await import('../review/job-files.ts');
      await createJobFiles(workspace.queue).write({
        id: jobId({ session, file }),
        session,
        file,
        added: now().toISOString(),
        state: 'waiting',
      });
    },
    async testSkill(skill, { unsandboxed, signal }) {
      const { runSkillTests } = await import('../scripts/skill-tests.ts');
      const { find } = await library();
      return runSkillTests(skill, sandbox(unsandboxed), { signal, find });
    },
    async proposeTests(skill) {
      return (await import('../scripts/propose-cases.ts')).proposeCases(skill);
    },
    async close(drainMs = 0) {
      await parts.closeSearch();
      return opened === undefined ? { left: 0 } : (await opened).drain(drainMs);
    },
  };
}
