import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import { hasSystemCode, messageOf } from '../../errors.ts';
import { withSlashes } from '../../files/folder.ts';
import { rootNameOf } from '../../known-roots.ts';
import { isSkillFile } from '../../skill/name.ts';
import { escapedName } from '../reading/folder-entries.ts';
import { settingsRoot } from './place-roots.ts';
import type { ProjectPlace } from './project-places.ts';
import { type ProjectServer, readProjectSettings } from './project-settings.ts';

/** A folder of skills that a place brings. */
export interface ProjectRoot {
  /** Of its agent or folder: `claude`. */
  readonly name: string;
  /** Absolute, without links. */
  readonly dir: string;
  /** The known home that it is: `.claude/skills`. */
  readonly home?: string;
}

/** Everything that a place would bring into force, read in one go. */
export interface ProjectContent {
  readonly roots: readonly ProjectRoot[];
  readonly servers: readonly ProjectServer[];
  /** Each file and link by its path relative to the place, with `/`, sorted, and what it holds: a hash, with its mode. */
  readonly files: ReadonlyMap<string, string>;
  /** Each `SKILL.md` by the absolute path that it was reached by, as it was when it was hashed. */
  readonly skillFiles: ReadonlyMap<string, Uint8Array>;
  /** By the names of `files`, those that are text and no longer than was asked for. */
  readonly texts: ReadonlyMap<string, string>;
  /** Why it cannot be trusted as it is; each names the thing and what to do. */
  readonly faults: readonly string[];
  /** What is passed over without harm. */
  readonly notes: readonly string[];
}

export interface ContentLimits {
  /** Files, folders and links together. @default 5000 */
  readonly entries: number;
  /** @default 64 MiB */
  readonly bytes: number;
  /** A file of more bytes has no place in `texts`. @default 0: none has */
  readonly textBytes: number;
}

const LIMITS: ContentLimits = { entries: 5000, bytes: 64 * 1024 * 1024, textBytes: 0 };
/** Of all `texts` together, in bytes. */
const MOST_TEXT = 8 * 1024 * 1024;

/** Behind the name of a link: what its file holds. A NUL, which no file name has, so that no file takes its place. */
const LINKED = '\0→';

/** Ends the reading of a place that is larger than anybody would look through. */
class TooMuch extends Error {}

/**
 * Reads what a place holds, as hostile as it may be: follows no link out of the checkout, opens nothing but regular files
 * and stops at the limits. Never throws for what it finds there.
 */
