/** Where one agent keeps skills, as its documentation says. */
export interface AgentHomes {
  /** As roots of it are called: `claude:pdf`. */
  readonly agent: string;
  /** Relative to a folder of a project, with `/`. */
  readonly project: readonly string[];
  /** Relative to the user's home folder, with `/`. */
  readonly home: readonly string[];
}

/** In order of precedence where a folder holds several. The home of knack itself is its workspace. */
export const KNOWN_HOMES: readonly AgentHomes[] = [
  { agent: 'knack', project: ['.knack/skills'], home: [] },
  { agent: 'agents', project: ['.agents/skills'], home: ['.agents/skills', '.config/agents/skills'] },
  { agent: 'claude', project: ['.claude/skills'], home: ['.claude/skills'] },
  { agent: 'codex', project: ['.codex/skills'], home: ['.codex/skills'] },
  { agent: 'opencode', project: ['.opencode/skills'], home: ['.config/opencode/skills'] },
  { agent: 'gemini', project: ['.gemini/skills'], home: ['.gemini/skills'] },
  { agent: 'pi', project: ['.pi/skills'], home: ['.pi/agent/skills'] },
  { agent: 'copilot', project: ['.github/skills'], home: ['.copilot/skills'] },
  { agent: 'cursor', project: ['.cursor/skills'], home: ['.cursor/skills'] },
  { agent: 'goose', project: ['.goose/skills'], home: ['.config/goose/skills'] },
  { agent: 'hermes', project: ['.hermes/skills'], home: ['.hermes/skills'] },
  { agent: 'openclaw', project: [], home: ['.openclaw/skills'] },
];

/** A known project folder as the table spells it; undefined for any other path. */
export function knownProjectRoot(path: string): string | undefined {
  const plain = path.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '');
  return KNOWN_HOMES.some(({ project }) => project.includes(plain)) ? plain : undefined;
}

/** What a root of skills is called: the agent of a known place, else its folder, or the one above a folder `skills`. */
export function rootNameOf(path: string): string {
  const parts = path.split(/[/\\]+/).filter((part) => part !== '');
  const plain = `/${parts.join('/')}`;
  const known = KNOWN_HOMES.find(({ project, home }) =>
    [...project, ...home].some((place) => plain.endsWith(`/${place}`)),
  );
  if (known !== undefined) return known.agent;
  const own = parts.at(-1) === 'skills' ? (parts.at(-2) ?? 'skills') : (parts.at(-1) ?? 'root');
  // It stands in lines that people and models read.
  return own.replace(/^\.+(?=.)/, '').replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, '-');
}
