import { beforeAll, expect, test } from 'vitest';
import type { Folder } from '../../../src/files/folder.ts';
import type { GateInput } from '../../../src/gate/check.ts';
import type { Library } from '../../../src/library/library.ts';
import { checkFindings, checkRules, draftOf, libraryOf, NAME, skillFolder } from '../../support/gate-lab.ts';
import { folderOf, skillText } from '../../support/skills.ts';

let library: Library;
beforeAll(async () => {
  library = await libraryOf({
    'csv-joins': folderOf({ 'SKILL.md': skillText('csv-joins', 'Join by key.') }),
  });
});

const described = (description: string, body = '# Steps\n\n- Count the rows.') =>
  folderOf({ 'SKILL.md': skillText(NAME, body, { description }) });
const front = (fields: string) => folderOf({ 'SKILL.md': `---\n${fields}\n---\n\n# Steps\n\n- Count.\n` });
const D = 'description: "Cleans CSV exports. Use when rows are broken."';
/** As a folded block, with many more characters on disk than the text has in the end. */
const folded = (characters: number) => {
  const said = ['Cleans CSV exports.', 'Use when rows are broken:'];
  const rest = characters - said.join(' ').length;
  const words = Array.from({ length: 99 }, () => 'rows').concat('r'.repeat(rest - 99 * 5 - 1));
  return front(`name: ${NAME}\ndescription: >-\n      ${[...said, ...words].join('\n      ')}`);
};
const tool = (script: string) =>
  `tools:\n  - name: count\n    description: Counts rows.\n    script: ${script}\n    parameters: {type: object}\n`;
const lines = (count: number) => Array.from({ length: count }, (_, at) => `- Row ${at}`).join('\n');

