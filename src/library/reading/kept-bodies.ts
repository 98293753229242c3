import { isAscii, transcode } from 'node:buffer';
import { createHash } from 'node:crypto';
import { closeSync, fstatSync, lstatSync, openSync, readFileSync, readSync, rmSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { hasSystemCode, KnackError, type Problem } from '../../errors.ts';
import { readBody } from '../../skill/body.ts';
import type { Skill } from '../../skill/skill.ts';
import { decodeText } from '../../skill/text.ts';

/** A file that stays open, so that it is read as it was when it was opened, whatever takes its name later. */
export interface OpenFile {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** Reads as many bytes as the target has; false where the file has fewer. */
  read(target: Uint8Array, position: number): boolean;
}

/** What was kept of many skills. */
export interface KeptSource {
  readonly file: OpenFile;
  readonly numbers: Float64Array;
  /** Lists of problems as JSON, one after the other. */
  readonly problems: Buffer;
}

/** Where texts of one skill lie, in bytes: the headings as JSON, and behind them the body. */
export interface KeptTexts {
  readonly from: KeptSource;
  /** Where five numbers stand: the length of the problems, length and checksum of the headings, and of the body. */
  readonly places: number;
  /** Where the headings begin in the file. */
  readonly text: number;
  readonly problem: number;
}

export interface KeptText {
  readonly length: number;
  readonly checksum: number;
}

const closing = new FinalizationRegistry<number>((descriptor) => closeSync(descriptor));
const places = new WeakMap<object, KeptTexts>();

/** Closed when nothing holds it any more. Throws what the file system says. */
export function openFile(path: string): OpenFile {
  const descriptor = openSync(path, 'r');
  const file: OpenFile = {
    path,
    size: fstatSync(descriptor).size,
    read(target, position) {
      let done = 0;
      while (done < target.length) {
        const count = readSync(descriptor, target, done, target.length - done, position + done);
        if (count === 0) return false;
        done += count;
      }
      return true;
    },
  };
  closing.register(file, descriptor);
  return file;
}

/**
 * Gives a skill its body, headings and problems, which are read each time that they are asked for: those of ten thousand
 * would fill the memory and the time of a start. A copy by `{...skill}` has them as they are. Where the file is not as it was written,
 * they come from the skill's own file and the cache is removed, so that the next start makes it anew; asking throws `io`
 * if the skill is another one by now.
 */
export function withKeptTexts(skill: Omit<Skill, 'body' | 'headings' | 'problems'>, texts: KeptTexts): Skill {
  places.set(skill, texts);
  return Object.defineProperties(skill, TEXTS) as Skill;
}

/** One for all, so that the skills have one shape. */
const TEXTS: PropertyDescriptorMap & ThisType<Skill> = {
  body: {
    enumerable: true,
    configurable: true,
    get() {
      return bodyOf(this);
    },
  },
  headings: {
    enumerable: true,
    configurable: true,
    get() {
      const texts = places.get(this);
      return (texts && keptHeadings(texts)) ?? readBody(bodyOf(this), 1).headings;
    },
  },
  problems: {
    enumerable: true,
    configurable: true,
    get() {
      const texts = places.get(this);
      if (texts === undefined) return [];
      const { from, problem } = texts;
      return problemsIn(from.problems, problem, from.numbers[texts.places] ?? 0);
    },
  },
};

/** Made each time that they are asked for; none where they have no length. */
export function problemsIn(json: Buffer, start: number, length: number): readonly Problem[] {
  return length === 0 ? [] : JSON.parse(json.toString('utf8', start, start + length));
}

function keptHeadings({ from, places, text }: KeptTexts): readonly string[] | undefined {
  const kept = keptText(from.file, text, textAt(from, places + 1));
  return kept && JSON.parse(kept.toString('utf8'));
}

function bodyOf(skill: Skill): string {
  const texts = places.get(skill);
  if (texts === undefined) return '';
  const { from, text } = texts;
  const headings = textAt(from, texts.places + 1);
  const body = textAt(from, texts.places + 3);
  const kept = keptText(from.file, text + headings.length, body) ?? bodyOnDisk(skill, body.length);
  if (kept === undefined) throw changedInUse(from.file.path);
  // Twice as fast as `toString('utf8')` where a text holds more than ASCII.
  return isAscii(kept) ? kept.toString('latin1') : transcode(kept, 'utf8', 'utf16le').toString('utf16le');
}

function textAt({ numbers }: KeptSource, place: number): KeptText {
  return { length: numbers[place] ?? 0, checksum: numbers[place + 1] ?? 0 };
}

/** Bytes of a text that are read where the text before was: ten thousand blocks of their own are much to clear away. */
const scratch = Buffer.allocUnsafeSlow(1 << 17);

/** Good until the next text is read; undefined for what is not as it was written. */
function keptText(file: OpenFile, start: number, { length, checksum }: KeptText): Buffer | undefined {
  const bytes = length <= scratch.length ? scratch.subarray(0, length) : Buffer.allocUnsafe(length);
  if (file.read(bytes, start) && crc32(bytes) === checksum) return bytes;
  rmSync(file.path, { force: true });
  return undefined;
}

/** The body is the end of the text, if that is still the one that was read. */
function bodyOnDisk({ path, contentHash }: Skill, length: number): Buffer | undefined {
  try {
    // A pipe of that name would never end.
    if (!lstatSync(path).isFile()) return undefined;
    const bytes = readFileSync(path);
    if (createHash('sha256').update(bytes).digest('hex') !== contentHash) return undefined;
    const decoded = decodeText(bytes);
    if (decoded.kind === 'refused') return undefined;
    const text = Buffer.from(decoded.text);
    return text.subarray(text.length - length);
  } catch (error) {
    if (hasSystemCode(error, 'ENOENT', 'EACCES', 'ENOTDIR', 'ELOOP')) return undefined;
    throw error;
  }
}

function changedInUse(path: string): KnackError {
  return new KnackError('io', `${path} was changed while it was in use; delete it and start again`);
}
