import { beforeAll, describe, expect, test } from 'vitest';
import type { Library } from '../../../src/library/library.ts';
import {
  checkFindings,
  checkRules,
  draftOf,
  libraryOf,
  sessionOf,
  skillFolder,
} from '../../support/gate-lab.ts';

let library: Library;
beforeAll(async () => {
  library = await libraryOf();
});

const rules = (text: string, more = {}) =>
  checkRules('scope', { candidate: skillFolder(`# Steps\n\n${text}`), library, ...more });

const PARTICULAR: [text: string, ...rules: string[]][] = [
  ['In this session we found that the export breaks.', 'refuse one-off-narrative'],
  ['See SHOP-721 for the limit.', 'refuse ticket'],
  ['When we tried pandas, it failed.', 'refuse one-off-narrative'],
  ['The build broke last night.', 'refuse one-off-narrative'],
  ['Yesterday the export failed at noon.', 'refuse one-off-narrative'],
  ['The customer complained about the total.', 'refuse one-off-narrative'],
  ['Der Nutzer sagte, dass die Summe falsch ist.', 'refuse one-off-narrative'],
  ['在这次会话中发现导出有误。', 'refuse one-off-narrative'],
  ['As of 2024-05-01 the export has a new column.', 'refuse date'],
  ['On March 5th, 2024 the format changed.', 'refuse date'],
  ['Seit dem 3.4.2024 gilt das neue Format.', 'refuse date'],
  ['2024年5月1日 起使用新格式。', 'refuse date'],
  ['See PAY-4711 for the reason.', 'refuse ticket'],
  ['It fixes issue #4821 and bug #77.', 'refuse ticket', 'refuse ticket'],
  ['Put it into /home/maria/data.csv.', 'refuse personal-path'],
  ['Open file:///Users/maria/data.csv.', 'refuse personal-path'],
  ['Put it into C:\\Users\\Maria\\data.', 'refuse personal-path'],
  ['Commit 3f2a9bc mended it.', 'refuse commit-hash'],
  ['Ask maria.keller@somewhere.dev for it.', 'refuse email'],
  ['Ask support@somewhere.dev for it.', 'warn email'],
  ['Log in with [REDACTED:openai-key:1].', 'refuse redacted-value'],
  ['pandas is not installed on this machine, so use awk.', 'refuse environment-accident'],
  ['Do not use pandas because it is not installed.', 'refuse environment-accident'],
  ['This environment has no GPU.', 'refuse environment-accident'],
  ['The network was down, so nothing was fetched.', 'warn transient-error'],
  ['The mirror was rate limited and hit its rate limit.', 'warn transient-error'],
  ['Avoid the mirror since the server is overloaded.', 'refuse transient-error'],
];

test.each(PARTICULAR)('%j belongs to one case', async (text, ...expected) => {
  expect(await rules(text)).toEqual(expected);
});

const GENERAL: string[] = [
  'If the user asked for CSV or the customer said so, write CSV; ask what was tried before.',
  'We recommend three retries. I prefer tabs to blanks.',
  "Compare last week's sales with those of last month; yesterday's file has the suffix -1.",
  'Write dates as 2024-05-01 (ISO 8601); 03/04/2024 is an example of an ambiguous one.',
  'Send the header API-Version: 2022-11-28.',
  'Encode as UTF-8, hash with SHA-256, escape as in RFC 4180; ORA-00942 means a missing table, ERR-404 a missing page.',
  'Report Q1-2024 as FY-2024; CVE-2024-1234 and PROJ-123 are patterns of ids.',
  'Tokens follow ERC-721 or ERC-1155 with fees by EIP-1559; phrases follow BIP-39, addresses SLIP-44.',
  'See RFC-2616, ISO-8601, UTF-8, SHA-256, SHA3-256, IEEE-754, PEP-484, JEP-444, XEP-0060 and COVID-19.',
  'Codes are in ICD-10, ISBN-13 or EAN-13, places in WGS-84 (EPSG-4326), keys in PBKDF2-256 or HMAC-256.',
  'Case 12: commas. Case 100: all rows. Step #3, item #12, bug 42.',
  'The port is 5432, the limit 100000 rows, the rate 3.14159, the address 192.168.0.1, the mask 0x1f.',
  'Put settings into ~/.config/tool/config.toml or /etc/tool; a home is /home/user, /Users/<name> or /home/$USER.',
  'Write C:\\Users\\%USERNAME%\\AppData, never a drive letter of your own.',
  'A short hash looks like 3f2a9bc, a colour like #3f2a9bc.',
  'Clone git@github.com:owner/repository.git and sign as you@example.com or noreply@somewhere.dev.',
  'If ripgrep is not installed, use grep.',
  'Retry on 429 with backoff; a request that timed out is sent once more.',
  'Handle rate limits: wait and retry. Connection refused means that nothing listens.',
  'Respect the rate limit of ten requests a second. It needs no network.',
  'The filter gives null for what is missing. Stream the file so that it does not run out of memory.',
  'Mark flaky tests and rerun them alone.',
  'Adjust for risk: a risk-adjusted return needs the volatility.',
];

