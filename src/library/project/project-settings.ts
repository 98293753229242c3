import { messageOf } from '../../errors.ts';

/** An MCP server that a checkout would start or call. */
export interface ProjectServer {
  readonly name: string;
  /** As the file has it: `command`, `args` and `env`, or `url` and `headers`. Nothing of it was checked. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** What a settings file of a checkout asks for. */
export interface ProjectSettings {
  /** As they stand in the file. */
  readonly roots: readonly string[];
  readonly servers: readonly ProjectServer[];
  /** Why the file cannot be used; each names the key. */
  readonly faults: readonly string[];
}

/** The files of a checkout that are read, each with the keys that it may hold. */
export const SETTINGS_FILES = ['.knack.json', '.mcp.json'] as const;

/** Bytes. A file of settings is far smaller. */
export const LARGEST_SETTINGS = 64 * 1024;
const MOST_ENTRIES = 50;
const MOST_FAULTS = 5;

/**
 * Reads `.knack.json` or `.mcp.json` of a checkout. The first may hold `roots` and `mcpServers` and nothing else: what
 * decides about models, prompts, approval, learning and the gate is never a checkout's to say. Of the second
 * `mcpServers` alone is read. Never throws.
 */
export function readProjectSettings(
  file: (typeof SETTINGS_FILES)[number],
  bytes: Uint8Array,
): ProjectSettings {
  if (bytes.length > LARGEST_SETTINGS)
    return failed(`${file} has ${bytes.length} bytes; at most ${LARGEST_SETTINGS} are read`);
  let given: unknown;
  try {
    given = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    return failed(`${file} is not JSON in UTF-8: ${short(messageOf(error))}`);
  }
  if (!isRecord(given)) return failed(`${file} holds no object of settings`);
  const faults = file === '.knack.json' ? strayKeys(file, given) : [];
  const { roots = [], mcpServers = {} } =
    file === '.knack.json' ? given : { mcpServers: given['mcpServers'] };
  const paths = Array.isArray(roots) ? roots.filter((root) => typeof root === 'string') : [];
  if (!Array.isArray(roots) || paths.length < roots.length || roots.length > MOST_ENTRIES)
    faults.push(`${file}: roots must be a list of at most ${MOST_ENTRIES} paths`);
  const servers = isRecord(mcpServers) ? Object.entries(mcpServers) : [];
  if (!isRecord(mcpServers) || servers.length > MOST_ENTRIES || !servers.every(([, each]) => isRecord(each)))
    faults.push(`${file}: mcpServers must be an object of at most ${MOST_ENTRIES} objects`);
  return {
    roots: faults.length > 0 ? [] : paths,
    servers:
      faults.length > 0
        ? []
        : servers.map(([name, settings]) => ({ name, settings: settings as Record<string, unknown> })),
    faults,
  };
}

function strayKeys(file: string, given: Readonly<Record<string, unknown>>): string[] {
  const stray = Object.keys(given).filter((key) => !['$schema', 'roots', 'mcpServers'].includes(key));
  const named = stray
    .slice(0, MOST_FAULTS)
    .map(
      (key) =>
        `${file}: a checkout cannot set ${JSON.stringify(short(key))}; only roots and mcpServers may stand there`,
    );
  return stray.length > MOST_FAULTS
    ? [...named, `${file}: and ${stray.length - MOST_FAULTS} further keys`]
    : named;
}

function failed(fault: string): ProjectSettings {
  return { roots: [], servers: [], faults: [fault] };
}

function short(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
