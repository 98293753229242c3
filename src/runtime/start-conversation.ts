import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Conversation } from '../agent/conversation.ts';
import { KnackError, messageOf } from '../errors.ts';
import type { ApprovalAnswer, ApprovalRequest } from '../tool/approval.ts';
import type { SessionLog, SessionLogHeader } from '../transcript/session-log.ts';
import type { RuntimeParts } from './open-parts.ts';

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

/**
 * Starts a conversation, or goes on with an earlier one. Throws `model-missing`, and `lock-held` where a conversation of
 * the session is open, here or in another process.
 */
export async function startConversation(
  parts: RuntimeParts,
  request: ConversationRequest,
): Promise<Conversation> {
  const { workspace, config, prompts, now, newId, library, usage, model, sandbox } = parts;
  const assistant = await model('assistant');
  if (assistant === undefined) throw new KnackError('model-missing', NO_MODEL);
  const [{ createConversation }, { createApproval }] = await Promise.all([
    import('../agent/conversation.ts'),
    import('../tool/approval.ts'),
  ]);
  const read = async () =>
    request.resume === undefined
      ? undefined
      : (await import('../agent/resume.ts')).readSession(join(workspace.sessions, `${request.resume}.jsonl`));
  const earlier = await read();
  await parts.makeWorkspace();
  const started = now().toISOString();
  const id =
    earlier?.id ?? `${started.slice(0, 19).replace(/[-:]/g, '').replace('T', '-')}-${newId().slice(0, 6)}`;
  const header = {
    id,
    started: earlier?.started ?? started,
    cwd: request.cwd,
    model: assistant.id,
    purpose: 'chat' as const,
    workspace: workspace.dir,
  };
  const [skills, uses] = [await library(), await usage()];
  const log = await openLog(workspace.sessions, header);
  try {
    // What it was when nobody else could go on with it.
    const resumed = await read();
    return await createConversation({
      model: assistant,
      prompts,
      library: skills,
      search: await parts.search(),
      sandbox: sandbox(request.unsandboxed),
      approval: createApproval(
        [
          ...request.allow.map((pattern) => ({ pattern, decision: 'allow' as const })),
          ...config.assistant.approval,
        ],
        request.ask === undefined ? {} : { ask: request.ask },
      ),
      log,
      cwd: request.cwd,
      limits: { ...config.assistant, contextTokens: config.model.contextTokens },
      disclosure: {
        ...config.disclosure,
        mostUsed: uses.mostUsed((name) => skills.find(name)?.name ?? name),
        toRepair: await parts.toRepair(),
      },
      now,
      onLoad: ({ name, by, query }) => {
        uses
          .record({ skill: name, session: id, query, by, at: now().toISOString() })
          .catch((error: unknown) => parts.log(messageOf(error)));
      },
      ...(resumed === undefined ? {} : { resumed }),
    });
  } catch (error) {
    await log.close();
    throw error;
  }
}

/** The log of a session, which this conversation alone writes until it is closed. */
async function openLog(dir: string, header: SessionLogHeader): Promise<SessionLog> {
  const [{ createSessionLog }, { takeClaim }] = await Promise.all([
    import('../transcript/session-log.ts'),
    import('../review/claim.ts'),
  ]);
  const file = join(dir, `${header.id}.jsonl`);
  const claim = await takeClaim(join(dir, `${header.id}.claim`)).catch((error: unknown) => {
    // A full disk: nobody else can go on with a session that has no log, and its first line will say what is wrong.
    if (error instanceof KnackError && error.code === 'io' && !existsSync(file)) return undefined;
    throw error;
  });
  if (claim !== undefined && claim.kind !== 'ours')
    throw new KnackError(
      'lock-held',
      `session ${header.id} is open${claim.kind === 'held' ? ` in process ${claim.process}` : ''}; end it there, or begin a new one`,
    );
  const log = createSessionLog({ file, header });
  return {
    ...log,
    async close() {
      try {
        await log.close();
      } finally {
        await claim?.release();
      }
    },
  };
}

const NO_MODEL =
  'no model is set: give OPENAI_API_KEY, or OPENAI_BASE_URL for another endpoint (such as http://127.0.0.1:11434/v1), and KNACK_MODEL';
