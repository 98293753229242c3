import { withoutSecrets } from './redacted-words.ts';
import type { Actor, Change, Origin, Override, Revision, RevisionOperation } from './revision.ts';
import { isTrust } from './trust.ts';

/** What the message of one of our commits says. */
export type ReadMessage = Pick<
  Revision,
  | 'skill'
  | 'version'
  | 'actor'
  | 'what'
  | 'why'
  | 'gate'
  | 'overrides'
  | 'review'
  | 'sessions'
  | 'operations'
  | 'origin'
> & {
  /** Of a rollback: the commit whose files it brought back. */
  readonly restores?: string;
  readonly owner?: Exclude<Change['owner'], undefined>;
  /** Commits whose teaching it took back. */
  readonly revokes?: readonly string[];
};

const ACTORS: readonly string[] = ['reviewer', 'user', 'import', 'rollback'] satisfies Actor[];
const OPERATIONS = 'Operations:';
/** Lines that a reader of the message could take for ours; in free text they are indented by one blank. */
const RESERVED = /^( *)(Knack-[A-Za-z]+:|Operations:|\{)/;

/**
 * The message of a revision's commit: a subject for people, why, an entry an operation as one line of JSON, and
 * trailers. Nothing in a field can pass for a line of another, and secrets in them are redacted.
 */
export function formatMessage(given: Change & { readonly restores?: string }): string {
  const change = withoutSecrets(given);
  const numbers = change.from === undefined ? change.to : `${change.from} → ${change.to}`;
  const why = change.why
    .split('\n')
    .map((line) => clean(line).replace(RESERVED, ' $1$2').trimEnd())
    .join('\n')
    .trim();
  const trailers: [string, string | undefined][] = [
    ['Skill', change.skill],
    ['Version', change.to],
    ['Actor', change.actor],
    ['Review', change.review],
    ...change.sessions.map(({ id, events }): [string, string] => [
      'Session',
      JSON.stringify([id, ...events]),
    ]),
    ['Gate', change.gate],
    ...(change.overrides ?? []).map(({ rule, why: reason }): [string, string] => [
      'Override',
      `${rule}: ${reason}`,
    ]),
    ['Owner', change.owner],
    ['Origin', change.origin === undefined ? undefined : originText(change.origin)],
    ['Restores', change.restores],
    ...(change.revokes ?? []).map((sha): [string, string] => ['Revokes', sha]),
  ];
  const lines = trailers.flatMap(([key, value]) =>
    value === undefined || oneLine(value) === '' ? [] : [`Knack-${key}: ${oneLine(value)}`],
  );
  const operations = change.operations.map((operation) => escapeControls(JSON.stringify(operation)));
  const parts = [
    `skill(${change.skill}): ${oneLine(numbers)} ${oneLine(change.what)}`,
    why,
    operations.length === 0 ? '' : [OPERATIONS, ...operations].join('\n'),
    lines.join('\n'),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** Reads a message back; undefined if it is not one of ours. */
export function readMessage(message: string): ReadMessage | undefined {
  const paragraphs = message.trimEnd().split(/\n\n+/);
  const trailers = (paragraphs.at(-1) ?? '')
    .split('\n')
    .map((line) => /^Knack-([A-Za-z]+): (.*)$/.exec(line));
  if (paragraphs.length < 2 || trailers.some((trailer) => trailer === null)) return undefined;
  const all = (key: string) =>
    trailers.flatMap((trailer) => (trailer?.[1] === key ? [String(trailer[2])] : []));
  const [skill, version, actor, gate, review, restores, owner] = [
    'Skill',
    'Version',
    'Actor',
    'Gate',
    'Review',
    'Restores',
    'Owner',
  ].map((key) => all(key)[0]);
  if (skill === undefined || version === undefined || actor === undefined || !ACTORS.includes(actor))
    return undefined;
  const origin = readOrigin(all('Origin')[0]);
  const overrides = all('Override').flatMap(readOverride);
  const operationsAt = paragraphs.findLastIndex((paragraph) => paragraph.startsWith(`${OPERATIONS}\n`));
  const why = paragraphs.slice(1, operationsAt > 0 ? operationsAt : -1).join('\n\n');
  return {
    skill,
    version,
    actor: actor as Actor,
    what: (paragraphs[0] ?? '').replace(/^skill\([^)]*\): (?:\S+ → )?\S+ ?/, ''),
    why: why
      .split('\n')
      .map((line) => line.replace(/^ ( *)(Knack-[A-Za-z]+:|Operations:|\{)/, '$1$2'))
      .join('\n'),
    ...(gate === undefined ? {} : { gate }),
    ...(overrides.length === 0 ? {} : { overrides }),
    ...(review === undefined ? {} : { review }),
    ...(restores === undefined ? {} : { restores }),
    ...(isOwner(owner) ? { owner } : {}),
    ...(all('Revokes').length === 0 ? {} : { revokes: all('Revokes') }),
    ...(origin === undefined ? {} : { origin }),
    sessions: all('Session').flatMap(readSession),
    operations:
      operationsAt > 0 ? (paragraphs[operationsAt] ?? '').split('\n').slice(1).flatMap(readOperation) : [],
  };
}

function isOwner(text: string | undefined): text is Exclude<Change['owner'], undefined> {
  return text === 'learned' || text === 'written' || text === 'imported';
}

/** A rule has neither a blank nor a colon in its name. */
function readOverride(text: string): Override[] {
  const [, rule, why] = /^([^\s:]+): (.+)$/.exec(text) ?? [];
  return rule === undefined || why === undefined ? [] : [{ rule, why }];
}

function readSession(text: string): { id: string; events: string[] }[] {
  const value = parsed(text);
  if (!Array.isArray(value) || value.some((item) => typeof item !== 'string')) return [];
  const [id, ...events] = value as string[];
  return id === undefined ? [] : [{ id, events }];
}

/** JSON without a blank, so that a path with several of them survives in a line of words. */
function originText({ source, ref, commit, path, name, version, tree }: Origin): string {
  const text = JSON.stringify({ source, ref, commit, path, name, version, tree });
  return escapeControls(text).replaceAll(' ', '\\u0020');
}

function readOrigin(text = ''): Origin | undefined {
  const value = parsed(text);
  if (typeof value !== 'object' || value === null) return undefined;
  const { source, ref, commit, path, name, version, tree } = value as Record<keyof Origin, unknown>;
  if (![source, path, name, tree].every((field) => typeof field === 'string')) return undefined;
  if (![ref, commit, version].every((field) => field === undefined || typeof field === 'string'))
    return undefined;
  return value as Origin;
}

function readOperation(text: string): RevisionOperation[] {
  const value = parsed(text);
  if (typeof value !== 'object' || value === null || !('op' in value && 'evidence' in value)) return [];
  const { trust, ...operation } = value as RevisionOperation;
  return [isTrust(trust) ? { ...operation, trust } : operation];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** One line without control characters, those that turn the direction of text included. */
function oneLine(text: string): string {
  return clean(text).replace(/\s+/g, ' ').trim();
}

function clean(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, ' ');
}

function escapeControls(json: string): string {
  return json.replace(
    /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