export function readProjectContent(place: ProjectPlace, limits: Partial<ContentLimits> = {}): ProjectContent {
  const { entries: mostEntries, bytes: mostBytes, textBytes } = { ...LIMITS, ...limits };
  const { dir: placeDir, checkout } = place;
  const roots = new Map<string, ProjectRoot>();
  const servers: ProjectServer[] = [];
  const files = new Map<string, string>();
  const skillFiles = new Map<string, Uint8Array>();
  const texts = new Map<string, string>();
  let textLeft = textBytes === 0 ? 0 : MOST_TEXT;
  const faults: string[] = [];
  const notes: string[] = [];
  const folders = new Set<string>();
  let entries = 0;
  let bytes = 0;
  const nameOf = (path: string) => withSlashes(relative(placeDir, path));
  const isInside = (path: string) =>
    path === checkout || path.startsWith(checkout.endsWith(sep) ? checkout : checkout + sep);

  /** What git keeps for itself changes all the time and is not looked through. */
  const isOfGit = (real: string) =>
    real === join(checkout, '.git') || real.startsWith(join(checkout, '.git') + sep);

  /** Hashes a file under the name of the path that it was reached by, and answers with the very bytes that it hashed. */
  function takeFile(path: string, real: string, name: string): Uint8Array {
    const { size, mode } = statSync(real);
    bytes += size;
    if (bytes > mostBytes) throw new TooMuch(`more than ${mostBytes} bytes`);
    const content = new Uint8Array(readFileSync(real));
    files.set(name, hashOf(content, (mode & 0o111) !== 0));
    const text = content.length > Math.min(textBytes, textLeft) ? undefined : textOf(content);
    if (text !== undefined && textBytes > 0) {
      texts.set(name, text);
      textLeft -= content.length;
    }
    if (isSkillFile(basename(path))) skillFiles.set(path, content);
    return content;
  }

  /** The bytes of a regular file, also of one that a link within the checkout leads to. */
  function take(path: string): Uint8Array | undefined {
    entries += 1;
    if (entries > mostEntries) throw new TooMuch(`more than ${mostEntries} files`);
    const found = lstatSync(path);
    if (found.isSymbolicLink()) return takeLink(path);
    if (found.isDirectory()) return takeFolder(path, realpathSync(path));
    if (found.isFile()) return takeFile(path, path, nameOf(path));
    files.set(nameOf(path), 'neither a file nor a folder');
    return undefined;
  }

  function takeFolder(path: string, real: string): undefined {
    // What git keeps for itself at the top of the checkout changes all the time.
    if (folders.has(real) || real === join(checkout, '.git')) return;
    folders.add(real);
    for (const bytes of readdirSync(path, { encoding: 'buffer' }).sort(Buffer.compare)) {
      const unnamed = escapedName(bytes);
      if (unnamed === undefined) take(join(path, bytes.toString()));
      else
        faults.push(
          `${nameOf(join(path, unnamed))} has a name that is not UTF-8 (\\xNN is a byte); rename it`,
        );
    }
  }

  function takeLink(path: string): Uint8Array | undefined {
    const real = realPathOf(path);
    const name = nameOf(path);
    if (real === undefined) return void files.set(name, 'a link that leads nowhere');
    files.set(name, `a link to ${isInside(real) ? nameOf(real) : real}`);
    if (!isInside(real))
      return void faults.push(
        `${name} is a link that leads out of ${checkout}; copy what it leads to, or remove it`,
      );
    if (isOfGit(real)) return void faults.push(`${name} is a link into .git, which nobody sees; remove it`);
    const found = statSync(real);
    if (found.isDirectory()) return takeFolder(path, real);
    return found.isFile() ? takeFile(path, real, `${name}${LINKED}`) : undefined;
  }

  /** A home that is a link out of the checkout is none of its own: it is left alone rather than looked through. */
  function takeRoot(path: string, home?: string): void {
    const real = realPathOf(path);
    const shown = home ?? nameOf(path);
    if (real === undefined || !statSync(real).isDirectory())
      return void notes.push(`${shown} is no folder and not used`);
    if (!isInside(real))
      return void notes.push(
        `${shown} leads out of the checkout and is not used; to use what it leads to, add that to "roots" of your own knack.json`,
      );
    if (isOfGit(real))
      return void faults.push(`${shown} lies in .git, where nobody looks; skills cannot come from there`);
    if (!roots.has(real))
      roots.set(real, { name: rootNameOf(home ?? real), dir: real, ...(home === undefined ? {} : { home }) });
    take(path);
  }

  function takeSettings(file: ProjectPlace['settings'][number]): void {
    const before = faults.length;
    const content = take(join(placeDir, file));
    if (content === undefined) {
      if (faults.length === before) faults.push(`${file} is no file`);
      return;
    }
    const settings = readProjectSettings(file, content);
    faults.push(...settings.faults);
    servers.push(...settings.servers);
    for (const root of settings.roots) takeSettingsRoot(file, root);
  }

  function takeSettingsRoot(file: string, root: string): void {
    const path = settingsRoot(place, root);
    if (path === undefined)
      return void faults.push(
        `${file}: the root ${JSON.stringify(root.slice(0, 200))} is no path within the checkout; what lies elsewhere is yours to add, in knack.json of the workspace`,
      );
    takeRoot(path);
  }

  try {
    for (const file of place.settings) takeSettings(file);
    for (const home of place.homes) takeRoot(join(placeDir, home), home);
  } catch (error) {
    if (error instanceof TooMuch)
      faults.push(
        `what ${placeDir} holds for agents comes to ${error.message}, too much to be trusted as a whole; copy the skills that you want to a folder of yours and add that to "roots" in knack.json`,
      );
    else if (hasSystemCode(error, 'ENOENT', 'EACCES', 'EPERM', 'ELOOP', 'ENOTDIR', 'EIO', 'ENAMETOOLONG'))
      faults.push(`what ${placeDir} holds cannot be read as a whole: ${messageOf(error)}`);
    else throw error;
  }
  const sorted = [...files].sort(([left], [right]) => (left < right ? -1 : 1));
  return { roots: [...roots.values()], servers, files: new Map(sorted), texts, skillFiles, faults, notes };
}

/** Undefined for what is no UTF-8 or has a NUL. */
function textOf(content: Uint8Array): string | undefined {
  if (content.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

function hashOf(content: Uint8Array, executable: boolean): string {
  return `${executable ? 'x' : '-'} ${createHash('sha256').update(content).digest('hex')}`;
}

/** Undefined for a link that leads nowhere. */
function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch (error) {
    if (hasSystemCode(error, 'ENOENT', 'ELOOP', 'EACCES', 'ENOTDIR')) return undefined;
    throw error;
  }
}
