import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freshKnack } from '../support/command-line.ts';
import { skillText } from '../support/skills.ts';

interface Check {
  readonly what: string;
  readonly state: string;
  readonly message: string;
}

/** What doctor says of a workspace with these files, beside what is well. */
async function doctor(files: Readonly<Record<string, string>>, env: Record<string, string> = {}) {
  const { knack, workspace } = await freshKnack('doctor');
  await knack(['init']);
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(workspace, path, '..'), { recursive: true });
    await writeFile(join(workspace, path), text);
  }
  const { code, stdout } = await knack(['doctor', '--json'], env);
  const { checks } = JSON.parse(stdout) as { checks: Check[] };
  const told = (state: string) =>
    checks.flatMap((check) =>
      check.state === state && check.what !== 'sandbox'
        ? [`${check.what}: ${check.message.replaceAll(workspace, 'DIR')}`]
        : [],
    );
  return { code, faults: told('fault'), warnings: told('warning'), well: told('ok') };
}

test('broken files beside a skill that is listed are faults with their place', async () => {
  const { code, faults } = await doctor({
    'skills/adds/SKILL.md': skillText('adds', '- add'),
    'skills/adds/tools.yaml': 'tools: [',
    'skills/adds/tests.yaml': 'cases: 3\n',
  });
  expect([code, faults]).toEqual([
    1,
    [
      expect.stringMatching(/^skill: DIR\/skills\/adds\/tools\.yaml:\d+: /),
      'skill: DIR/skills/adds/tests.yaml: cases must be array',
    ],
  ]);
});

test('a fault of knack.json is told once', async () => {
  const { code, faults } = await doctor({ 'knack.json': '{"x":1}' });
  expect([code, faults]).toEqual([
    1,
    [expect.stringMatching(/^configuration: DIR\/knack\.json: unknown key "x"/)],
  ]);
});

test('a pinned name that is no skill is a warning', async () => {
  const { code, warnings } = await doctor({
    'knack.json': '{"disclosure":{"pinned":["git-commit","git-comit"]}}',
  });
  expect([code, warnings]).toEqual([
    0,
    [
      expect.stringMatching(/^model: none/),
      'configuration: disclosure.pinned names "git-comit", which is no skill; did you mean git-commit?',
    ],
  ]);
});

test('a model is set and not contacted, and doctor says so', async () => {
  const { well } = await doctor({}, { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1', KNACK_MODEL: 'm' });
  expect(well).toContain('model: m at http://127.0.0.1:9/v1 (set, not contacted)');
});

test('what a session begins with is told, and a pinned skill without room for its description is a warning', async () => {
  const long = `Bakes bread. ${'It takes flour, water, salt and time. '.repeat(40)}`;
  const { code, warnings, well } = await doctor({
    'knack.json': '{"disclosure":{"catalogTokens":150,"pinned":["bread"]}}',
    'skills/bread/SKILL.md': skillText('bread', '- knead', { description: long }),
  });
  expect(code).toBe(0);
  expect(warnings).toContain('catalog: bread is pinned, and there is no room for its description');
  expect(well).toContainEqual(
    expect.stringMatching(
      /^catalog: \d of 8 skills with their descriptions, 1[0-4]\d of 150 tokens; the others are found by search and beside messages$/,
    ),
  );
});