const CASES: [title: string, candidate: Folder, rules: string[]][] = [
  ['a plain skill', skillFolder('# Steps\n\n- Count the rows.'), []],
  ['no SKILL.md', folderOf({ 'README.md': 'x' }), ['refuse not-loadable']],
  ['front matter of code', folderOf({ 'SKILL.md': `---js\n{name: 1}\n---\nx\n` }), ['refuse not-loadable']],
  ['another name than its folder', front(`name: other\n${D}`), ['refuse not-strict']],
  [
    'a field that the specification does not know',
    front(`name: ${NAME}\n${D}\nmodel: big`),
    ['refuse not-strict'],
  ],
  ['a metadata key that only its writer knows', front(`name: ${NAME}\n${D}\nmetadata:\n  team: data`), []],
  ['a description without what', described('Helps with things'), ['refuse description-without-what']],
  [
    'a description that repeats the name',
    described('CSV cleaning skill. Use when cleaning CSV.'),
    ['refuse description-without-what'],
  ],
  [
    'a description without when',
    described('Cleans CSV exports with broken rows.'),
    ['refuse description-without-when'],
  ],
  ['a description of 1,024 characters when it is folded', folded(1024), []],
  ['a longer one', folded(1025), ['refuse not-strict']],
  ['a when in front', described('When a CSV export has broken rows, mends quotes and delimiters.'), []],
  [
    'a German description',
    described('Bereinigt CSV-Exporte. Zu verwenden, wenn Zeilen zerbrochen sind.'),
    [],
  ],
  ['a Chinese description', described('清理CSV导出文件中的坏行，导入前需要修复时使用。'), []],
  ['a Japanese description', described('壊れた行を含むCSVを取り込む前に整える場合に使う。'), []],
  ['a short one that says all', described('Merge PDF files. Use for combining reports.'), []],
  ['500 lines', skillFolder(lines(499)), []],
  ['over 500 lines', skillFolder(lines(600)), ['refuse too-long']],
  ['over 5,000 tokens', skillFolder('word '.repeat(6000)), ['refuse too-long']],
  [
    'a link that leads nowhere',
    skillFolder('See [the list](references/list.md).', { 'references/other.md': 'x' }),
    ['refuse broken-link'],
  ],
  [
    'a link by reference that leads nowhere',
    skillFolder('See [the list].\n\n[the list]: guide.md'),
    ['refuse broken-link'],
  ],
  [
    'a link with another case',
    skillFolder('See [the list](references/List.md).', { 'references/list.md': 'x' }),
    ['refuse broken-link'],
  ],
  [
    'links that hold',
    skillFolder(
      '[a](references/a.md#top) [b](<references/b c.md>) [c](./references/) ![d](assets/d.png "D") [e](references/a.md?x=1)',
      {
        'references/a.md': '[back](../SKILL.md) and [b](b%20c.md)',
        'references/b c.md': 'x',
        'assets/d.png': 'x',
      },
    ),
    [],
  ],
  [
    'a link with a blank or brackets in it that leads nowhere',
    skillFolder('[a](<my file.md>) [b]( list_(1).md "B" )'),
    ['refuse broken-link', 'refuse broken-link'],
  ],
  [
    'a link to a line of a file, and one with brackets',
    skillFolder('[a](references/a_(1).md:12) [b](references/a_(1).md#L3)', { 'references/a_(1).md': 'x' }),
    [],
  ],
  [
    'code and paths that only look like a link',
    skillFolder('Call rows[i](column) and handlers[0](row.name), or write [it](path/to/file.md).'),
    [],
  ],
  [
    'links that are none of ours',
    skillFolder(
      '[a](https://x.test/y.md) [b](#steps) [c](mailto:x@example.com) [d](<path>) [e](url) `[f](missing.md)`\n\n```md\n[g](missing.md)\n```\n\n- [ ] task\n\n[^1]: a note',
    ),
    [],
  ],
  ['a link to another skill', skillFolder('See [joins](../csv-joins/SKILL.md).'), ['warn link-outside']],
  [
    'a file that is named and missing',
    skillFolder('Run `scripts/count.py`.', { 'scripts/other.py': 'x = 1' }),
    ['refuse missing-file'],
  ],
  [
    'a script of the project at hand',
    skillFolder('Run `scripts/build.sh` if there is one.'),
    ['warn missing-file'],
  ],
  [
    'a placeholder of a file',
    skillFolder('Write `scripts/your_script.py`, `references/<topic>.md`, `scripts/*.py`.', {
      'scripts/a.py': 'x = 1',
    }),
    [],
  ],
  [
    'scripts that parse',
    skillFolder('x', {
      'scripts/a.py': 'print(1)\n',
      'scripts/b.sh': 'echo "$1"\n',
      'scripts/c.js': 'export const c = 1;\n',
      'scripts/d.cjs': 'return 1;',
      'scripts/e': '#!/usr/bin/env python3\nprint(1)\n',
    }),
    [],
  ],
  [
    'scripts that do not parse',
    skillFolder('x', {
      'scripts/a.py': 'def a(:\n',
      'scripts/b.sh': 'if true; then\n',
      'scripts/c.mjs': 'const = 1;\n',
      'scripts/d': '#!/usr/bin/env bash\n((\n',
    }),
    ['refuse script-broken', 'refuse script-broken', 'refuse script-broken', 'refuse script-broken'],
  ],
  [
    'a tool with its script',
    skillFolder('x', { 'tools.yaml': tool('scripts/count.py'), 'scripts/count.py': 'print(1)\n' }),
    [],
  ],
  [
    'a tool without its script',
    skillFolder('x', { 'tools.yaml': tool('scripts/count.py') }),
    ['refuse missing-file'],
  ],
  ['a tools.yaml that is none', skillFolder('x', { 'tools.yaml': 'tools: 3\n' }), ['refuse tools-file']],
  ['a tests.yaml that is none', skillFolder('x', { 'tests.yaml': 'cases: 3\n' }), ['refuse tests-file']],
  ['a related skill that exists', front(`name: ${NAME}\n${D}\nmetadata:\n  related_skills: "csv-joins"`), []],
  [
    'a related skill that does not',
    front(`name: ${NAME}\n${D}\nmetadata:\n  related_skills: "csv-join"`),
    ['refuse dangling-related'],
  ],
];

test.each(CASES)('%s', async (_, candidate, rules) => {
  expect(await checkRules('format', { candidate, library })).toEqual(rules);
});

test('a skill over the limit may shrink and may not grow', async () => {
  const base = skillFolder(lines(700));
  const rules = (count: number) =>
    checkRules('format', { base, candidate: skillFolder(lines(count)), library });
  expect(await Promise.all([600, 700, 701].map(rules))).toEqual([
    ['note too-long'],
    ['note too-long'],
    ['refuse too-long'],
  ]);
});

test('an import is warned of everything but what cannot be read at all', async () => {
  const imported = (candidate: Folder) => checkRules('format', { candidate, library, imported: true });
  expect(await imported(described('Helps with things', 'See [x](missing.md).'))).toEqual([
    'warn description-without-what',
    'warn broken-link',
  ]);
  expect(await imported(folderOf({ 'README.md': 'x' }))).toEqual(['refuse not-loadable']);
});

test('what was not parsed for want of an interpreter is said, once', async () => {
  const candidate = skillFolder('x', { 'scripts/a.py': 'def a(:\n', 'scripts/b.py': 'x = 1\n' });
  expect(await checkRules('format', { candidate, library, path: '/nowhere' })).toEqual([
    'not run: python3 is not there, so its scripts were not parsed',
  ]);
});

