import { expect, test } from 'vitest';
import { describeDraft } from '../../src/cli/draft-view.ts';
import { clip, createOutput } from '../../src/cli/output.ts';
import type { Draft } from '../../src/gate/draft.ts';
import { freshKnack } from '../support/command-line.ts';
import { abstractOf, createDraft } from '../support/drafts.ts';
import { commaSession, logSession } from '../support/review-lab.ts';
import { startScriptedModel } from '../support/scripted-model.ts';

const on = { skill: 'exports', file: 'SKILL.md', evidence: [] };
const DRAFT: Draft = {
  decision: 'patch',
  lesson: '',
  skill: 'exports',
  operations: [
    { ...on, op: 'set', anchor: 'description', text: 'Reads exports.' },
    { ...on, op: 'replace', anchor: '- Old.\n- Older.', text: '- New.' },
    { ...on, op: 'delete', anchor: '- Wrong.' },
    { ...on, op: 'insert_after', anchor: '- Kept.', text: '- One.\n- Two.\n' },
    { ...on, op: 'write_file', file: 'references/a.md', text: 'A.\n' },
  ],
  triggers: [
    { query: 'sum this export', should_trigger: true },
    { query: 'translate a letter', should_trigger: false },
  ],
};

test('a draft shows what each operation takes away and brings, and the queries', () => {
  expect(describeDraft(DRAFT, 2, createOutput(true)).split('\n')).toEqual([
    '  draft 2: patch exports',
    '    set description in SKILL.md',
    '    + Reads exports.',
    '    replace in SKILL.md',
    '    - - Old.',
    '    - - Older.',
    '    + - New.',
    '    delete in SKILL.md',
    '    - - Wrong.',
    '    insert_after in SKILL.md',
    '      - Kept.',
    '    + - One.',
    '    + - Two.',
    '    write_file references/a.md',
    '    + A.',
    '    should bring it up: “sum this export”',
    '    should not bring it up: “translate a letter”',
  ]);
});

test.each([
  ['a  b\nc', 5, 'a b c'],
  ['abcdef', 5, 'abcde…'],
  ['abcd ef', 5, 'abcd…'],
])('what is cut ends in an ellipsis: %j at %d', (text, length, cut) => {
  expect(clip(text, length)).toBe(cut);
});

test('review shows the draft with its queries, and a long quote with its cut', async () => {
  const { knack, workspace } = await freshKnack('review-view');
  const session = commaSession();
  const events = session.events.map((event) =>
    event.kind === 'text' && event.id === 'e5'
      ? { ...event, text: `${event.text} ${'Really. '.repeat(20)}` }
      : event,
  );
  const file = await logSession(workspace, { ...session, events });
  const model = await startScriptedModel([
    { json: abstractOf({ decision: 'create' }) },
    { json: createDraft() },
    { status: 400, error: {} },
  ]);
  const { stdout } = await knack(['review', file], { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'none' });
  for (const part of [
    'write_file SKILL.md',
    'should bring it up: “sum the amounts',
    'should not bring it up: “translate this',
  ])
    expect(stdout).toContain(part);
  expect(stdout).toMatch(/correction at e5: No, that is wrong\..*…\n/);
  await model.close();
});
