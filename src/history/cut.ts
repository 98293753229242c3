import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { KnackError, messageOf } from '../errors.ts';
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

/**
 * Throws `refused` where what a skill was before cannot be told: the first revision of a cut history is not the first
 * that there was, and a revision that brought back another one, which is behind the cut, does not say what came before.
 */
export async function refuseBehindCut(
  git: Git,
  root: string,
  {
    skill,
    known,
    restored,
  }: { readonly skill: string; readonly known: readonly Recorded[]; readonly restored: Recorded | undefined },
): Promise<void> {
  const shas = new Set(known.map(({ sha }) => sha));
  if (restored !== undefined && known.every(({ restores = restored.sha }) => shas.has(restores))) return;
  const why = await whyCut(git, root, known);
  if (why !== undefined) throw new KnackError('refused', `what ${skill} was before cannot be told: ${why}`);
}

/** What is not found may lie behind a cut: the error then says so. */
export async function namingCut<T>(
  look: () => Promise<T>,
  cut: () => Promise<string | undefined>,
): Promise<T> {
  try {
    return await look();
  } catch (error) {
    const why = error instanceof KnackError && error.code === 'not-found' ? await cut() : undefined;
    if (why === undefined) throw error;
    throw new KnackError('not-found', `${messageOf(error)}; ${why}`, { cause: error });
  }
}
