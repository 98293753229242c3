import { blockRange } from './block-range.ts';
import { isMapping } from './field-values.ts';
import { knownKey } from './fields.ts';
import { setField } from './set-field.ts';
import { readMapping } from './yaml-mapping.ts';

const TOP = /^["']?version["']?[ \t]*:[^\n]*(?:\n|$)/gim;

/**
 * Sets the version where the front matter has it, in `metadata` or at the top level; where it has none, in `metadata`. Of
 * two the one in `metadata`, which counts, is left. Throws `skill-invalid` as `setField` does.
 */
export function setVersion(text: string, version: string): string {
  const { top, inMetadata } = placesOf(text);
  const edited = setVersions(text, version);
  return top && inMetadata ? withoutTop(edited) : edited;
}

/** The same, but of two versions both are set and stay: no line of a text that has one moves. */
export function setVersions(text: string, version: string): string {
  const { top, inMetadata } = placesOf(text);
  const edited = top ? setField(text, 'version', version) : text;
  return top && !inMetadata ? edited : setField(edited, 'metadata.version', version);
}

function placesOf(text: string): { readonly top: boolean; readonly inMetadata: boolean } {
  const read = readMapping(blockOf(text));
  if (read.kind !== 'mapping') return { top: false, inMetadata: false };
  const keyed = (key: string) => Object.keys(read.value).find((each) => knownKey(each) === key);
  const metadata = read.value[keyed('metadata') ?? ''];
  return {
    top: keyed('version') !== undefined,
    inMetadata: isMapping(metadata) && Object.keys(metadata).some((key) => knownKey(key) === 'version'),
  };
}

/** Without the lines of the version at the top level; the same text where more than those lines would go. */
function withoutTop(text: string): string {
  const { start, end } = blockRange(text);
  const block = text.slice(start, end);
  const without = block.replace(TOP, '');
  const [before, after] = [readMapping(block), readMapping(without)];
  if (before.kind !== 'mapping' || after.kind !== 'mapping') return text;
  const others = Object.entries(before.value).filter(([key]) => knownKey(key) !== 'version');
  return JSON.stringify(Object.fromEntries(others)) === JSON.stringify(after.value)
    ? text.slice(0, start) + without + text.slice(end)
    : text;
}

function blockOf(text: string): string {
  const { start, end } = blockRange(text);
  return text.slice(start, end);
}
