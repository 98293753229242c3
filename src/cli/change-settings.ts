import { existsSync } from 'node:fs';
import { realpath, rename, rm, writeFile } from 'node:fs/promises';
import { KnackError, messageOf } from '../errors.ts';
import { readOwnFile } from '../files/own-file.ts';

/** What a command may write into a `knack.json`; all else in it stays as it is. */
export interface SettingsChange {
  /** Added at the end of those that are there. */
  readonly roots?: readonly string[];
  readonly inRepository?: true;
}

interface Settings {
  readonly roots?: readonly string[];
  readonly history?: object;
}

/** Changes a `knack.json`, made where there is none. The file has been read as settings before. Throws `io`. */
export async function changeSettings(
  file: string,
  { roots = [], inRepository }: SettingsChange,
): Promise<void> {
  try {
    const isThere = existsSync(file);
    const given = isThere ? (JSON.parse((await readOwnFile(file)).replace(/^\uFEFF/, '')) as Settings) : {};
    const settings: Settings = {
      ...given,
      ...(roots.length === 0 ? {} : { roots: [...(given.roots ?? []), ...roots] }),
      ...(inRepository === undefined ? {} : { history: { ...given.history, inRepository } }),
    };
    // A file that is kept elsewhere, as among dotfiles, is changed there.
    const target = isThere ? await realpath(file) : file;
    const fresh = `${target}.${process.pid}`;
    try {
      await writeFile(fresh, `${JSON.stringify(settings, undefined, 2)}\n`, { flag: 'wx' });
      await rename(fresh, target);
    } finally {
      await rm(fresh, { force: true });
    }
  } catch (error) {
    throw new KnackError('io', `cannot change ${file}: ${messageOf(error)}`, { cause: error });
  }
}
