import { join } from 'node:path';
import type { Conversation } from './agent/conversation.ts';
import { KnackError, messageOf } from './errors.ts';
import type { RuntimeParts } from './open-parts.ts';
import type { ApprovalAnswer, ApprovalRequest } from './tool/approval.ts';

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

/** Starts a conversation, or goes on with an earlier one. Throws `model-missing`. */
export async function startConversation(
  parts: RuntimeParts,
  request: ConversationRequest,
): Promise<Conversation> {
  const { workspace, config, prompts, now, newId, log, library, usage, model, sandbox } = parts;
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
    resumed?.id ?? `${started.slice(0, 19).replace(/[-:]/g, '').replace('T', '-')}-${newId().slice(0, 6)}`;
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
}

const NO_MODEL =
  'no model is set: give OPENAI_API_KEY, or OPENAI_BASE_URL for another endpoint (such as http://127.0.0.1:11434/v1), and KNACK_MODEL';
