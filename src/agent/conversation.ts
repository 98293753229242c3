import { activate } from '../disclosure/activation.ts';
import { buildCatalog } from '../disclosure/catalog.ts';
import { findFileChanges } from '../disclosure/file-changes.ts';
import { createSessionDisclosure, hashesOf, noteLoaded } from '../disclosure/session-disclosure.ts';
import { findTurnHits, turnCandidates } from '../disclosure/turn-candidates.ts';
import { KnackError } from '../errors.ts';
import type { Library } from '../library/library.ts';
import { createSearch, type SkillSearch } from '../library/search/skill-search.ts';
import type { ToRepair } from '../library/use/trials.ts';
import type { ChatMessage, Model, Usage } from '../model/model.ts';
import type { Prompts } from '../model/prompts.ts';
import { loadTokenizer } from '../model/tokens.ts';
import type { Sandbox } from '../scripts/sandbox.ts';
import type { Skill } from '../skill/skill.ts';
import type { Approval } from '../tool/approval.ts';
import { FILE_TOOLS } from '../tool/file-tools.ts';
import { createShellTool } from '../tool/shell-tool.ts';
import { createSkillTools } from '../tool/skill-tools.ts';
import type { Tool } from '../tool/tool.ts';
import type { SessionLog } from '../transcript/session-log.ts';
import type { AgentEvent } from './agent-event.ts';
import { createContextGauge, definitionsOf } from './context.ts';
import { runTurn, type TurnLimits, type TurnOutcome } from './loop.ts';
import type { LoadedSkill, ResumedSession } from './resume.ts';
import { createTurnLog, type InjectedPart } from './turn-log.ts';

/** A load that the model or the user asked for. */
export interface SkillLoad {
  readonly skill: Skill;
  /** What finds this skill alone. */
  readonly name: string;
  readonly by: 'model' | 'user';
  /** The user's words of the turn it happened in; empty before the first. */
  readonly query: string;
}

export interface ConversationParts {
  readonly model: Model;
  readonly prompts: Prompts;
  readonly library: Library;
  /** @default the library's own */
  readonly search?: SkillSearch;
  readonly sandbox: Sandbox;
  readonly approval: Approval;
  /** Of this conversation alone; `end` closes it. A resumed one continues its old file. */
  readonly log: SessionLog;
  /** Absolute folder that the tools work in. */
  readonly cwd: string;
  readonly limits: TurnLimits;
  readonly disclosure: {
    readonly catalogTokens: number;
    readonly turnTokens: number;
    readonly sessionTokens: number;
    readonly pinned: readonly string[];
    /** Names, most used first. */
    readonly mostUsed?: readonly string[];
    readonly toRepair?: ToRepair;
  };
  readonly now: () => Date;
  /** Beside the built-in ones, such as those of MCP servers. */
  readonly tools?: readonly Tool[];
  readonly resumed?: ResumedSession;
  readonly onLoad?: (load: SkillLoad) => void;
}

interface SendOptions {
  readonly signal: AbortSignal;
  /** Everything that happens, as it happens; must not throw. */
  readonly onEvent?: (event: AgentEvent) => void;
}

/** A session of the assistant. Its tools and system prompt are the same bytes with every request. */
export interface Conversation {
  readonly id: string;
  /** The session log. */
  readonly file: string;
  /** Of all turns since it was opened. */
  readonly usage: Usage;
  /** Skills whose instructions are in it, in order. */
  readonly loaded: readonly LoadedSkill[];
  /** Tokens of the next request, before the next message. */
  contextTokens(): number;
  /** Tokens of what the runtime put beside messages, of how many, and whether it has said that no more comes. */
  readonly candidates: { readonly tokens: number; readonly of: number; readonly isCut: boolean };
  /**
   * One message of the user to its end. Throws `usage` for an empty one, `conflict` while another is under way or after
   * the end, `io` if the log cannot be written.
   */
  send(text: string, options: SendOptions): Promise<TurnOutcome>;
  /** Loads a skill for the user, `name` finds it alone; its instructions go with the next message. Throws `not-found`. */
  loadSkill(name: string): Promise<{ readonly kind: 'loaded' | 'already'; readonly name: string }>;
  /** Ends the session and closes its log; again does nothing. */
  end(): Promise<void>;
}

