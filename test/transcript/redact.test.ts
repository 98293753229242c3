import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRedactor, findSecrets } from '../../src/transcript/redact.ts';

// Shapes are put together at run time, so that no scanner takes this file for a leak.
const body = 'Ab3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1d';
const hex = '0123456789abcdef0123456789abcdef01234567';
const SHAPES: readonly (readonly [string, string])[] = [
  ['anthropic-key', `sk-ant-api03-${body}`],
  ['openrouter-key', `sk-or-v1-${hex}`],
  ['openai-key', `sk-proj-${body}_${body}`],
  ['openai-key', `sk-${body}`],
  ['stripe-key', `sk_live_${body}`],
  ['github-token', `ghp_${body}1234`],
  ['github-token', `github_pat_${body}_${body}`],
  ['gitlab-token', `glpat-${body.slice(0, 20)}`],
  ['aws-key', `AKIA${'IOSF7DNN7QRSTUVW'}`],
  ['google-key', `AIza${body}1234`],
  ['slack-token', `xoxb-${'123456789012'}-${body}`],
  ['webhook-secret', `whsec_${body}`],
  ['supabase-key', `sbp_${hex}`],
  ['npm-token', `npm_${body}12345`],
  ['telegram-token', `123456789:${body}A-_x`],
  ['jwt', `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjMifQ.${body}`],
  ['private-key', `-----BEGIN RSA PRIVATE KEY-----\n${body}\n${body}\n-----END RSA PRIVATE KEY-----`],
  ['email', 'maria.keller@somewhere.dev'],
];

test.each(SHAPES)('%s is taken out of prose, output, JSON and a query string', (rule, secret) => {
  const redactor = createRedactor();
  const marker = `[REDACTED:${rule}:1]`;
  expect(
    [`see ${secret} here`, `(${secret})`, JSON.stringify({ a: secret }), secret].map(redactor.text),
  ).toEqual(
    [`see ${marker} here`, `(${marker})`, `{"a":"${marker}"}`, marker].map((text) =>
      // JSON escapes line ends: a key with some is another value there.
      rule === 'private-key' && text.startsWith('{') ? text.replace(':1]', ':2]') : text,
    ),
  );
});

test.each([
  ['DB_PASSWORD=correcthorsebattery', 'DB_PASSWORD=[REDACTED:assignment:1]'],
  ['export SERVICE_TOKEN="a1b2c3d4e5"', 'export SERVICE_TOKEN="[REDACTED:assignment:1]"'],
  ['password = "hunter22"', 'password = "[REDACTED:assignment:1]"'],
  ['{"client_secret": "9f8e7d6c5b4a"}', '{"client_secret": "[REDACTED:assignment:1]"}'],
  ['the password is hunter2hunter2', 'the password is [REDACTED:assignment:1]'],
  ['mysql --password=s3cr3tpass x', 'mysql --password=[REDACTED:assignment:1] x'],
  [
    'curl -H "Authorization: Bearer abc123def456ghi"',
    'curl -H "Authorization: Bearer [REDACTED:authorization:1]"',
  ],
  ['postgres://admin:pa55word@db.internal/x', 'postgres://admin:[REDACTED:url-password:1]@db.internal/x'],
  ['password=[abc123def', 'password=[REDACTED:assignment:1]'],
  ['--token [abc123def] x', '--token [REDACTED:assignment:1] x'],
  ['the password is [hunter22x]', 'the password is [REDACTED:assignment:1]'],
  [
    'password={abc1234 password=%abc1234',
    'password=[REDACTED:assignment:1] password=[REDACTED:assignment:2]',
  ],
  [
    'password=$abc1234, secret: *abc1234',
    'password=[REDACTED:assignment:1], secret: [REDACTED:assignment:2]',
  ],
  ['password=@abc1234 pwd=...abc1234', 'password=[REDACTED:assignment:1] pwd=[REDACTED:assignment:2]'],
  ['password=<abc1234 token=xxxabc1234', 'password=[REDACTED:assignment:1] token=[REDACTED:assignment:2]'],
  ['password=your1abcdefg', 'password=[REDACTED:assignment:1]'],
  ['API_KEY=example1x2y3z', 'API_KEY=[REDACTED:assignment:1]'],
  ['password=[REDACTED:assignment:1]abc123', 'password=[REDACTED:assignment:1]'],
  ['password={{x}}abc123', 'password=[REDACTED:assignment:1]'],
  ['password: `abc1234x`', 'password: `[REDACTED:assignment:1]`'],
  ['os.environ["API_KEY"] = "a1b2c3d4"', 'os.environ["API_KEY"] = "[REDACTED:assignment:1]"'],
  ['login(password=abc12345)', 'login(password=[REDACTED:assignment:1]'],
  [
    'PASSWORD=abc12345; psql && TOKEN=abc12345&&x',
    'PASSWORD=[REDACTED:assignment:1]; psql && TOKEN=[REDACTED:assignment:1]&&x',
  ],
  ['Server=x;Password=abc123x;Database=y', 'Server=x;Password=[REDACTED:assignment:1];Database=y'],
  ['https://x.test/?api_key=abc123def&units=m', 'https://x.test/?api_key=[REDACTED:assignment:1]&units=m'],
  ['password=Tr0ub&dor;3', 'password=[REDACTED:assignment:1]'],
  [
    'https://u:[abc123@h and https://u:%41bc1@h',
    'https://u:[REDACTED:url-password:1]@h and https://u:[REDACTED:url-password:2]@h',
  ],
  ['-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0B\nabc', '[REDACTED:private-key:1]\nabc'],
])('%j becomes %j', (text, expected) => {
  expect(createRedactor().text(text)).toBe(expected);
});

