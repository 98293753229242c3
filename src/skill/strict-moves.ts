import { isScalar, isSeq } from 'yaml';
import { isMapping, listOf } from './field-values.ts';
import { knownKey } from './fields.ts';
import { isReadAtTop } from './others-fields.ts';
import { isNothing, isOfOwnType } from './yaml-lines.ts';
import type { YamlMapping, YamlValue } from './yaml-mapping.ts';

const LISTS = new Set(['tags', 'keywords', 'triggers', 'related_skills', 'aliases']);

/** Whether a field holds a list wherever it stands, so that `a, b` is read as one. */
export function isListField(key: string): boolean {
  return LISTS.has(knownKey(key) ?? '');
}

/** The text that a field not of the specification has under `metadata`; undefined where something would be lost. */
export function movedText(key: string, node: unknown): string | undefined {
  if (isReadAtTop(key) || !/^[\w-]+$/.test(key) || isNothing(node) || isOfOwnType(node)) return undefined;
  if (isScalar(node)) return String(node.value ?? '');
  return textOfList(node);
}

/** `a, b` for a list of texts of which each reads back from that. */
export function textOfList(node: unknown): string | undefined {
  const texts = textsIn(node) ?? [];
  const text = texts.join(', ');
  const isWhole = texts.length > 0 && texts.every((each) => listOf(each).join('\n') === each);
  return isWhole && isSame(text, texts) ? text : undefined;
}

/** The items of a list that holds nothing but texts. */
export function textsIn(node: unknown): string[] | undefined {
  const isList = isSeq(node) && !isOfOwnType(node);
  if (!isList) return undefined;
  const texts = node.items.map((item) =>
    isScalar(item) && !isNothing(item) && !isOfOwnType(item) ? String(item.value) : undefined,
  );
  return texts.every((text) => text !== undefined) ? texts : undefined;
}

/** Whether `metadata` has the field with the same value, in one of its spellings. */
export function isInMetadata(key: string, text: string, metadata: YamlMapping): boolean {
  return spellingsIn(key, metadata).some((other) => {
    const value = metadata[other] ?? '';
    return value === text || (isListField(key) && isSame(value, text));
  });
}

/** The keys of a map that are read as this one. */
export function spellingsIn(key: string, map: YamlMapping): string[] {
  return Object.keys(map).filter((other) => (knownKey(other) ?? other) === key);
}

function isSame(left: YamlValue, right: YamlValue): boolean {
  return !isMapping(left) && JSON.stringify(listOf(left)) === JSON.stringify(listOf(right));
}
