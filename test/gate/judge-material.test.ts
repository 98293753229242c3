import { beforeAll, expect, test } from 'vitest';
import type { Draft } from '../../src/gate/draft.ts';
import { judgeMaterial } from '../../src/gate/judge-material.ts';
import type { Library } from '../../src/library/library.ts';
import {
  cite,
  contextOf,
  draftOf,
  gateInput,
  libraryOf,
  sessionOf,
  skillFolder,
} from '../support/gate-lab.ts';
import { folderOf, skillText } from '../support/skills.ts';

const MOVED = '- Trim the cells.';
const evidence = [sessionOf([['user', 'Never count the rows afterwards.']])];
const base = skillFolder('# Cleaning\n\n- Count the rows.');
let library: Library;
beforeAll(async () => {
  library = await libraryOf({
    'csv-mending': folderOf({ 'SKILL.md': skillText('csv-mending', `# Mending\n\n${MOVED}`) }),
  });
});

const read = (draft: Draft, candidate = base) =>
  judgeMaterial(contextOf(gateInput({ base, candidate, draft, evidence, library }))).text('old-first');

test('of a merge the judge sees the skill that goes, and that a text only moves from there', () => {
  const draft = draftOf([{ anchor: '- Count', text: MOVED }], { decision: 'merge', retires: 'csv-mending' });
  const text = read(draft, skillFolder(`# Cleaning\n\n- Count the rows.\n${MOVED}`));
  expect(text).toContain('file: SKILL.md of "csv-mending", which goes; its name stays as an alias\n');
  expect(text).toContain(`${MOVED}\nrests on "csv-mending", where it stands word for word`);
  expect(text).not.toContain('nothing that was found');
});

test('of a retirement the judge sees that the skill goes, and what is wrong in it by which turns', () => {
  const quoted = {
    anchor: '- Count the rows.',
    claim: 'preference' as const,
    evidence: [cite('e1', 'Never count the rows afterwards.')],
  };
  const text = read(draftOf([{ op: 'delete', ...quoted }], { decision: 'retire' }));
  expect(text).toContain('(the skill goes: it would be taken out of the library)');
  expect(text).toMatch(
    /change 1: delete in SKILL.md, given as a preference\nat:\n- Count the rows.\nrests on event e1/,
  );
});
