import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Abstract } from '../../src/review/abstract.ts';
import { spendingOf } from '../../src/review/spending.ts';
import {
  abstractOf,
  createDraft,
  exportSkill,
  NOTHING,
  patchAbstract,
  patchDraft,
} from '../support/drafts.ts';
import { commaSession, type LabReview, openLab, type ReviewLab } from '../support/review-lab.ts';

const TITLES = ['convert decimal commas before adding', 'name the separator'];
const SECOND: Abstract = {
  ...patchAbstract('sales-exports'),
  title: 'name the separator',
  lesson: 'The separator has to be named when a total is given.',
};
const second = (operation = {}) =>
  patchDraft('sales-exports', { text: '- Name the separator beside each total.', ...operation });
const BAD = { evidence: [{ session: 'session-1', event: 'e5', quote: 'never said' }] };

/** What a reviewer answers that finds these lessons. */
function lessonsOf(...lessons: Abstract[]) {
  const [{ task_class, difference, reason } = NOTHING] = lessons;
  const list = lessons.map(({ task_class: _, difference: __, reason: ___, ...lesson }) => lesson);
  return { json: { task_class, difference, reason, lessons: list } };
}

async function openWithSkill(): Promise<ReviewLab> {
  const lab = await openLab();
  await lab.learn('sales-exports', exportSkill());
  return lab;
}

async function withoutEnds(lab: ReviewLab, kept: number): Promise<void> {
  const file = join(lab.skills, '../logs/ledger.jsonl');
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
  await writeFile(file, `${lines.slice(0, kept).join('\n')}\n`);
}

describe('several lessons of one session', () => {
  test('are decided at once, and each is drafted, gated and committed for itself', async () => {
    const lab = await openWithSkill();
    const { outcome, requests, events } = await lab.review([
      lessonsOf(abstractOf(), SECOND),
      { json: createDraft() },
      { json: second() },
    ]);
    expect(requests.length).toBe(3);
    expect(outcome).toMatchObject({ outcome: 'committed', skill: 'decimal-comma-amounts', version: '1.0.0' });
    expect(outcome.reasons).toEqual([
      `lesson 1 of 2, "${TITLES[0]}": committed decimal-comma-amounts 1.0.0: ${TITLES[0]}`,
      `lesson 2 of 2, "${TITLES[1]}": committed sales-exports 1.0.1: ${TITLES[1]}`,
    ]);
    const revisions = await lab.history.logAll();
    expect(revisions.slice(0, 2).map(({ skill, what, review }) => [skill, what, review])).toEqual([
      ['sales-exports', TITLES[1], `${outcome.id}-2`],
      ['decimal-comma-amounts', TITLES[0], outcome.id],
    ]);
    expect(events.flatMap((event) => (event.type === 'lesson-start' ? [event.index] : []))).toEqual([1, 2]);
    expect(existsSync(join(lab.reviews, `${outcome.id}-2`, 'gate-1.json'))).toBe(true);
  });

  test('are counted each with its tokens, which add up to those of the review', async () => {
    const lab = await openWithSkill();
    const { outcome } = await lab.review([
      lessonsOf(abstractOf(), SECOND),
      { json: createDraft() },
      { json: second() },
    ]);
    const tokens = (outcome.lessons ?? []).map((lesson) => lesson.tokens.total);
    expect(tokens.every((count) => count > 0)).toBe(true);
    expect(tokens.reduce((sum, count) => sum + count, 0)).toBe(outcome.tokens.total);
    const entries = await lab.ledger.entries();
    expect(entries.map(({ type }) => type)).toEqual([
      'review-start',
      'lesson-end',
      'lesson-end',
      'review-end',
    ]);
    const { reviews, tokens: all, skills } = spendingOf(entries);
    expect([reviews, all.total]).toEqual([1, outcome.tokens.total]);
    expect(skills.map(({ skill, committed }) => [skill, committed]).sort()).toEqual([
      ['decimal-comma-amounts', 1],
      ['sales-exports', 1],
    ]);
  });

  test('do not depend on each other: one that is refused to the end leaves the other committed', async () => {
    const lab = await openWithSkill();
    const { outcome, requests } = await lab.review(
      [
        lessonsOf(abstractOf(), SECOND),
        { json: createDraft({}, BAD) },
        lessonsOf(abstractOf()),
        { json: createDraft({}, BAD) },
        { json: second() },
      ],
      { parts: { settings: { ...lab.parts.settings, attempts: 2 } } },
    );
    expect(outcome.lessons?.map(({ outcome: end, skill }) => [end, skill])).toEqual([
      ['rejected', 'decimal-comma-amounts'],
      ['committed', 'sales-exports'],
    ]);
    expect(outcome).toMatchObject({ outcome: 'committed', skill: 'sales-exports', version: '1.0.1' });
    const again = String(requests[2]?.messages[1]?.content);
    expect(again).toMatch(/<<settled [0-9a-f]{16}\n- patch sales-exports: name the separator\n/);
    expect(again).toMatch(/<<refused [0-9a-f]{16}\nskill: decimal-comma-amounts\n/);
  });

  test('more than three, or two that make the same skill, are sent back', async () => {
    const lab = await openWithSkill();
    const { requests } = await lab.review([
      lessonsOf(abstractOf(), SECOND, SECOND, SECOND),
      lessonsOf(abstractOf(), abstractOf({ title: 'twice' })),
      { json: NOTHING },
    ]);
    expect(requests[1]?.messages.at(-1)?.content).toMatch(/lessons must NOT have more than 3 items/);
    expect(String(requests[2]?.messages[1]?.content)).toContain(
      'two lessons make the skill "decimal-comma-amounts": put them into one',
    );
  });

  test('a list of none is nothing, with the reason that was given', async () => {
    const lab = await openLab();
    const { outcome } = await lab.review([
      { json: { task_class: 'a', difference: 'b', reason: 'it is plain', lessons: [] } },
    ]);
    expect(outcome).toMatchObject({ outcome: 'nothing', reasons: ['it is plain'] });
    expect(outcome.lessons).toBeUndefined();
  });
});

