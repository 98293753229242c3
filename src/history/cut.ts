import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Git } from './git.ts';
import type { Recorded } from './records.ts';

/**
 * The commits at which a shallow clone cuts its history: each looks as if everything had begun with it. None elsewhere.
 */
export async function cutsOf(git: Git, root: string): Promise<ReadonlySet<string>> {
  const told = await git.run('rev-parse', '--is-shallow-repository', '--git-path', 'shallow');
  const [isShallow, file = ''] = told.split('\n');
  if (isShallow !== 'true') return new Set();
  return new Set((await readFile(resolve(root, file), 'utf8')).split('\n').filter((sha) => sha !== ''));
}

/** Why these revisions of a skill may not be all that it had, and what to do about it; undefined where they are. */
export async function whyCut(
  git: Git,
  root: string,
  records: readonly Pick<Recorded, 'sha'>[],
): Promise<string | undefined> {
  const cuts = await cutsOf(git, root);
  const first = records.find(({ sha }) => cuts.has(sha))?.sha;
  if (first === undefined && (cuts.size === 0 || records.length > 0)) return undefined;
  const where = first === undefined ? '' : ` at ${first.slice(0, 10)}`;
  return `the history is cut${where} (shallow clone), and what came before is not known here; \`git fetch --unshallow\` in ${root} first`;
}
