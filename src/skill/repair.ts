import type { Problem } from '../errors.ts';
import { literalText, quoteValue } from './literal.ts';
import { salvageBlock } from './salvage.ts';
import { isReadable, readMapping, type YamlMapping } from './yaml-mapping.ts';

export interface Repaired {
  readonly value: YamlMapping;
  readonly lines: ReadonlyMap<string, number>;
  /** The block after the repairs, line by line where it was. */
  readonly source: string;
  readonly problems: readonly Problem[];
  /** Only name and description could be read. */
  readonly salvaged: boolean;
}

interface Entry {
  readonly key: string;
  readonly line: number;
  readonly lines: readonly string[];
}

type Note = (rule: 'tab-indent' | 'yaml-repaired', message: string) => void;

const KEY = /^([^\s#:'"[{&*!|>%@`-][^:]*?)\s*:(?:\s|$)/;
/** A known key with a colon that YAML does not take for one. */
const ODD_COLON =
  /^(name|description|license|compatibility|metadata|allowed-tools|version|author|tags)[ \t]*(?::[\u00a0\u3000]*(?=[^\s/])|\uff1a[\s\u3000]*)/i;
/** A block with more faults than this is no block that a narrow repair would mend. */
const MOST_REPAIRS = 100;

/**
 * Narrow repairs of a block that does not parse, key by key: tabs that indent become spaces, a colon gets its blank, and
 * a plain value that does not parse alone is taken as the literal text to the end of its line. What stays broken is
 * salvaged to name and description. Undefined if not even a description can be read.
 */
export function repairBlock(block: string, firstLine: number): Repaired | undefined {
  const problems: Problem[] = [];
  const mended: string[] = [];
  for (const entry of entriesOf(block)) {
    const note = (rule: string, message: string) => {
      const line = firstLine + entry.line;
      problems.push({ rule, severity: 'warning', message: `${entry.key}: ${message}`, line });
    };
    mended.push(problems.length > MOST_REPAIRS ? entry.lines.join('\n') : mendEntry(entry, note));
  }
  const source = mended.join('\n');
  const reading = readMapping(source, firstLine);
  if (reading.kind === 'refused') {
    const salvaged = salvageBlock(block, firstLine);
    return salvaged === undefined ? undefined : { ...salvaged, source: block, salvaged: true };
  }
  const { value, lines } = reading;
  return { value, lines, source, problems: [...problems, ...reading.problems], salvaged: false };
}

/** The lines of each top-level key, whatever depth the whole block is indented to. */
function entriesOf(block: string): Entry[] {
  const lines = block.split('\n');
  const indent = /^ */.exec(lines.find((line) => /^\s*[^\s#]/.test(line)) ?? '')?.[0] ?? '';
  const entries: { key: string; line: number; lines: string[] }[] = [];
  for (const [index, line] of lines.entries()) {
    const own = line.startsWith(indent) ? line.slice(indent.length) : '';
    const key = (KEY.exec(own) ?? ODD_COLON.exec(own))?.[1];
    const last = entries.at(-1);
    if (key !== undefined || last === undefined) entries.push({ key: key ?? '', line: index, lines: [line] });
    else last.lines.push(line);
  }
  return entries;
}

/** The entry in a form that parses, with as many lines, or as it is if there is none. */
function mendEntry(entry: Entry, note: Note): string {
  const original = entry.lines.join('\n');
  if (isReadable(original) || (entry.key === '' && /^\s*(?:#.*)?$/.test(original))) return original;
  const untabbed = original.replace(/^[ \t]*\t[ \t]*/gm, (blanks) => blanks.replaceAll('\t', '  '));
  if (untabbed !== original && isReadable(untabbed)) {
    note('tab-indent', 'indented with tabs, which YAML does not allow; read as spaces');
    return untabbed;
  }
  const indent = /^ */.exec(untabbed)?.[0] ?? '';
  const bare = untabbed.slice(indent.length);
  const spaced = indent + bare.replace(ODD_COLON, '$1: ');
  if (spaced !== untabbed && isReadable(spaced)) {
    note('yaml-repaired', 'the colon needs a blank after it and was read as if it had one');
    return spaced;
  }
  return mendValue(spaced, note) ?? original;
}

/** A value, or the values below it, as text. Undefined if that does not parse either. */
function mendValue(entry: string, note: Note): string | undefined {
  const [head = '', ...rest] = entry.split('\n');
  if (rest.length > 0 && rest.length <= MOST_REPAIRS) {
    const nested = [head, ...rest.map((line) => (isReadable(line.trimStart()) ? line : quoteValue(line)))];
    if (isReadable(nested.join('\n'))) {
      note('yaml-repaired', 'a value below it does not parse as YAML and was read as text; quote it');
      return nested.join('\n');
    }
  }
  // Text at the start of a line belongs to nothing: to drop it would be a guess.
  if (rest.some((line) => /^[^\s#]/.test(line))) return undefined;
  const continuation = rest.filter((line) => /^\s+\S/.test(line)).map((line) => line.trim());
  const [, key, value] = /^(\s*[^:]+?\s*:)(?:\s+(.*\S))?\s*$/.exec(head) ?? [];
  const raw = [value ?? '', ...continuation].filter((part) => part !== '').join(' ');
  const text = literalText(raw) ?? (/^\s*(?:name|description)\b/i.test(head) ? undefined : raw);
  if (key === undefined || text === undefined) return undefined;
  const literal = `${key} ${JSON.stringify(text)}`;
  const padding = rest.map((line) => (/^\s*#/.test(line) ? line : ''));
  if (!isReadable(literal)) return undefined;
  note('yaml-repaired', 'does not parse as YAML and was read as text; quote it');
  return [literal, ...padding].join('\n');
}
