import { open } from 'node:fs/promises';

/** Lines longer than this are skipped; 1.2 MB (a picture) is common, a gigabyte is not a record. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;
const CHUNK_BYTES = 256 * 1024;
/** A longer line's room is given back, a shorter one's is used for the next. */
const KEPT_BYTES = 4 * 1024 * 1024;

/**
 * Streams what `take` makes of each physical line of a UTF-8 file, with memory for one line: nothing here holds the
 * text once `take` has seen it. Lines count from 1, blank ones too; a byte order mark and carriage returns are removed.
 * The text is undefined where a line was too long to hold.
 */
export async function* readLines<T>(
  file: string,
  take: (number: number, text: string | undefined) => T,
  signal?: AbortSignal,
): AsyncGenerator<T> {
  const handle = await open(file, 'r');
  try {
    const chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);
    let held: Buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES);
    let size = 0;
    let number = 0;
    const keep = (piece: Buffer) => {
      const end = size + piece.length;
      if (end <= MAX_LINE_BYTES) {
        if (end > held.length) held = grown(held, size, end);
        piece.copy(held, size);
      }
      size = end;
    };
    const next = (piece: Buffer): T => {
      number += 1;
      if (size === 0) return take(number, textOf(piece, number));
      keep(piece);
      const text = size > MAX_LINE_BYTES ? undefined : textOf(held.subarray(0, size), number);
      if (held.length > KEPT_BYTES) held = Buffer.allocUnsafeSlow(CHUNK_BYTES);
      size = 0;
      return take(number, text);
    };
    for (;;) {
      signal?.throwIfAborted();
      const { bytesRead } = await handle.read(chunk, 0, CHUNK_BYTES, null);
      if (bytesRead === 0) break;
      const read = chunk.subarray(0, bytesRead);
      let at = 0;
      for (let end = read.indexOf(10); end >= 0; end = read.indexOf(10, at)) {
        yield next(read.subarray(at, end));
        at = end + 1;
      }
      keep(read.subarray(at));
    }
    if (size > 0) yield next(chunk.subarray(0, 0));
  } finally {
    await handle.close();
  }
}

/** Room for a line that goes on, with what there is of it. */
function grown(held: Buffer, size: number, wanted: number): Buffer {
  const room = Buffer.allocUnsafeSlow(Math.min(MAX_LINE_BYTES, Math.max(wanted, held.length * 2)));
  held.copy(room, 0, 0, size);
  return room;
}

function textOf(line: Buffer, number: number): string {
  const isMarked = number === 1 && line[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf;
  return line.toString('utf8', isMarked ? 3 : 0, line.length - (line.at(-1) === 13 ? 1 : 0));
}
