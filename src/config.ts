import { homedir } from 'node:os';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { configFaults } from './config-schema.ts';
import { hasSystemCode, KnackError, messageOf } from './errors.ts';
import { readOwnFile } from './files/own-file.ts';
import { knownProjectRoot } from './known-roots.ts';

/** What may happen without asking: `commit` commits to learned skills, `propose` stages everything, `off` reviews nothing. */
export type Autonomy = 'commit' | 'propose' | 'off';

/** One rule of the approval policy; the first whose pattern fits `tool` or `tool:argument` decides. `*` fits anything. */
export interface ApprovalRule {
  readonly pattern: string;
  readonly decision: 'allow' | 'ask' | 'deny';
}

/** Everything that can be set, with its defaults filled in. */
export interface Config {
  readonly model: {
    /** Without a key and without a base URL there is no model. */
    readonly apiKey: string | undefined;
    readonly baseUrl: string | undefined;
    readonly assistant: string;
    readonly reviewer: string;
    readonly judge: string;
    /** The model's context window in tokens. @default 128000 */
    readonly contextTokens: number;
    /** Silence after which a request is given up and repeated, three times that before the first word; a day at most. @default 120 */
    readonly idleSeconds: number;
  };
  /**
   * Read-only roots in order of precedence: absolute paths, and names such as `.claude/skills`, which stand for the
   * folders of that name in a trusted project.
   */
  readonly roots: readonly string[];
  readonly search: {
    /** The model that search asks what texts mean. Absent: search goes by words alone. */
    readonly embeddings?: {
      readonly model: string;
      /** @default the model's */
      readonly baseUrl: string | undefined;
      /** Numbers of a vector. @default what the model sends */
      readonly dimensions: number | undefined;
    };
  };
  readonly disclosure: {
    /** @default 2000 */ readonly catalogTokens: number;
    /** @default 600 */ readonly turnTokens: number;
    /** @default 6000 */ readonly sessionTokens: number;
    readonly pinned: readonly string[];
    /** Failed sessions in a row after which a skill is to be repaired, and told of last. @default 3 */
    readonly failures: number;
  };
  readonly review: {
    /** @default 'commit' */ readonly autonomy: Autonomy;
    /** Drafts before a lesson is given up. @default 3 */ readonly attempts: number;
    /** @default 12000 */ readonly digestTokens: number;
    /** Ceiling of one review, prompt and completion together. @default 200000 */ readonly maxTokens: number;
    /** Ceiling of all reviews and judged imports of one day (UTC). @default 1000000 */ readonly dailyTokens: number;
    /** Refused reviews in a row after which learning pauses for a day. @default 5 */ readonly breakerRefusals: number;
    /** Whether the gate has a session's task done again, with and without what was learned. @default false */
    readonly replay: boolean;
    /** Minutes without a message after which a chat's session ends; two weeks at most. @default 30 */ readonly idleMinutes: number;
  };
  readonly assistant: {
    /** Model calls for one user message. @default 50 */ readonly maxTurns: number;
    /** Tokens for one user message. @default 400000 */ readonly maxTokens: number;
    readonly approval: readonly ApprovalRule[];
  };
  readonly history: {
    /** The workspace is a folder of an existing repository, and its revisions are commits there. @default false */
    readonly inRepository: boolean;
  };
  readonly scripts: { /** Seconds. @default 30 */ readonly timeoutSeconds: number };
}

/** The parts of the environment that knack reads; nothing else in `src/` looks at `process.env`. */
export interface Environment {
  readonly workspace: string | undefined;
  readonly apiKey: string | undefined;
  readonly baseUrl: string | undefined;
  readonly model: string | undefined;
  readonly debug: boolean;
  readonly home: string;
  /** `PATH` of programs that knack starts. */
  readonly path: string;
  /** Values that must never be written anywhere, for redaction by value. */
  readonly secrets: readonly string[];
  /** By which programs reach the network: the agent of ssh, proxies, certificates. */
  readonly network?: Readonly<Record<string, string>>;
}

const NETWORK = /^(?:SSH_AUTH_SOCK|SSL_CERT_(?:FILE|DIR)|(?:https?|all|no)_proxy|(?:HTTPS?|ALL|NO)_PROXY)$/;

export function readEnvironment(env: NodeJS.ProcessEnv = process.env): Environment {
  const entries = Object.entries(env);
  return {
    workspace: env['KNACK_WORKSPACE'] || undefined,
    apiKey: env['OPENAI_API_KEY'] || undefined,
    baseUrl: env['OPENAI_BASE_URL'] || undefined,
    model: env['KNACK_MODEL'] || undefined,
    debug: Boolean(env['KNACK_DEBUG']),
    home: env['HOME'] || homedir(),
    path: env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
    network: Object.fromEntries(entries.filter(([key]) => NETWORK.test(key))) as Record<string, string>,
    secrets: entries.flatMap(([key, value]) =>
      /KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL/i.test(key) && value && value.length >= 12 ? [value] : [],
    ),
  };
}

