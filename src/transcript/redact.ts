import { SECRET_RULES } from './secret-rules.ts';
import { REDACTION_MARK } from './secret-values.ts';

/** A place in a text that must not leave the transcript; offsets in UTF-16 units, `end` exclusive. */
export interface SecretSpan {
  readonly rule: string;
  readonly start: number;
  readonly end: number;
}

/** Takes secrets and personal data out of text on its way out of a transcript. */
export interface Redactor {
  /** The text with each secret as `[REDACTED:rule:n]` (the same value has the same n) and home folders as `~`. */
  text(value: string): string;
  /** The same for every string in a parsed value, keys too; other values are kept. Run it before any truncation. */
  value<T>(value: T): T;
  /** How often each rule has replaced something, `home-path` among them; never the values. */
  counts(): Record<string, number>;
}

const HOME_PATH =
  /(?:\/Users|\/home(?<!:\/\/[^\s/]{1,80}\/home)|[A-Za-z]:(?:\\\\|\\|\/)Users)(?:\\\\|\\|\/)(?!Shared\b|runner\b)[A-Za-z0-9._-]{1,64}/g;
/** The same path as some agents fold it into a folder name: `--Users-name-project--`. */
const FOLDED_HOME_PATH = /(?<=--|\/-)(?:Users|home)-[A-Za-z0-9._]{1,64}(?=-)/g;
/** Each round takes more out, and two settle nearly every text. */
const MOST_ROUNDS = 8;
const MAX_DEPTH = 200;

/** Secrets and e-mail addresses in a text, in order and without overlaps; the rules that redaction and the gate share. */
export function findSecrets(text: string): SecretSpan[] {
  const hinted = hintedRules(text);
  const spans: SecretSpan[] = [];
  const marks = [...text.matchAll(REDACTION_MARK)].map(
    (match) => [match.index, match.index + match[0].length] as const,
  );
  // Names of rules hold words such as `password:`; no secret begins within what stands for one.
  const isInMark = (at: number) => marks.some(([start, end]) => at > start && at < end);
  for (const { rule, pattern, accepts } of hinted) {
    for (const match of text.matchAll(pattern)) {
      const secret = match.groups?.['secret'] ?? match[0];
      const offset = match[0].lastIndexOf(secret);
      if (accepts && !accepts(secret, match[0].slice(0, offset))) continue;
      const start = match.index + offset;
      if (isInMark(start)) continue;
      spans.push({ rule, start, end: start + secret.length });
    }
  }
  // `user:password@host.tld` is no address of a person.
  const passwordEnds = new Set(spans.flatMap(({ rule, end }) => (rule === 'url-password' ? [end] : [])));
  return withoutOverlaps(
    spans.filter(({ rule, start }) => rule !== 'email' || !passwordEnds.has(text.indexOf('@', start))),
  );
}

const HINT_PIECE = 65_536;
const LONGEST_HINT = Math.max(...SECRET_RULES.flatMap(({ hints }) => hints.map(({ length }) => length)));

/** The rules that a text may have something for, looked for piece by piece: some outputs are too long to be copied. */
function hintedRules(text: string): typeof SECRET_RULES {
  const open = new Set(SECRET_RULES);
  for (let at = 0; at < text.length && open.size > 0; at += HINT_PIECE) {
    const lower = text.slice(at, at + HINT_PIECE + LONGEST_HINT).toLowerCase();
    for (const rule of open) if (rule.hints.some((hint) => lower.includes(hint))) open.delete(rule);
  }
  return SECRET_RULES.filter((rule) => !open.has(rule));
}

/**
 * Makes a redactor for one session. `secrets` are known values (from the environment) that are taken out
 * wherever they stand; values under 8 characters or of one repeated character are too common for that.
 */
export function createRedactor(options: { secrets?: readonly string[]; home?: string } = {}): Redactor {
  const known = [...new Set(options.secrets ?? [])]
    .filter((secret) => secret.length >= 8 && new Set(secret).size > 2)
    .sort((a, b) => b.length - a.length);
  const home = options.home && options.home.length > 3 ? options.home.replace(/[\\/]+$/, '') : undefined;
  const numbers = new Map<string, Map<string, number>>();
  const counts = new Map<string, number>();

  const count = (rule: string) => counts.set(rule, (counts.get(rule) ?? 0) + 1);
  function placeholder(rule: string, secret: string): string {
    const seen = numbers.get(rule) ?? new Map<string, number>();
    numbers.set(rule, seen);
    const number = seen.get(secret) ?? seen.size + 1;
    seen.set(secret, number);
    count(rule);
    return `[REDACTED:${rule}:${number}]`;
  }
  const tilde = () => {
    count('home-path');
    return '~';
  };

  function withoutSecrets(value: string): string {
    const spans = withoutOverlaps([...findKnown(value, known), ...findSecrets(value)]);
    let result = '';
    let at = 0;
    for (const { rule, start, end } of spans) {
      result += value.slice(at, start) + placeholder(rule, value.slice(start, end));
      at = end;
    }
    return result + value.slice(at);
  }

  function withoutHomes(value: string): string {
    const result = home ? value.replaceAll(home, tilde) : value;
    return result.replace(HOME_PATH, tilde).replace(FOLDED_HOME_PATH, tilde);
  }

  function text(value: string): string {
    if (value.length < 4) return value;
    let before = value;
    // Secrets first: a home folder taken out of a secret could hide the rest of it. What is left is new text, which the
    // rules have to see too, or a second redaction would find what the first let pass.
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      const after = withoutHomes(withoutSecrets(before));
      if (after === before) break;
      before = after;
    }
    return before;
  }

  function walk(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return text(value);
    if (typeof value !== 'object' || value === null) return value;
    if (depth > MAX_DEPTH) return '[nested too deep]';
    if (Array.isArray(value)) return value.map((item) => walk(item, depth + 1));
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [text(key), walk(item, depth + 1)]));
  }

  return {
    text,
    value: <T>(value: T) => walk(value, 0) as T,
    counts: () => Object.fromEntries(counts),
  };
}

function findKnown(text: string, secrets: readonly string[]): SecretSpan[] {
  return secrets.flatMap((secret) => {
    const spans: SecretSpan[] = [];
    for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + secret.length))
      spans.push({ rule: 'known-value', start: at, end: at + secret.length });
    return spans;
  });
}

/** Overlapping finds become one that covers both, under the name of the longer, so that no part of a secret stays. */
function withoutOverlaps(spans: readonly SecretSpan[]): SecretSpan[] {
  const sorted = [...spans].sort((a, b) => a.start - b.start || b.end - a.end);
  const result: SecretSpan[] = [];
  for (const span of sorted) {
    const last = result.at(-1);
    if (!last || span.start >= last.end) {
      result.push(span);
      continue;
    }
    const longer = span.end - span.start > last.end - last.start ? span : last;
    result[result.length - 1] = {
      rule: longer.rule,
      start: last.start,
      end: Math.max(last.end, span.end),
    };
  }
  return result;
}
