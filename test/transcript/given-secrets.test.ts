import { expect, test } from 'vitest';
import { createRedactor } from '../../src/transcript/redact.ts';

const REDACTED = /\[REDACTED:[a-z-]+:\d+\]/;

// Shapes are put together at run time, so that no scanner takes this file for a leak.
const PW = `Gar${'ten7!zaun'}`;
const hex = '0123456789abcdef'.repeat(4);

/** Lines with PW in the place of a password. */
const LINES = [
  'curl -u admin:PW https://api.internal/x',
  "curl -s --user 'admin:PW' https://api.internal/x",
  'curl -sSu admin:PW https://api.internal/x',
  "sshpass -p 'PW' ssh root@host",
  'sshpass -pPW ssh root@host',
  'tool --password PW --verbose',
  'tool --password=PW',
  'tool --passphrase "PW" x',
  'docker login -u me -p PW registry.internal',
  'podman login registry.internal -u me -p "PW"',
  '<password>PW</password>',
  'ansible_become_pass=PW',
  'ansible_ssh_pass: "PW"',
  'mysql -u root -pPW shop',
  'mysqldump -h db -pPW shop',
  'mariadb -pPW shop',
  'redis-cli -h cache -a PW ping',
  'machine api.internal login me password PW',
  'machine api.internal\n  login me\n  password PW',
  'echo PW | sudo -S apt update',
  "printf '%s\\n' PW | sudo -kS id",
  'echo "PW" | docker login -u me --password-stdin',
  'unzip -P PW a.zip',
  'zip -e -P PW a.zip x',
  '7z x -pPW a.7z',
  'openssl enc -d -in a -pass pass:PW',
  'openssl rsa -passin pass:PW -in a',
  'smbclient //host/share -U user%PW',
  'gpg --batch --passphrase PW -d a.gpg',
  'le mot de passe : PW',
  'mot de passe est PW',
  'la contraseña es PW',
  'das Passwort lautet PW',
  'пароль: PW',
  '密码是PW',
  '密码：PW',
  'パスワードは PW',
];

test.each(LINES)('the password of %j is taken out, and nothing else', (line) => {
  const redactor = createRedactor();
  const text = redactor.text(line.replace('PW', PW));
  expect(text.replace(REDACTED, 'PW')).toBe(line);
  expect(createRedactor().text(text)).toBe(text);
});

test.each(
  [
    'PASSWORD',
    '$PASS',
    '$' + '{PASS}',
    '<password>',
    '****',
    'your-password',
    'MY_PASSWORD',
    '{{ password }}',
  ].flatMap((placeholder) => LINES.map((line) => line.replace('PW', () => placeholder))),
)('%j names none', (line) => {
  expect(createRedactor().text(line)).toBe(line);
});

const WHOLE: [rule: string, text: string, secret: string][] = [
  ['digitalocean-token', 'TOKEN', `dop_v1_${hex}`],
  ['age-key', '# age\nTOKEN', `AGE-SECRET-KEY-1${'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L'.repeat(2).slice(0, 58)}`],
  ['vault-token', 'login TOKEN', `hvs.${'CAESIJk3n9Qw8Zr5Tt2Yy7Uu'}`],
  ['cookie', 'Cookie: TOKEN', `lang=de; session=${'8f3b9c2e7a1d4f60'}`],
  ['cookie', 'curl -H "Cookie: TOKEN" https://x.test', `session=${'a8f3b9c2e7a1d4f6'}`],
  ['cookie', 'Set-Cookie: TOKEN', `sid=${'a8f3b9c2e7a1d4f6'}; Path=/; HttpOnly`],
  ['iban', 'to TOKEN, please', `DE${'02120300000000202051'}`],
  ['iban', 'to TOKEN, please', `DE${'02 1203 0000 0000 2020 51'}`],
  ['iban', 'IBAN:TOKEN', `CH${'5604835012345678009'}`],
  ['card-number', 'card TOKEN exp', `4539 ${'1488 0343 6467'}`],
  ['card-number', 'card TOKEN.', `4539${'148803436467'}`],
  ['card-number', '"pan": "TOKEN"', `3782-${'822463-10013'}`],
];

test.each(WHOLE)('%s: %j', (rule, text, secret) => {
  expect(createRedactor().text(text.replace('TOKEN', secret))).toBe(
    text.replace('TOKEN', `[REDACTED:${rule}:1]`),
  );
});

test.each([
  'Cookie: session=<token>; Cookie: session=$SESSION',
  'Cookie: theme=dark; lang=de',
  'the cookie: a small file',
  `IBAN DE${'02120300000000202052'} has a wrong check digit`,
  `the card 4539 ${'1488 0343 6468'} has a wrong check digit`,
  'test with 4242 4242 4242 4242 or 4111111111111111, IBAN DE89 3704 0044 0532 0130 00',
  'at 1764518400000000 µs, id 4539148803436467890, v4.5391488034364671',
  'mysql -p shop, mysql -P 3306, mysqldump --port 3306',
  'tar -pxf a.tar, ssh -p 2222 host, cp -p a b, docker run -p 8080:80 nginx',
  'docker login -u me --password-stdin < file',
  '--password is asked for; give --password or --passphrase-file; use --password with care',
  '--password wins over the environment',
  'curl -u "$USER:$PASS" and curl -u user:password and curl -u $(cat login)',
  'le mot de passe est requis, la contraseña es obligatoria, das Passwort ist falsch',
  '密码是必填项。пароль: обязателен',
  'echo done | sudo tee a; echo $PW | sudo -S id',
  'unzip -p a.zip x, 7z a -p a.7z x, zip -r a.zip src',
  'hvs. is the prefix, dop_v1_ too, AGE-SECRET-KEY-1 as well',
  'openssl -pass env:PW -pass file:/run/pw -pass stdin',
  'git push -u origin:main; smbclient -U user%$PASS',
])('%j stays as it is', (text) => {
  expect(createRedactor().text(text)).toBe(text);
});

test.each([
  'curl ',
  'mysql ',
  'docker login ',
  'machine a ',
  '7z -',
  'echo a ',
  'Cookie: a=',
  '4111 ',
  'DE02',
  '--password ',
])('a megabyte of %j is done in one pass', (piece) => {
  const text = piece.repeat(Math.ceil(1_000_000 / piece.length));
  expect(createRedactor().text(text).length).toBeGreaterThan(0);
});