test.each([
  'a risk-adjusted return, a task-oriented desk-bound disk-encryption',
  'prefixes such as sk-, ghp_, AKIA, xox and xoxb- alone',
  'git clone git@github.com:owner/repository.git',
  'write to someone@example.com',
  'npm i vitest@4.1.12 @scope/package@latest',
  'API_KEY=$OPENAI_API_KEY and token: process.env.TOKEN, secret = getSecret(name)',
  'const token = theme.accent; maxTokens: 400000; "key": "string"',
  'https://user:password@host and https://user:<password>@host',
  'password=<your-password> password: <your password 1> token=&lt;token-1&gt;',
  `password=${'$'}{DB_PASSWORD1} token: ${'$'}{{ secrets.TOKEN1 }} key={{ api.key1 }} secret={{secret1}}`,
  'PASSWORD=xxxxxxxx API_KEY=sk-xxxx TOKEN=******** SECRET=xxxx-xxxx-xxxx',
  'API_KEY=your-api-key-123 DB_PASSWORD=changeme SERVICE_TOKEN=[redacted]',
  'password=[REDACTED:assignment:1] password=[REDACTED:openai-key:2].',
  'sorted(rows, key=[column1, column2]) and key={user1}',
  'key: ed25519, token: Uint8Array, secret: base64, key = (a1, b2)',
  'token = parse(x1) || y2z3a4b; key => a1b2c3d4',
  'primaryKey: created_at, sort_key=created-at',
  'bearer authentication is required',
  '/Users and /home alone, https://host/home/page',
])('%j stays as it is', (text) => {
  expect(createRedactor().text(text)).toBe(text);
});

test('home folders become ~, also the one given and those folded into a name', () => {
  const redactor = createRedactor({ home: '/srv/people/ada' });
  expect(
    [
      '/Users/ada/project/a.ts:3',
      'cd /home/ada && ls',
      'C:\\Users\\ada\\x',
      '/srv/people/ada/x',
      '~/.agent/sessions/--Users-ada-project--/x',
    ].map(redactor.text),
  ).toEqual(['~/project/a.ts:3', 'cd ~ && ls', '~\\x', '~/x', '~/.agent/sessions/--~-project--/x']);
  expect(redactor.counts()).toEqual({ 'home-path': 5 });
});

