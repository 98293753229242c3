import { randomBytes } from 'node:crypto';
import { HIDDEN, spelled } from '../text/invisible.ts';
import { columnsOf, cutAt, padded } from './text-width.ts';

/** The few styles of the CLI, with the SGR codes that begin and end each. */
const STYLES = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const;

export type Style = keyof typeof STYLES;

/**
 * Where a command speaks. With `--json` stdout carries nothing but JSON; everything meant for a person goes
 * to stderr then, as notes and progress always do.
 */
export interface Output {
  readonly json: boolean;
  /** Whether a person sits at both ends, so that a question may be asked. */
  readonly interactive: boolean;
  /** Characters that a line of the terminal holds; undefined where it goes elsewhere. */
  readonly columns: number | undefined;
  /** One line for a person, on stdout unless `--json`. */
  print(text?: string): void;
  /** Text as it streams, without a line end. */
  write(text: string): void;
  /** One JSON value on stdout, a line; only with `--json`. */
  emit(value: unknown): void;
  /** One JSON value on stdout, a line, with and without `--json`: for what is JSON in any case. */
  line(value: unknown): void;
  /** The command's result: the value as JSON, or what `render` makes of it for a person. */
  result<T>(value: T, render: (value: T) => string): void;
  /** A line on stderr. */
  note(text: string): void;
  /** A line on stderr that the next one overwrites; where stderr is no terminal a note if it is a milestone, else nothing. */
  progress(text: string, isMilestone?: boolean): void;
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
  const line = (value: unknown) => {
    closeProgress();
    stdout.write(`${jsonText(value)}\n`);
  };
  const emit = (value: unknown) => {
    if (json) line(value);
  };
  return {
    json,
    interactive: stdin.isTTY === true && stdout.isTTY === true && !json,
    columns: human.isTTY === true && human.columns > 0 ? human.columns : undefined,
    print,
    write(text) {
      closeProgress();
      human.write(shown(text));
    },
    emit,
    line,
    result(value, render) {
      if (json) return line(value);
      const text = render(value);
      if (text !== '') print(text);
    },
    note(text) {
      closeProgress();
      stderr.write(`${shown(text)}\n`);
    },
    progress(text, isMilestone = false) {
      if (stderr.isTTY !== true) {
        if (isMilestone) stderr.write(`${shown(text.replace(/\s+/g, ' '))}\n`);
        return;
      }
      stderr.write(`\r\x1b[K${shown(text.replace(/\s+/g, ' ')).slice(0, (stderr.columns || 80) - 1)}`);
      open = true;
    },
    style: (style, text) => (colours ? styled(style, text) : text),
  };
}

/** Colours of our own carry it, so that no text of a skill, a model or a tool can colour anything. */
const KEY = randomBytes(8).toString('hex');

/** The text between the codes of a style, for `shown`. */
export function styled(style: Style, text: string): string {
  const [begin, end] = STYLES[style];
  return `\u001b[${begin};${KEY}m${text}\u001b[${end};${KEY}m`;
}

/** What could move the cursor, change the terminal, or turn the direction of text. */
const HOSTILE =
  '[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u2028\\u2029\\u{e0000}-\\u{e007f}]|\\p{Bidi_Control}';
const TO_TERMINAL = new RegExp(`\\u001b\\[(\\d+);${KEY}m|${HOSTILE}`, 'gu');
const IN_JSON = new RegExp(HOSTILE, 'gu');

/**
 * Text of skills, transcripts, models and tools as a terminal may be given it: what would move the cursor, change the
 * terminal or turn the direction of text is written out as `<U+001B>`. Only the colours of `style` stay.
 */
export function shown(text: string): string {
  return text
    .replace(/\r\n/g, '\n')
    .replace(TO_TERMINAL, (found, colour?: string) =>
      colour === undefined ? spelled(found) : `\u001b[${colour}m`,
    );
}

/** As `shown`, also without what does not show at all: for text that a person decides about. */
export function shownWhole(text: string): string {
  // The codes of colours are ours.
  return shown(text.replace(/\r/g, spelled)).replace(HIDDEN, (found) =>
    found === '\u001b' ? found : spelled(found),
  );
}

/** JSON on one line; what `JSON.stringify` leaves and a terminal would obey is escaped too. */
function jsonText(value: unknown): string {
  return JSON.stringify(value).replace(IN_JSON, (found) =>
    [...Array(found.length).keys()]
      .map((index) => `\\u${found.charCodeAt(index).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

/** Text in one line of at most so many columns and one for the `…` that what was cut ends in. */
export function clip(text: string, columns: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const cut = cutAt(line, columns);
  return cut.length < line.length ? `${cut.trimEnd()}…` : line;
}

/** Rows as columns padded to their widest cell, two spaces between; no cell can pass for another row or column. */
export function table(cells: readonly (readonly string[])[]): string {
  const rows = cells.map((row) => row.map((cell) => cell.replace(/[\n\r\t]/g, spelled)));
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => columnsOf(row[column] ?? ''))),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) => (column === row.length - 1 ? cell : padded(cell, widths[column] ?? 0)))
        .join('  '),
    )
    .join('\n');
}
