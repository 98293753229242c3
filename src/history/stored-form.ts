import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { KnackError, messageOf } from '../errors.ts';
import type { Folder } from '../files/folder.ts';
import type { Git } from './git.ts';
import type { Entries, Entry } from './tree.ts';

/** What a change of a skill is to be in git. */
export interface StoredForm {
  readonly entries: Entries;
  /** The files whose bytes git has to be given, as they are. */
  readonly raw: readonly string[];
  /** Whether git has all of them byte by byte. */
  readonly isAsIs: boolean;
  /** Files that git would keep otherwise than they are, with the attribute that says so. */
  readonly altered: readonly string[];
  /** Files that git keeps with other line ends than they have, with the attribute that says so. */
  readonly unified: readonly string[];
}

/** The id of a file that git keeps as it is, in the form of ids that the repository has. */
export function rawIdOf(bytes: Uint8Array, length: number): string {
  return createHash(length === 64 ? 'sha256' : 'sha1')
    .update(`blob ${bytes.length}\0`)
    .update(bytes)
    .digest('hex');
}

/**
 * In which form git is to keep the files of `target`: those that do not change as it has them; those of an earlier
 * commit (`restored`) as that has them; the others as they are, but for line ends that an attribute has git unify. What
 * other attributes would make of a file is nothing that knack can answer for: such files are `altered`.
 */
export async function storedForm(
  git: Git,
  {
    skill,
    base,
    target,
    tracked,
    restored,
  }: {
    readonly skill: string;
    readonly base: Folder | undefined;
    readonly target: Folder | undefined;
    readonly tracked: Entries;
    readonly restored?: Entries | undefined;
  },
): Promise<StoredForm> {
  const entries = new Map<string, Entry>();
  const fresh: string[] = [];
  for (const [path, file] of target ?? []) {
    const mode = file.executable ? '100755' : '100644';
    const [known, was, old] = [tracked.get(path), base?.get(path), restored?.get(path)];
    if (old !== undefined) entries.set(path, old);
    else if (known !== undefined && was !== undefined && Buffer.compare(was.bytes, file.bytes) === 0)
      entries.set(path, { mode, id: known.id });
    else fresh.push(path);
  }
  const raw: string[] = [];
  const [altered, unified]: [string[], string[]] = [[], []];
  const attributes = await attributesOf(
    git,
    fresh.map((path) => `${skill}/${path}`),
  );
  const length = await idLength(git, tracked, fresh.length > 0);
  for (const path of fresh) {
    const { bytes = new Uint8Array(), executable = false } = target?.get(path) ?? {};
    const mode = executable ? '100755' : '100644';
    const id = rawIdOf(bytes, length);
    const attribute = attributes.get(`${skill}/${path}`);
    const [known, was] = [tracked.get(path), base?.get(path)];
    // What is kept as it is, in spite of them, goes on so: git itself does that with line ends.
    const isKeptRaw = known !== undefined && was !== undefined && rawIdOf(was.bytes, length) === known.id;
    if (attribute !== undefined && !isKeptRaw && !isLeftAlone(bytes, attribute)) {
      const clean = await cleanId(git, `${skill}/${path}`, bytes);
      if (clean !== id && clean === rawIdOf(withUnixEnds(bytes), length)) {
        entries.set(path, { mode, id: clean });
        unified.push(`${skill}/${path} (${attribute})`);
        continue;
      }
      if (clean !== id) altered.push(`${skill}/${path} (${attribute})`);
    }
    entries.set(path, { mode, id });
    raw.push(path);
  }
  const isAsIs = [...(target ?? [])].every(
    ([path, { bytes }]) => entries.get(path)?.id === rawIdOf(bytes, length),
  );
  return { entries: sortedEntries(entries), raw, isAsIs, altered, unified };
}

