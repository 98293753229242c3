import { existsSync, readdirSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { KnackError } from '../errors.ts';
import type { FolderFile } from '../files/folder.ts';
import { unstage } from './commit-skill.ts';
import type { Git } from './git.ts';
import { clearArea } from './journal.ts';
import { prepareNext, sharedBits } from './next-folder.ts';
import { lookAt } from './standing-skill.ts';
import { checkedOut } from './stored-form.ts';
import { folderIn } from './tree.ts';
import type { WriteArea } from './write-area.ts';

/**
 * Brings back the files of a skill that somebody deleted, as they were last committed, as a whole and without a commit; answers with that
 * version. Throws `refused` where there is nothing to bring back or something is in the way. Only under the lock.
 */
export async function putBack(git: Git, area: WriteArea, skill: string): Promise<string> {
  const { deleted, blocked } = await lookAt(git, area, skill);
  if (blocked !== undefined) throw new KnackError('refused', `${skill} was left as it is: ${blocked}`);
  if (deleted === undefined)
    throw new KnackError('refused', `${skill} was not deleted by hand: it is in the library, or retired`);
  const dir = join(area.root, skill);
  if (existsSync(dir) && readdirSync(dir).length > 0)
    throw new KnackError(
      'refused',
      `${skill} was left as it is: ${dir} still holds other files; move them away first, or \`git -C ${area.root} checkout HEAD -- ${skill}\` puts the others beside them`,
    );
  const target = new Map<string, FolderFile>(await folderIn(git, 'HEAD', skill, { exact: true }));
  const paths = [...target.keys()].map((path) => `${skill}/${path}`);
  for (const [path, bytes] of await checkedOut(git, 'HEAD', paths)) {
    const name = path.slice(skill.length + 1);
    target.set(name, { bytes, executable: target.get(name)?.executable === true });
  }
  await clearArea(area);
  await mkdir(area.folder, { recursive: true });
  await prepareNext(area.next, { dir, base: undefined, target, shared: await sharedBits(git) });
  await rename(area.next, dir);
  // Where the deletion was told to git already.
  await unstage(git, area, skill);
  return deleted;
}
