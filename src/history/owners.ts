import { cutsOf } from './cut.ts';
import type { Git } from './git.ts';
import type { Ownership } from './history.ts';
import { LOG, LOG_FORMAT, readLog } from './log-entries.ts';
import { readMessage } from './message.ts';
import { ownerOf } from './ownership.ts';
import type { Recorded } from './records.ts';
import { hasCommits } from './tree.ts';

/**
 * Who owns each skill that ever had a commit, by folder, from one look at the whole history: for many skills, where
 * asking skill by skill would be a process for each.
 */
export async function readOwners(git: Git, root: string): Promise<Map<string, Ownership>> {
  const records = new Map<string, Pick<Recorded, 'ours' | 'actor' | 'owner'>[]>();
  if (!(await hasCommits(git))) return new Map();
  const log = await git.run(...LOG, LOG_FORMAT, '--name-only', '-z');
  const cuts = await cutsOf(git, root);
  for (const { sha, message, files } of readLog(log)) {
    const read = readMessage(message);
    const folders = new Set(files.flatMap((file) => (file.includes('/') ? [file.split('/')[0] ?? ''] : [])));
    for (const folder of folders) {
      const known = records.get(folder) ?? [];
      records.set(folder, known);
      known.push(read?.skill === folder ? { ...read, ours: !cuts.has(sha) } : { actor: 'user', ours: false });
    }
  }
  return new Map([...records].map(([folder, known]) => [folder, ownerOf(known)]));
}
