import type { Problem } from '../errors.ts';
import { allowedToolsOf, isMapping, isTrue, listOf, proseOf, textOf, versionFault } from './field-values.ts';
import type { YamlMapping, YamlValue } from './yaml-mapping.ts';

/** The fields of the front matter in one shape, wherever and however people wrote them. */
export interface Fields {
  readonly name?: string;
  readonly description?: string;
  readonly version?: string;
  readonly author?: string;
  readonly tags: readonly string[];
  readonly weakTags: readonly string[];
  readonly relatedSkills: readonly string[];
  readonly aliases: readonly string[];
  readonly whenToUse?: string;
  readonly whenNotToUse?: string;
  readonly allowedTools: readonly string[];
  readonly userOnly: boolean;
  /** The `params` map, if there is one. */
  readonly params?: YamlMapping;
  readonly problems: readonly Problem[];
}

/** Keys of the specification. */
export const SPECIFIED: readonly string[] = [
  'name',
  'description',
  'license',
  'compatibility',
  'metadata',
  'allowed-tools',
];

const OWN = [
  'version',
  'author',
  'tags',
  'keywords',
  'triggers',
  'related_skills',
  'aliases',
  'when_to_use',
  'when_not_to_use',
  'params',
  'disable-model-invocation',
];

const KNOWN = new Map([...SPECIFIED, ...OWN].map((key) => [canonical(key), key]));

type Note = (rule: string, severity: Problem['severity'], message: string, key: string) => void;

/**
 * Gathers the fields: `metadata` first, then top level, then `metadata.hermes`, then, but for texts that are about the
 * whole skill, any other client's part. `lineOf` knows the line of a top-level key.
 */
export function gatherFields(raw: YamlMapping, lineOf: (key: string) => number): Fields {
  const problems: Problem[] = [];
  const note: Note = (rule, severity, message, key) =>
    problems.push({ rule, severity, message, line: lineOf(key) });
  const top = withKnownKeys(raw, note);
  const metadata = withKnownKeys(metadataOf(top['metadata'], note));
  const { hermes, others } = clientParts(metadata);
  const find = (key: string, everywhere = true): YamlValue | undefined =>
    firstOf([metadata, top, ...hermes, ...(everywhere ? others : [])], key, note);
  const list = (key: string): string[] => {
    const value = find(key);
    const items = listOf(value);
    if (value !== undefined && items.length === 0)
      note('field-type', 'info', `${key} holds no list of texts and was ignored`, key);
    return items;
  };
  noteFormFaults(top, note);
  const prose = proseOf(top['description']);
  if (prose !== undefined)
    note(
      'yaml-repaired',
      'warning',
      'description: is a map to YAML and was read as text; quote it',
      'description',
    );
  const { params } = top;
  return {
    ...texts({
      name: top['name'],
      description: prose ?? top['description'],
      version: usable(find('version'), top, note),
      author: find('author', false),
      whenToUse: find('when_to_use', false),
      whenNotToUse: find('when_not_to_use', false),
    }),
    tags: list('tags'),
    weakTags: [...new Set([...list('keywords'), ...list('triggers')])],
    relatedSkills: list('related_skills'),
    aliases: list('aliases'),
    allowedTools: allowedToolsOf(top['allowed-tools']),
    userOnly: isTrue(top['disable-model-invocation']) || isTrue(metadata['disable-model-invocation']),
    ...(isMapping(params) ? { params } : {}),
    problems,
  };
}

/** A version that is none counts as not there. */
function usable(version: YamlValue | undefined, top: YamlMapping, note: Note): YamlValue | undefined {
  const fault = versionFault(textOf(version)?.trim() ?? '');
  if (fault === undefined) return version;
  const key = top['version'] === version ? 'version' : 'metadata';
  note('version-form', 'warning', `the version is not used: ${fault}`, key);
  return undefined;
}

/** The spelling that is read: `Description`, `when-to-use` and `allowed_tools` are known keys as well. */
export function knownKey(key: string): string | undefined {
  return KNOWN.get(canonical(key));
}

function canonical(key: string): string {
  return key.toLowerCase().replaceAll('-', '_');
}

/** `Description:` counts as `description:` unless that is there too. */
function withKnownKeys(raw: YamlMapping, note?: Note): YamlMapping {
  const known: Record<string, YamlValue> = Object.create(null) as Record<string, YamlValue>;
  for (const [key, value] of Object.entries(raw)) {
    const wanted = knownKey(key) ?? key;
    if (wanted !== key && (wanted in raw || wanted in known)) continue;
    if (wanted !== key && key.toLowerCase() !== key)
      note?.('key-case', 'info', `the key ${key} was read as ${wanted}`, key);
    known[wanted] = value;
  }
  return known;
}

/** Texts that say something, without blanks around them. */
function texts(values: Record<string, YamlValue | undefined>): Partial<Fields> {
  const trimmed = Object.entries(values).map(([key, value]) => [key, textOf(value)?.trim() ?? ''] as const);
  return Object.fromEntries(trimmed.filter(([, text]) => text !== '')) as Partial<Fields>;
}

function metadataOf(value: YamlValue | undefined, note: Note): YamlMapping {
  if (isMapping(value)) {
    if (Object.values(value).some((item) => typeof item !== 'string'))
      note(
        'metadata-not-flat',
        'info',
        'metadata holds more than texts; other readers may want texts only',
        'metadata',
      );
    return value;
  }
  if (typeof value === 'string' ? value.trim() !== '' : value !== undefined)
    note('field-type', 'warning', 'metadata is not a map of key: value pairs and was ignored', 'metadata');
  return {};
}

function clientParts(metadata: YamlMapping): { hermes: YamlMapping[]; others: YamlMapping[] } {
  const parts = Object.entries(metadata).flatMap(([client, part]) =>
    isMapping(part) ? [{ client, part: withKnownKeys(part) }] : [],
  );
  const of = (wanted: boolean) =>
    parts.filter(({ client }) => (client === 'hermes') === wanted).map(({ part }) => part);
  return { hermes: of(true), others: of(false) };
}

function firstOf(places: readonly YamlMapping[], key: string, note: Note): YamlValue | undefined {
  const found = places
    .map((place) => place[key])
    .filter((value) => value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0));
  const forms = new Set(found.map((value) => JSON.stringify(listOf(value)).toLowerCase()));
  if (forms.size > 1) {
    const message = `${key} stands in several places with different values; the first of metadata, top level and clients counts`;
    note('field-conflict', 'warning', message, key);
  }
  return found[0];
}

function noteFormFaults(top: YamlMapping, note: Note): void {
  const { compatibility } = top;
  if (compatibility !== undefined && typeof compatibility !== 'string')
    note('field-type', 'info', 'compatibility is not a text', 'compatibility');
  const allowed = top['allowed-tools'];
  if (allowed !== undefined && (typeof allowed !== 'string' || allowed.includes(',')))
    note(
      'allowed-tools-form',
      'info',
      'allowed-tools is one text with spaces in the specification',
      'allowed-tools',
    );
}
