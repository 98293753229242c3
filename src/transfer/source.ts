import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { KnackError } from '../errors.ts';

/** Where skills are taken from. */
export type Source =
  | { readonly kind: 'folder'; readonly dir: string }
  | {
      readonly kind: 'git';
      /** As it was given, which may hold a password: never shown, never kept. */
      readonly url: string;
      /** Without credentials: what is shown and kept. */
      readonly shown: string;
      /** A branch, a tag or a commit. */
      readonly ref?: string;
    };

/** Protocols that reach a repository and run nothing else. */
const SCHEMES = /^(?:https|ssh|file):\/\//i;
const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]'];
/** `git@host:path`, as ssh takes it; a host or path that begins with `-` would be taken for an option. */
const SCP = /^[\w.]+[\w.-]*@[\w.]+[\w.-]*:(?!-)[^:]/;
const REF = /^[\w][\w./+@-]*$/;

/**
 * Reads a source as it is given: a folder, or the URL of a git repository with an optional `#ref`. Throws `usage` for
 * what is neither and for protocols that could run a program, `not-found` for a folder that does not exist.
 */
export function parseSource(given: string, cwd: string): Source {
  if (given.startsWith('-'))
    throw new KnackError(
      'usage',
      `"${given}" is no source; expected a folder or the URL of a git repository`,
    );
  const hash = given.lastIndexOf('#');
  const url = hash < 0 ? given : given.slice(0, hash);
  if (isRepository(url)) {
    const ref = hash < 0 ? undefined : given.slice(hash + 1);
    if (/[\s\p{Cc}]/u.test(url))
      throw new KnackError('usage', `${withoutCredentials(url)} holds blanks or control characters`);
    if (ref !== undefined && (!REF.test(ref) || ref.includes('..')))
      throw new KnackError('usage', `"${ref}" behind # names no branch, tag or commit`);
    return { kind: 'git', url, shown: withoutCredentials(url), ...(ref === undefined ? {} : { ref }) };
  }
  const dir = resolve(cwd, given);
  if (existsSync(dir)) return { kind: 'folder', dir };
  if (/^[a-z][\w+.-]*:/i.test(given) || /^[^/]*@[^/]*:/.test(given))
    throw new KnackError(
      'usage',
      `"${withoutCredentials(given)}" is neither a folder nor a URL that skills are taken from; expected https://, ssh://, file:// or git@host:path`,
    );
  const guess = /^[\w.-]+\/[\w.-]+$/.test(given) ? `, or https://github.com/${given} for a repository` : '';
  throw new KnackError('not-found', `there is no folder ${dir}; give one that exists${guess}`);
}

/** The source of an origin as it was kept. */
export function sourceOf({ source, ref }: { readonly source: string; readonly ref?: string }): Source {
  return parseSource(isRepository(source) && ref !== undefined ? `${source}#${ref}` : source, '/');
}

/** What is shown of a source and kept with its skills. */
export function sourceText(source: Source): string {
  return source.kind === 'folder' ? source.dir : source.shown;
}

/** The last word of a source: what a skill is called that is the source itself and names nothing. */
export function sourceName(source: Source): string {
  const path = sourceText(source)
    .replace(/[?#].*$/, '')
    .replace(/[/\\]+$/, '')
    .replace(/\.git$/, '');
  return basename(path.replaceAll(':', '/')) || 'source';
}

function isRepository(url: string): boolean {
  if (SCHEMES.test(url) || SCP.test(url)) return true;
  // Without encryption only to this machine.
  return /^http:\/\//i.test(url) && URL.canParse(url) && LOCAL_HOSTS.includes(new URL(url).hostname);
}

function withoutCredentials(url: string): string {
  return url.replace(/^([a-z][\w+.-]*:\/\/)([^/@]*)@/i, (_, scheme: string, user: string) =>
    // The user of ssh is part of the address.
    /^ssh:/i.test(scheme) ? `${scheme}${user.split(':')[0]}@` : scheme,
  );
}
