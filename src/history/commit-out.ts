import type { Folder } from '../files/folder.ts';
import { hasHead, identitiesOf, inRepository, quoted, retryOnLock } from './commit-skill.ts';
import type { Git } from './git.ts';
import type { CommitOutcome } from './history.ts';
import { formatMessage } from './message.ts';
import { NO_VERSION, published, readRecords } from './records.ts';
import { whyBusyInFiles, whyDetached } from './repository.ts';
import type { Change } from './revision.ts';
import { statusOf } from './skill-status.ts';
import { entriesAt } from './tree.ts';
import type { WriteArea } from './write-area.ts';

/** A change of a skill that is out of the library, and stays out. */
export interface ChangeOut {
  /** What the skill is to hold from now on. */
  readonly held: Change & { readonly target: Folder; readonly restores?: string };
  /** What takes it out again, without a target. */
  readonly out: Change;
}

/**
 * Two commits at once, or none: the one holds the skill as `restore` is to bring it back, the other takes it out again.
 * The folder and the index are not looked at: the skill is in neither, before or after. Answers with the first. `moved`
 * where it is in the library by now. Only under the lock.
 */
export async function commitOut(git: Git, area: WriteArea, { held, out }: ChangeOut): Promise<CommitOutcome> {
  const busy = whyBusyInFiles(area);
  if (busy !== undefined) return { kind: 'unavailable', why: busy };
  const { skill, target } = held;
  if ((await statusOf(git, area, skill)).isDetached) return { kind: 'unavailable', why: whyDetached(area) };
  const isIn = (await hasHead(git)) && (await entriesAt(git, 'HEAD', skill)).size > 0;
  const [latest] = await readRecords(git, skill);
  if (isIn || latest?.version !== NO_VERSION) return { kind: 'moved', present: target };
  const { author, committer } = await identitiesOf(git);
  const named = (path: string) => quoted(inRepository(area, skill, path));
  const commit = (message: string, from: string) => [
    `commit HEAD\nauthor ${author}\ncommitter ${committer}\n`,
    ...data(Buffer.from(message)),
    from,
  ];
  const files = [...target].flatMap(([path, { bytes, executable }]) => [
    `M ${executable ? '100755' : '100644'} inline ${named(path)}\n`,
    ...data(bytes),
  ]);
  const stream = Buffer.concat(
    [
      'feature done\n',
      ...commit(formatMessage(held), 'from HEAD^0\n'),
      ...files,
      ...commit(formatMessage(out), ''),
      ...[...target.keys()].map((path) => `D ${named(path)}\n`),
      'done\n',
    ].map((part) => Buffer.from(part)),
  );
  await retryOnLock(() => git.feed(stream, 'fast-import', '--quiet'));
  const [, first] = await readRecords(git, skill);
  return first === undefined ? { kind: 'unchanged' } : { kind: 'committed', revision: published(first) };
}

/** Bytes as `git fast-import` reads them. */
function data(bytes: Uint8Array): (string | Uint8Array)[] {
  return [`data ${bytes.length}\n`, bytes, '\n'];
}
