import { describe, expect, test } from 'vitest';
import { brakesOf } from '../../src/review/brakes.ts';
import type { LedgerEntry, ReviewEnd } from '../../src/review/ledger-entry.ts';
import { spendingOf } from '../../src/review/spending.ts';
import { openLab } from '../support/review-lab.ts';

const SETTINGS = { dailyTokens: 1000, breakerRefusals: 3 };
const NOW = new Date('2026-03-01T12:00:00Z');

const end = (
  outcome: ReviewEnd['outcome'],
  at: string,
  total = 100,
  more: Partial<ReviewEnd> = {},
): LedgerEntry => ({
  type: 'review-end',
  id: at,
  at,
  session: 's',
  events: 1,
  prefix: 'x',
  outcome,
  tokens: { reviewer: total, judge: 0, total },
  reasons: [],
  ...more,
});
const hour = (hours: number) => new Date(NOW.getTime() - hours * 3_600_000).toISOString();

describe('the ceiling of a day', () => {
  test('counts the tokens of this day alone', () => {
    const entries = [
      end('committed', hour(30), 5000),
      end('committed', hour(2), 400),
      end('failed', hour(1), 100),
    ];
    expect(brakesOf(entries, SETTINGS, NOW)).toEqual({ tokensLeft: 500 });
  });

  test('says what is spent and where it is set', () => {
    const { tokensLeft, why } = brakesOf([end('nothing', hour(1), 1200)], SETTINGS, NOW);
    expect([tokensLeft, why]).toEqual([
      0,
      expect.stringMatching(/1000 tokens a day \(review\.dailyTokens\).*1200/),
    ]);
  });
});

describe('the breaker', () => {
  const refused = (...hours: number[]) => hours.map((each) => end('rejected', hour(each), 10));

  test.each<[string, LedgerEntry[], boolean]>([
    ['fewer refusals than its number', refused(3, 2), false],
    ['as many in a row', refused(3, 2, 1), true],
    [
      'a review between them that came to something',
      [...refused(4, 3), end('nothing', hour(2), 10), ...refused(1)],
      false,
    ],
    [
      'a failure between them, which says nothing',
      [...refused(4, 3), end('failed', hour(2), 10), ...refused(1)],
      true,
    ],
    [
      'a review without a model call between them',
      [...refused(4, 3), end('nothing', hour(2), 0), ...refused(1)],
      true,
    ],
    ['a day since the last', refused(28, 27, 26), false],
    ['a person who reset it', [...refused(3, 2, 1), { type: 'breaker-reset', at: hour(0.5) }], false],
  ])('%s', (_, entries, isOpen) => {
    expect(brakesOf(entries, SETTINGS, NOW).why !== undefined).toBe(isOpen);
  });

  test('stops a review before it costs anything, and lets it be tried again', async () => {
    const lab = await openLab({ settings: { breakerRefusals: 2 } });
    for (const at of ['2026-03-01T08:00:00Z', '2026-03-01T09:00:00Z'])
      await lab.ledger.append(end('rejected', at, 10));
    const { outcome } = await lab.review([]);
    expect([outcome.outcome, outcome.tokens.total, outcome.reasons[0]]).toEqual([
      'failed',
      0,
      expect.stringContaining('2 reviews in a row were refused'),
    ]);
    await lab.ledger.append({ type: 'breaker-reset', at: '2026-03-01T09:30:00Z' });
    const answer = JSON.stringify({ decision: 'nothing', task_class: 'x', difference: 'y', reason: 'plain' });
    const again = await lab.review([{ text: answer }]);
    expect(again.outcome.outcome).toBe('nothing');
  });
});

test('the ledger is added up by outcome, day and skill', () => {
  const entries: LedgerEntry[] = [
    end('committed', '2026-03-01T10:00:00Z', 300, { skill: 'csv' }),
    end('rejected', '2026-03-01T11:00:00Z', 200, { skill: 'csv' }),
    end('nothing', '2026-03-02T11:00:00Z', 50),
    { type: 'override', at: '2026-03-02T11:00:00Z', skill: 'csv', rule: 'x', why: 'y' },
  ];
  expect(spendingOf(entries)).toEqual({
    reviews: 3,
    outcomes: { committed: 1, rejected: 1, nothing: 1 },
    tokens: { reviewer: 550, judge: 0, total: 550 },
    days: [
      { day: '2026-03-02', reviews: 1, tokens: 50 },
      { day: '2026-03-01', reviews: 2, tokens: 500 },
    ],
    skills: [{ skill: 'csv', reviews: 2, committed: 1, tokens: 500 }],
    overrides: 1,
  });
});

test('tokens of tasks that were done again are told apart, where there were any', () => {
  const tokens = { reviewer: 300, judge: 100, replay: 600, total: 1000 };
  const entries = [
    end('committed', '2026-03-01T10:00:00Z', 50),
    end('rejected', '2026-03-01T11:00:00Z', 0, { tokens }),
  ];
  expect(spendingOf(entries).tokens).toEqual({ reviewer: 350, judge: 100, replay: 600, total: 1050 });
});
