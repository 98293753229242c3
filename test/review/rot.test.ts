import { expect, test } from 'vitest';
import { runArm } from '../../bench/rot/arm.ts';
import { tryEnds } from '../../bench/rot/ends.ts';

const SEED = 5;
const ROUNDS = 14;

test('sessions of a reviewer that offers bad drafts, under a judge that likes all, leave a sound library', {
  timeout: 240_000,
}, async () => {
  const arm = await runArm('yes', { rounds: ROUNDS, seed: SEED });
  const { rounds } = arm;
  const ofAll = <T>(of: (round: (typeof rounds)[number]) => readonly T[]) => rounds.flatMap(of);
  expect({
    poisoned: ofAll(({ after }) => after.poisoned),
    lostRules: ofAll(({ lostRules }) => lostRules),
    lostQueries: ofAll(({ lostTop, lostFirst }) => [...lostTop, ...lostFirst]),
    lostByTextAlone: ofAll(({ lostOwnTop }) => lostOwnTop),
    unheard: rounds.filter(({ kind, outcome }) => kind === 'sound' && outcome !== 'committed'),
    tooLong: rounds.filter(({ after }) => after.longest > 5000),
  }).toEqual({ poisoned: [], lostRules: [], lostQueries: [], lostByTextAlone: [], unheard: [], tooLong: [] });
  expect(rounds.some(({ kind }) => kind === 'sound')).toBe(true);
  expect(rounds.filter(({ kind }) => kind !== 'sound').length).toBeGreaterThan(8);
  const { rollbacks, revoked, ...ends } = await tryEnds(arm, SEED);
  expect(ends).toEqual({ wrongRollbacks: [], failures: [], leftovers: [], fsck: '' });
  expect([rollbacks > 6, revoked > 0]).toEqual([true, true]);
});
