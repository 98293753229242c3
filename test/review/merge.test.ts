import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setImmediate as immediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { fileText, readFolder } from '../../src/files/folder.ts';
import type { Draft } from '../../src/gate/draft.ts';
import { aliasesOf } from '../../src/history/aliases.ts';
import { giveNames, takeNames } from '../../src/history/other-names.ts';
import { restore } from '../../src/history/ownership.ts';
import { planRevocation, revoke } from '../../src/history/revoke.ts';
import { createOpenAiModel } from '../../src/model/openai-model.ts';
import { prefixHash } from '../../src/review/ledger.ts';
import { takeOut } from '../../src/review/retiring.ts';
import { setField } from '../../src/skill/edit.ts';
import { abstractOf, exportSkill, RULE, verdictOf } from '../support/drafts.ts';
import { CORRECTION, commaSession, openLab, type ReviewLab } from '../support/review-lab.ts';
import { startScriptedModel } from '../support/scripted-model.ts';

const OTHER = 'amount-columns';
const MOVED = '- Leave cells without an amount empty.';
const OTHER_TEXT = `---\nname: ${OTHER}\ndescription: "Sums columns of amounts in CSV files. Use when totals of a column are wanted. Leave empty cells empty."\nmetadata:\n  version: "1.0.0"\n---\n\n# Amount columns\n\n${MOVED}\n`;
const EVIDENCE = [{ session: 'session-1', event: 'e5', quote: CORRECTION }];

const mergeAbstract = (more = {}) =>
  abstractOf({
    decision: 'merge',
    skill: 'sales-exports',
    retires: OTHER,
    title: 'take in the rules for amount columns',
    ...more,
  });

function mergeDraft(moves: readonly object[] = [{ anchor: '- Name the column', text: MOVED, evidence: [] }]) {
  return {
    decision: 'merge',
    skill: 'sales-exports',
    retires: OTHER,
    lesson: abstractOf().lesson,
    change: 'minor',
    operations: [
      {
        anchor: '- Look at the first lines of the export.',
        text: RULE,
        claim: 'preference',
        evidence: EVIDENCE,
      },
      ...moves,
    ].map((operation) => ({ op: 'insert_after', skill: 'sales-exports', file: 'SKILL.md', ...operation })),
    triggers: [],
  };
}

/** Two learned skills; what the other says was taught by a session of its own. */
async function twoSkills(other: { actor: 'reviewer' | 'user' } = { actor: 'reviewer' }): Promise<ReviewLab> {
  const lab = await openLab();
  await lab.learn('sales-exports', exportSkill());
  const line = OTHER_TEXT.split('\n').indexOf(MOVED) + 1;
  const outcome = await lab.history.commit({
    skill: OTHER,
    base: undefined,
    target: new Map([['SKILL.md', { bytes: Buffer.from(OTHER_TEXT), executable: false }]]),
    to: '1.0.0',
    what: 'start',
    why: 'it was learned',
    actor: other.actor,
    sessions: [{ id: 'earlier', events: ['e2'] }],
    operations: [
      {
        op: 'write_file',
        file: 'SKILL.md',
        lines: [line, line],
        evidence: [{ session: 'earlier', event: 'e2', quote: 'leave them empty' }],
      },
    ],
  });
  expect(outcome.kind).toBe('committed');
  await lab.library.refresh();
  return lab;
}

const textOf = async (lab: ReviewLab, name: string) =>
  fileText(await readFolder(join(lab.skills, name)), 'SKILL.md') ?? '';