test('a finding names its file, its line as on disk, and the remedy', async () => {
  const candidate = folderOf({
    'SKILL.md': skillText(NAME, '# Steps\r\n\r\nSee [it](References/a.md).', {
      description: 'Helps with things',
    }),
    'references/a.md': 'x',
  });
  expect(await checkFindings('format', { candidate, library })).toEqual([
    {
      rule: 'description-without-what',
      severity: 'refuse',
      message:
        'the description "Helps with things" does not say what the skill does: name the thing it works on and what comes out',
      file: 'SKILL.md',
      subject: 'Helps with things',
    },
    {
      rule: 'broken-link',
      severity: 'refuse',
      message: 'the link to References/a.md leads nowhere: the file is called references/a.md',
      file: 'SKILL.md',
      line: 10,
      subject: 'References/a.md',
    },
  ]);
});

const aliased = (aliases: string) =>
  front(`name: ${NAME}\n${D}\nmetadata:\n  version: "1.0.0"\n  aliases: "${aliases}"`);
const REFERRERS: [title: string, input: Partial<GateInput>, rules: string[]][] = [
  ['keeps its names', { candidate: aliased('old-csv, csv') }, []],
  ['loses an alias that another skill names', { candidate: aliased('csv') }, ['refuse leaves-dangling']],
  ['loses an alias that nobody names', { candidate: aliased('old-csv') }, []],
  [
    'loses an alias by a draft',
    { candidate: aliased('old-csv'), draft: draftOf([], { decision: 'patch' }) },
    ['refuse loses-name'],
  ],
  [
    'is retired while another skill names it',
    { candidate: aliased('old-csv, csv'), draft: draftOf([], { decision: 'retire' }) },
    ['refuse leaves-dangling', 'refuse leaves-dangling'],
  ],
  [
    'absorbs a skill that another one names, without its name',
    {
      candidate: aliased('old-csv, csv'),
      draft: draftOf([], { decision: 'merge', retires: 'csv-joins' }),
    },
    ['refuse leaves-dangling'],
  ],
  [
    'absorbs it and takes its name',
    {
      candidate: aliased('old-csv, csv, csv-joins'),
      draft: draftOf([], { decision: 'merge', retires: 'csv-joins' }),
    },
    [],
  ],
];

test.each(REFERRERS)('a skill that %s', async (_, input, rules) => {
  const base = aliased('old-csv, csv');
  const naming = (name: string, related: string) =>
    folderOf({
      'SKILL.md': `---\nname: ${name}\n${D}\nmetadata:\n  related_skills: "${related}"\n---\n\nx\n`,
    });
  const all = await libraryOf({
    [NAME]: base,
    'csv-joins': naming('csv-joins', 'referrer'),
    referrer: naming('referrer', `old-csv, ${NAME}, csv-joins, missing`),
  });
  const found = await checkRules('format', { candidate: base, base, library: all, ...input });
  expect(found.filter((rule) => /dangling|loses-name/.test(rule))).toEqual(rules);
});

test('a draft adds no more than a session teaches, and a folder that is too large may shrink', async () => {
  const draft = draftOf([]);
  const withNotes = (count: number, tokens: number) =>
    skillFolder(
      'x',
      Object.fromEntries(
        Array.from({ length: count }, (_, at) => [`references/${at}.md`, `${'word '.repeat(tokens)}\n`]),
      ),
    );
  const rules = (base: Folder, candidate: Folder) =>
    checkRules('format', { base, candidate, library, draft });
  expect(await rules(withNotes(1, 10), withNotes(2, 10))).toEqual([]);
  expect(await rules(withNotes(1, 10), withNotes(1, 5000))).toEqual(['refuse adds-too-much']);
  expect(await rules(withNotes(59, 10), withNotes(60, 10))).toEqual(['refuse folder-too-large']);
  expect(await rules(withNotes(70, 10), withNotes(65, 10))).toEqual([]);
  expect(await rules(withNotes(1, 50_000), withNotes(1, 45_000))).toEqual([]);
  const byHand = { base: withNotes(1, 10), candidate: withNotes(70, 100), library };
  expect(await checkRules('format', byHand)).toEqual([]);
});

test('a link out of the skill is refused in a draft, unless it leads to another skill', async () => {
  const rules = (target: string, more = {}) =>
    checkRules('format', { candidate: skillFolder(`See [it](${target}).`), library, ...more });
  const draft = draftOf([]);
  expect(await rules('../no-such-skill/SKILL.md', { draft })).toEqual(['refuse link-outside']);
  expect(await rules('../no-such-skill/SKILL.md')).toEqual(['warn link-outside']);
});

test('a generated description of more than 1,024 characters is refused with its length after folding', async () => {
  const draft = draftOf([], { decision: 'create' });
  const findings = await checkFindings('format', { candidate: folded(1300), library, draft });
  expect(findings.map(({ severity, message }) => `${severity}: ${message}`)).toEqual([
    'refuse: the description has 1300 characters; at most 1024 (description-too-long)',
  ]);
});
