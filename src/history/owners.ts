import type { Git } from './git.ts';
import type { Ownership } from './history.ts';
import { hasCommits } from './journal.ts';
import { readMessage } from './message.ts';
import type { Actor } from './revision.ts';

/** Who owns what an actor made. */
const OWNERS: Record<Actor, Ownership> = {
  reviewer: 'learned',
  rollback: 'learned',
  import: 'imported',
  user: 'written',
};
/** Before each commit; NUL alone stands between names of files. */
const COMMIT = '\x1e';

/**
 * Who owns each skill that ever had a commit, by folder, from one look at the whole history: for many skills, where
 * asking skill by skill would be a process for each.
 */
export async function readOwners(git: Git): Promise<Map<string, Ownership>> {
  const owners = new Map<string, Ownership>();
  if (!(await hasCommits(git))) return owners;
  const log = await git.run(
    'log',
    '--reverse',
    '--no-show-signature',
    '--no-color',
    `--format=${COMMIT}%B%x00`,
    '--name-only',
    '-z',
  );
  for (const commit of log.split(COMMIT).slice(1)) {
    const [message = '', ...files] = commit.split('\0');
    const read = readMessage(message);
    const folders = new Set(
      files
        .map((file) => file.replace(/^\n+/, ''))
        .flatMap((file) => (file.includes('/') ? [file.split('/')[0] ?? ''] : [])),
    );
    for (const folder of folders) {
      const actor = read?.skill === folder ? read.actor : 'user';
      const before = owners.get(folder);
      if (actor === 'user') owners.set(folder, 'written');
      else if (before === undefined) owners.set(folder, OWNERS[actor]);
    }
  }
  return owners;
}
