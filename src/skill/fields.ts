import type { Problem } from '../errors.ts';
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
export const SPECIFIED = [
  'name',
  'description',
  'license',
  'compatibility',
  'metadata',
  'allowed-tools',
] as const;

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

/** Gathers the fields: `metadata` first, then top level, then `metadata.hermes`, then any other client's part. */
export function gatherFields(raw: YamlMapping, line: number): Fields {
  const problems: Problem[] = [];
  const note = (rule: string, severity: Problem['severity'], message: string) =>
    problems.push({ rule, severity, message, line });
  const top = knownSpelling(raw, note);
  const metadata = metadataOf(top['metadata'], note);
  const places = [metadata, top, ...clientParts(metadata)];
  const find = (key: string): YamlValue | undefined => firstOf(places, key, note);
  const text = (key: string): string | undefined => textOf(find(key));
  const list = (key: string): string[] => listOf(find(key));
  noteFormFaults(top, metadata, note);
  const optional = Object.entries({
    name: textOf(top['name']),
    description: textOf(top['description']),
    version: text('version'),
    author: text('author'),
    whenToUse: text('when_to_use'),
    whenNotToUse: text('when_not_to_use'),
  }).filter(([, value]) => value !== undefined && value.trim() !== '');
  const params = top['params'];
  return {
    ...(Object.fromEntries(optional.map(([key, value]) => [key, String(value).trim()])) as Partial<Fields>),
    tags: list('tags'),
    weakTags: [...new Set([...list('keywords'), ...list('triggers')])],
    relatedSkills: list('related_skills'),
    aliases: list('aliases'),
    allowedTools: allowedToolsOf(top['allowed-tools'] ?? top['allowed_tools']),
    userOnly: textOf(top['disable-model-invocation']) === 'true',
    ...(isMapping(params) ? { params } : {}),
    problems,
  };
}

type Note = (rule: string, severity: Problem['severity'], message: string) => void;

export function isMapping(value: YamlValue | undefined): value is YamlMapping {
  return typeof value === 'object' && !Array.isArray(value);
}

/** `Description:` counts as `description:` unless that is there too. */
function knownSpelling(raw: YamlMapping, note: Note): YamlMapping {
  const known = new Map([...SPECIFIED, ...OWN].map((key) => [canonical(key), key as string]));
  const top: Record<string, YamlValue> = Object.create(null) as Record<string, YamlValue>;
  for (const [key, value] of Object.entries(raw)) {
    const wanted = known.get(canonical(key)) ?? key;
    if (wanted !== key && (wanted in raw || wanted in top)) continue;
    if (wanted.toLowerCase() !== key && canonical(key) === canonical(wanted) && key.toLowerCase() !== key)
      note('key-case', 'info', `the key ${key} was read as ${wanted}`);
    top[wanted] = value;
  }
  return top;
}

function canonical(key: string): string {
  return key.toLowerCase().replaceAll('-', '_');
}

function metadataOf(value: YamlValue | undefined, note: Note): YamlMapping {
  if (isMapping(value)) {
    if (Object.values(value).some((item) => typeof item !== 'string'))
      note('metadata-not-flat', 'info', 'metadata holds more than texts; other readers may want texts only');
    return value;
  }
  if (typeof value === 'string' ? value.trim() !== '' : value !== undefined)
    note('field-type', 'warning', 'metadata is not a map of key: value pairs and was ignored');
  return {};
}

function clientParts(metadata: YamlMapping): YamlMapping[] {
  const clients = Object.entries(metadata).filter((entry): entry is [string, YamlMapping] =>
    isMapping(entry[1]),
  );
  return clients
    .sort(([left], [right]) => Number(right === 'hermes') - Number(left === 'hermes'))
    .map(([, part]) => part);
}

function firstOf(places: readonly YamlMapping[], key: string, note: Note): YamlValue | undefined {
  const dashed = key.replaceAll('_', '-');
  const found = places
    .flatMap((place) => [place[key], place[dashed]])
    .filter((value) => value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0));
  const forms = new Set(found.map((value) => JSON.stringify(listOf(value)).toLowerCase()));
  if (forms.size > 1)
    note(
      'field-conflict',
      'warning',
      `${key} stands in several places with different values; the first of metadata, top level and clients counts`,
    );
  return found[0];
}

function noteFormFaults(top: YamlMapping, metadata: YamlMapping, note: Note): void {
  const { compatibility } = top;
  if (compatibility !== undefined && typeof compatibility !== 'string')
    note('field-type', 'info', 'compatibility is not a text');
  const allowed = top['allowed-tools'];
  if (allowed !== undefined && (typeof allowed !== 'string' || allowed.includes(',')))
    note('allowed-tools-form', 'info', 'allowed-tools is one text with spaces in the specification');
  if (isMapping(metadata['description'])) note('field-type', 'warning', 'metadata.description is not a text');
}

function textOf(value: YamlValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Comma text or list to trimmed items, each once, in the spelling of the first. */
function listOf(value: YamlValue | undefined): string[] {
  const items =
    typeof value === 'string'
      ? value.replace(/^\[(.*)\]$/, '$1').split(',')
      : Array.isArray(value)
        ? value
        : [];
  const seen = new Map<string, string>();
  for (const item of items) {
    const text = typeof item === 'string' ? item.trim().replace(/^(["'])(.*)\1$/, '$2') : '';
    const form = text.normalize('NFKC').toLowerCase();
    if (form !== '' && !seen.has(form)) seen.set(form, text);
  }
  return [...seen.values()];
}

/** Splits on commas and blanks outside of parentheses: `Bash(git add:*)` is one tool. */
function allowedToolsOf(value: YamlValue | undefined): string[] {
  const texts =
    typeof value === 'string'
      ? [value]
      : Array.isArray(value)
        ? value.filter((item) => typeof item === 'string')
        : [];
  return texts.flatMap((text) => text.match(/[^\s,()]+(?:\([^)]*\))?/g) ?? []);
}
