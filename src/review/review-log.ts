import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasSystemCode, KnackError, messageOf } from '../errors.ts';
import { readOwnFile } from '../files/own-file.ts';
import type { GateResult } from '../gate/check.ts';
import type { Redactor } from '../transcript/redact.ts';

/** The folder of one review in `logs/reviews`: what it saw, drafted and decided. */
export interface ReviewLog {
  readonly dir: string;
  /** Redacted, readable by the owner alone. Throws `io`. */
  text(name: string, text: string): Promise<void>;
  json(name: string, value: unknown): Promise<void>;
}

/** The folder is made with the first file. */
export function createReviewLog(dir: string, redactor: Pick<Redactor, 'text' | 'value'>): ReviewLog {
  async function write(name: string, text: string): Promise<void> {
    try {
      await mkdir(dir, { recursive: true, mode: 0o700 });
      await writeFile(join(dir, name), text, { mode: 0o600 });
    } catch (error) {
      throw new KnackError('io', `cannot write ${join(dir, name)}: ${messageOf(error)}`, { cause: error });
    }
  }
  return {
    dir,
    text: (name, text) => write(name, redactor.text(text)),
    json: (name, value) => write(name, `${JSON.stringify(redactor.value(value), undefined, 2)}\n`),
  };
}

/** What the gate said last in a review; undefined where its folder was removed. Throws `io`. */
export async function lastGate(dir: string): Promise<GateResult | undefined> {
  const last = await lastFile(dir, /^gate-[\d-]+\.json$/);
  if (last === undefined) return undefined;
  try {
    return JSON.parse(await readOwnFile(join(dir, last))) as GateResult;
  } catch (error) {
    if (hasSystemCode(error, 'ENOENT') || error instanceof SyntaxError) return undefined;
    throw new KnackError('io', `cannot read ${join(dir, last)}: ${messageOf(error)}`, { cause: error });
  }
}

/** The last of the files of such a name in a review's folder, by their numbers; undefined if there is none. Throws `io`. */
export async function lastFile(dir: string, named: RegExp): Promise<string | undefined> {
  try {
    const names = (await readdir(dir)).filter((name) => named.test(name));
    return names.sort((left, right) => left.localeCompare(right, 'en', { numeric: true })).at(-1);
  } catch (error) {
    if (hasSystemCode(error, 'ENOENT')) return undefined;
    throw new KnackError('io', `cannot read ${dir}: ${messageOf(error)}`, { cause: error });
  }
}
