import { isMap, isScalar, parseDocument } from 'yaml';
import { KnackError } from '../errors.ts';
import { splitFrontMatter } from './front-matter.ts';

/** What a new skill is written from. Lists become one text, as the specification wants of `metadata`. */
export interface SkillText {
  readonly name: string;
  readonly description: string;
  readonly license?: string;
  readonly version?: string;
  readonly author?: string;
  readonly tags?: readonly string[];
  readonly relatedSkills?: readonly string[];
  readonly aliases?: readonly string[];
  readonly whenToUse?: string;
  readonly whenNotToUse?: string;
}

/** An edit by anchor: the new text, or why it cannot be made. */
export type EditOutcome =
  | {
      readonly kind: 'edited';
      readonly text: string /** Where the new piece begins, and its length, in `text`. */;
      readonly at: number;
      readonly length: number;
    }
  | { readonly kind: 'fault'; readonly fault: 'anchor-missing' | 'anchor-ambiguous' | 'anchor-empty' };

/** A whole `SKILL.md` in the strict form: block style, every text double-quoted but the name, flat metadata. */
export function serializeSkill(skill: SkillText, body: string): string {
  const metadata = Object.entries({
    version: skill.version,
    author: skill.author,
    tags: skill.tags?.join(', '),
    related_skills: skill.relatedSkills?.join(', '),
    aliases: skill.aliases?.join(', '),
    when_to_use: skill.whenToUse,
    when_not_to_use: skill.whenNotToUse,
  }).filter(([, value]) => value !== undefined && value !== '');
  const lines = [
    '---',
    `name: ${/^[a-z][a-z0-9-]*$/.test(skill.name) ? skill.name : quote(skill.name)}`,
    `description: ${quote(skill.description)}`,
    ...(skill.license === undefined ? [] : [`license: ${quote(skill.license)}`]),
    ...(metadata.length === 0
      ? []
      : ['metadata:', ...metadata.map(([key, value]) => `  ${key}: ${quote(String(value))}`)]),
    '---',
  ];
  return `${lines.join('\n')}\n${body === '' ? '' : `\n${body}`}`;
}

/**
 * Sets one front matter field, `description` or `metadata.version`, in the text as it is on disk: every other byte
 * stays, byte-order mark and line ends too. A field that is missing is added at the end of its mapping. Throws
 * `skill-invalid` where the front matter is too broken to be edited.
 */
export function setField(text: string, key: string, value: string): string {
  const bom = text.startsWith('\uFEFF') ? 1 : 0;
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const { start, end } = blockRange(text, bom);
  const block = text.slice(start, end);
  const document = parseDocument(block, {
    schema: 'failsafe',
    uniqueKeys: false,
    merge: false,
    prettyErrors: false,
    logLevel: 'error',
  });
  if (document.errors.length > 0 || !isMap(document.contents))
    throw new KnackError(
      'skill-invalid',
      `the front matter does not parse, so ${key} cannot be set; mend it first`,
    );
  const path = key.split('.');
  const node = document.getIn(path, true);
  if (isScalar(node) && node.range) {
    // A block scalar's range holds its last line break, which has to stay.
    const [from, to] = node.range;
    const old = block.slice(from, to);
    const kept = /\r?\n$/.exec(old)?.[0] ?? '';
    const lead = from > 0 && /[:-]$/.test(block.slice(0, from)) ? ' ' : '';
    return splice(text, start + from, start + to, `${lead}${quote(value)}${kept}`);
  }
  if (node !== undefined)
    throw new KnackError('skill-invalid', `${key} holds a list or a map; make it a text first`);
  const parent = path.length === 2 ? document.get(String(path[0]), true) : document.contents;
  const leaf = String(path.at(-1));
  if (path.length === 2 && (!isMap(parent) || parent.items.length === 0)) {
    if (isScalar(parent) && parent.range && parent.source?.trim() === '') {
      return splice(
        text,
        start + parent.range[1],
        start + parent.range[1],
        `${newline}  ${leaf}: ${quote(value)}`,
      );
    }
    if (parent !== undefined)
      throw new KnackError(
        'skill-invalid',
        `${String(path[0])} is not a map of key: value pairs; make it one first`,
      );
    return splice(
      text,
      end,
      end,
      `${block === '' || block.endsWith('\n') ? '' : newline}${String(path[0])}:${newline}  ${leaf}: ${quote(value)}${newline}`,
    );
  }
  if (isMap(parent) && parent.flow === true && path.length === 2)
    throw new KnackError(
      'skill-invalid',
      `${String(path[0])} is written in one line; write it as lines first`,
    );
  const indent = path.length === 2 ? indentOf(block, parent) : '';
  const at = path.length === 2 ? endOf(block, parent) : block.length;
  const before = at > 0 && block[at - 1] !== '\n' ? newline : '';
  return splice(text, start + at, start + at, `${before}${indent}${leaf}: ${quote(value)}${newline}`);
}