describe('a review of several lessons that did not come to its end', () => {
  const both = [lessonsOf(abstractOf(), SECOND), { json: createDraft() }, { json: second() }];

  test('goes on after a kill with the lesson that is left, and a run after that reviews nothing', async () => {
    const lab = await openWithSkill();
    const { outcome } = await lab.review(both);
    // As a kill after the first lesson leaves it.
    lab.git('reset', '--hard', 'HEAD~1');
    await withoutEnds(lab, 2);
    const cut = await openLab({ at: join(lab.skills, '..') });
    const resumed = await cut.review([{ json: second() }]);
    expect(resumed.outcome).toMatchObject({ id: outcome.id, outcome: 'committed' });
    expect(resumed.outcome.lessons?.map(({ skill, version }) => [skill, version])).toEqual([
      ['decimal-comma-amounts', '1.0.0'],
      ['sales-exports', '1.0.1'],
    ]);
    expect(resumed.outcome.tokens.total).toBeGreaterThan(outcome.lessons?.[0]?.tokens.total ?? 0);
    expect((await cut.history.logAll()).length).toBe(3);
    expect((await cut.review([])).outcome.before).toBe('committed decimal-comma-amounts 1.0.0');
  });

  test('knows a lesson by its commit that was killed before it could be written down', async () => {
    const lab = await openWithSkill();
    await lab.review(both);
    await withoutEnds(lab, 1);
    const cut = await openLab({ at: join(lab.skills, '..') });
    const { outcome } = await cut.review([]);
    expect(outcome.reasons.map((reason) => reason.split(': ').slice(1).join(': '))).toEqual([
      'committed decimal-comma-amounts 1.0.0: its commit was made before the review was cut off',
      'committed sales-exports 1.0.1: its commit was made before the review was cut off',
    ]);
    expect((await cut.history.logAll()).length).toBe(3);
  });

  test('after a failure tries the failed lesson alone', async () => {
    const lab = await openWithSkill();
    const first = await lab.review([
      lessonsOf(abstractOf(), SECOND),
      { json: createDraft() },
      { status: 401, error: { error: { message: 'wrong key' } } },
    ]);
    expect(first.outcome).toMatchObject({ outcome: 'failed', skill: 'sales-exports' });
    expect(first.outcome.lessons?.map((lesson) => lesson.outcome)).toEqual(['committed', 'failed']);
    const { outcome } = await lab.review([{ json: second() }]);
    expect(outcome.lessons?.map((lesson) => lesson.outcome)).toEqual(['committed', 'committed']);
    const spent = spendingOf(await lab.ledger.entries());
    expect(spent.tokens.total).toBe(first.outcome.tokens.total + outcome.tokens.total);
    expect((await lab.history.logAll()).length).toBe(3);
  });
});

