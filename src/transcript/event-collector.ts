import type { TranscriptEvent } from './event.ts';
import type { Redactor } from './redact.ts';

/** The longest text of one event that is kept; longer ones keep head and tail. */
const TEXT_LIMIT = 200_000;
const OUTPUT_LIMIT = 32_000;
/** When a session's texts together pass this many characters, later outputs are cut to `LATE_LIMIT`. */
const SESSION_LIMIT = 48_000_000;
const LATE_LIMIT = 400;

/** What formats put events together with: redacts first, then bounds, and counts what is not known. */
export interface EventCollector {
  readonly events: TranscriptEvent[];
  readonly unknownRecords: Record<string, number>;
  /** A piece of speech, redacted and bounded. */
  speech(text: string): string;
  /** Tool output, redacted and bounded more tightly. */
  output(text: string): string;
  /** Arguments of a call: every string redacted and bounded. */
  value(value: unknown): unknown;
  unknown(kind: string): void;
}

export function createEventCollector(redactor: Redactor): EventCollector {
  let kept = 0;
  const unknownRecords = new Map<string, number>();
  const bounded = (text: string, limit: number) => {
    const cut = headAndTail(redactor.text(text), kept > SESSION_LIMIT ? Math.min(limit, LATE_LIMIT) : limit);
    kept += cut.length;
    return cut;
  };
  return {
    events: [],
    get unknownRecords() {
      return Object.fromEntries(unknownRecords);
    },
    speech: (text) => bounded(text, TEXT_LIMIT),
    output: (text) => bounded(text, OUTPUT_LIMIT),
    value: (value) => boundStrings(redactor.value(value), (text) => bounded(text, OUTPUT_LIMIT)),
    unknown: (kind) => {
      const name = unknownRecords.size < 200 || unknownRecords.has(kind) ? kind.slice(0, 80) : 'other';
      unknownRecords.set(name, (unknownRecords.get(name) ?? 0) + 1);
    },
  };
}

/** The first three quarters and the last quarter of `limit` characters, with a line that says what was left out. */
export function headAndTail(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const head = Math.floor(limit * 0.75);
  const tail = limit - head;
  return detached(
    `${text.slice(0, head)}\n[… ${text.length - head - tail} characters left out …]\n${text.slice(text.length - tail)}`,
  );
}

/** A copy of its own: a piece of a string keeps the whole of it in memory, and a long session is made of such pieces. */
function detached(piece: string): string {
  // One byte a character where that is enough: most of what a long session keeps are such pieces.
  const encoding = /^[\0-\xff]*$/.test(piece) ? 'latin1' : 'utf16le';
  return Buffer.from(piece, encoding).toString(encoding);
}

function boundStrings(value: unknown, bound: (text: string) => string): unknown {
  if (typeof value === 'string') return bound(value);
  if (Array.isArray(value)) return value.map((item) => boundStrings(item, bound));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, boundStrings(item, bound)]));
  return value;
}
