import { type FileHandle, open } from 'node:fs/promises';
import { hasSystemCode, KnackError, messageOf } from '../../errors.ts';
import { checkOwnFile, readOwnFile } from '../../files/own-file.ts';
import { isTrial, type SkillTrial } from './trials.ts';
import type { SkillUse } from './usage.ts';

/** What a usage log holds. */
export interface RecordedUses {
  readonly text: string;
  /** Oldest first; lines that are torn or foreign are passed over. */
  readonly uses: SkillUse[];
  readonly trials: SkillTrial[];
  /** The last line has no end: a crash cut it short. */
  readonly isTorn: boolean;
}

/** A line of the log. */
export type UsageRecord = SkillUse | SkillTrial;

/** What becomes of a line: it stays, it goes, or it stays with less in it. */
export type Change = (record: UsageRecord) => UsageRecord | undefined;

const LINE_END = 0x0a;
const BLANK = 0x20;

/** Reads a usage log; one that is missing holds nothing. Throws `io`. */
export async function readUses(file: string): Promise<RecordedUses> {
  const text = await textOf(file);
  const uses: SkillUse[] = [];
  const trials: SkillTrial[] = [];
  for (const line of text.split('\n')) {
    const record = parseRecord(line);
    if (record === undefined) continue;
    if (isTrial(record)) trials.push(record);
    else uses.push(record);
  }
  return { text, uses, trials, isTorn: text !== '' && !text.endsWith('\n') };
}

/**
 * Changes uses in their place in the file: what goes is written over with blanks, so that no line moves. Another process
 * may append meanwhile, which only ever adds to the end, and nothing that it adds is lost. A line that cannot be read goes
 * if `isAbout` says so of its text. A crash leaves some changed and the rest as they were. Throws `io`.
 */
export async function changeUses(
  file: string,
  change: Change,
  isAbout: (line: string) => boolean,
): Promise<void> {
  let handle: FileHandle;
  try {
    handle = await open(file, 'r+');
  } catch (error) {
    if (hasSystemCode(error, 'ENOENT')) return;
    throw new KnackError('io', `cannot forget what is in ${file}: ${messageOf(error)}`, { cause: error });
  }
  try {
    checkOwnFile(file, await handle.stat());
    const bytes = await handle.readFile();
    for (let start = 0; start < bytes.length; ) {
      const found = bytes.indexOf(LINE_END, start);
      const end = found < 0 ? bytes.length : found;
      const fresh = changedLine(bytes.toString('utf8', start, end), change, isAbout);
      if (fresh !== undefined) await handle.write(padded(fresh, end - start), 0, end - start, start);
      start = end + 1;
    }
    await handle.sync();
  } catch (error) {
    throw new KnackError('io', `cannot forget what is in ${file}: ${messageOf(error)}`, { cause: error });
  } finally {
    await handle.close();
  }
}

/** What stands in place of a line; undefined where it stays. */
function changedLine(line: string, change: Change, isAbout: (line: string) => boolean): string | undefined {
  const record = parseRecord(line);
  if (record === undefined) return line.trim() !== '' && isAbout(line) ? '' : undefined;
  const after = change(record);
  return after === record ? undefined : after === undefined ? '' : JSON.stringify(after);
}

/** A line of this many bytes. One that needs more, as of a file that another program wrote, goes as a whole. */
function padded(line: string, length: number): Buffer {
  const place = Buffer.alloc(length, BLANK);
  if (Buffer.byteLength(line) <= length) place.write(line);
  return place;
}

async function textOf(file: string): Promise<string> {
  try {
    return await readOwnFile(file);
  } catch (error) {
    if (hasSystemCode(error, 'ENOENT')) return '';
    throw new KnackError('io', `cannot read ${file}: ${messageOf(error)}`, { cause: error });
  }
}

function parseRecord(line: string): UsageRecord | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isTrial(value) || isUse(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isUse(value: unknown): value is SkillUse {
  return (
    typeof value === 'object' &&
    value !== null &&
    ['skill', 'session', 'query', 'at'].every(
      (key) => typeof (value as Record<string, unknown>)[key] === 'string',
    )
  );
}
