import { expect, test } from 'vitest';
import { applyDraft } from '../../src/gate/apply-draft.ts';
import { draftOf, NAME, skillFolder } from '../support/gate-lab.ts';
import { skillText } from '../support/skills.ts';

const BASE = skillFolder('# Cleaning\n\n- Count the rows.', { 'evals/triggers.json': '[]\n' });
const rulesOf = (applied: ReturnType<typeof applyDraft>) =>
  'faults' in applied ? applied.faults.map(({ rule }) => rule) : [];
const patched = (file: string) =>
  rulesOf(
    applyDraft(draftOf([{ op: 'write_file', file, text: 'x' }]), BASE, { name: NAME, version: '1.0.1' }),
  );
const created = (file: string, name = NAME) =>
  rulesOf(
    applyDraft(
      draftOf(
        [
          { op: 'write_file', skill: name, text: skillText(name, '# Steps') },
          { op: 'write_file', skill: name, file, text: 'x' },
        ],
        { decision: 'create', skill: name },
      ),
      undefined,
      { name, version: '1.0.0' },
    ),
  );

test.each<[file: string, rules: string[]]>([
  ['references/a b-ü.md', []],
  [`references/${'a'.repeat(197)}.md`, []],
  ['references/context.md', []],
  ['references/console.md', []],
  ['references/my-node_modules.md', []],
  ['evals/cases.json', []],
  ['evals/triggers.json', ['triggers-written']],
  ['evals/Triggers.JSON', ['triggers-written']],
  ['sub/SKILL.md', ['outside-skill']],
  ['skill.md', ['outside-skill']],
  ['Skill.MD', ['outside-skill']],
  ['SKILL.md/x.md', ['unfit-path']],
  [`references/${'ü'.repeat(100)}.md`, ['unfit-path']],
  ['node_modules/dep/index.js', ['unfit-path']],
  ['scripts/node_modules/dep/index.js', ['unfit-path']],
  ['references/nul', ['unfit-path']],
  ['references/COM1.md', ['unfit-path']],
  ['references/what?.md', ['unfit-path']],
  ['references/a:b.md', ['unfit-path']],
  ['references/a.', ['unfit-path']],
])('a new skill and a patch may write %j: %j', (file, rules) => {
  expect([created(file), patched(file)]).toEqual([rules, rules]);
});

test('the recorded queries are changed by no other operation', () => {
  for (const operation of [{ op: 'replace', text: '[{}]' }, { op: 'delete' }, { text: '1' }] as const) {
    const draft = draftOf([{ ...operation, file: 'evals/triggers.json', anchor: '[]' }]);
    expect(rulesOf(applyDraft(draft, BASE, { name: NAME, version: '1.0.1' }))).toEqual(['triggers-written']);
  }
});

test.each(['review', 'new', 'help', 'quit', 'exit', 'status', 'skills', 'con', 'nul', 'aux', 'prn'])(
  'no new skill is called %s',
  (name) => {
    expect(created('references/a.md', name)).toEqual(['name-reserved']);
    expect(created('references/a.md', `${name}-rows`)).toEqual([]);
  },
);
