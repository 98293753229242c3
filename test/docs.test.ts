import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { parseDraft } from '../src/gate/draft.ts';
import { readTestsFile } from '../src/skill/tests-file.ts';
import { readToolsFile } from '../src/skill/tools-file.ts';
import { readTriggersFile } from '../src/skill/triggers-file.ts';
import { freshKnack } from './support/command-line.ts';

const ROOT = resolve(import.meta.dirname, '..');
const PAGES = [
  'README.md',
  'AGENTS.md',
  'DESIGN.md',
  ...readdirSync(join(ROOT, 'docs')).map((page) => `docs/${page}`),
];

/** Every `$ knack …` line of the `console` blocks. */
const EXAMPLES = PAGES.flatMap((page) =>
  [...readFileSync(join(ROOT, page), 'utf8').matchAll(/```console\n([\s\S]*?)```/g)].flatMap((block) =>
    String(block[1])
      .split('\n')
      .flatMap((line) =>
        line.startsWith('$ knack ') ? [[page, line.slice('$ knack '.length)] as const] : [],
      ),
  ),
);

test.each(EXAMPLES)('%s: `knack %s` does what the page says', async (_, line) => {
  const workspace = await mkdtemp(join(tmpdir(), 'knack-docs-'));
  const outcome = await new Promise<{ code: unknown; stdout: string; stderr: string }>((done) => {
    const env = { PATH: process.env['PATH'] ?? '', HOME: workspace };
    execFile(
      process.execPath,
      [join(ROOT, 'dist/knack.mjs'), ...line.split(' ')],
      { cwd: ROOT, env },
      (error, stdout, stderr) => done({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
  const stderr = outcome.stderr.replace(/^new workspace .*\n/, '');
  expect({ code: outcome.code, stderr, hasOutput: outcome.stdout.trim() !== '' }).toEqual({
    code: 0,
    stderr: '',
    hasOutput: true,
  });
});

test.each(PAGES)('%s: every relative link leads to a file', (page) => {
  const links = [...readFileSync(join(ROOT, page), 'utf8').matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(
    (match) => String(match[1]),
  );
  expect(links.filter((link) => !existsSync(join(ROOT, dirname(page), link)))).toEqual([]);
});

test('the files that the pages show can be read', () => {
  const shown = (page: string, kind: string, start: string) =>
    [...readFileSync(join(ROOT, page), 'utf8').matchAll(/```(\w+)\n([\s\S]*?)```/g)].flatMap((block) =>
      block[1] === kind && String(block[2]).startsWith(start) ? [String(block[2])] : [],
    );
  const read = {
    tests: shown('docs/skills.md', 'yaml', 'cases:').map((text) => readTestsFile(text).problems),
    tools: shown('docs/skills.md', 'yaml', 'tools:').map((text) => readToolsFile(text).problems),
    triggers: shown('docs/skills.md', 'json', '[').map((text) => readTriggersFile(text).problems),
    draft: shown('docs/gate.md', 'json', '{').map((text) => Object.keys(parseDraft(text))),
  };
  expect(read).toEqual({ tests: [[]], tools: [[], []], triggers: [[]], draft: [['draft']] });
});

test('the skill that the guide writes passes the gate with the queries beside it', async () => {
  const page = readFileSync(join(ROOT, 'docs/skills.md'), 'utf8');
  const [, skill = ''] = /```markdown\n([\s\S]*?)```/.exec(page) ?? [];
  const [, triggers = ''] = /```json\n(\[[\s\S]*?)```/.exec(page) ?? [];
  const { knack, workspace } = await freshKnack('guide');
  const dir = join(workspace, 'skills/european-csv');
  mkdirSync(join(dir, 'evals'), { recursive: true });
  writeFileSync(join(dir, 'SKILL.md'), skill);
  writeFileSync(join(dir, 'evals/triggers.json'), triggers);
  const { stdout } = await knack(['gate', dir, '--no-judge', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ verdict: 'pass', findings: [] });
});

test('no page speaks of a flag that no command has', () => {
  const sources = readdirSync(join(ROOT, 'src/cli'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join(ROOT, 'src/cli', file), 'utf8'))
    .join('\n');
  const flags = PAGES.flatMap((page) =>
    [...readFileSync(join(ROOT, page), 'utf8').matchAll(/knack [^\n`]*?(--[a-z-]+)/g)].map((match) =>
      String(match[1]),
    ),
  );
  expect([...new Set(flags)].filter((flag) => !sources.includes(flag))).toEqual([]);
});
