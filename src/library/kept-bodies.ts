import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { KnackError } from '../errors.ts';
import type { Skill } from '../skill/skill.ts';

/** A file that stays open, so that it is read as it was when it was opened, whatever takes its name later. */
export interface OpenFile {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** Reads as many bytes as the target has. Throws `io` where the file has fewer. */
  read(target: Uint8Array, position: number): void;
}

/** Where the text of a body lies, in bytes, and its checksum. */
export interface BodyPlace {
  readonly file: OpenFile;
  readonly start: number;
  readonly length: number;
  readonly checksum: number;
}

const closing = new FinalizationRegistry<number>((descriptor) => closeSync(descriptor));
const places = new WeakMap<object, BodyPlace>();

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
        if (count === 0) throw changedInUse(path);
        done += count;
      }
    },
  };
  closing.register(file, descriptor);
  return file;
}

/**
 * Gives a skill its body, which is read each time that it is asked for: ten thousand of them would fill the memory. A copy
 * by `{...skill}` has the body as text. Asking throws `io` if somebody wrote into the file.
 */
export function withKeptBody(skill: Omit<Skill, 'body'>, place: BodyPlace): Skill {
  places.set(skill, place);
  return Object.defineProperty(skill, 'body', BODY) as Skill;
}

/** One for all, so that the skills have one shape. */
const BODY: PropertyDescriptor = {
  enumerable: true,
  configurable: true,
  get(this: object): string {
    const place = places.get(this);
    if (place === undefined) return '';
    const bytes = Buffer.allocUnsafe(place.length);
    place.file.read(bytes, place.start);
    if (crc32(bytes) !== place.checksum) throw changedInUse(place.file.path);
    return bytes.toString('utf8');
  },
};

function changedInUse(path: string): KnackError {
  return new KnackError('io', `${path} was changed while it was in use; delete it and start again`);
}