describe('a merge', () => {
  test('is two commits under one review: the one skill takes rules and name of the other, which goes', async () => {
    const lab = await twoSkills();
    const { outcome, requests } = await lab.review([{ json: mergeAbstract() }, { json: mergeDraft() }]);
    expect(outcome).toMatchObject({
      outcome: 'committed',
      skill: 'sales-exports',
      version: '1.1.0',
      reasons: [
        'take in the rules for amount columns',
        `${OTHER} is retired, sales-exports answers to its name`,
      ],
    });
    expect(String(requests[1]?.messages[1]?.content)).toMatch(
      /<<retiring [0-9a-f]{16}\n---\nname: amount-columns\n/,
    );
    const text = await textOf(lab, 'sales-exports');
    expect([text.includes(RULE), text.includes(MOVED)]).toEqual([true, true]);
    expect(existsSync(join(lab.skills, OTHER))).toBe(false);
    expect(lab.library.find(OTHER)?.name).toBe('sales-exports');
    const reviews = (await lab.history.logAll()).map(({ skill, version, review }) => [
      skill,
      version,
      review,
    ]);
    expect(reviews.slice(0, 2)).toEqual([
      [OTHER, 'none', outcome.id],
      ['sales-exports', '1.1.0', outcome.id],
    ]);
    expect([lab.git('status', '--porcelain'), lab.git('fsck', '--strict')]).toEqual(['', '']);
  });

  test('what moves keeps the turns that taught it, and goes with them', async () => {
    const lab = await twoSkills();
    await lab.review([{ json: mergeAbstract() }, { json: mergeDraft() }]);
    const lines = await lab.history.blame('sales-exports');
    expect(lines.find(({ text }) => text === MOVED)).toMatchObject({ session: 'earlier', events: ['e2'] });
    expect(lines.find(({ text }) => text === RULE)).toMatchObject({ session: 'session-1', events: ['e5'] });
    expect((await lab.history.log('sales-exports'))[0]?.sessions).toEqual([
      { id: 'session-1', events: ['e5'] },
      { id: 'earlier', events: ['e2'] },
    ]);
    const [gone, plan] = await planRevocation(lab.history, 'earlier');
    // It is out already, and a restore would bring the line back.
    expect([gone?.skill, gone?.from, gone?.to]).toEqual([OTHER, 'none', 'none']);
    const left = fileText(plan?.after ?? new Map(), 'SKILL.md') ?? '';
    expect([plan?.skill, left.includes(RULE), left.includes(MOVED)]).toEqual(['sales-exports', true, false]);
  });

  test('what went can be brought back, as it was and still learned', async () => {
    const lab = await twoSkills();
    await lab.review([{ json: mergeAbstract() }, { json: mergeDraft() }]);
    expect((await restore(lab.history, OTHER, 'wanted back'))?.kind).toBe('committed');
    expect(await textOf(lab, OTHER)).toBe(OTHER_TEXT);
    expect(await lab.history.ownership(OTHER)).toBe('learned');
  });

  test('is undone as a whole by revoking its session: the one is back, the other has neither its name nor the rule', async () => {
    const lab = await twoSkills();
    const before = await textOf(lab, 'sales-exports');
    await lab.review([{ json: mergeAbstract() }, { json: mergeDraft() }]);
    expect((await lab.history.log(OTHER))[0]?.sessions).toEqual([{ id: 'session-1', events: ['e5'] }]);
    const said = { session: 'session-1', why: 'they are two' };
    const plans = await planRevocation(lab.history, 'session-1');
    expect(plans.map(({ skill, from, to }) => [skill, from, to])).toEqual([
      [OTHER, 'none', '1.0.0'],
      ['sales-exports', '1.1.0', '2.0.0'],
    ]);
    for (const plan of plans) expect((await revoke(lab.history, plan, said)).kind).toBe('committed');
    expect(await textOf(lab, OTHER)).toBe(OTHER_TEXT);
    const text = await textOf(lab, 'sales-exports');
    expect([before.includes(RULE), text.includes(RULE), text.includes(OTHER)]).toEqual([false, false, false]);
    await lab.library.refresh();
    expect([lab.library.find(OTHER)?.name, await lab.history.ownership(OTHER)]).toEqual([OTHER, 'learned']);
    expect((await lab.history.blame(OTHER)).find(({ text: line }) => line === MOVED)).toMatchObject({
      version: '1.0.0',
      session: 'earlier',
    });
    expect(await planRevocation(lab.history, 'session-1')).toEqual([]);
  });

  test('takes the other names of the skill that goes along, and gives them back with it', async () => {
    const lab = await twoSkills();
    await giveNames(lab.history, OTHER, { names: ['old-amounts'], why: 'it went' });
    await lab.library.refresh();
    const { outcome } = await lab.review([{ json: mergeAbstract() }, { json: mergeDraft() }]);
    expect(outcome.outcome).toBe('committed');
    const aliases = async (skill: string) => aliasesOf(skill, await lab.history.present(skill));
    expect(await aliases('sales-exports')).toEqual([OTHER, 'old-amounts']);
    await lab.library.refresh();
    expect(lab.library.find('old-amounts')?.name).toBe('sales-exports');
    const plans = await planRevocation(lab.history, 'session-1');
    for (const plan of plans) await revoke(lab.history, plan, { session: 'session-1', why: 'two' });
    expect([await aliases('sales-exports'), await aliases(OTHER)]).toEqual([[], ['old-amounts']]);
  });

  test('waits for a person with the same names, also where another skill has one of them', async () => {
    const lab = await twoSkills({ actor: 'user' });
    await giveNames(lab.history, OTHER, { names: ['old-amounts', 'bank-exports'], why: 'it went' });
    await lab.learn('bank-exports', exportSkill('bank-exports'));
    await lab.library.refresh();
    const { outcome } = await lab.review([{ json: mergeAbstract() }, { json: mergeDraft() }]);
    expect(outcome.outcome).toBe('staged');
    expect(await lab.pending.approve(String(outcome.pending))).toMatchObject({ kind: 'committed' });
    expect(aliasesOf('sales-exports', await lab.history.present('sales-exports'))).toEqual([
      OTHER,
      'old-amounts',
    ]);
  });

  test('stays where the session that is revoked taught only what moved', async () => {
    const lab = await twoSkills();
    await lab.review([{ json: mergeAbstract() }, { json: mergeDraft() }]);
    const plans = await planRevocation(lab.history, 'earlier');
    expect(plans.map(({ skill, to }) => [skill, to])).toEqual([
      [OTHER, 'none'],
      ['sales-exports', '2.0.0'],
    ]);
    expect(aliasesOf('sales-exports', plans[1]?.after)).toEqual([OTHER]);
  });

  test('gave a name that goes back with the skill, but not one that a person gave', async () => {
    const lab = await twoSkills();
    await lab.review([{ json: mergeAbstract() }, { json: mergeDraft() }]);
    await restore(lab.history, OTHER, 'wanted back');
    const take = (name: string) =>
      takeNames(lab.history, 'sales-exports', { names: [name], why: 'it is back' });
    expect((await take(OTHER)).kind).toBe('committed');
    expect(aliasesOf('sales-exports', await lab.history.present('sales-exports'))).toEqual([]);
    const path = join(lab.skills, 'sales-exports/SKILL.md');
    await writeFile(path, setField(await readFile(path, 'utf8'), 'metadata.aliases', 'mine'));
    lab.git('-c', 'user.name=p', '-c', 'user.email=p@localhost', 'commit', '-qam', 'A name of mine');
    expect((await take('mine')).kind).toBe('unchanged');
  });

  test.each<[string, object[], RegExp]>([
    ['a rule is lost with the skill that goes', [], /of "amount-columns", which goes: the rule "Leave cells/],
    [
      'a rule that stands nowhere comes without evidence',
      [{ anchor: '- Name the column', text: `${MOVED}\n- Round to cents.`, evidence: [] }],
      /evidence\/no-evidence/,
    ],
    [
      'a third skill is changed',
      [
        { anchor: '- Name the column', text: MOVED, evidence: [] },
        { skill: 'others', anchor: 'a', text: 'b' },
      ],
      /bounds\/outside-skill .*changes "others", but the draft is about "sales-exports" and "amount-columns"/,
    ],
    [
      'the skill that goes is edited',
      [
        { anchor: '- Name the column', text: MOVED, evidence: [] },
        { skill: OTHER, anchor: MOVED, text: '- More.', claim: 'preference', evidence: EVIDENCE },
      ],
      /bounds\/outside-skill .*which goes as a whole/,
    ],
  ])('is refused where %s', async (_, moves, reason) => {
    const lab = await twoSkills();
    const { outcome } = await lab.review([{ json: mergeAbstract() }, { json: mergeDraft(moves) }], {
      parts: { settings: { ...lab.parts.settings, attempts: 1 } },
    });
    expect(outcome.outcome).toBe('rejected');
    expect(outcome.reasons.join('\n')).toMatch(reason);
    expect(await textOf(lab, OTHER)).toBe(OTHER_TEXT);
  });

  test('of a skill that a person wrote waits, and on approval both halves are done', async () => {
    const lab = await twoSkills({ actor: 'user' });
    const { outcome } = await lab.review([{ json: mergeAbstract() }, { json: mergeDraft() }]);
    expect(outcome).toMatchObject({
      outcome: 'staged',
      reasons: [`${OTHER}, which would go, was written or edited by a person`],
    });
    expect(await textOf(lab, OTHER)).toBe(OTHER_TEXT);
    const { diff } = await lab.pending.show(String(outcome.pending));
    expect(diff).toContain(`${OTHER} goes; sales-exports answers to its name`);
    expect(await lab.pending.approve(String(outcome.pending))).toMatchObject({
      kind: 'committed',
      version: '1.1.0',
      notes: [`${OTHER} is retired, sales-exports answers to its name`],
    });
    expect(existsSync(join(lab.skills, OTHER))).toBe(false);
  });

  test('that was cut off between its commits is finished by the next review of the session', async () => {
    const lab = await twoSkills();
    const before = lab.git('rev-parse', 'HEAD');
    const { outcome } = await lab.review([{ json: mergeAbstract() }, { json: mergeDraft() }]);
    // As a kill between the two leaves it: the first commit, the draft, and a review that began.
    lab.git('reset', '--hard', 'HEAD~1');
    expect(lab.git('rev-parse', 'HEAD~1')).toBe(before);
    await lab.library.refresh();
    expect([lab.library.find(OTHER)?.name, await textOf(lab, OTHER)]).toEqual([OTHER, OTHER_TEXT]);
    const ledger = join(lab.skills, '../logs/ledger.jsonl');
    const lines = (await readFile(ledger, 'utf8')).split('\n');
    await writeFile(ledger, lines.filter((line) => !line.includes('"review-end"')).join('\n'));
    const cut = await openLab({ at: join(lab.skills, '..') });
    const second = await cut.review([]);
    expect(second.outcome).toMatchObject({ id: outcome.id, outcome: 'committed', skill: 'sales-exports' });
    expect(second.outcome.reasons.join()).toContain(`${OTHER} is retired`);
    expect(existsSync(join(lab.skills, OTHER))).toBe(false);
    expect(cut.library.find(OTHER)?.name).toBe('sales-exports');
    expect(await cut.ledger.isReviewed('session-1', prefixHash(commaSession()))).toBe(true);
  });

  test('that is killed as soon as a commit shows is whole after the next review, wherever it was hit', {
    timeout: 120_000,
  }, async () => {
    const lab = await twoSkills();
    const before = lab.git('rev-parse', 'HEAD');
    const server = await startScriptedModel([{ json: mergeAbstract() }, { json: mergeDraft() }]);
    const child = spawn(
      process.execPath,
      [
        '--import',
        'tsx',
        resolve(import.meta.dirname, '../support/review-child.ts'),
        join(lab.skills, '..'),
        'session-1',
        server.url,
      ],
      { stdio: 'ignore' },
    );
    const ended = once(child, 'exit');
    while (child.exitCode === null && lab.git('rev-parse', 'HEAD') === before) await immediate();
    child.kill('SIGKILL');
    await ended;
    await server.close();
    expect(lab.git('rev-parse', 'HEAD')).not.toBe(before);
    const next = await openLab({ at: join(lab.skills, '..') });
    expect((await next.review([])).outcome.skill ?? 'sales-exports').toBe('sales-exports');
    expect(next.library.find(OTHER)?.name).toBe('sales-exports');
    const [retired, absorbed] = await next.history.logAll();
    expect([retired?.skill, retired?.version, absorbed?.version]).toEqual([OTHER, 'none', '1.1.0']);
    expect((await textOf(next, 'sales-exports')).split(MOVED).length).toBe(2);
    expect([next.git('status', '--porcelain'), next.git('fsck', '--strict')]).toEqual(['', '']);
  });

  test('names two skills that may be changed, of which the one that goes can go', async () => {
    const lab = await openLab({
      readOnlySkills: {
        [OTHER]: new Map([['SKILL.md', { bytes: Buffer.from(OTHER_TEXT), executable: false }]]),
      },
    });
    await lab.learn('sales-exports', exportSkill());
    const { requests } = await lab.review(
      [{ json: mergeAbstract() }, { json: mergeAbstract({ retires: 'unknown' }) }],
      { parts: { settings: { ...lab.parts.settings, attempts: 1 } } },
    );
    expect(String(requests[1]?.messages.at(-1)?.content)).toContain(
      'retires is "amount-columns", which cannot go: it, or another of its name, is in a root that is only read',
    );
  });
});

describe('a retirement', () => {
  const retireAbstract = abstractOf({ decision: 'retire', skill: OTHER, title: 'wrong about empty cells' });
  const retireDraft: Draft = {
    decision: 'retire',
    skill: OTHER,
    lesson: 'Empty cells count as zero.',
    operations: [
      {
        op: 'delete',
        skill: OTHER,
        file: 'SKILL.md',
        anchor: MOVED,
        claim: 'preference',
        evidence: EVIDENCE,
      },
    ],
    triggers: [],
  };

  test('that a judge lets through takes a learned skill out, by a commit that says what was wrong and by which turns', async () => {
    const lab = await twoSkills();
    const [questions, defect] = verdictOf();
    const server = await startScriptedModel([{ json: questions }, { json: defect }]);
    const judge = createOpenAiModel({ baseUrl: server.url, apiKey: 'none', model: 'judge', retries: 0 });
    const { outcome } = await lab.review([{ json: retireAbstract }, { json: retireDraft }], {
      parts: { judge },
    });
    await server.close();
    expect(JSON.stringify(server.requests[0]?.messages)).toContain('(the skill goes: it would be taken out');
    expect(outcome).toMatchObject({ outcome: 'committed', skill: OTHER, version: 'none' });
    expect(existsSync(join(lab.skills, OTHER))).toBe(false);
    const [revision] = await lab.history.log(OTHER);
    expect(revision).toMatchObject({ version: 'none', actor: 'reviewer', review: outcome.id });
    expect(revision?.why).toContain(`- wrong: ${MOVED}\n  by e5 of session-1: ${CORRECTION}`);
    const [plan, ...others] = await planRevocation(lab.history, 'session-1');
    if (plan === undefined) throw new Error('nothing is revoked');
    expect([(await revoke(lab.history, plan, { session: 'session-1', why: 'wrong' })).kind, others]).toEqual([
      'committed',
      [],
    ]);
    expect(await textOf(lab, OTHER)).toBe(OTHER_TEXT);
  });

  test('of a skill that answers for another which is retired waits for a person', async () => {
    const lab = await twoSkills();
    await lab.learn('bank-exports', exportSkill('bank-exports'));
    await giveNames(lab.history, OTHER, { names: ['bank-exports'], why: 'it goes' });
    await lab.history.rollback('bank-exports', 'none', 'it goes');
    await lab.library.refresh();
    const [questions, defect] = verdictOf();
    const server = await startScriptedModel([{ json: questions }, { json: defect }]);
    const judge = createOpenAiModel({ baseUrl: server.url, apiKey: 'none', model: 'judge', retries: 0 });
    const { outcome } = await lab.review([{ json: retireAbstract }, { json: retireDraft }], {
      parts: { judge },
    });
    await server.close();
    expect(outcome).toMatchObject({
      outcome: 'staged',
      reasons: [`${OTHER} would be retired, and bank-exports, which it answers to, would be gone with it`],
    });
  });

  test('that no judge looked at waits for a person, who sees it go', async () => {
    const lab = await twoSkills();
    const { outcome } = await lab.review([{ json: retireAbstract }, { json: retireDraft }]);
    expect(outcome).toMatchObject({
      outcome: 'staged',
      reasons: [`${OTHER} would be retired, and no judge looked at it`],
    });
    const { diff } = await lab.pending.show(String(outcome.pending));
    expect(diff).toContain(`-${MOVED}`);
    expect(await lab.pending.approve(String(outcome.pending))).toMatchObject({
      kind: 'committed',
      version: 'none',
    });
    expect(existsSync(join(lab.skills, OTHER))).toBe(false);
  });

  test.each<[string, 'reviewer' | 'user', Partial<Draft>, RegExp]>([
    ['of a skill that a person wrote', 'user', {}, /was not made by a review/],
    ['that names no place', 'reviewer', { operations: [] }, /bounds\/retire-without-place/],
    [
      'that edits',
      'reviewer',
      {
        operations: [
          { op: 'replace', skill: OTHER, file: 'SKILL.md', anchor: MOVED, text: '- No.', evidence: EVIDENCE },
        ],
      },
      /bounds\/retire-edits/,
    ],
  ])('%s is refused', async (_, actor, more, reason) => {
    const lab = await twoSkills({ actor });
    const { outcome } = await lab.review([{ json: retireAbstract }, { json: { ...retireDraft, ...more } }], {
      parts: { settings: { ...lab.parts.settings, attempts: 1 } },
    });
    expect(outcome.outcome).toBe('rejected');
    expect(outcome.reasons.join('\n')).toMatch(reason);
    expect(await textOf(lab, OTHER)).toBe(OTHER_TEXT);
  });

  test('of a skill that another names is refused', async () => {
    const lab = await twoSkills();
    const text = exportSkill('bank-exports').replace('  version', `  related_skills: "${OTHER}"\n  version`);
    await lab.learn('bank-exports', text);
    const { outcome } = await lab.review([{ json: retireAbstract }, { json: retireDraft }], {
      parts: { settings: { ...lab.parts.settings, attempts: 1 } },
    });
    expect(outcome.reasons.join('\n')).toMatch(/format\/leaves-dangling/);
  });
});

test('what changed since it was read is not taken out', async () => {
  const lab = await twoSkills();
  const base = new Map([['SKILL.md', { bytes: Buffer.from('older'), executable: false }]]);
  const said = { into: 'sales-exports', review: 'r', gate: 'pass', why: '', draft: { operations: [] } };
  expect((await takeOut(lab.history, { name: OTHER, base }, said)).kind).toBe('moved');
});
