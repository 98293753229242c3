import { createReadStream } from 'node:fs';

/** A physical line, without its line end; `text` is undefined where it was too long to hold. */
export interface Line {
  readonly number: number;
  readonly text: string | undefined;
}

/** Lines longer than this are skipped; 1.2 MB (a picture) is common, a gigabyte is not a record. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;

/**
 * Streams the lines of a UTF-8 file with memory for one line. A byte order mark and carriage returns are
 * removed; every physical line is counted from 1, blank ones too.
 */
export async function* readLines(file: string, signal?: AbortSignal): AsyncGenerator<Line> {
  let pieces: Buffer[] = [];
  let size = 0;
  let number = 0;
  const take = (): Line => {
    number += 1;
    const text = size > MAX_LINE_BYTES ? undefined : Buffer.concat(pieces).toString('utf8');
    pieces = [];
    size = 0;
    return {
      number,
      text: number === 1 ? text?.replace(/^\uFEFF/, '').replace(/\r$/, '') : text?.replace(/\r$/, ''),
    };
  };
  const stream = createReadStream(file, { highWaterMark: 256 * 1024, ...(signal ? { signal } : {}) });
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    let at = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, at)) {
      keep(chunk.subarray(at, end));
      at = end + 1;
      yield take();
    }
    keep(chunk.subarray(at));
  }
  if (size > 0) yield take();

  function keep(piece: Buffer): void {
    size += piece.length;
    if (size <= MAX_LINE_BYTES) pieces.push(piece);
    else pieces = [];
  }
}
