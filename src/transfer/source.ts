import { existsSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { hasSystemCode, KnackError } from '../errors.ts';

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
      'what begins with "-" is no source; expected a folder or the URL of a git repository',
    );
  const hash = given.lastIndexOf('#');
  const url = hash < 0 ? given : given.slice(0, hash);
  if (isRepository(url)) {
    const ref = hash < 0 ? undefined : given.slice(hash + 1);
    const shown = withoutCredentials(url);
    if (/[\s\p{Cc}]/u.test(url))
      throw new KnackError('usage', `${kindOf(url)} holds blanks or control characters`);
    if (shown === undefined) throw new KnackError('usage', unclear(url));
    if (ref !== undefined && (!REF.test(ref) || ref.includes('..')))
      throw new KnackError(
        'usage',
        ref === ''
          ? 'nothing stands behind #; leave it out for the default branch'
          : `${ref.includes('@') ? 'what stands behind #' : `"${ref}"`} names no branch, tag or commit`,
      );
    refusePage(shown);
    return { kind: 'git', url: encoded(url), shown, ...(ref === undefined ? {} : { ref }) };
  }
  const dir = resolve(cwd, given);
  if (
    basename(dir).toLowerCase() === 'skill.md' &&
    statSync(dir, { throwIfNoEntry: false })?.isFile() === true
  )
    throw new KnackError('usage', `${dir} is the file of a skill; give its folder, ${dirname(dir)}`);
  if (existsSync(dir)) return { kind: 'folder', dir };
  if (/^[a-z][\w+.-]*:/i.test(given) || /^[^/]*@[^/]*:/.test(given) || /:.*@/.test(given))
    throw new KnackError(
      'usage',
      `${withoutCredentials(given) ?? kindOf(given)} is neither a folder nor a URL that skills are taken from; expected https://, ssh://, file:// or git@host:path${/^http:/i.test(given) ? ' (http:// reaches this machine alone)' : ''}`,
    );
  if (isHidden(dir))
    throw new KnackError(
      'io',
      `cannot look at ${dir}: a folder above it may not be entered; ask its owner for access`,
    );
  const guess = guessOf(given, hash < 0 ? undefined : resolve(cwd, url));
  throw new KnackError(
    'not-found',
    `there is no folder ${dir.replace(/\?.*=.*/s, '?…')}; give one that exists${guess}`,
  );
}

function isHidden(path: string): boolean {
  try {
    statSync(path);
    return false;
  } catch (error) {
    return hasSystemCode(error, 'EACCES');
  }
}

/** What may be meant by a folder that is not there. */
function guessOf(given: string, beforeHash: string | undefined): string {
  if (/^[\w-]+\/[\w.-]+(?:#[\w./-]+)?$/.test(given))
    return `, or https://github.com/${given} for a repository`;
  if (/^[\w-]+(?:\.[\w-]+)+\/[\w.-]+\/[\w./-]+(?:#[\w./-]+)?$/.test(given))
    return `, or https://${given} for a repository`;
  if (beforeHash === undefined || !existsSync(beforeHash)) return '';
  return `: a folder is taken as it stands, without what is behind #; file://${beforeHash}${given.slice(given.lastIndexOf('#'))} is a branch, tag or commit of the repository in it`;
}

/** The page of a folder is no address of a repository. Throws `usage` with what to give in its place. */
function refusePage(url: string): void {
  const [, repository, ref, path] =
    /^(https:\/\/github\.com\/[^/]+\/[^/]+)\/(?:tree|blob)\/([^/]+)(?:\/(.+?))?\/?$/i.exec(url) ??
    /^(https:\/\/[^/]+\/.+?)\/-\/(?:tree|blob)\/([^/]+)(?:\/(.+?))?\/?$/i.exec(url) ??
    [];
  if (repository === undefined) return;
  const folder = path?.replace(/(?:^|\/)SKILL\.md$/i, '') ?? '';
  throw new KnackError(
    'usage',
    `${url} is a page and no repository; give ${repository}#${ref}${folder === '' ? '' : ` --path ${folder}`}`,
  );
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

/** Scheme, what stands before the path with user info up to the last `@`, and the rest. */
const PARTS = /^([a-z][\w+.-]*:\/\/)(?:([^/?#\\]*)@)?([^/?#\\]*)(.*)$/is;

/**
 * A URL without password, and without query, which may hold one; undefined for one in which it is not certain where a
 * password ends. The user of ssh is part of the address.
 */
export function withoutCredentials(url: string): string | undefined {
  if (SCP.test(url)) return url;
  const [, scheme = '', user, host = '', rest = ''] = PARTS.exec(url) ?? [];
  if (scheme === '' || !URL.canParse(url)) return undefined;
  const isFile = /^file:/i.test(scheme);
  const path = isFile ? rest : rest.replace(/\?.*$/s, '');
  // A password with a slash in it looks like a host and a path.
  if (!isFile && (path === '' || path.replaceAll('/@', '/').includes('@'))) return undefined;
  return `${scheme}${user !== undefined && /^ssh:/i.test(scheme) ? `${user.split(':')[0]}@` : ''}${host}${path}`;
}

/** The URL as git reads it too: to git user info ends at the first `@`. */
function encoded(url: string): string {
  const [, scheme, user, host, rest] = PARTS.exec(url) ?? [];
  return user?.includes('@') ? `${scheme}${user.replaceAll('@', '%40')}@${host}${rest}` : url;
}

/** Words of git about a source without what is not shown of its URL. */
export function withoutSecrets(words: string, { url, shown }: Source & { kind: 'git' }): string {
  if (url === shown) return words;
  const [, scheme = '', user = '', , rest = ''] = PARTS.exec(url) ?? [];
  const query = /\?.*$/s.exec(rest)?.[0] ?? '';
  const password = user.replace(/^[^:]*:/, '');
  const isKnown = /^ssh:/i.test(scheme) ? [password] : [user, password];
  const secrets = [...isKnown, ...isKnown.map(decoded), query, query.slice(1)];
  return secrets
    .filter((secret) => secret !== '')
    .sort((one, other) => other.length - one.length)
    .reduce((text, secret) => text.replaceAll(secret, '…'), words.replaceAll(url, shown));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}

/** What something is that is not shown, as it may be a password in part. */
function kindOf(given: string): string {
  const scheme = /^[a-z][\w+.-]*:(?=\/\/|:)/i.exec(given)?.[0];
  return scheme === undefined ? 'what was given' : `the ${scheme} URL that was given`;
}

function unclear(url: string): string {
  return `${kindOf(url)} cannot be read with certainty and is not shown, as it may hold a password; write / ? # and @ in a password, and @ in a path, as %2F %3F %23 and %40, or better: leave credentials to a credential helper`;
}
