import type { Git } from './git.ts';
import type { Ownership } from './history.ts';
import { readMessage } from './message.ts';
import { ownerOf } from './ownership.ts';
import type { Recorded } from './records.ts';
import { hasCommits } from './tree.ts';

/** Before each commit; NUL alone stands between names of files. */
const COMMIT = '\x1e';

/**
 * Who owns each skill that ever had a commit, by folder, from one look at the whole history: for many skills, where
 * asking skill by skill would be a process for each.
 */
export async function readOwners(git: Git): Promise<Map<string, Ownership>> {
  const records = new Map<string, Pick<Recorded, 'ours' | 'actor' | 'owner'>[]>();
  if (!(await hasCommits(git))) return new Map();
  const log = await git.run(
    'log',
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
      const known = records.get(folder) ?? [];
      records.set(folder, known);
      known.push(read?.skill === folder ? { ...read, ours: true } : { actor: 'user', ours: false });
    }
  }
  return new Map([...records].map(([folder, known]) => [folder, ownerOf(known)]));
}