/**
 * The configuration of a workspace: `knack.json` over the defaults, the environment over both for the model.
 * A key that does not exist or a value of the wrong kind throws `config-invalid` and names it: learning stays
 * off rather than running on a guess.
 */
export async function loadConfig(workspaceDir: string, environment: Environment): Promise<Config> {
  const file = join(workspaceDir, 'knack.json');
  const given = await readJson(file);
  const faults = configFaults(given);
  if (faults.length > 0) {
    throw new KnackError(
      'config-invalid',
      `${file}: ${faults.join('; ')}. Mend it; nothing was changed or learned.`,
    );
  }
  const config = merge(given as ConfigFile, environment, workspaceDir);
  for (const root of config.roots) checkRoot(root, file, environment.home);
  return config;
}

/** A root is looked through as a whole: that of everything never ends. Throws `config-invalid`. */
function checkRoot(root: string, file: string, home: string): void {
  if (!isAbsolute(root)) return;
  const below = relative(root, resolve(home));
  if (below === '..' || below.startsWith('../') || isAbsolute(below)) return;
  throw new KnackError(
    'config-invalid',
    `${file}: roots names ${root}, which ${root === resolve(home) ? 'is the home folder' : 'the home folder lies in'}; name the folder that holds the skills. Nothing was changed or learned.`,
  );
}

type Partially<T> = {
  readonly [K in keyof T]?: T[K] extends readonly unknown[]
    ? T[K]
    : T[K] extends object
      ? Partially<T[K]>
      : T[K];
};
type ConfigFile = Partially<Config>;

function merge(given: ConfigFile, environment: Environment, workspaceDir: string): Config {
  const embeddings = given.search?.embeddings;
  const baseUrl = environment.baseUrl ?? given.model?.baseUrl;
  const assistant = environment.model ?? given.model?.assistant ?? 'gpt-5-mini';
  return {
    model: {
      apiKey: environment.apiKey,
      baseUrl,
      assistant,
      reviewer: given.model?.reviewer ?? assistant,
      judge: given.model?.judge ?? given.model?.reviewer ?? assistant,
      contextTokens: given.model?.contextTokens ?? 128_000,
      idleSeconds: given.model?.idleSeconds ?? 120,
    },
    roots: (given.roots ?? []).map(
      (root) => knownProjectRoot(root) ?? resolve(workspaceDir, root.replace(/^~(?=\/|$)/, environment.home)),
    ),
    search:
      embeddings === undefined
        ? {}
        : { embeddings: { ...embeddings, baseUrl: embeddings.baseUrl ?? baseUrl } },
    disclosure: {
      catalogTokens: 2000,
      turnTokens: 600,
      sessionTokens: 6000,
      pinned: [],
      failures: 3,
      ...given.disclosure,
    },
    review: {
      autonomy: 'commit',
      attempts: 3,
      digestTokens: 12_000,
      maxTokens: 200_000,
      dailyTokens: 1_000_000,
      breakerRefusals: 5,
      replay: false,
      idleMinutes: 30,
      ...given.review,
    },
    assistant: { maxTurns: 50, maxTokens: 400_000, approval: [], ...given.assistant },
    history: { inRepository: false, ...given.history },
    scripts: { timeoutSeconds: 30, ...given.scripts },
  } as Config;
}

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse((await readOwnFile(file)).replace(/^\uFEFF/, ''));
  } catch (error) {
    if (hasSystemCode(error, 'ENOENT')) return {};
    if (error instanceof KnackError) throw new KnackError('config-invalid', error.message, { cause: error });
    if (error instanceof SyntaxError)
      throw new KnackError(
        'config-invalid',
        `${file} is not JSON: ${error.message}. Nothing was changed or learned.`,
        { cause: error },
      );
    const isFolder = hasSystemCode(error, 'EISDIR');
    throw new KnackError(
      isFolder ? 'config-invalid' : 'io',
      isFolder
        ? `${file} is a folder; expected a file of settings, or none`
        : hasSystemCode(error, 'ENOTDIR')
          ? `the workspace ${dirname(file)} is no folder. Give another with --workspace or KNACK_WORKSPACE.`
          : `cannot read ${file}: ${messageOf(error)}`,
      { cause: error },
    );
  }
}
