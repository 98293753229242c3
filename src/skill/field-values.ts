import { INVISIBLE } from '../text/invisible.ts';
import { toNfkc } from '../text/nfkc.ts';
import type { YamlMapping, YamlValue } from './yaml-mapping.ts';

export function isMapping(value: YamlValue | undefined): value is YamlMapping {
  return typeof value === 'object' && !Array.isArray(value);
}

export function textOf(value: YamlValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/**
 * A list in any shape people write it in, each item once, in the spelling of the first: `[a, b]`, a block list, commas or
 * semicolons of any script, a line each, a list in quotes, a map of which the keys are meant, or a list of maps with a
 * `name`.
 */
export function listOf(value: YamlValue | undefined): string[] {
  const seen = new Map<string, string>();
  for (const item of itemsOf(value)) {
    const text = item
      .trim()
      .replace(/^- /, '')
      .replace(/^(["'])(.*)\1$/, '$2')
      .trim();
    const form = toNfkc(text).toLowerCase();
    if (form !== '' && !seen.has(form)) seen.set(form, text);
  }
  return [...seen.values()];
}

/** Code points. */
const LONGEST_VERSION = 64;

/** Why a text is no version: it stands in rows, commits and attributes, and one in several lines could forge them. */
export function versionFault(version: string): string | undefined {
  const length = [...version].length;
  if (length > LONGEST_VERSION) return `it has ${length} characters; at most ${LONGEST_VERSION}`;
  return version.search(INVISIBLE) < 0
    ? undefined
    : 'it holds a line break or a character that does not show';
}

/** Splits on commas and blanks outside of parentheses: `Bash(git add:*)` is one tool. */
export function allowedToolsOf(value: YamlValue | undefined): string[] {
  const texts = Array.isArray(value) ? value.flat() : [value];
  return texts.flatMap((text) => {
    if (typeof text !== 'string') return [];
    const items = text.trim().replace(/^\[(.*)\]$/, '$1');
    return (items.match(/[^\s,()]+(?:\([^)]*\))?/g) ?? []).map((item) =>
      item.replace(/^(["'])(.*)\1$/, '$2'),
    );
  });
}

/** `true` as YAML of any age writes it. */
export function isTrue(value: YamlValue | undefined): boolean {
  return typeof value === 'string' && /^(?:true|yes|on)$/i.test(value.trim());
}

/** A description that YAML takes for a map because of a colon in its one line below the key. */
export function proseOf(value: YamlValue | undefined): string | undefined {
  const [entry, ...others] = isMapping(value) ? Object.entries(value) : [];
  if (entry === undefined || others.length > 0) return undefined;
  const [key, rest] = entry;
  return /\s/.test(key) && typeof rest === 'string' && rest !== '' ? `${key}: ${rest}` : undefined;
}

function itemsOf(value: YamlValue | undefined): string[] {
  if (typeof value === 'string')
    return value
      .trim()
      .replace(/^\[([\s\S]*)\]$/, '$1')
      .split(/[,;\n\uff0c\uff1b\u3001]/);
  if (Array.isArray(value)) return value.flatMap(itemOf);
  return isMapping(value) ? Object.keys(value) : [];
}

function itemOf(item: YamlValue): string[] {
  if (typeof item === 'string') return [item];
  if (Array.isArray(item)) return item.flatMap(itemOf);
  return isMapping(item) && typeof item['name'] === 'string' ? [item['name']] : [];
}
