import { beforeAll, expect, test } from 'vitest';
import type { Library } from '../../../src/library/library.ts';
import { checkRules, libraryOf, skillFolder } from '../../support/gate-lab.ts';

let library: Library;
beforeAll(async () => {
  library = await libraryOf();
});

// Put together at run time, so that no scanner takes this file for a leak.
const PW = `Gar${'ten7!zaun'}`;
const LINES = [
  'curl -u ada:PW https://api.internal/x',
  "sshpass -p 'PW' ssh root@host",
  'docker login -u me -p PW registry.internal',
  'mysql -u root -pPW shop',
  'redis-cli -a PW ping',
  'gpg --batch --passphrase PW -d a.gpg',
  '7z x -pPW a.7z',
  '<password>PW</password>',
  'machine api.internal login me password PW',
  'la contraseña es PW',
  '密码是PW',
];
const secretsOf = async (line: string) => {
  const rules = await checkRules('safety', { candidate: skillFolder(`# Steps\n\n\`${line}\``), library });
  return rules.filter((rule) => rule === 'refuse secret');
};

test.each(LINES)('refuses the password in %j', async (line) => {
  expect(await secretsOf(line.replace('PW', PW))).toEqual(['refuse secret']);
});

test.each(LINES)('and takes no placeholder in %j for one', async (line) => {
  for (const placeholder of ['PASSWORD', '$PASS', '<password>', '****', 'your-password'])
    expect(await secretsOf(line.replace('PW', () => placeholder))).toEqual([]);
});