/** Gives git the bytes of these files in `dir`, as they are. Throws `git-failed` where they are not those of `entries`. */
export async function storeRaw(
  git: Git,
  dir: string,
  { entries, raw }: Pick<StoredForm, 'entries' | 'raw'>,
): Promise<void> {
  for (let at = 0; at < raw.length; at += MOST_AT_ONCE) {
    const part = raw.slice(at, at + MOST_AT_ONCE);
    const told = await git.run(
      ...['hash-object', '-w', '--no-filters', '--', ...part.map((path) => join(dir, path))],
    );
    const ids = told.trim().split('\n');
    const strange = part.find((path, index) => entries.get(path)?.id !== ids[index]);
    if (strange !== undefined)
      throw new KnackError('git-failed', `${join(dir, strange)} is not what was written there`);
  }
}

/** The ids under which git would keep these files as they stand, by what their attributes say. */
export async function cleanIds(git: Git, paths: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (let at = 0; at < paths.length; at += MOST_AT_ONCE) {
    const told = await git.run('hash-object', '--', ...paths.slice(at, at + MOST_AT_ONCE));
    ids.push(...told.trim().split('\n'));
  }
  return ids;
}

/** The bytes that a checkout of a file writes, where attributes have git turn them into something else. */
export async function checkedOut(
  git: Git,
  commit: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  for (const path of (await attributesOf(git, paths)).keys())
    files.set(path, await git.feed(new Uint8Array(), 'cat-file', '--filters', `${commit}:./${path}`));
  return files;
}

const MOST_AT_ONCE = 500;
/** Those by which git keeps a file otherwise than it stands, or writes it otherwise than it is kept. */
const ATTRIBUTES = ['filter', 'working-tree-encoding', 'ident', 'text', 'crlf', 'eol'];

/** Of the files that such attributes are in force for: the first of them, as `filter=lfs`. */
async function attributesOf(git: Git, paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  if (paths.length === 0) return found;
  const command = ['check-attr', '-z', '--stdin', ...ATTRIBUTES];
  const words = Buffer.from(await git.feed(Buffer.from(paths.join('\0')), ...command))
    .toString()
    .split('\0');
  for (let at = 0; at + 2 < words.length; at += 3) {
    const [path = '', attribute = '', value = ''] = words.slice(at, at + 3);
    if (!['unspecified', 'unset', ''].includes(value) && !found.has(path))
      found.set(path, value === 'set' ? attribute : `${attribute}=${value}`);
  }
  return found;
}

/** Whether such an attribute says of line ends alone, and there are none that it could unify. */
function isLeftAlone(bytes: Uint8Array, attribute: string): boolean {
  return /^(text|crlf|eol)\b/.test(attribute) && !Buffer.from(bytes).includes('\r\n');
}

function withUnixEnds(bytes: Uint8Array): Uint8Array {
  return Buffer.from(Buffer.from(bytes).toString('latin1').replaceAll('\r\n', '\n'), 'latin1');
}

/** The id under which git would keep these bytes, which it takes up; undefined where it cannot. */
async function cleanId(git: Git, path: string, bytes: Uint8Array): Promise<string | undefined> {
  try {
    const told = await git.feed(bytes, 'hash-object', '-w', '--stdin', `--path=${path}`);
    return Buffer.from(told).toString().trim();
  } catch (error) {
    if (isFilterFault(error)) return undefined;
    throw error;
  }
}

/** Whether git failed at what an attribute has it do, as where the program of a filter is missing. */
export function isFilterFault(error: unknown): boolean {
  return /filter|failed to encode|BOM/i.test(messageOf(error));
}

/** What a repository was made with, and keeps. */
const idLengths = new WeakMap<Git, Promise<number>>();

async function idLength(git: Git, tracked: Entries, isWanted: boolean): Promise<number> {
  const [known] = tracked.values();
  if (known !== undefined || !isWanted) return known?.id.length ?? 40;
  const found =
    idLengths.get(git) ?? git.run('hash-object', '-t', 'blob', '/dev/null').then((id) => id.trim().length);
  idLengths.set(git, found);
  found.catch(() => idLengths.delete(git));
  return found;
}

function sortedEntries(entries: ReadonlyMap<string, Entry>): Entries {
  return new Map([...entries].sort(([left], [right]) => (left < right ? -1 : 1)));
}