test.each(GENERAL)('%j holds for a class of tasks', async (text) => {
  expect(await rules(text)).toEqual([]);
  expect(await rules(text, { draft: draftOf([]) })).toEqual([]);
});

test('an accident without a condition is refused in what is generated', async () => {
  expect(await rules('The API returned 429 and timed out.', { draft: draftOf([]) })).toEqual([
    'refuse transient-error',
  ]);
  expect(
    await rules('## Troubleshooting\n\n- permission denied: set the mode.', { draft: draftOf([]) }),
  ).toEqual([]);
});

describe('an example', () => {
  test('of a date or ticket in code or quotes is told and vetoes nothing', async () => {
    expect(await rules('```\ncp 2024-05-01.csv PAY-4711\n```')).toEqual(['note date', 'warn ticket']);
    expect(await rules('Never write "we fixed PAY-4711" into a skill.')).toEqual(['warn ticket']);
  });

  test('of a path of one machine is refused in code as well', async () => {
    expect(await rules('```\ncat /home/maria/data.csv\n```')).toEqual(['refuse personal-path']);
  });
});

test('the name of the home folder of a cited session is a person, unless any machine has it', async () => {
  const evidence = [
    sessionOf([['user', 'Hello']], { cwd: '/home/maria/shop' }),
    sessionOf([['user', 'Hello']], { cwd: '/home/runner/work' }),
  ];
  expect(await rules('Ask Maria; use a runner. Marianne may help.', { evidence })).toEqual([
    'refuse personal-name',
  ]);
});

test('scripts, data and recorded queries are looked at by line', async () => {
  const candidate = skillFolder('x', {
    'scripts/a.py': 'HOME = "/home/maria"\n\nDAY = "2024-05-01"\n',
    'references/a.md': 'See PAY-4711.\n',
    'evals/triggers.json': '[{"query": "fix PAY-4711 in /home/maria", "should_trigger": true}]',
  });
  const found = await checkFindings('scope', { candidate, library });
  expect(found.map(({ rule, severity, file, line }) => [rule, severity, file, line])).toEqual([
    ['ticket', 'warn', 'evals/triggers.json', 1],
    ['personal-path', 'refuse', 'evals/triggers.json', 1],
    ['ticket', 'refuse', 'references/a.md', 1],
    ['personal-path', 'refuse', 'scripts/a.py', 1],
    ['date', 'note', 'scripts/a.py', 3],
  ]);
});

const SAID: [title: string, lesson: string, rules: string[]][] = [
  ['mail anna.berg@shop-north.de', 'Count the rows.', ['refuse email']],
  ['count rows', 'Anna.Berg@shop-north.de wants the rows counted.', ['refuse email']],
  ['count rows', 'Read /home/maria/a.csv first.', ['refuse personal-path', 'refuse personal-name']],
  ['count rows for Maria', 'Count the rows.', ['refuse personal-name']],
  ['count rows', 'In this session we found that PAY-4711 broke rows yesterday.', []],
];

test.each(SAID)('the title %j with the lesson %j names nobody', async (title, lesson, expected) => {
  const evidence = [sessionOf([['user', 'Hello']], { cwd: '/home/maria/shop' })];
  expect(await rules('Count.', { title, draft: draftOf([], { lesson }), evidence })).toEqual(expected);
});

test('an import is warned', async () => {
  expect(await rules('See PAY-4711.', { imported: true })).toEqual(['warn ticket']);
});