/** Puts `replacement` in the place of the one `anchor`. */
export function replaceExact(text: string, anchor: string, replacement: string): EditOutcome {
  const at = find(text, anchor);
  if (typeof at === 'string') return { kind: 'fault', fault: at };
  return {
    kind: 'edited',
    text: splice(text, at, at + anchor.length, replacement),
    at,
    length: replacement.length,
  };
}

/** Puts `block` on lines of its own after the line on which the one `anchor` ends. */
export function insertAfter(text: string, anchor: string, block: string): EditOutcome {
  const found = find(text, anchor);
  if (typeof found === 'string') return { kind: 'fault', fault: found };
  const anchorEnd = found + anchor.replace(/\n+$/, '').length;
  const lineEnd = text.indexOf('\n', anchorEnd);
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const at = lineEnd < 0 ? text.length : lineEnd + 1;
  const lead = lineEnd < 0 && text !== '' ? newline : '';
  const piece = block.replace(/\r?\n$/, '').replace(/\r?\n/g, newline);
  return {
    kind: 'edited',
    text: splice(text, at, at, `${lead}${piece}${newline}`),
    at: at + lead.length,
    length: piece.length,
  };
}

/** Removes the one `anchor`, with the line break of a line that it fills. */
export function deleteExact(text: string, anchor: string): EditOutcome {
  const at = find(text, anchor);
  if (typeof at === 'string') return { kind: 'fault', fault: at };
  const end = at + anchor.length;
  const fillsLine = (at === 0 || text[at - 1] === '\n') && !anchor.endsWith('\n');
  const lineBreak = fillsLine ? (/^\r?\n/.exec(text.slice(end, end + 2))?.[0] ?? '') : '';
  return { kind: 'edited', text: splice(text, at, end + lineBreak.length, ''), at, length: 0 };
}

function find(text: string, anchor: string): number | 'anchor-missing' | 'anchor-ambiguous' | 'anchor-empty' {
  if (anchor.trim() === '') return 'anchor-empty';
  const at = text.indexOf(anchor);
  if (at < 0) return 'anchor-missing';
  return text.indexOf(anchor, at + 1) < 0 ? at : 'anchor-ambiguous';
}

/** The block between the fences, in the text as it is on disk. */
function blockRange(text: string, bom: number): { start: number; end: number } {
  const opening = /^---[ \t]*\r?\n/.exec(text.slice(bom));
  const close = opening === null ? null : /^---[ \t]*\r?$/m.exec(text.slice(bom + opening[0].length));
  if (
    opening === null ||
    close === null ||
    splitFrontMatter(text.slice(bom).replace(/\r\n/g, '\n')).kind === 'refused'
  ) {
    throw new KnackError('skill-invalid', 'the front matter is not between two lines of ---; mend it first');
  }
  const start = bom + opening[0].length;
  return { start, end: start + close.index };
}

function indentOf(block: string, node: unknown): string {
  const [first] = isMap(node) ? node.items : [];
  const at = isScalar(first?.key) ? (first.key.range?.[0] ?? 0) : 0;
  return block.slice(block.lastIndexOf('\n', at - 1) + 1, at);
}

/** Behind the last line of a mapping's last value. */
function endOf(block: string, node: unknown): number {
  const last = isMap(node) ? node.items.at(-1) : undefined;
  const value = last?.value;
  const range =
    typeof value === 'object' && value !== null && 'range' in value
      ? (value.range as [number, number, number] | null)
      : null;
  const end = range?.[1] ?? block.length;
  if (block[end - 1] === '\n') return end;
  const lineEnd = block.indexOf('\n', end);
  return lineEnd < 0 ? block.length : lineEnd + 1;
}

/** Double-quoted on one line, with every character that YAML or a line reader could trip over escaped. */
function quote(value: string): string {
  return JSON.stringify(value).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function splice(text: string, start: number, end: number, piece: string): string {
  return text.slice(0, start) + piece + text.slice(end);
}