describe('what was refused before', () => {
  const asked = (requests: LabReview['requests']) => String(requests[0]?.messages[1]?.content);
  const bad = (attempts: number) => ({ settings: { attempts } });
  const ofSession = (id: string) => ({
    evidence: [{ session: id, event: 'e5', quote: 'never said by anyone' }],
  });

  test('in the review of another session is shown where its skill is at hand, cut and redacted', async () => {
    const lab = await openLab(bad(1));
    await lab.learn('sales-exports', exportSkill());
    const secret = `ghp_${'aB3dE5gH7jK9mN1pQ3sT5vW7xY9zA1cD3eF5'}`;
    const lesson = `Use the key ${secret}. ${'Long words. '.repeat(60)}`;
    await lab.review([
      { json: { ...patchAbstract('sales-exports'), lesson } },
      { json: { ...patchDraft('sales-exports', ofSession('session-1')), lesson } },
    ]);
    const { requests } = await lab.review([{ json: NOTHING }], { transcript: commaSession('session-2') });
    const part =
      /<<refused [0-9a-f]{16}\n([\s\S]*?)\n[0-9a-f]{16} refused>>/.exec(asked(requests))?.[1] ?? '';
    expect(part).toMatch(/^from: the review of another session\nskill: sales-exports\nlesson: /);
    expect(part).toMatch(/\nreasons:\n- evidence\/quote-/);
    expect(part).not.toContain(secret);
    expect(part).not.toContain('given up after');
    expect(part.length).toBeLessThan(1300);
  });

  test('is shown for a lesson near to the session although no skill came of it, and for no other', async () => {
    const lab = await openLab(bad(1));
    await lab.review([{ json: abstractOf() }, { json: createDraft({}, ofSession('session-1')) }]);
    const near = await lab.review([{ json: NOTHING }], { transcript: commaSession('session-2') });
    expect(asked(near.requests)).toContain(
      'skill: decimal-comma-amounts\nlesson: Amounts with decimal commas',
    );
    const other = commaSession('session-3');
    const events = other.events.map((event) =>
      event.kind === 'text' && event.role === 'user'
        ? { ...event, text: 'No, that is wrong. Always write the letter in French.' }
        : event,
    );
    const far = await lab.review([{ json: NOTHING }], { transcript: { ...other, events } });
    expect(asked(far.requests)).not.toContain('<<refused');
  });

  test('by a person is shown in the review of another session', async () => {
    const lab = await openLab({ settings: { autonomy: 'propose' } });
    const { outcome } = await lab.review([{ json: abstractOf() }, { json: createDraft() }]);
    await lab.pending.reject(String(outcome.pending), 'we use another tool');
    const { requests } = await lab.review([{ json: NOTHING }], { transcript: commaSession('session-2') });
    expect(asked(requests)).toContain('- a person turned it down: we use another tool');
  });
});

test('a section of twelve rules is named to the one who writes, so that rules are folded', async () => {
  const lab = await openLab();
  const rules = [...'abcdefghijk'].map((letter) => `- Keep column ${letter}${letter} as text.`).join('\n');
  const long = exportSkill().replace('- Name the column', `${rules}\n- Name the column`);
  await lab.learn('sales-exports', long);
  const fold = second({
    op: 'replace',
    anchor: '- Keep column aa as text.\n- Keep column bb as text.',
    text: '- Keep columns aa and bb as text, with points in place of decimal commas.',
  });
  const { requests, outcome } = await lab.review([{ json: patchAbstract('sales-exports') }, { json: fold }]);
  expect(outcome.outcome).toBe('committed');
  expect(String(requests[1]?.messages[1]?.content)).toMatch(
    /<<full [0-9a-f]{16}\n- "Sales exports" has 13 rules\n[0-9a-f]{16} full>>/,
  );
  const short = await openWithSkill();
  const other = await short.review([{ json: patchAbstract('sales-exports') }, { json: second() }]);
  expect(String(other.requests[1]?.messages[1]?.content)).not.toContain('<<full');
});
