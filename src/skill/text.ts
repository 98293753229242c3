import type { Problem } from '../errors.ts';

export type Decoded =
  | { readonly kind: 'text'; readonly text: string; readonly problems: readonly Problem[] }
  | { readonly kind: 'refused'; readonly problem: Problem };

/** Strict UTF-8 to text with LF line ends and no byte-order mark; what was changed is a diagnostic. */
export function decodeText(bytes: Uint8Array): Decoded {
  let raw: string;
  try {
    raw = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return {
      kind: 'refused',
      problem: { rule: 'not-utf8', severity: 'error', message: 'the file is not UTF-8; save it as UTF-8' },
    };
  }
  const zero = raw.indexOf('\0');
  if (zero >= 0) {
    const line = raw.slice(0, zero).split('\n').length;
    return {
      kind: 'refused',
      problem: {
        rule: 'not-text',
        severity: 'error',
        message: 'the file holds a NUL byte, so it is not text',
        line,
      },
    };
  }
  const changes = [
    raw.startsWith('\uFEFF') ? 'a byte-order mark' : '',
    raw.includes('\r') ? 'line ends other than LF' : '',
  ].filter((change) => change !== '');
  const text = raw.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  const problems: Problem[] =
    changes.length === 0
      ? []
      : [
          {
            rule: 'encoding-normalised',
            severity: 'info',
            message: `${changes.join(' and ')} ignored`,
            line: 1,
          },
        ];
  return { kind: 'text', text, problems };
}
