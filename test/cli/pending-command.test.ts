import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freshKnack } from '../support/command-line.ts';
import { exportSkill, patchAbstract, patchDraft, RULE } from '../support/drafts.ts';
import { CORRECTION, openLab } from '../support/review-lab.ts';

const SKILL = 'sales-exports';

/** A workspace in which a change of a written skill waits. */
async function waiting(operation: Record<string, unknown> = {}) {
  const { knack, workspace } = await freshKnack('pending-command');
  await knack(['init']);
  await mkdir(join(workspace, 'skills', SKILL), { recursive: true });
  await writeFile(join(workspace, 'skills', SKILL, 'SKILL.md'), exportSkill(SKILL));
  const lab = await openLab({ at: workspace });
  lab.git('add', '.');
  lab.git('-c', 'user.name=p', '-c', 'user.email=p@example.org', 'commit', '-q', '-m', 'by hand');
  await lab.library.refresh();
  const { outcome } = await lab.review([
    { json: patchAbstract(SKILL) },
    { json: patchDraft(SKILL, operation) },
  ]);
  return { knack, id: String(outcome.pending), review: join(lab.reviews, outcome.id) };
}

test('a change that waits is shown with all that one decides by, and the commands', async () => {
  const { knack, id, review } = await waiting();
  const { code, stdout } = await knack(['skills', 'pending', id]);
  const lines = stdout.trimEnd().split('\n');
  expect([
    code,
    lines.slice(0, 6),
    lines.filter((line) => /^[-+](?!--|\+\+)/.test(line)),
    lines.slice(-3),
  ]).toEqual([
    0,
    [
      `${id}  patch ${SKILL}  waiting  2026-03-01T10:00:00.000Z`,
      'convert decimal commas before adding',
      '',
      `why it waits: ${SKILL} was written or edited by a person`,
      `lesson: ${patchDraft(SKILL).lesson}`,
      `taught by session-1 e5: “${CORRECTION}”`,
    ],
    ['-  version: "1.0.0"', '+  version: "1.0.1"', `+${RULE}`],
    ['To answer:', `  knack skills approve ${id}`, `  knack skills reject ${id} --why "…"`],
  ]);
  for (const part of ['the gate:', 'not run: judge', 'verdict: pass', `all of the review: ${review}`])
    expect(stdout).toContain(part);
  const json = JSON.parse((await knack(['skills', 'pending', id, '--json'])).stdout);
  expect([json.id, json.findings, json.evidence]).toEqual([
    id,
    expect.any(Array),
    [{ session: 'session-1', event: 'e5', quote: CORRECTION }],
  ]);
  const list = await knack(['skills', 'pending']);
  for (const part of ['skills pending ID', 'skills approve ID', 'skills reject ID --why'])
    expect(list.stdout).toContain(`knack ${part}`);
});

test('a rejected change shows the reason, and is rejected once', async () => {
  const { knack, id } = await waiting();
  await knack(['skills', 'reject', id, '--why', 'we import with points now']);
  const { stdout } = await knack(['skills', 'pending', id]);
  const second = await knack(['skills', 'reject', id, '--why', 'other']);
  expect([stdout.split('\n')[3], stdout.includes('knack skills approve')]).toEqual([
    'rejected: we import with points now',
    false,
  ]);
  expect([second.code, second.stderr]).toEqual([
    1,
    `knack: ${id} is rejected already; nothing was changed\n`,
  ]);
});

test('an approved change shows what it was committed as', async () => {
  const { knack, id } = await waiting();
  await knack(['skills', 'approve', id]);
  const { stdout } = await knack(['skills', 'pending', id]);
  expect(stdout.split('\n')[3]).toMatch(
    /^approved: committed as sales-exports 1\.0\.1 \([\da-f]{10}\); `knack skills show sales-exports@1\.0\.1` shows it$/,
  );
});

test('what an approval lets pass is said at once, and in the log and the version that it made', async () => {
  const { knack, id } = await waiting({ text: '- Commit with `--no-verify`.' });
  const said = 'let pass by a person: safety/disables-safeguard: approved by a person';
  const overrides = [{ rule: 'safety/disables-safeguard', why: 'approved by a person' }];
  const { code, stdout } = await knack(['skills', 'approve', id]);
  const log = await knack(['skills', 'log', SKILL]);
  const shown = await knack(['skills', 'show', `${SKILL}@1.0.1`]);
  const [revision] = JSON.parse((await knack(['skills', 'log', SKILL, '--json'])).stdout).revisions;
  expect([
    code,
    stdout.split('\n')[1],
    log.stdout.split('\n').filter((line) => line.trim() === said).length,
    shown.stdout.trimEnd().split('\n').at(-1),
    revision.overrides,
  ]).toEqual([0, said, 1, said, overrides]);
});

test('`knack reviews` says of a staged change that it waits until it is answered, and then how it was', async () => {
  const { knack, id } = await waiting();
  const before = await knack(['reviews']);
  await knack(['skills', 'approve', id]);
  const after = await knack(['reviews']);
  expect(before.stdout).toContain(`    waits for you: knack skills pending ${id}\n`);
  expect(after.stdout).not.toContain('waits for you');
  expect(after.stdout).toContain(`    approved: ${SKILL} 1.0.1 (knack skills pending ${id})\n`);
});
