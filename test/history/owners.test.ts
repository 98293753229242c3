import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createHistory } from '../../src/history/history.ts';
import { formatMessage } from '../../src/history/message.ts';
import type { Actor } from '../../src/history/revision.ts';
import { freshKnack } from '../support/command-line.ts';
import { skillText } from '../support/skills.ts';

const { knack, workspace } = await freshKnack('owners');
const root = join(workspace, 'skills');
const git = (...args: string[]) =>
  execFileSync('git', ['-C', root, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args]);

async function commit(message: string, ...names: string[]): Promise<void> {
  for (const name of names) {
    await mkdir(join(root, name), { recursive: true });
    await writeFile(join(root, name, 'SKILL.md'), skillText(name, message));
  }
  git('add', '-A');
  git('commit', '--quiet', '--message', message);
}
const ours = (skill: string, actor: Actor) =>
  formatMessage({ skill, to: '1.0.0', actor, what: 'x', why: 'y', sessions: [], operations: [] } as never);

test('the owners of all skills are those that each is asked for alone', async () => {
  await knack(['init']);
  await commit(ours('learned', 'reviewer'), 'learned');
  await commit(ours('imported', 'import'), 'imported');
  await commit(ours('imported', 'reviewer'), 'imported');
  await commit(ours('touched', 'reviewer'), 'touched');
  await commit('by hand', 'touched', 'written');
  const history = createHistory({ root, environment: { home: workspace, path: process.env['PATH'] ?? '' } });
  await history.open();
  const owners = await history.owners();
  expect(Object.fromEntries(owners)).toEqual({
    learned: 'learned',
    imported: 'imported',
    touched: 'written',
    written: 'written',
  });
  for (const [name, owner] of owners) expect(await history.ownership(name)).toBe(owner);
});
