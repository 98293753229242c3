/** One shape of a secret or of personal data. Patterns run in one linear pass: bounded repeats, anchored starts. */
export interface SecretRule {
  readonly rule: string;
  /** Global; the named group `secret`, else the whole match, is what is taken out. */
  readonly pattern: RegExp;
  /** Text (lower case) that must be there at all; a cheap way to skip most values. */
  readonly hints: readonly string[];
  /** A last look at what matched; `before` is the match up to the secret. */
  readonly accepts?: (secret: string, before: string) => boolean;
}

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
const VALUE = `(?:(?![;&](?:amp;)?[\\w. -]{0,40}=|[;&](?:\\s|$)|&&|\\|\\|)[^\\s"'\`,\\\\])`;

/** Whether a value stands for a secret and is none: what redaction leaves, or an obvious template. */
function isPlaceholder(value: string): boolean {
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
function isSecretValue(value: string, before: string): boolean {
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

const prefixed = (rule: string, hint: string, body: string): SecretRule => ({
  rule,
  hints: [hint.toLowerCase()],
  pattern: new RegExp(`(?<![A-Za-z0-9])${body}`, 'g'),
});

/** Every rule, the particular ones first: where two overlap, the longer match names the place, then the earlier rule. */
export const SECRET_RULES: readonly SecretRule[] = [
  {
    rule: 'private-key',
    hints: ['-----begin'],
    pattern:
      /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:(?:[^-]|-(?!----)){0,20000}-----END [A-Z0-9 ]{1,40}-----|(?:(?:\s|\\[nr]){0,8}[A-Za-z0-9+/=]{16,})*(?:(?:\s|\\[nr]){1,8}[A-Za-z0-9+/]{1,15}={1,2})?)/g,
  },
  prefixed('anthropic-key', 'sk-ant-', 'sk-ant-[A-Za-z0-9_-]{12,}'),
  prefixed('openrouter-key', 'sk-or-', 'sk-or-(?:v1-)?[A-Za-z0-9_-]{16,}'),
  prefixed('openai-key', 'sk-', 'sk-(?:(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{12,}|[A-Za-z0-9]{16,})'),
  prefixed('stripe-key', 'k_', '[srp]k_(?:live|test)_[A-Za-z0-9]{10,}'),
  prefixed('github-token', 'gh', 'gh[opusr]_[A-Za-z0-9]{12,}'),
  prefixed('github-token', 'github_pat_', 'github_pat_[A-Za-z0-9_]{12,}'),
  prefixed('gitlab-token', 'glpat-', 'glpat-[A-Za-z0-9_-]{12,}'),
  {
    ...prefixed('aws-key', 'a', '(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{12,}(?![A-Za-z0-9])'),
    // The one of the provider's own documentation.
    accepts: (secret) => !secret.endsWith('EXAMPLE'),
  },
  prefixed('google-key', 'aiza', 'AIza[A-Za-z0-9_-]{30,}'),
  prefixed('google-token', 'ya29.', 'ya29\\.[A-Za-z0-9_-]{20,}'),
  prefixed('slack-token', 'xox', 'xox[a-z]-[A-Za-z0-9-]{8,}'),
  prefixed('slack-token', 'xapp-', 'xapp-[A-Za-z0-9-]{12,}'),
  prefixed('slack-webhook', 'hooks.slack.com', 'hooks\\.slack\\.com/services/[A-Za-z0-9/_-]{10,}'),
  prefixed('webhook-secret', 'whsec_', 'whsec_[A-Za-z0-9+/=_-]{12,}'),
  prefixed('supabase-key', 'sb', 'sb(?:p|_secret)_[A-Za-z0-9_]{16,}'),
  prefixed('npm-token', 'npm_', 'npm_[A-Za-z0-9]{20,}'),
  prefixed('huggingface-token', 'hf_', 'hf_[A-Za-z0-9]{20,}'),
  prefixed('pypi-token', 'pypi-', 'pypi-[A-Za-z0-9_-]{32,}'),
  prefixed('groq-key', 'gsk_', 'gsk_[A-Za-z0-9]{20,}'),
  prefixed('sendgrid-key', 'sg.', 'SG\\.[A-Za-z0-9_-]{16,}\\.[A-Za-z0-9_-]{16,}'),
  prefixed('telegram-token', ':', '\\d{8,10}:[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])'),
  {
    rule: 'jwt',
    hints: ['eyj'],
    pattern: /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?/g,
  },
  {
    rule: 'authorization',
    hints: ['bearer', 'basic', 'authorization'],
    pattern:
      /\b(?:bearer|authorization["']?\s{0,4}[:=]\s{0,4}["']?(?:basic|token|bearer|apikey)?)\s{1,4}["']?(?<secret>[A-Za-z0-9._~+/=-]{12,})/gi,
    accepts: (secret) => /\d/.test(secret) || /[a-z][A-Z]/.test(secret),
  },
  {
    rule: 'url-password',
    hints: ['://'],
    pattern: /(?<=:\/\/)[^\s:@/'"<>]{0,100}:(?<secret>[^\s@/'"<>]{1,200})@/g,
    accepts: (secret) => !isPlaceholder(secret),
  },
  {
    rule: 'assignment',
    hints: ['key', 'token', 'secret', 'passw', 'pwd', 'credential'],
    pattern: new RegExp(
      String.raw`(?<![A-Za-z0-9_.-])[A-Za-z0-9_.-]{0,60}?(?:key|token|secret|passwd|password|passphrase|pwd|credentials?|key_id)\\?["']?\]?\s{0,4}(?::=|[:=])\s{0,4}(?:\\?["']|\`)?(?<secret>${VALUE}{6,})`,
      'gi',
    ),
    accepts: isSecretValue,
  },
  {
    rule: 'assignment',
    hints: ['key', 'token', 'secret', 'passw'],
    pattern: new RegExp(
      String.raw`\b(?:password|passwd|passphrase|api[ _-]?key|secret|token|passwort|contraseña)\s{1,4}(?:is|was|ist|lautet|es)[\s:]{1,4}["'${'`'}]?(?<secret>${VALUE}{8,})`,
      'gi',
    ),
    accepts: (secret) => isSecretValue(secret, ''),
  },
  {
    rule: 'assignment',
    hints: ['--'],
    pattern: new RegExp(
      `--(?:password|passwd|token|api-key|secret)[ =]{1,2}["']?(?<secret>${VALUE}{6,})`,
      'gi',
    ),
    accepts: (secret) => isSecretValue(secret, ''),
  },
  {
    rule: 'email',
    hints: ['@'],
    pattern:
      /(?<![A-Za-z0-9._%+-])[A-Za-z0-9._%+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,5}[A-Za-z]{2,24}(?![A-Za-z0-9_-])/g,
    accepts: (secret) =>
      !/^git@|@(?:[a-z0-9-]+\.)*(?:example(?:\.(?:com|org|net))?|test|invalid|localhost)$/i.test(secret),
  },
];
