/** What `createRedactor` writes in place of a secret. */
export const REDACTION_MARK = /\[REDACTED:[a-z-]{1,40}:\d{1,9}\]/g;

/** Whole values that stand for one to be filled in, or for one that was taken out. */
const TEMPLATES: readonly RegExp[] = [
  /^<(?:[^<>]*>|[A-Za-z_-]*)$|^&lt;[\w -]*(?:&gt;?)?$/,
  /^[$#]\{[^{}]*\}?$|^\$?\{\{[^{}]*(?:\}\}?)?$|^\{[\w.$-]*\}$/,
  /^\$(?:env:)?(?:[A-Z_][A-Z0-9_]*|[A-Za-z_]+\d{0,2})$|^%[A-Za-z_]+%$|^%[sd]$/,
  /^[\w-]{0,10}?(?:[xX]{3,}|\*{3,}|•{3,}|\.{3,}|…)[\w-]{0,4}$|^(.)\1*$/,
];
const PLACEHOLDER_WORD =
  /^(?:(?:your|(?:my|the|an?|some)[-_.]|example|sample|dummy|placeholder|change-?me|redacted|hidden|removed|masked|insert|replace)[a-z._-]*\d{0,3}|none|null|undefined|true|false|string|number|boolean|required|optional|password|passwd|pass|pw|secret|token|key|api[_-]?key)$/i;
/** Types and methods that have digits in their names. */
const TERM =
  /^(?:u?int\d+|float\d+|(?:big)?u?int\d+array|sha-?\d+|ed25519|base64|utf-?8|[hre]s\d+|oauth2|x509)$/i;
const CODE =
  /[\w\])%$]\(|::|=>|->|\|\||&&|\w<\w|<\/|^\{[\w$]*[:=]|^[\w$.]+(?:\|[\w$.[\]]+)+$|\.\w+\.|^[\w$]+\.[a-z]\w+$|^(?:process\.env|os\.environ|import\.meta)\b|^env\.[A-Z_]\w*$|^https?:|^(?:~|\.{0,2})\//;
const WORDS = /^(?:[a-z]+|[A-Z][a-z]*|[a-z]+(?:[A-Z][a-z]*)+|[a-z]+(?:[-_][a-z]+)+)$/;
/** A value up to where the next pair of a query, a connection string or a command begins. */
export const VALUE = `(?:(?![;&](?:amp;)?[\\w. -]{0,40}=|[;&](?:\\s|$)|&&|\\|\\|)[^\\s"'\`,\\\\])`;

/** Whether a value stands for a secret and is none: what redaction leaves, or an obvious template. */
export function isPlaceholder(value: string): boolean {
  const rest = value.replace(REDACTION_MARK, '').replace(/[.;:!?]$/, '');
  if (rest === '' || TEMPLATES.some((template) => template.test(rest))) return true;
  return PLACEHOLDER_WORD.test(bare(rest));
}

/** Without the brackets around it and the punctuation behind it. */
function bare(value: string): string {
  // Not by a pattern for the end: one that is tried at each place takes quadratic time.
  let end = value.length;
  while (end > 0 && '])}>;:.!?'.includes(value.charAt(end - 1))) end -= 1;
  return value.slice(0, end).replace(/^[[({<]+/, '');
}

/** Whether the value of a KEY=…, password: … pair is a secret rather than code, a word or a placeholder. */
export function isSecretValue(value: string, before: string): boolean {
  if (isPlaceholder(value) || CODE.test(value)) return false;
  const inner = bare(value.replace(REDACTION_MARK, ''));
  if (/^[\d.,_:-]*$/.test(inner) || TERM.test(inner)) return false;
  const isShellName =
    /(?:^|[^A-Za-z])(?:[A-Z][A-Z0-9_]*(?:TOKEN|SECRET|PASSWORD|PASSWD|API_?KEY)["']?\]?\s*[:=]|(?:TOKEN|SECRET|PASSWORD|PASSWD|API_?KEY)=)/.test(
      before,
    );
  if (isShellName) return inner.length >= 8 && !/^[A-Z_]+$/.test(inner);
  // `key=[column1, column2]` is a list of names.
  if (/^[[(]/.test(value) && /key["']?\s*[:=]\s*$/i.test(before) && /^[A-Za-z_$][\w$=.-]{0,15}$/.test(inner))
    return false;
  return !WORDS.test(inner) && /\d/.test(inner) && /[A-Za-z]/.test(inner);
}

/** What a name for a password to be filled in is made of. */
const NAME_PIECE =
  /^(?:my|your|the|a|an|some|user|users|username|name|login|pass|password|passwd|passwort|passphrase|pwd|pw|secret|token|key|api|apikey|access|value|string|text|here|new|old|db|database|root|admin|example|sample|placeholder|changeme|change|me|env|file|path|stdin|prompt|vault|become|sudo|redis|mysql|registry|zip|archive)\d?$/i;

/** Whether what stands where a command takes a password is one: no variable, path, option, placeholder or name of one. */
export function isGivenPassword(value: string): boolean {
  if (isPlaceholder(value) || /^(?:[$~/<{[(`-]|\.{1,2}\/|%[A-Za-z_]+%|https?:)/.test(value)) return false;
  const inner = bare(value.replace(REDACTION_MARK, ''));
  if (inner.length < 3 || /^[A-Z][A-Z_]*$/.test(inner) || /^(.)\1*$/.test(inner)) return false;
  return !inner.split(/[-_.\s]|(?<=[a-z])(?=[A-Z])/).every((piece) => piece === '' || NAME_PIECE.test(piece));
}

/** Whether it is also no plain word of a sentence. */
export function isUnlikeWord(value: string): boolean {
  return (
    isGivenPassword(value) && (/\d/.test(value) || /[!#$%&*+=?@^~]/.test(value) || /[a-z][A-Z]/.test(value))
  );
}
