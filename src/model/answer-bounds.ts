import { RequestFault } from './request-fault.ts';

/** Characters of an answer for which no limit was asked: several times what any model writes at once. */
const MOST_CHARACTERS = 2 * 1024 * 1024;
/** Characters that a token stands for at most, over a whole answer. */
const PER_TOKEN = 16;
/** Room for thoughts that a server does not count to the limit. */
const SLACK = 128 * 1024;
/** Bytes of one event of a stream, and of an answer that comes at once. */
const MOST_AT_ONCE = 16 * 1024 * 1024;
/** Bytes of a whole stream: a server may wrap every token in some hundred bytes. */
const MOST_SENT = 256 * 1024 * 1024;

/** Characters (UTF-16) that the texts of an answer may have together before it counts as cut. */
export function mostCharacters(maxTokens: number | undefined): number {
  return maxTokens === undefined ? MOST_CHARACTERS : Math.min(MOST_CHARACTERS, maxTokens * PER_TOKEN + SLACK);
}

/** The body of an answer that comes at once, as text. Throws `RequestFault` where it is longer than any answer. */
export async function bodyAtOnce(body: ReadableStream<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body as unknown as AsyncIterable<Uint8Array>) {
    bytes += piece.length;
    if (bytes > MOST_AT_ONCE) throw tooLong(MOST_AT_ONCE, 'its answer');
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}

/**
 * A stream of events, passed on whole, since the client takes quadratic time for one in pieces. Fails with a
 * `RequestFault` where an event, or all together, are longer than any answer.
 */
export function boundedEvents(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  let sent = 0;
  let event = 0;
  let breaks = 0;
  let afterReturn = false;
  let held: Uint8Array[] = [];
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        sent += piece.length;
        let isWhole = false;
        for (const byte of piece) {
          event += 1;
          const isSecondHalf = byte === 10 && afterReturn;
          afterReturn = byte === 13;
          if (isSecondHalf) continue;
          breaks = byte === 10 || byte === 13 ? breaks + 1 : 0;
          // An empty line ends an event.
          if (breaks > 1) {
            event = 0;
            isWhole = true;
          }
        }
        if (event > MOST_AT_ONCE) throw tooLong(MOST_AT_ONCE, 'one piece of its answer');
        if (sent > MOST_SENT) throw tooLong(MOST_SENT, 'its answer');
        held.push(piece);
        if (!isWhole) return;
        controller.enqueue(Buffer.concat(held));
        held = [];
      },
      flush(controller) {
        controller.enqueue(Buffer.concat(held));
      },
    }),
  );
}

function tooLong(most: number, what: string): RequestFault {
  return new RequestFault(
    `${what} has more than ${most / 1024 / 1024} MiB, which no answer needs; it was not read on`,
    { passing: false },
  );
}
