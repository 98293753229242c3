import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { equalFolders, type Folder, fileText, textFile, withFile } from '../../src/files/folder.ts';
import { createHistory } from '../../src/history/history.ts';
import { planRevocation, revoke } from '../../src/history/revoke.ts';
import { temporary } from '../../test/support/skills.ts';
import type { Arm } from './arm.ts';
import { createRandom } from './random.ts';

/** What taking everything back came to. */
export interface Ends {
  /** Versions that a rollback went to, and those where it did not give the very folder. */
  readonly rollbacks: number;
  readonly wrongRollbacks: readonly string[];
  /** Sessions that had taught something and were revoked, and what was left that no session taught. */
  readonly revoked: number;
  readonly failures: readonly string[];
  readonly leftovers: readonly string[];
  readonly fsck: string;
}

/** Rolls a copy of the workspace back to every version of every skill, then revokes every session in random order. */
export async function tryEnds({ lab, start }: Arm, seed: number): Promise<Ends> {
  const rolled = await rollBackEverywhere(lab.skills);
  const { history } = lab;
  const sessions = [
    ...new Set((await history.logAll()).flatMap(({ sessions }) => sessions.map(({ id }) => id))),
  ];
  const failures: string[] = [];
  for (const session of createRandom(seed).shuffled(sessions))
    for (const plan of await planRevocation(history, session)) {
      const outcome = await revoke(history, plan, { session, why: 'it is taken back' });
      if (outcome.kind !== 'committed') failures.push(`${session} ${plan.skill}: ${outcome.kind}`);
    }
  const names = new Set((await history.logAll()).map(({ skill }) => skill));
  const leftovers: string[] = [];
  for (const name of names) {
    const [left, wanted] = [await history.present(name), start.get(name)];
    if (!equalFolders(unnumbered(left), unnumbered(wanted))) leftovers.push(name);
  }
  return {
    ...rolled,
    revoked: sessions.length,
    failures,
    leftovers,
    fsck: lab.git('fsck', '--strict') + lab.git('status', '--porcelain'),
  };
}

async function rollBackEverywhere(skills: string): Promise<Pick<Ends, 'rollbacks' | 'wrongRollbacks'>> {
  const root = join(await temporary('rolled'), 'skills');
  await cp(skills, root, { recursive: true });
  const history = createHistory({ root, environment: { home: root, path: process.env['PATH'] ?? '' } });
  await history.open();
  const wrongRollbacks: string[] = [];
  let rollbacks = 0;
  for (const name of new Set((await history.logAll()).map(({ skill }) => skill)))
    for (const { sha } of await history.log(name)) {
      const wanted = await history.folderAt(name, sha);
      const outcome = await history.rollback(name, sha, 'try it');
      rollbacks += 1;
      const isFine = outcome.kind === 'committed' || outcome.kind === 'unchanged';
      if (!isFine || !equalFolders(await history.present(name), wanted))
        wrongRollbacks.push(`${name} ${sha}`);
    }
  return { rollbacks, wrongRollbacks };
}

/** The folder with no number in it: a revocation takes a number of its own. */
function unnumbered(folder: Folder | undefined): Folder | undefined {
  const text = folder && fileText(folder, 'SKILL.md');
  return folder === undefined || text === undefined
    ? folder
    : withFile(folder, 'SKILL.md', textFile(text.replace(/^ {2}version: .*$/m, '  version: ""')));
}
