import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { KNOWN_HOMES } from '../../known-roots.ts';
import { SETTINGS_FILES } from './project-settings.ts';

/** A folder of a checkout that holds skills or settings for agents. Nothing in it has been read yet. */
export interface ProjectPlace {
  /** Absolute, without links. */
  readonly dir: string;
  /** The top of the checkout, absolute, without links: nothing outside of it belongs to the place. */
  readonly checkout: string;
  /** The known homes that exist there, relative, in order of precedence. */
  readonly homes: readonly string[];
  /** The settings files that exist there. */
  readonly settings: readonly (typeof SETTINGS_FILES)[number][];
}

/**
 * The places from a folder up to the top of its git checkout, nearest first; without a repository the folder alone.
 * Skills and settings share this one chain. The user's home folder is none, as what lies there belongs to the user, and
 * neither are the folders of `except`, which are roots already. Throws where `cwd` does not exist.
 */
export function findProjectPlaces(
  cwd: string,
  { home, except = [] }: { readonly home: string; readonly except?: readonly string[] },
): ProjectPlace[] {
  const chain = ancestorsOf(realpathSync(cwd));
  const checkout = chain.at(-1) ?? cwd;
  const roots = new Set(except.map(realOf));
  const own = realOf(home);
  return chain
    .filter((dir) => dir !== own)
    .map((dir) => ({
      dir,
      checkout,
      homes: KNOWN_HOMES.flatMap(({ project }) => project).filter(
        (path) => existsSync(join(dir, path)) && !roots.has(realOf(join(dir, path))),
      ),
      settings: SETTINGS_FILES.filter((file) => existsSync(join(dir, file))),
    }))
    .filter(({ homes, settings }) => homes.length + settings.length > 0);
}

/** The top of the git checkout that a folder lies in; undefined where it lies in none. */
export function checkoutOf(dir: string): string | undefined {
  const top = ancestorsOf(realpathSync(dir)).at(-1);
  return top !== undefined && existsSync(join(top, '.git')) ? top : undefined;
}

/** The folder and those above it up to the one with `.git`; the folder alone where there is none. */
function ancestorsOf(dir: string): string[] {
  const chain: string[] = [];
  for (let at = dir; ; at = dirname(at)) {
    chain.push(at);
    if (existsSync(join(at, '.git'))) return chain;
    if (dirname(at) === at) return [dir];
  }
}

function realOf(path: string): string {
  return existsSync(path) ? realpathSync(path) : path;
}
