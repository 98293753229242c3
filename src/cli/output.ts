import { styleText } from 'node:util';

/** A style name of `util.styleText`, kept to the few that the CLI uses. */
export type Style = 'bold' | 'dim' | 'green' | 'red' | 'yellow' | 'cyan';

/**
 * Where a command speaks. With `--json` stdout carries nothing but JSON; everything meant for a person goes
 * to stderr then, as notes and progress always do.
 */
export interface Output {
  readonly json: boolean;
  /** Whether a person sits at both ends, so that a question may be asked. */
  readonly interactive: boolean;
  /** One line for a person, on stdout unless `--json`. */
  print(text?: string): void;
  /** Text as it streams, without a line end. */
  write(text: string): void;
  /** One JSON value on stdout, a line; only with `--json`. */
  emit(value: unknown): void;
  /** The command's result: the value as JSON, or what `render` makes of it for a person. */
  result<T>(value: T, render: (value: T) => string): void;
  /** A line on stderr. */
  note(text: string): void;
  /** A line on stderr that the next one overwrites; nothing where stderr is not a terminal. */
  progress(text: string): void;
  style(style: Style, text: string): string;
}

export function createOutput(json: boolean): Output {
  const { stdout, stderr, stdin } = process;
  const human = json ? stderr : stdout;
  const colours = human.isTTY === true && human.hasColors?.() === true;
  let open = false;
  const closeProgress = () => {
    if (open) stderr.write('\r\x1b[K');
    open = false;
  };
  const print = (text = '') => {
    closeProgress();
    human.write(`${shown(text)}\n`);
  };
  const emit = (value: unknown) => {
    closeProgress();
    if (json) stdout.write(`${JSON.stringify(value)}\n`);
  };
  return {
    json,
    interactive: stdin.isTTY === true && stdout.isTTY === true && !json,
    print,
    write: (text) => void human.write(shown(text)),
    emit,
    result(value, render) {
      if (json) return emit(value);
      const text = render(value);
      if (text !== '') print(text);
    },
    note(text) {
      closeProgress();
      stderr.write(`${shown(text)}\n`);
    },
    progress(text) {
      if (stderr.isTTY !== true) return;
      stderr.write(`\r\x1b[K${shown(text.replace(/\s+/g, ' ')).slice(0, (stderr.columns || 80) - 1)}`);
      open = true;
    },
    style: (style, text) => (colours ? styleText(style, text) : text),
  };
}

/**
 * Text of skills, transcripts, models and tools as a terminal may be given it: what would move the cursor, change the
 * terminal or turn the direction of text is written out as `<U+001B>`. The colours of `style` stay.
 */
export function shown(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(HOSTILE, (found) => {
    if (found.startsWith('\u001b[')) return found;
    return `<U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`;
  });
}

const HOSTILE =
  /\u001b\[(?:1|2|22|31|32|33|36|39)m|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]|[\u{e0000}-\u{e007f}]/gu;

/** Rows as columns padded to their widest cell, two spaces between. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
        .join('  '),
    )
    .join('\n');
}
