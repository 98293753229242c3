import { existsSync, readdirSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { hasSystemCode, KnackError, messageOf } from '../errors.ts';
import { withLock } from '../history/lock.ts';

/** Where an import is prepared, and where the one that it replaces lies until it is in its place. */
export function placesAside(imports: string, id: string): { readonly next: string; readonly old: string } {
  return { next: join(imports, `${NEXT}${id}`), old: join(imports, `${OLD}${id}`) };
}

const NEXT = '.next-';
const OLD = '.old-';

/** Runs `action` while no other process writes an import; what a crash left of one is mended before. */
export function aloneInImports<T>(
  imports: string,
  action: () => Promise<T>,
  log: (line: string) => void = () => undefined,
): Promise<T> {
  return withLock(join(imports, '.writer'), async () => {
    await mend(imports, log);
    return action();
  });
}

/**
 * Puts back the imports that a process took aside and was killed before it had replaced them. Waits for one that lives.
 * Never throws: where nothing can be written `log` is told, and what is there can still be read.
 */
export async function mendImports(imports: string, log: (line: string) => void): Promise<void> {
  try {
    // What was only prepared costs nobody a skill, and may be that of a process at work.
    if (!namesIn(imports).some((name) => name.startsWith(OLD))) return;
    await aloneInImports(imports, () => Promise.resolve(), log);
  } catch (error) {
    if (!(error instanceof KnackError)) throw error;
    log(`an interrupted update in ${imports} cannot be mended now: ${error.message}`);
  }
}

/** Only under the lock: outside it a process at work looks as if it had been killed. */
async function mend(imports: string, log: (line: string) => void): Promise<void> {
  try {
    for (const name of namesIn(imports)) {
      if (!name.startsWith(OLD)) continue;
      const id = name.slice(OLD.length);
      // The old one is whole for certain; the next update brings the new one.
      if (!existsSync(join(imports, id))) {
        await rename(join(imports, name), join(imports, id));
        log(`${join(imports, id)}: an interrupted update was undone`);
      } else await rm(join(imports, name), { recursive: true, force: true });
    }
    for (const name of namesIn(imports))
      if (name.startsWith(NEXT)) await rm(join(imports, name), { recursive: true, force: true });
  } catch (error) {
    if (error instanceof KnackError) throw error;
    throw new KnackError('io', `cannot write in ${imports}: ${messageOf(error)}`, { cause: error });
  }
}

function namesIn(imports: string): string[] {
  try {
    return readdirSync(imports);
  } catch (error) {
    if (hasSystemCode(error, 'ENOENT', 'ENOTDIR')) return [];
    throw new KnackError('io', `cannot read ${imports}: ${messageOf(error)}`, { cause: error });
  }
}
