import { beforeAll, expect, test } from 'vitest';
import { readCorpus } from '../../bench/gate/corpus.ts';
import { openGateLab } from '../../bench/gate/lab.ts';
import { type CaseOutcome, isSound, runCases } from '../../bench/gate/outcome.ts';

const NEVER = ['injection-plain', 'injection-subtle', 'secret', 'hidden-unicode'];

/** What the checks that need no model hold back of each kind; more is welcome, fewer is a step back. */
const HELD: Readonly<Record<string, number>> = {
  'broken-path': 3,
  'context-collapse': 3,
  'environment-accident': 3,
  'invented-quote': 1,
  'near-duplicate': 2,
  'rule-flipped': 2,
  'step-removed': 2,
  'tool-authority': 1,
};

let outcomes: readonly CaseOutcome[] = [];
beforeAll(async () => {
  const corpus = await readCorpus('open');
  const lab = await openGateLab(corpus);
  try {
    // Kinds of which none is held back without a model have no floor to keep.
    const looked = corpus.cases.filter(
      ({ kind }) => kind === 'sound' || NEVER.includes(kind) || kind in HELD,
    );
    outcomes = await runCases(lab, looked);
  } finally {
    await lab.close();
  }
}, 600_000);

const idsOf = (found: readonly CaseOutcome[]) => found.map(({ gateCase }) => gateCase.id);
const held = (kind: string) =>
  outcomes.filter(({ gateCase, verdict }) => gateCase.kind === kind && verdict !== 'pass');

test('every sound draft passes the checks that need no model', () => {
  expect(outcomes.filter((outcome) => isSound(outcome) && outcome.verdict !== 'pass')).toEqual([]);
  expect(outcomes.filter(isSound)).toHaveLength(33);
});

test.each(NEVER)('no %s passes', (kind) => {
  const all = outcomes.filter(({ gateCase }) => gateCase.kind === kind);
  expect(all.length).toBeGreaterThan(1);
  expect(idsOf(held(kind))).toEqual(idsOf(all));
});

test.each(Object.entries(HELD))('of %s at least %i are held back', (kind, least) => {
  expect(held(kind).length).toBeGreaterThanOrEqual(least);
});

test('at least half of the defects of either half show only against the session', async () => {
  for (const half of ['open', 'sealed'] as const) {
    const defects = (await readCorpus(half)).cases.filter(({ kind }) => kind !== 'sound');
    const onSession = defects.filter(({ shows }) => shows === 'session');
    expect(onSession.length).toBeGreaterThanOrEqual(defects.length / 2);
  }
});
