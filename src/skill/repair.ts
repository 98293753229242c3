import type { Problem } from '../errors.ts';
import { readMapping, type YamlMapping } from './yaml-mapping.ts';

export interface Repaired {
  readonly value: YamlMapping;
  readonly problems: readonly Problem[];
  /** Only name and description could be read. */
  readonly salvaged: boolean;
}

interface Entry {
  readonly key: string;
  readonly line: number;
  readonly lines: readonly string[];
}

/**
 * Narrow repairs of a block that does not parse, key by key: tabs that indent become spaces, and a plain value that
 * does not parse alone is taken as the literal text to the end of its line. What stays broken is salvaged to name and
 * description. Undefined if not even a description can be read.
 */
export function repairBlock(block: string, firstLine: number): Repaired | undefined {
  const problems: Problem[] = [];
  const mended = entriesOf(block)
    .map((entry) => mendEntry(entry, firstLine, problems))
    .join('\n');
  const reading = readMapping(mended, firstLine);
  if (reading.kind === 'mapping')
    return { value: reading.value, problems: [...problems, ...reading.problems], salvaged: false };
  return salvage(block, firstLine);
}

function entriesOf(block: string): Entry[] {
  const entries: { key: string; line: number; lines: string[] }[] = [];
  for (const [index, line] of block.split('\n').entries()) {
    const key = /^([^\s#:'"[{&*!|>%@`-][^:]*?)\s*:(?:\s|$)/.exec(line)?.[1];
    const last = entries.at(-1);
    if (key !== undefined || last === undefined) entries.push({ key: key ?? '', line: index, lines: [line] });
    else last.lines.push(line);
  }
  return entries;
}

function mendEntry(entry: Entry, firstLine: number, problems: Problem[]): string {
  const original = entry.lines.join('\n');
  if (isReadable(original)) return original;
  const note = (rule: string, message: string) =>
    problems.push({
      rule,
      severity: 'warning',
      message: `${entry.key}: ${message}`,
      line: firstLine + entry.line,
    });
  const untabbed = original.replace(/^\t+/gm, (tabs) => '  '.repeat(tabs.length));
  if (untabbed !== original && isReadable(untabbed)) {
    note('tab-indent', 'indented with tabs, which YAML does not allow; read as spaces');
    return untabbed;
  }
  const [head = '', ...rest] = untabbed.split('\n');
  const nested = [head, ...rest.map(quoteLine)].join('\n');
  if (rest.length > 0 && isReadable(nested)) {
    note('yaml-repaired', 'a value below it does not parse as YAML and was read as text; quote it');
    return nested;
  }
  // Text at the start of a line belongs to nothing: to drop it would be a guess.
  if (rest.some((line) => /^[^\s#]/.test(line))) return original;
  const continuation = rest.filter((line) => /^\s+\S/.test(line)).map((line) => line.trim());
  const literal = [quoteLine(head, true), ...rest.filter((line) => /^\s*#/.test(line))].join('\n');
  const joined = continuation.length === 0 ? literal : quoteLine(`${head} ${continuation.join(' ')}`, true);
  note('yaml-repaired', 'does not parse as YAML and was read as text; quote it');
  return isReadable(joined) ? joined : original;
}

/** `key: rest` with the rest as a quoted text, if the line does not parse alone. */
function quoteLine(line: string, always: boolean | number = false): string {
  const parts = /^(\s*(?:- )?[^:]+?\s*:)\s+(.*\S)\s*$/.exec(line);
  const [, key, value] = parts ?? [];
  if (key === undefined || value === undefined) return line;
  if (always !== true && (/^[|>]/.test(value) || isReadable(line.trimStart()))) return line;
  return `${key} ${JSON.stringify(value)}`;
}

function isReadable(text: string): boolean {
  return readMapping(text).kind === 'mapping';
}

/** A line reader for two keys: plain text, block scalars and indented continuation. */
function salvage(block: string, firstLine: number): Repaired | undefined {
  const lines = block.split('\n');
  const description = readLineValue(lines, 'description');
  if (description === undefined || description.trim() === '') return undefined;
  const name = readLineValue(lines, 'name');
  const message =
    'the YAML is broken; only name and description were read, so its scripts and tools do not run';
  return {
    value: { ...(name === undefined ? {} : { name }), description },
    problems: [{ rule: 'yaml-salvaged', severity: 'warning', message, line: firstLine }],
    salvaged: true,
  };
}

function readLineValue(lines: readonly string[], key: string): string | undefined {
  const start = lines.findIndex((line) => line.startsWith(`${key}:`));
  if (start < 0) return undefined;
  const first = (lines[start] ?? '').slice(key.length + 1).trim();
  const rest: string[] = [];
  for (const line of lines.slice(start + 1)) {
    if (line.trim() !== '' && !/^\s/.test(line)) break;
    rest.push(line.trim());
  }
  const isBlock = /^[|>][+-]?\d*$/.test(first);
  const text = [isBlock ? '' : first, ...rest].join(first.startsWith('|') ? '\n' : ' ').trim();
  return text.replace(/^(["'])([\s\S]*)\1$/, '$2');
}
