import { ACCOUNT_RULES } from './account-rules.ts';
import { COMMAND_SECRET_RULES } from './command-secret-rules.ts';
import type { SecretRule } from './secret-rule.ts';
import { isPlaceholder, isSecretValue, VALUE } from './secret-values.ts';

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
  prefixed('digitalocean-token', '_v1_', 'do[opr]_v1_[a-f0-9]{32,}'),
  prefixed('age-key', 'age-secret-key-1', 'AGE-SECRET-KEY-1[A-Z0-9]{20,}'),
  prefixed('vault-token', 'hv', 'hv[sbr]\\.[A-Za-z0-9_-]{20,}'),
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
  ...COMMAND_SECRET_RULES,
  ...ACCOUNT_RULES,
  {
    rule: 'email',
    hints: ['@'],
    pattern:
      /(?<![A-Za-z0-9._%+-])[A-Za-z0-9._%+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,5}[A-Za-z]{2,24}(?![A-Za-z0-9_-])/g,
    accepts: (secret) =>
      !/^git@|@(?:[a-z0-9-]+\.)*(?:example(?:\.(?:com|org|net))?|test|invalid|localhost)$/i.test(secret),
  },
];
