import { beforeAll, expect, test } from 'vitest';
import { readCorpus } from '../../bench/gate/corpus.ts';
import { openGateLab } from '../../bench/gate/lab.ts';
import { type CaseOutcome, isSound, runCases } from '../../bench/gate/outcome.ts';

let outcomes: readonly CaseOutcome[] = [];
beforeAll(async () => {
  const corpus = await readCorpus('open');
  const lab = await openGateLab(corpus);
  try {
    outcomes = await runCases(lab, corpus.cases);
  } finally {
    await lab.close();
  }
}, 600_000);

const idsOf = (found: readonly CaseOutcome[]) => found.map(({ gateCase }) => gateCase.id);
const held = (kind: string) =>
  outcomes.filter(({ gateCase, verdict }) => gateCase.kind === kind && verdict !== 'pass');

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

test('every sound draft passes the checks that need no model', () => {
  expect(outcomes.filter((outcome) => isSound(outcome) && outcome.verdict !== 'pass')).toEqual([]);
  expect(outcomes.filter(isSound)).toHaveLength(33);
});

test.each(['injection-plain', 'injection-subtle', 'secret', 'hidden-unicode'])('no %s passes', (kind) => {
  const all = outcomes.filter(({ gateCase }) => gateCase.kind === kind);
  expect(all.length).toBeGreaterThan(1);
  expect(idsOf(held(kind))).toEqual(idsOf(all));
});

test.each(Object.entries(HELD))('of %s at least %i are held back', (kind, least) => {
  expect(held(kind).length).toBeGreaterThanOrEqual(least);
});

test('at least half of the defects show only against the session', () => {
  const defects = outcomes.filter((outcome) => !isSound(outcome));
  const onSession = defects.filter(({ gateCase }) => gateCase.shows === 'session');
  expect(onSession.length).toBeGreaterThanOrEqual(defects.length / 2);
});
