import { isMapping, listOf } from './field-values.ts';
import { knownKey } from './fields.ts';
import { isListField } from './strict-moves.ts';
import { commentsOf } from './yaml-comments.ts';
import type { YamlMapping, YamlValue } from './yaml-mapping.ts';

/** A block and what it says. */
export interface ReadBlock {
  readonly source: string;
  readonly value: YamlMapping;
}

/**
 * Whether the second block has every value and every comment of the first, whoever reads them: a field may have its
 * proper spelling or have gone under `metadata`, a list of texts may have become a text. `name` and `description` may
 * differ: they are compared as they are read.
 */
export function keepsValues(before: ReadBlock, after: ReadBlock): boolean {
  const [inside] = Object.entries(after.value).flatMap(([key, value]) =>
    knownKey(key) === 'metadata' ? [value] : [],
  );
  const hasAll = Object.entries(before.value).every(([key, value]) => {
    const known = knownKey(key) ?? key;
    if (known === 'name' || known === 'description') return true;
    const places = isMapping(inside) ? [after.value, inside] : [after.value];
    return places.some((place) => [key, known].some((name) => isSame(known, value, place[name])));
  });
  return hasAll && hasComments(before.source, after.source);
}

function isSame(key: string, value: YamlValue, now: YamlValue | undefined): boolean {
  if (now === undefined) return false;
  // An empty one takes what goes under it.
  if (key === 'metadata' && value === '') return true;
  if (key === 'metadata' && isMapping(value) && isMapping(now))
    return Object.entries(value).every(([name, item]) =>
      isSameField(knownKey(name) ?? name, item, now[name]),
    );
  return isSameField(key, value, now);
}

function isSameField(key: string, value: YamlValue, now: YamlValue | undefined): boolean {
  if (JSON.stringify(value) === JSON.stringify(now)) return true;
  if (typeof now !== 'string' || !isOfTexts(value)) return false;
  // The name that the skill had comes behind the others.
  if (key === 'aliases') return listOf(value).every((alias, index) => listOf(now)[index] === alias);
  if (key === 'allowed-tools') return withBlanks(value) === withBlanks(now);
  if (isListField(key) && JSON.stringify(listOf(value)) === JSON.stringify(listOf(now))) return true;
  return typeof value !== 'string' && value.join(', ') === now;
}

function isOfTexts(value: YamlValue): value is string | readonly string[] {
  return (
    typeof value === 'string' ||
    (!isMapping(value) && value.length > 0 && value.every((item) => typeof item === 'string'))
  );
}

function withBlanks(tools: string | readonly string[]): string {
  return (typeof tools === 'string' ? tools : tools.join(' ')).replace(/[\s,]+/g, ' ').trim();
}

function hasComments(before: string, after: string): boolean {
  const left = commentsOf(after);
  return commentsOf(before).every((comment) => {
    const at = left.indexOf(comment);
    if (at < 0) return false;
    left.splice(at, 1);
    return true;
  });
}
