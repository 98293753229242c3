import { appendFile, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { hasSystemCode, KnackError } from '../errors.ts';
import type { Git } from './git.ts';
import type { CommitOutcome, History } from './history.ts';

/** So many commits of ours are few enough to be looked at one by one. */
export const COMMITS_BETWEEN = 100;
/** No git writes a graph for so long: it was killed. */
const DEAD_MS = 3_600_000;

/**
 * The same history, which now and then has git write down which paths each commit changed: without that the log of one
 * skill looks at the commits of all. Only in a repository of our own, and never a reason for a commit to fail.
 */
export function keepingCommitGraph(
  history: History,
  { root, git }: { readonly root: string; readonly git: () => Promise<Git> },
): History {
  const kept = async (outcome: CommitOutcome): Promise<CommitOutcome> => {
    if (outcome.kind === 'committed') await countCommit(join(root, '.git'), git);
    return outcome;
  };
  return {
    ...history,
    commit: async (change) => kept(await history.commit(change)),
    rollback: async (skill, to, why) => kept(await history.rollback(skill, to, why)),
  };
}

async function countCommit(gitDir: string, git: () => Promise<Git>): Promise<void> {
  try {
    // In a worktree, a submodule or somebody's repository it is a file, or is not here.
    if (!(await stat(gitDir)).isDirectory()) return;
    // A byte a commit: what is appended counts also where several processes do so at once.
    const count = join(gitDir, 'knack-commits');
    await appendFile(count, '.');
    if ((await stat(count)).size < COMMITS_BETWEEN) return;
    await rm(count, { force: true });
    await removeDead(join(gitDir, 'objects/info/commit-graphs'));
    await writeCommitGraph(await git());
  } catch (error) {
    // A full disk, another git that writes one: the log is as slow as before, and the next hundred try again.
    if (!(error instanceof KnackError) && !isSystemError(error)) throw error;
  }
}

/** Adds what is new; git does so beside the old one and swaps it in, so that a kill leaves the one or the other. */
export async function writeCommitGraph(git: Git): Promise<void> {
  await git.run('commit-graph', 'write', '--reachable', '--changed-paths', '--split', '--no-progress');
}

/** What a git leaves that is killed while it writes one: its lock, in whose way no other can, and what it had written. */
async function removeDead(dir: string): Promise<void> {
  const names = await readdir(dir).catch((error: unknown) => {
    if (hasSystemCode(error, 'ENOENT')) return [];
    throw error;
  });
  for (const name of names) {
    if (!/^(?:commit-graph-chain\.lock|tmp_graph_\w+)$/.test(name)) continue;
    const { mtimeMs } = await stat(join(dir, name));
    if (Date.now() - mtimeMs > DEAD_MS) await rm(join(dir, name), { force: true });
  }
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}
