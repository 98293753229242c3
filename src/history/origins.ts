import { KnackError } from '../errors.ts';
import { equalFolders, type Folder } from '../files/folder.ts';
import type { Git } from './git.ts';
import { NO_VERSION, type Recorded } from './records.ts';
import type { Change, Origin } from './revision.ts';
import { digestOf, folderIn } from './tree.ts';

/** What the history knows of an import. */
export interface KnownOrigin {
  readonly origin: Origin;
  /** The files as they were taken over; undefined where they are no longer in the repository, as after a clone of it. */
  readonly base: Folder | undefined;
}

/** Files that were taken over and are no commit of their own; nothing here is ever removed. */
const REF = 'refs/knack/taken/';

/** Where the skill as it stands was imported from, with the files that were taken over. */
export async function originIn(
  git: Git,
  skill: string,
  records: readonly Recorded[],
): Promise<KnownOrigin | undefined> {
  const found = newestOrigin(records);
  if (found?.origin === undefined) return undefined;
  return { origin: found.origin, base: await baseOf(git, skill, found.sha, found.origin.tree) };
}

/** The origins of all skills, out of the revisions of all. */
export function originsIn(records: readonly Recorded[]): ReadonlyMap<string, Origin> {
  const bySkill = new Map<string, Recorded[]>();
  for (const record of records) bySkill.set(record.skill, [...(bySkill.get(record.skill) ?? []), record]);
  const origins = new Map<string, Origin>();
  for (const [skill, own] of bySkill) {
    const origin = newestOrigin(own)?.origin;
    if (origin !== undefined) origins.set(skill, origin);
  }
  return origins;
}

/**
 * The newest origin that what stands comes from: a rollback stands for the revision that it brought back, and what came
 * before a skill was taken out of the library counts no more.
 */
function newestOrigin(records: readonly Recorded[]): Recorded | undefined {
  for (let at = 0; at < records.length; at += 1) {
    const record = records[at];
    if (record === undefined || record.version === NO_VERSION) return undefined;
    if (record.restores !== undefined) {
      const restored = records.findIndex(({ sha }) => sha === record.restores);
      if (restored > at) at = restored - 1;
      continue;
    }
    if (record.origin !== undefined) return record;
  }
  return undefined;
}

/** The files of the commit itself, unless they were merged with what stood there: then those that were kept. */
async function baseOf(git: Git, skill: string, commit: string, tree: string): Promise<Folder | undefined> {
  const own = await folderIn(git, commit, skill);
  if (digestOf(own) === tree) return own;
  const ref = `${REF}${tree}`;
  if (!/^[0-9a-f]{64}$/.test(tree) || !(await isThere(git, ref))) return undefined;
  const kept = await folderIn(git, ref, skill);
  return digestOf(kept) === tree ? kept : undefined;
}

/**
 * Keeps the files that a change took over where no commit has them: the target is not them, or git keeps it otherwise than
 * it is (`isAsIs`). Throws `git-failed`.
 */
export async function keepTaken(
  git: Git,
  { skill, target, taken = target, origin }: Change,
  isAsIs: boolean,
): Promise<void> {
  if (taken === undefined || origin === undefined || (isAsIs && equalFolders(taken, target))) return;
  if (digestOf(taken) !== origin.tree)
    throw new KnackError('git-failed', `the files that ${skill} was taken from are not those of its origin`);
  const ref = `${REF}${origin.tree}`;
  if (!(await isThere(git, ref)))
    await git.feed(stream(ref, skill, taken), ...'fast-import --quiet --force'.split(' '));
}

async function isThere(git: Git, ref: string): Promise<boolean> {
  return (await git.run('for-each-ref', '--format=%(refname)', ref)).trim() === ref;
}

/** A commit without a parent as `git fast-import` reads it. */
function stream(ref: string, skill: string, folder: Folder): Uint8Array {
  const parts: Uint8Array[] = [];
  const say = (text: string) => void parts.push(new TextEncoder().encode(text));
  say(`commit ${ref}\ncommitter knack <knack@localhost> 0 +0000\ndata 0\n`);
  for (const [path, { bytes, executable }] of folder) {
    const quoted = `${skill}/${path}`.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n');
    say(`M ${executable ? '100755' : '100644'} inline "${quoted}"\ndata ${bytes.length}\n`);
    parts.push(bytes);
    say('\n');
  }
  return Buffer.concat(parts);
}
