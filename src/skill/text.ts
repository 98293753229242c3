import type { Problem } from '../errors.ts';
import { refusal } from './refusal.ts';

export type Decoded =
  | { readonly kind: 'text'; readonly text: string; readonly problems: readonly Problem[] }
  | { readonly kind: 'refused'; readonly problem: Problem };

const LINE_FEED = 0x0a;
const BYTE_ORDER_MARK = '\uFEFF';

/** Strict UTF-8 to text with LF line ends and no byte-order mark; what was changed is a diagnostic. */
export function decodeText(bytes: Uint8Array): Decoded {
  const raw = decodeStrictly(bytes);
  if (raw === undefined) {
    const isWide = /^(?:fffe|feff)/.test(Buffer.from(bytes.subarray(0, 2)).toString('hex'));
    return refuse('not-utf8', `the file is ${isWide ? 'UTF-16, not' : 'not'} UTF-8`, firstBadLine(bytes));
  }
  const zero = raw.indexOf('\0');
  if (zero >= 0) return refuse('not-text', 'the file holds a NUL byte, so it is not text', lineAt(raw, zero));
  const problems: Problem[] = [];
  const note = (rule: string, message: string) => problems.push({ rule, severity: 'info', message, line: 1 });
  const hasMark = raw.startsWith(BYTE_ORDER_MARK);
  const changes = [hasMark ? 'a byte-order mark' : '', raw.includes('\r') ? 'line ends other than LF' : ''];
  const ignored = changes.filter((change) => change !== '').join(' and ');
  if (ignored !== '') note('encoding-normalised', `${ignored} ignored`);
  if (hasMark) note('byte-order-mark', 'the file begins with a byte-order mark');
  const text = (hasMark ? raw.slice(1) : raw).replace(/\r\n?/g, '\n');
  return { kind: 'text', text, problems };
}

/** The text as it is on disk, byte-order mark and line ends too; undefined if it is not UTF-8. */
export function decodeStrictly(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** No character of UTF-8 holds a line feed as one of several bytes, so each line stands for itself. */
function firstBadLine(bytes: Uint8Array): number {
  let line = 1;
  for (let start = 0; start < bytes.length; line += 1) {
    const end = bytes.indexOf(LINE_FEED, start);
    const stop = end < 0 ? bytes.length : end;
    if (decodeStrictly(bytes.subarray(start, stop)) === undefined) return line;
    start = stop + 1;
  }
  return 1;
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split(/\r\n?|\n/).length;
}

function refuse(rule: 'not-utf8' | 'not-text', what: string, line: number): Decoded {
  return { kind: 'refused', problem: refusal(rule, what, line) };
}
