import { beforeAll, expect, test } from 'vitest';
import type { Folder } from '../../../src/files/folder.ts';
import type { Library } from '../../../src/library/library.ts';
import { createSandbox } from '../../../src/scripts/sandbox.ts';
import { runFolderTests } from '../../../src/scripts/skill-tests.ts';
import { checkFindings, checkRules, draftOf, libraryOf, skillFolder } from '../../support/gate-lab.ts';
import { folderOf } from '../../support/skills.ts';

let library: Library;
beforeAll(async () => {
  library = await libraryOf();
});

const sandbox = createSandbox({ mode: 'unsandboxed', path: process.env['PATH'] ?? '', timeoutSeconds: 20 });
const runTests = (dir: string, folder: Folder) => runFolderTests(dir, folder, sandbox);

const TOOLS =
  'tools:\n  - {name: count, description: Counts rows., script: scripts/count.sh, parameters: {type: object}}\n';
const cases = (...lines: string[]) => `cases:\n${lines.map((line) => `  - ${line}\n`).join('')}`;
const THREE = '{name: three rows, tool: count, params: {}, expect: {status: success, data: 3}}';
const FOUR = '{name: four rows, tool: count, params: {}, expect: {data: 4}}';
const counting = (rows: number, tests?: string) =>
  skillFolder('x', {
    'tools.yaml': TOOLS,
    'scripts/count.sh': `echo ${rows}\n`,
    ...(tests === undefined ? {} : { 'tests.yaml': tests }),
  });

const NONE = 'not run: the skill has no tests.yaml';
const CASES: [title: string, base: Folder | undefined, candidate: Folder, rules: string[]][] = [
  ['cases that pass', undefined, counting(3, cases(THREE)), []],
  ['a case that fails', undefined, counting(4, cases(THREE)), ['refuse test-failed']],
  ['a case that passed before', counting(3, cases(THREE)), counting(4, cases(THREE)), ['refuse test-broken']],
  [
    'a case that failed before as well',
    counting(3, cases(FOUR)),
    counting(5, cases(FOUR)),
    ['note test-failed-before'],
  ],
  [
    'a new case that fails',
    counting(3, cases(THREE)),
    counting(3, cases(THREE, FOUR)),
    ['refuse test-failed'],
  ],
  ['a case that is gone', counting(3, cases(THREE, FOUR)), counting(3, cases(THREE)), ['ask test-removed']],
  [
    'all cases gone',
    counting(3, cases(THREE)),
    counting(4),
    ['ask test-removed', 'note untested-tool', NONE],
  ],
  [
    'a case that expects what comes',
    counting(3, cases(THREE)),
    counting(4, cases(THREE.replace('3', '4'))),
    ['warn test-changed'],
  ],
  [
    'a script that is missing',
    undefined,
    folderOf({ ...texts(counting(3, cases(THREE)), 'scripts/count.sh') }),
    ['refuse test-failed'],
  ],
  ['tools without cases', undefined, counting(3), ['note untested-tool', NONE]],
  ['neither tools nor cases', undefined, skillFolder('x'), [NONE]],
  ['no skill', undefined, folderOf({ 'README.md': 'x' }), ['not run: the skill could not be read']],
];

test.each(CASES)('%s', async (_, base, candidate, rules) => {
  const input = { candidate, library, runTests, ...(base === undefined ? {} : { base }) };
  expect(await checkRules('tests', input)).toEqual(rules);
});

test('what is generated is held to more', async () => {
  const draft = draftOf([]);
  const changed = { base: counting(3, cases(THREE)), candidate: counting(4, cases(THREE.replace('3', '4'))) };
  expect(await checkRules('tests', { ...changed, library, runTests, draft })).toEqual(['ask test-changed']);
  expect(await checkRules('tests', { candidate: counting(3), library, runTests, draft })).toEqual([
    'warn untested-tool',
    NONE,
  ]);
});

test('without a sandbox a person looks at the cases', async () => {
  expect(await checkRules('tests', { candidate: counting(3, cases(THREE)), library })).toEqual([
    'ask no-sandbox',
  ]);
});

test('a failure says what was expected and what came', async () => {
  const candidate = counting(4, cases(THREE));
  expect(await checkFindings('tests', { candidate, library, runTests })).toEqual([
    {
      rule: 'test-failed',
      severity: 'refuse',
      message: '"three rows" fails: data: expected 3, got 4; the answer was {"status":"success","data":4}',
      file: 'tests.yaml',
      subject: 'three rows',
    },
  ]);
});

function texts(folder: Folder, without: string): Record<string, string> {
  return Object.fromEntries(
    [...folder].flatMap(([path, { bytes }]) =>
      path === without ? [] : [[path, new TextDecoder().decode(bytes)]],
    ),
  );
}
