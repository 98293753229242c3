import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { Library } from '../../../src/library/library.ts';
import { checkFindings, checkRules, libraryOf, skillFolder } from '../../support/gate-lab.ts';
import { temporary } from '../../support/skills.ts';

let library: Library;
beforeAll(async () => {
  library = await libraryOf();
});

const skillWith = (file: string, text: string) =>
  skillFolder(`Run \`scripts/${file}\`.`, { [`scripts/${file}`]: text });

test.each<[title: string, file: string, text: string, rules: string[]]>([
  ['extended patterns that it sets', 'a.sh', 'shopt -s extglob\nrm -f -- !(keep|CHANGELOG.md)\n', []],
  ['several options at once', 'a.sh', 'set -e; shopt -s nullglob extglob\nls @(a|b)\n', []],
  [
    'extended patterns without setting them',
    'a.sh',
    'rm -f -- !(keep|CHANGELOG.md)\n',
    ['refuse script-broken'],
  ],
  [
    'a comment that speaks of setting them',
    'a.sh',
    '# shopt -s nothing\nls @(a|b)\n',
    ['refuse script-broken'],
  ],
  ['a fault beside them', 'a.sh', 'shopt -s extglob\nif [ 1 ]; then ls !(a)\n', ['refuse script-broken']],
  ['a script of zsh', 'a.sh', '#!/bin/zsh\nfor f (*) print $f\n', []],
  ['a fault that no version has', 'a.py', 'def f(:\n    pass\n', ['refuse script-broken']],
])('%s', async (_, file, text, expected) => {
  expect(await checkRules('format', { candidate: skillWith(file, text), library })).toEqual(expected);
});

/** A `python3` that says that it is so old, and parses nothing. */
async function oldPython(version: string): Promise<string> {
  const dir = await temporary('python');
  mkdirSync(dir, { recursive: true });
  const path = join(dir, 'python3');
  writeFileSync(
    path,
    `#!/bin/sh\ncase "$*" in *version_info*) echo ${version};; *) cat > /dev/null; echo "SyntaxError: invalid syntax" >&2; exit 1;; esac\n`,
  );
  chmodSync(path, 0o755);
  return `${dir}:/usr/bin:/bin`;
}

test.each<[since: string, text: string]>([
  ['3.14', 'try:\n    pass\nexcept A, B:\n    pass\n'],
  ['3.12', 'type Row = list[int]\n'],
  ['3.12', 'def first[T](rows: list[T]) -> T:\n    return rows[0]\n'],
  ['3.12', 'print(f"{row["name"]}")\n'],
  ['3.11', 'try:\n    pass\nexcept* ValueError:\n    pass\n'],
  ['3.10', 'match row:\n    case 1: pass\n'],
])('what may need Python %s is for a person where the machine has an older one: %j', async (since, text) => {
  const candidate = skillWith('a.py', text);
  const [major = '', minor = ''] = since.split('.');
  const older = await oldPython(`${major}.${Number(minor) - 1}`);
  const [finding, ...others] = await checkFindings('format', { candidate, library, path: older });
  expect([finding?.severity, finding?.rule, others]).toEqual(['ask', 'script-unparsed', []]);
  expect(finding?.message).toContain(`it may need python3 ${since}, and the one of this machine is`);
  const path = await oldPython(since);
  expect(await checkRules('format', { candidate, library, path })).toEqual(['refuse script-broken']);
});

test('what every version refuses is refused by an old one too', async () => {
  const path = await oldPython('3.6');
  const candidate = skillWith('a.py', 'def f(:\n    pass\n');
  expect(await checkRules('format', { candidate, library, path })).toEqual(['refuse script-broken']);
});
