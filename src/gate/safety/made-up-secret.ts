/** A secret that was found, with what stands before it on its line. */
export interface FoundSecret {
  readonly rule: string;
  readonly value: string;
  readonly before: string;
}

/** Words that made-up secrets consist of. */
const WORDS =
  /test|example|sample|dummy|demo|fake|foo|bar|baz|your|my|here|key|api|password|passwd|p@ssw0rd|passwort|pass|pwd|secret|super|strong|admin|user|root|guest|postgres|mysql|mongo|redis|rabbitmq|local|dev|change|me|abc|def|ghi|xyz|real|token|live|prod|nvapi|dead|beef|sk|or|v1|0x/gi;
/** Digits as fingers type them. */
const TYPED =
  /0?1234567890?|12345678?9?|123456?7?|1234?5?|2345?|3456?|4567?|5678?|678?9?|789|456|012|0+|1+|9+/g;
/** Keys that name a place in a store, a record or a file, and public ones. */
const NO_SECRET_KEY =
  /(?:partition|row|citation|cite|file|cache|primary|foreign|sort|object|storage|idempotency|hash|range|group|routing|translation|event|jira:|public)[-_ ]?key(?:token)?["']?\]?\s{0,4}(?::=|[:=])?\s{0,4}\\?["'`]?$/i;
/** A key by the name of `key` alone: of a map, a store or a cache. */
const BARE_KEY = /(?:^|[^\w.-])key["']?\s{0,4}[:=]\s{0,4}\\?["'`]?$/i;
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
/** What is left when made-up parts are gone may be a slip. */
const MOST_LEFT = 2;
/** The token that Telegram's own documentation shows; in two parts, so that no scanner takes it for one. */
const DOCUMENTED = new Set([`123456:ABC-DEF1234ghIkl${'-zyx57W2v1u123ew11'}`]);

/**
 * Whether what looks like a secret was made up to show where one goes: cut short by dots, put together of words such as
 * `test` and `pass` and typed digits, the same as the user's name, documented as an example, or the value of a key that
 * is none, such as that of a partition.
 */
export function isMadeUp({ rule, value, before }: FoundSecret): boolean {
  if (/\.{3}|…|x{4,}|\*{3,}/i.test(value) || DOCUMENTED.has(value)) return true;
  if (rule === 'url-password') {
    const user = /:\/\/([^\s:@/]{0,100}):$/.exec(before)?.[1];
    return user === value || isPutTogether(value);
  }
  if (rule !== 'assignment')
    return isPutTogether(value.replace(/^[a-z]{1,10}[-_](?:[a-z]{1,8}[-_]){0,2}/i, ''));
  if (NO_SECRET_KEY.test(before)) return true;
  if (
    BARE_KEY.test(before) &&
    (/^[\w.-]+\/[\w./-]+$/.test(value) || /^[a-z][a-z\d]{0,9}(?:[-_][a-z\d]{1,10}){1,3}$/.test(value))
  )
    return true;
  if (UUID.test(value) && !/(?:secret|token|passw\w*|api[-_ ]?key)\W*$/i.test(before)) return true;
  return /^KEYS\[\d\]$/.test(value) || isPutTogether(value) || isPutTogether(decoded(value));
}

function isPutTogether(value: string): boolean {
  if (value === '') return false;
  const left = value
    .replace(WORDS, '')
    .replace(TYPED, '')
    .replace(/[^\p{L}\p{N}]/gu, '');
  return left.length <= MOST_LEFT;
}

/** The text that a value hides in base64; empty where it hides none. */
function decoded(value: string): string {
  if (!/^[A-Za-z0-9+/]{8,200}={1,2}$/.test(value)) return '';
  const text = Buffer.from(value, 'base64').toString('utf8');
  return /^[\x20-\x7e]+$/.test(text) ? text : '';
}