/** Opens a conversation, or goes on with an earlier one. The catalog is built here, once. */
export async function createConversation(parts: ConversationParts): Promise<Conversation> {
  const { library, log, now, resumed, search = createSearch(parts.library) } = parts;
  await loadTokenizer();
  const turnLog = createTurnLog(log, now);
  const catalog = buildCatalog(library, parts.disclosure);
  const disclosed = createSessionDisclosure(catalog.described);
  const loaded = new Map<string, LoadedSkill>();
  let words = '';

  const noteLoad = async (skill: Skill, name: string, by: 'model' | 'user') => {
    const { contentHash, version } = skill;
    const load = { skill: name, contentHash, ...(version === undefined ? {} : { version }) };
    await turnLog.load(load, by);
    loaded.delete(name);
    loaded.set(name, load);
    parts.onLoad?.({ skill, name, by, query: words });
  };
  const tools = [
    ...FILE_TOOLS,
    createShellTool(parts.sandbox),
    ...createSkillTools({
      library,
      search,
      session: disclosed,
      sandbox: parts.sandbox,
      toRepair: parts.disclosure.toRepair,
      onLoad: (skill, name) => noteLoad(skill, name, 'model'),
    }),
    ...(parts.tools ?? []),
  ];
  const definitions = definitionsOf(tools);
  const gauge = createContextGauge(definitions);
  const system = await parts.prompts.render('assistant', {
    cwd: parts.cwd,
    date: now().toISOString().slice(0, 10),
    catalog: catalog.text || '(There are no skills yet.)',
  });
  // What changes from here on is announced; of a resumed session also what changed since a skill was loaded.
  disclosed.known = hashesOf(library);
  for (const load of resumed?.loads ?? []) {
    loaded.set(load.skill, load);
    disclosed.loaded.set(load.skill, load.contentHash);
    const skill = library.find(load.skill);
    // Its log does not tell what tools it was told of: those that there are now, if the rest is the same.
    if (skill?.contentHash === load.contentHash) noteLoaded(disclosed, load.skill, skill);
    disclosed.known.set(load.skill, load.contentHash);
  }
  const messages: ChatMessage[] = [{ role: 'system', content: system }, ...(resumed?.messages ?? [])];
  let unlogged = system !== resumed?.system;
  let usage: Usage = { promptTokens: 0, completionTokens: 0 };
  let state: 'open' | 'busy' | 'ended' = 'open';
  let pending: { skill: Skill; name: string; text: string }[] = [];

  /** Appends the user's message with what the runtime puts beside it, and logs each part as what it is. */
  async function addUserMessage(text: string, signal: AbortSignal): Promise<void> {
    if (unlogged) await turnLog.system(system);
    unlogged = false;
    await library.refresh();
    const loads = pending;
    const hits = await findTurnHits((options) => search.search(text, { ...options, signal }));
    const files = await findFileChanges(library, disclosed);
    const candidates = turnCandidates(library, disclosed, parts.disclosure, { ...hits, files });
    const injected: InjectedPart[] = [
      ...loads.map((load) => ({ reason: 'skill-content', text: load.text })),
      ...(candidates === undefined ? [] : [{ reason: 'skill-candidates', text: candidates.text }]),
    ];
    await turnLog.user(text, injected);
    messages.push({ role: 'user', content: [text, ...injected.map((part) => part.text)].join('\n\n') });
    pending = [];
    for (const { skill, name } of loads) await noteLoad(skill, name, 'user');
  }

  return {
    id: log.id,
    file: log.file,
    get usage() {
      return usage;
    },
    get loaded() {
      return [...loaded.values()];
    },
    contextTokens: () => gauge.tokens(messages),
    get candidates() {
      const { tokens, isCut } = disclosed;
      return { tokens, of: parts.disclosure.sessionTokens, isCut };
    },
    async send(text, { signal, onEvent = () => undefined }) {
      if (text.trim() === '') throw new KnackError('usage', 'the message is empty');
      if (state !== 'open') throw new KnackError('conflict', state === 'busy' ? BUSY : ENDED);
      state = 'busy';
      words = text;
      try {
        await addUserMessage(text, signal);
        const outcome = await runTurn({
          ...parts,
          tools,
          definitions,
          messages,
          gauge,
          signal,
          onText: (piece) => onEvent({ type: 'text', text: piece }),
          onRetry: onEvent,
          emit: async (event) => {
            await turnLog.agent(event);
            onEvent(event);
          },
        });
        usage = {
          promptTokens: usage.promptTokens + outcome.usage.promptTokens,
          completionTokens: usage.completionTokens + outcome.usage.completionTokens,
        };
        return outcome;
      } finally {
        if (state === 'busy') state = 'open';
      }
    },
    async loadSkill(asked) {
      if (state === 'ended') throw new KnackError('conflict', ENDED);
      await library.refresh();
      const activation = await activate(library, asked, {
        session: disclosed,
        toRepair: parts.disclosure.toRepair,
      });
      if (activation.kind === 'missing') throw new KnackError('not-found', activation.text);
      const { kind, name } = activation;
      if (kind === 'loaded') pending.push(activation);
      return { kind, name };
    },
    async end() {
      if (state === 'ended') return;
      state = 'ended';
      await log.close();
    },
  };
}

const BUSY = 'the last message is still being answered';
const ENDED = 'the session has ended; begin a new one';
