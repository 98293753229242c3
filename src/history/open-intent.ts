import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { hasSystemCode, KnackError, messageOf } from '../errors.ts';
import { readOwnFileSync } from '../files/own-file.ts';
import type { HistoryOptions } from './history.ts';

/**
 * Has `open` mend a change of the skills in `root` that was begun and not ended, for whoever reads skills without their
 * history: amid a change a skill may be away. Asks no git where there is none, and loads none. Never throws `KnackError`:
 * where it cannot be mended `log` is told, and what is there can still be read.
 */
export async function mendBeforeReading(
  { root, inRepository }: Pick<HistoryOptions, 'root' | 'inRepository'>,
  open: () => Promise<unknown>,
  log: (line: string) => void,
): Promise<void> {
  try {
    if (hasOpenIntent(root, inRepository === true)) await open();
  } catch (error) {
    if (!(error instanceof KnackError)) throw error;
    log(`a change was interrupted, and a skill may be missing until that is mended: ${error.message}`);
  }
}

/** Whether one was begun, by a process that was killed or is at work. */
function hasOpenIntent(root: string, inRepository: boolean): boolean {
  try {
    const gitDir = gitDirOf(root, inRepository);
    if (gitDir === undefined) return false;
    return readdirSync(gitDir).some((name) => AREA.test(name) && existsSync(join(gitDir, name, INTENT)));
  } catch (error) {
    if (hasSystemCode(error, 'ENOENT', 'ENOTDIR')) return false;
    throw new KnackError('io', `cannot look for one in ${root}: ${messageOf(error)}`, { cause: error });
  }
}

/** As `writeAreaOf` names them, which would load git: of a repository of its own, or of one of its folders of skills. */
const AREA = /^knack(?:-[0-9a-f]{12})?$/;
const INTENT = 'intent.json';

function gitDirOf(dir: string, above: boolean): string | undefined {
  const entry = join(dir, '.git');
  if (!existsSync(entry)) return above && dirname(dir) !== dir ? gitDirOf(dirname(dir), above) : undefined;
  if (statSync(entry).isDirectory()) return entry;
  // In a worktree or a submodule it is a file that leads there.
  const target = /^gitdir: (.*)/.exec(readOwnFileSync(entry))?.[1];
  return target === undefined ? undefined : resolve(dir, target);
}
