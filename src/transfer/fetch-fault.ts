import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { KnackError, messageOf } from '../errors.ts';
import type { Git } from '../history/git.ts';
import { type Source, sourceText, withoutCredentials, withoutSecrets } from './source.ts';

type GitSource = Source & { readonly kind: 'git' };

/** What is known of a fetch that failed. */
interface FailedFetch {
  /** The address that git really asked. */
  readonly asked: string;
  /** Why it was ended, of one that took too much. */
  readonly limit: string | undefined;
  readonly stopped: boolean;
}

/** The address that git asks for a URL, which a setting of the person's (`insteadOf`) may put in its place. */
export async function askedAddress(git: Git, url: string): Promise<string> {
  // It is asked to explain a fault, and adds none.
  return git.run('ls-remote', '--get-url', url).then(
    (told) => told.trim(),
    () => url,
  );
}

/** The error of a fetch, with what was asked and what to do; no part of a password is in it. */
export function explainFetch(error: unknown, source: GitSource, failed: FailedFetch): unknown {
  if (failed.stopped) return error;
  const { asked, limit } = failed;
  const isSame = asked === source.url;
  const shown = isSame ? source.shown : (shownAddress(asked) ?? 'another address');
  const name = `${sourceText(source)}${source.ref === undefined ? '' : `#${source.ref}`}`;
  const told = isSame ? name : `${name}, in whose place a setting of git (insteadOf) asks ${shown}`;
  if (limit !== undefined)
    return new KnackError(
      'refused',
      `${told} was not taken: ${limit}; clone it yourself and name the folder`,
    );
  if (!(error instanceof KnackError) || error.code === 'git-missing') return error;
  const words = withoutSecrets(withoutSecrets(messageOf(error), source), { ...source, url: asked, shown });
  const local = localAdvice({ ...source, shown });
  const advice = local ?? ADVICE.find(([fault]) => fault.test(words))?.[1];
  return new KnackError(
    'git-failed',
    `cannot fetch ${told}: ${advice?.replace('ADDRESS', shown).replace('HOST', hostOf(shown)) ?? words.replace(/^git \S+ failed in \S+: /, '')}`,
    // What git said may hold the password of the address.
    source.url === source.shown && (isSame || asked === shown) ? { cause: error } : {},
  );
}

/** Without credentials; undefined where it cannot be told what is one. */
function shownAddress(address: string): string | undefined {
  return address.startsWith('/') ? address : withoutCredentials(address);
}

function hostOf(shown: string): string {
  const host = /^[a-z][\w+.-]*:\/\/(?:[^/@]*@)?([^/]+)/i.exec(shown) ?? /^[^@/]+@([^:/]+):/.exec(shown);
  return host?.[1] ?? 'the host';
}

const ADVICE: readonly (readonly [RegExp, string])[] = [
  [
    /couldn't find remote ref|not our ref|unadvertised object/i,
    'no branch, tag or commit of that name is there, or it has no commit yet; git ls-remote ADDRESS lists them',
  ],
  [
    /could not read Username|Authentication failed|terminal prompts disabled|Permission denied \(publickey/i,
    'it does not exist or wants credentials: set up a credential helper or an ssh agent, nothing is asked for here',
  ],
  [/Host key verification failed/i, 'connect once with ssh yourself, so that the host is known'],
  [
    /Could not resolve host|Failed to connect|Connection (?:refused|timed out)/i,
    'see whether HOST can be reached',
  ],
  [/not found|does not exist|does not appear to be a git repository/i, 'see whether the address is right'],
  [/transport '.*' not allowed|protocol .* (?:not|disallowed)/i, 'only https, ssh and file are spoken'],
];

/** What is plain of a repository on this machine. */
function localAdvice({ shown, ref }: GitSource): string | undefined {
  if (!/^file:/i.test(shown)) return undefined;
  const path = decodedPath(shown);
  const found = path === undefined ? undefined : statSync(path, { throwIfNoEntry: false });
  if (path === undefined || found === undefined) return undefined;
  const isRepository = ['.git', 'HEAD'].some((name) => existsSync(join(path, name)));
  if (found.isDirectory() && !isRepository)
    return `it is a folder and no repository; give it as ${path}, without file://`;
  if (!found.isDirectory()) return 'it is a file and no repository';
  return ref === undefined && !hasCommits(path) ? 'it has no commit yet' : undefined;
}

function decodedPath(url: string): string | undefined {
  try {
    return fileURLToPath(url);
  } catch (error) {
    // Another host, or an encoded slash.
    if (error instanceof TypeError || error instanceof URIError) return undefined;
    throw error;
  }
}

/** Whether a branch of it points anywhere; packed or loose. */
function hasCommits(path: string): boolean {
  const dir = existsSync(join(path, '.git')) ? join(path, '.git') : path;
  if (!statSync(dir).isDirectory() || existsSync(join(dir, 'packed-refs'))) return true;
  const heads = join(dir, 'refs/heads');
  const isFolder = statSync(heads, { throwIfNoEntry: false })?.isDirectory();
  // A repository that keeps them otherwise has a file there.
  return isFolder === undefined ? false : !isFolder || readdirSync(heads).length > 0;
}
