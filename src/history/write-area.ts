import { join } from 'node:path';

/** Where the writer works: inside git's own folder, so out of everybody's sight. */
export interface WriteArea {
  readonly root: string;
  /** Absolute: `.git`, or where that file leads to in a worktree or a submodule. */
  readonly gitDir: string;
  /** Where `root` lies in its repository: empty, or names with a `/` behind each. */
  readonly prefix: string;
  /** Holds all of the following and nothing else: it is emptied as a whole. */
  readonly folder: string;
  /** What a writer locks; beside the area, and one for all folders of skills in a repository. */
  readonly lock: string;
  readonly intent: string;
  readonly next: string;
  readonly previous: string;
  readonly message: string;
}

/** The area of a folder of skills; one of several in a repository has a name of its own. */
export function writeAreaOf(
  root: string,
  gitDir: string,
  { name = 'knack', prefix = '' }: { readonly name?: string; readonly prefix?: string } = {},
): WriteArea {
  const folder = join(gitDir, name);
  return {
    root,
    gitDir,
    prefix,
    folder,
    lock: join(gitDir, 'knack-writer'),
    intent: join(folder, 'intent.json'),
    next: join(folder, 'next'),
    previous: join(folder, 'previous'),
    message: join(folder, 'message'),
  };
}
