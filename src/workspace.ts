import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Environment } from './config.ts';
import { hasSystemCode, isSystemError, KnackError, messageOf } from './errors.ts';
import { makeFolders } from './files/make-folders.ts';

/** Where a workspace keeps its parts (DESIGN 2); every path absolute. */
export interface Workspace {
  readonly dir: string;
  /** The writable root: a git repository of its own. */
  readonly skills: string;
  readonly prompts: string;
  readonly logs: string;
  readonly sessions: string;
  readonly reviews: string;
  /** Drafts that wait for a person. */
  readonly pending: string;
  readonly ledger: string;
  /** Reviews that were asked for and not finished: what the queue resumes from. */
  readonly queue: string;
  /** Skills of others that are only read, a folder a source: `<id>/skills`. */
  readonly imports: string;
  /** Which links and copies knack made among the skills of other agents. */
  readonly links: string;
  /** What was learned from use: recorded queries, loads, co-use. */
  readonly usage: string;
  /** Which checkouts a person trusts, and with what in them. */
  readonly trust: string;
}

/** `--workspace`, else `KNACK_WORKSPACE`, else `~/.knack`. */
export function locateWorkspace(option: string | undefined, environment: Environment): Workspace {
  const dir = resolve(option ?? environment.workspace ?? join(environment.home, '.knack'));
  const logs = join(dir, 'logs');
  return {
    dir,
    skills: join(dir, 'skills'),
    prompts: join(dir, 'prompts'),
    logs,
    sessions: join(logs, 'sessions'),
    reviews: join(logs, 'reviews'),
    pending: join(logs, 'pending'),
    ledger: join(logs, 'ledger.jsonl'),
    queue: join(logs, 'queue'),
    imports: join(dir, 'imports'),
    links: join(dir, 'links.json'),
    usage: join(logs, 'usage.jsonl'),
    // What a checkout holds it could bring along: a workspace in one keeps its trust in the home folder.
    trust: isInCheckout(dir) ? join(environment.home, '.knack', 'trust') : join(logs, 'trust'),
  };
}

function isInCheckout(dir: string): boolean {
  for (let at = dir; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return true;
    if (dirname(at) === at) return false;
  }
}

/**
 * Throws `io` where a workspace that is only looked at is no folder, or one that nobody lets us look into; one that is
 * missing is none either, and no fault.
 */
export function checkWorkspace({ dir, skills }: Workspace): void {
  if (isInWorkspace(dir) && !statSync(dir).isDirectory())
    throw new KnackError('io', `the workspace ${dir} is no folder. ${OTHER_PLACE}`);
  isInWorkspace(skills);
}

/** Whether somebody made a workspace of this folder: an empty one, or one of other things, is none. Throws `io`. */
export function isWorkspace({ dir, skills, logs }: Workspace): boolean {
  return [skills, logs, join(dir, 'knack.json')].some(isInWorkspace);
}

/** Whether a workspace, or a part of one, is there. Throws `io` where a folder above it may not be entered: then nobody can tell. */
export function isInWorkspace(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    if (hasSystemCode(error, 'EACCES', 'EPERM'))
      throw new KnackError('io', `cannot look into the workspace: ${messageOf(error)}. ${OTHER_PLACE}`, {
        cause: error,
      });
    // A name that no file can have, a circle of links.
    if (isSystemError(error)) return false;
    throw error;
  }
}

const OTHER_PLACE = 'Give another with --workspace or KNACK_WORKSPACE.';

/**
 * Makes the folders of a workspace where they are missing; what exists is left as it is. In one that is there and may
 * only be read nothing is made: it can be looked at, and what writes says so itself. Answers whether it is a new one.
 * Throws `io`.
 */
export async function makeWorkspace(workspace: Workspace): Promise<boolean> {
  const isNew = !existsSync(workspace.skills);
  try {
    for (const dir of [
      workspace.skills,
      workspace.sessions,
      workspace.reviews,
      workspace.pending,
      workspace.queue,
    ]) {
      await makeFolders(dir, 0o700);
    }
    return isNew;
  } catch (error) {
    if (hasSystemCode(error, 'EROFS', 'EACCES', 'EPERM') && existsSync(workspace.dir)) return false;
    throw new KnackError(
      'io',
      `cannot make the workspace ${workspace.dir}: ${messageOf(error)}. Give a folder that you can write to with --workspace or KNACK_WORKSPACE.`,
      { cause: error },
    );
  }
}

/** The installed package: its root folder and version. Its `skills/` and `prompts/` are part of every workspace. */
export const knackPackage = locatePackage();

function locatePackage(): {
  dir: string;
  skills: string;
  prompts: string;
  examples: string;
  version: string;
} {
  // From src/ in tests and from dist/ in use: the nearest package.json above is ours in both.
  const start = fileURLToPath(new URL('.', import.meta.url));
  let dir = start;
  while (!existsSync(join(dir, 'package.json'))) {
    if (dirname(dir) === dir)
      throw new KnackError(
        'not-found',
        `the package of knack is not there: no package.json lies above ${start}; install it whole`,
      );
    dir = dirname(dir);
  }
  const { version } = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8')) as { version: string };
  return {
    dir,
    skills: join(dir, 'skills'),
    prompts: join(dir, 'prompts'),
    examples: join(dir, 'examples'),
    version,
  };
}
