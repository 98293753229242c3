/**
 * A process that commits, rolls back, revokes and hands over on a few skills until it is killed: ROOT SEED. Prints the
 * commit of each that was made.
 */
import { KnackError } from '../../src/errors.ts';
import { fileText, textFile, withFile } from '../../src/files/folder.ts';
import { type CommitOutcome, createHistory } from '../../src/history/history.ts';
import { handOver } from '../../src/history/ownership.ts';
import { planRevocation, revoke } from '../../src/history/revoke.ts';
import { createRandom } from '../rot/random.ts';
import { SKILLS } from './skills.ts';

const [root = '', seed = '1'] = process.argv.slice(2);
const random = createRandom(Number(seed));
const history = createHistory({ root, environment: { home: root, path: process.env['PATH'] ?? '' } });

async function apply(skill: string, number: number): Promise<CommitOutcome> {
  const base = await history.present(skill);
  const to = await history.nextVersion(skill, 'minor');
  const session = `session-${seed}-${number}`;
  const before = base === undefined ? undefined : fileText(base, 'SKILL.md');
  const body = before?.split('---\n\n')[1] ?? `# ${skill}\n`;
  const rule = `- Rule ${number} of ${seed}.`;
  const text = `---\nname: ${skill}\ndescription: "Does ${skill}. Use when testing."\nmetadata:\n  version: "${to}"\n---\n\n${body}${rule}\n`;
  const target = withFile(
    withFile(base ?? new Map(), 'SKILL.md', textFile(text)),
    `scripts/step-${number % 3}.sh`,
    textFile(`#!/bin/sh\n# ${to}\n`, true),
  );
  return history.commit({
    skill,
    base,
    target,
    to,
    what: `add rule ${number}`,
    why: 'it was found',
    actor: 'reviewer',
    sessions: [{ id: session, events: ['e1'] }],
    operations: [
      { op: 'insert_after', file: 'SKILL.md', evidence: [{ session, event: 'e1', quote: 'it is so' }] },
    ],
  });
}

async function act(number: number): Promise<(CommitOutcome | undefined)[]> {
  const skill = random.pick(SKILLS);
  const choice = random.next();
  if (choice < 0.55) return [await apply(skill, number)];
  if (choice < 0.75) return [await history.rollback(skill, undefined, 'it was wrong')];
  if (choice < 0.9) {
    const taught = (await history.log(skill))
      .flatMap(({ sessions }) => sessions.map(({ id }) => id))
      .slice(0, 8);
    if (taught.length === 0) return [];
    const session = random.pick(taught);
    const outcomes: CommitOutcome[] = [];
    for (const plan of await planRevocation(history, session))
      outcomes.push(await revoke(history, plan, { session, why: 'it was wrong' }));
    return outcomes;
  }
  return [
    await handOver(history, skill, {
      owner: random.pick(['learned', 'written'] as const),
      why: 'it is to be so',
    }),
  ];
}

for (let number = 1; ; number += 1)
  try {
    for (const outcome of await act(number))
      if (outcome?.kind === 'committed') process.stdout.write(`${outcome.revision.sha}\n`);
      else if (outcome?.kind === 'dirty' || outcome?.kind === 'unavailable')
        process.stderr.write(`${JSON.stringify(outcome)}\n`);
  } catch (error) {
    // The other writer took the skill out meanwhile, or the lock of a git that was killed is still there.
    if (!(error instanceof KnackError) || !['not-found', 'lock-held'].includes(error.code)) throw error;
  }