test('the same value keeps its number, another value gets the next one', () => {
  const redactor = createRedactor({ secrets: ['plain-known-value', 'short', 'aaaaaaaaaaaa'] });
  const [one, two] = [`ghp_${body}`, `ghp_${body}x`];
  expect(redactor.value({ [one]: [two, one, 7, null], b: 'plain-known-value, short, aaaaaaaaaaaa' })).toEqual(
    {
      '[REDACTED:github-token:1]': ['[REDACTED:github-token:2]', '[REDACTED:github-token:1]', 7, null],
      b: '[REDACTED:known-value:1], short, aaaaaaaaaaaa',
    },
  );
  expect(redactor.counts()).toEqual({ 'github-token': 3, 'known-value': 1 });
});

test('a hostile value neither breaks the walk nor reaches a prototype', () => {
  const redactor = createRedactor();
  const hostile = JSON.parse('{"__proto__": {"polluted": "yes"}}');
  expect(JSON.stringify(redactor.value(hostile))).toBe('{"__proto__":{"polluted":"yes"}}');
  expect('polluted' in {}).toBe(false);
  const deep = JSON.parse(`${'['.repeat(5000)}${']'.repeat(5000)}`);
  expect(JSON.stringify(redactor.value(deep))).toContain('[nested too deep]');
});

test('finds are ordered, do not overlap and name the rule', () => {
  const text = `url https://x:sk-${body}@h and maria@somewhere.dev`;
  expect(findSecrets(text).map(({ rule, start, end }) => [rule, text.slice(start, end)])).toEqual([
    ['openai-key', `sk-${body}`],
    ['email', 'maria@somewhere.dev'],
  ]);
});

test('a path below home is a path before and after its redaction, never a secret', () => {
  const once = createRedactor().text('API_KEY=/home/ada/*-0A');
  expect([once, createRedactor().text(once), findSecrets(once)]).toEqual(['API_KEY=~/*-0A', once, []]);
});

const AGAIN = [
  '://u:xb@pt+Bearer ',
  '/home/ada--token --token --Users-ada-p1--',
  ':Bearer C:/Users/ada/--Users-ada-p1--x',
];

test.each(AGAIN)('%j is the same after a second redaction', (text) => {
  const once = createRedactor().text(text);
  expect(createRedactor().text(once)).toBe(once);
});

test('a secret behind a placeholder is still found', () => {
  const secret = `ghp_${'a1B2'.repeat(9)}`;
  expect(createRedactor().text(`[REDACTED:url-password:1] ${secret}`)).not.toContain(secret);
});

test('redacting twice changes nothing more, and a planted secret never survives', () => {
  const pieces = fc.oneof(
    fc.string(),
    fc.constantFrom(...SHAPES.map(([, secret]) => ` ${secret} `)),
    fc.constantFrom(
      'API_KEY=',
      '"',
      ' password: ',
      '://u:',
      '@',
      '\n',
      '/home/ada/',
      '--Users-ada-p1--',
      'Bearer ',
      '--token ',
      'password=[',
      'token=<',
      '[REDACTED:assignment:1]',
      ';&x=',
      '{{',
      '`',
    ),
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
      const text = parts.join('');
      const once = createRedactor().text(text);
      expect(createRedactor().text(once)).toBe(once);
      for (const [, secret] of SHAPES) expect(once).not.toContain(secret);
    }),
  );
});

test('a megabyte of brackets behind a value is done in one pass', () => {
  const text = `password=a1${']'.repeat(500_000)}b${';&'.repeat(250_000)}`;
  expect(createRedactor().text(text).length).toBeLessThan(text.length);
});

test.each([
  'a',
  'A_',
  '=',
  'key',
  'eyJ',
  'x@',
  '-----BEGIN PRIVATE KEY-----',
  'token=',
  '://a:',
  ' ',
  'Bearer ',
  '.a',
])('a megabyte of %j is done in one pass', (piece) => {
  const text = piece.repeat(Math.ceil(1_000_000 / piece.length));
  expect(createRedactor().text(text).length).toBeGreaterThan(0);
});
