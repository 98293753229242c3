import { beforeAll, describe, expect, test } from 'vitest';
import type { Claim, DraftOperation } from '../../../src/gate/draft.ts';
import type { Library } from '../../../src/library/library.ts';
import type { Transcript } from '../../../src/transcript/event.ts';
import {
  checkRules,
  cite,
  draftOf,
  type Line,
  libraryOf,
  sessionOf,
  skillFolder,
} from '../../support/gate-lab.ts';

let library: Library;
beforeAll(async () => {
  library = await libraryOf();
});

const BODY = '# Cleaning\n\n- Count the rows.';
const rules = (operation: Partial<DraftOperation>, evidence: readonly Transcript[]) =>
  checkRules('evidence', {
    base: skillFolder(BODY),
    candidate: skillFolder(BODY),
    library,
    draft: draftOf([{ anchor: '- Count the rows.', text: '- Quote fields with line ends.', ...operation }]),
    evidence,
  });

type Case = [title: string, claim: Claim | undefined, lines: Line[], cited: string, rules: string[]];
const ask: Line = ['user', 'Mend sales.csv.'];
const CLAIMS: Case[] = [
  [
    'a procedure that had failed and works',
    'procedure',
    [ask, ['call', 'xsv fix a'], ['fail', 'bad row'], ['call', 'xsv fix b'], ['ok', 'rows fixed']],
    'e5',
    [],
  ],
  ['a procedure that a test shows', 'procedure', [ask, ['call', 'npm test'], ['ok', '12 passed']], 'e3', []],
  ['a procedure cited by its call', 'procedure', [ask, ['call', 'npm test'], ['ok', '12 passed']], 'e2', []],
  [
    'a procedure whose call failed',
    'procedure',
    [ask, ['call', 'npm test'], ['fail', '3 failed']],
    'e3',
    ['refuse procedure-without-success'],
  ],
  [
    'a procedure whose test printed failures into a pipe',
    'procedure',
    [ask, ['call', 'npm test | tail'], ['ok', '3 failed']],
    'e3',
    ['refuse procedure-without-success'],
  ],
  [
    'a procedure that only edits',
    'procedure',
    [ask, ['call', "sed -i 's/a/b/' x.csv"], ['ok', 'done']],
    'e3',
    ['refuse procedure-without-success'],
  ],
  [
    'a procedure that edits and then checks what it edited',
    'procedure',
    [ask, ['call', "sed -i 's/a/b/' x.csv && ./load.sh x.csv"], ['ok', 'loaded 12 rows']],
    'e3',
    [],
  ],
  [
    'a procedure that checks before it edits',
    'procedure',
    [ask, ['call', "./load.sh x.csv && sed -i 's/a/b/' x.csv"], ['ok', 'done']],
    'e3',
    ['refuse procedure-without-success'],
  ],
  [
    'a procedure that edits and checks whatever the edit came to',
    'procedure',
    [ask, ['call', "sed -i 's/a/b/' x.csv; ./load.sh x.csv || true"], ['ok', 'done']],
    'e3',
    ['refuse procedure-without-success'],
  ],
  [
    'a procedure that writes a check down',
    'procedure',
    [ask, ['call', "cat > check.sh <<'END'\ncd x && ./load.sh a.csv\nEND"], ['ok', 'wrote check.sh']],
    'e3',
    ['refuse procedure-without-success'],
  ],
  [
    'a procedure that only looks',
    'procedure',
    [ask, ['call', 'cat tests/a.csv /etc/hosts | grep build'], ['ok', 'date;amount']],
    'e3',
    ['refuse procedure-without-success'],
  ],
  [
    'a procedure that a look at a test is to show',
    'procedure',
    [ask, ['call', 'read_file: {"path":"tests/a.py"}'], ['ok', 'def test_a(): pass']],
    'e3',
    ['refuse procedure-without-success'],
  ],
  [
    'a procedure that a script shows',
    'procedure',
    [ask, ['call', 'cd shop && time ./load.sh a.csv | tail'], ['ok', 'loaded']],
    'e3',
    [],
  ],
  [
    'a procedure that the assistant claims',
    'procedure',
    [ask, ['assistant', 'It works now.']],
    'e2',
    ['refuse procedure-without-success'],
  ],
  ['a procedure that the user asks for', 'procedure', [ask], 'e1', ['refuse procedure-without-success']],
  [
    'a procedure without a result',
    'procedure',
    [ask, ['call', 'npm test'], ['interrupt', 'stopped']],
    'e2',
    ['refuse procedure-without-success'],
  ],
  [
    'a procedure that was edited after its test',
    'procedure',
    [ask, ['call', 'npm test'], ['ok', '12 passed'], ['call', 'edit: {"path":"a.ts"}'], ['ok', 'edited']],
    'e3',
    ['refuse procedure-without-success'],
  ],
  [
    'a procedure that was edited and tested again',
    'procedure',
    [
      ask,
      ['call', 'npm test'],
      ['ok', '12 passed'],
      ['call', 'edit: {"path":"a.ts"}'],
      ['ok', 'edited'],
      ['call', 'npm test'],
      ['ok', '12 passed'],
    ],
    'e3',
    [],
  ],
  [
    'a procedure that the user takes back',
    'procedure',
    [ask, ['call', 'npm test'], ['ok', '12 passed'], ['user', 'No, that is wrong.']],
    'e3',
    ['refuse procedure-without-success'],
  ],
  [
    'a procedure that fails later',
    'procedure',
    [ask, ['call', 'npm test'], ['ok', '12 passed'], ['call', 'npm test'], ['fail', '1 failed']],
    'e3',
    ['refuse procedure-without-success'],
  ],
  ['a preference of the user', 'preference', [['user', 'Always use points.']], 'e1', []],
  [
    'a preference that a program put there',
    'preference',
    [['injected', 'Always use points.']],
    'e1',
    ['refuse preference-without-user'],
  ],
  [
    'a preference of the assistant',
    'preference',
    [ask, ['assistant', 'I will use points.']],
    'e2',
    ['refuse preference-without-user'],
  ],
  [
    'a preference in the output of a tool',
    'preference',
    [ask, ['call', 'cat style.md'], ['ok', 'use points']],
    'e3',
    ['refuse preference-without-user'],
  ],
  ['a fact that output shows', 'fact', [ask, ['call', 'head a.csv'], ['ok', 'date;amount']], 'e3', []],
  ['a fact that the user says', 'fact', [['user', 'Our files have semicolons.']], 'e1', []],
  [
    'a fact that the assistant says',
    'fact',
    [ask, ['assistant', 'The files have semicolons.']],
    'e2',
    ['refuse fact-without-source'],
  ],
  [
    'a fact from a failure',
    'fact',
    [ask, ['call', 'head a.csv'], ['fail', 'no such file']],
    'e3',
    ['refuse fact-from-failure'],
  ],
  [
    'a negative from a failure alone',
    'negative',
    [ask, ['call', 'xsv fix a'], ['fail', 'bad row']],
    'e3',
    ['refuse negative-from-failure'],
  ],
  ['a negative that the user says', 'negative', [['user', 'xsv never works for us.']], 'e1', []],
  [
    'a negative that the assistant says',
    'negative',
    [ask, ['assistant', 'xsv does not work.']],
    'e2',
    ['refuse negative-without-proof'],
  ],
  [
    'no claim, held to the strictest',
    undefined,
    [ask, ['call', 'head a.csv'], ['ok', 'date;amount']],
    'e3',
    ['refuse procedure-without-success'],
  ],
];

describe('a claim needs events of its kind', () => {
  test.each(CLAIMS)('%s', async (_, claim, lines, cited, expected) => {
    const session = sessionOf(lines);
    const quote = String(lines[Number(cited.slice(1)) - 1]?.[1]).replace(/^edit: /, '');
    const operation = { evidence: [cite(cited, quote)], ...(claim ? { claim } : {}) };
    expect(await rules(operation, [session])).toEqual(expected);
  });

  test('a negative passes with the other way that worked beside the failure', async () => {
    const session = sessionOf([
      ask,
      ['call', 'xsv fix a'],
      ['fail', 'bad row'],
      ['call', 'python3 mend.py'],
      ['ok', 'mended'],
    ]);
    const evidence = [cite('e3', 'bad row'), cite('e5', 'mended')];
    expect(await rules({ claim: 'negative', evidence }, [session])).toEqual([]);
  });

  test('a fact that says what does not work is a negative', async () => {
    const session = sessionOf([ask, ['call', 'xsv fix a'], ['fail', 'bad row']]);
    const operation = {
      claim: 'fact',
      text: '- xsv does not work with quotes.',
      evidence: [cite('e3', 'bad row')],
    } as const;
    expect(await rules(operation, [session])).toEqual(['refuse negative-from-failure']);
  });

  test('a recorded success stands for a procedure unless the user corrected it', async () => {
    const lines: Line[] = [ask, ['call', 'book: {"id":3}'], ['ok', 'booked seat 3']];
    const operation = { claim: 'procedure', evidence: [cite('e3', 'booked seat 3')] } as const;
    expect(await rules(operation, [sessionOf(lines, { outcome: 'success' })])).toEqual([]);
    expect(await rules(operation, [sessionOf(lines, { outcome: 'failure' })])).toEqual([
      'refuse procedure-without-success',
    ]);
    const test: Line[] = [ask, ['call', 'npm test'], ['ok', '12 passed'], ['user', 'No, that is wrong.']];
    const corrected = sessionOf(test, { outcome: 'success' });
    expect(await rules({ claim: 'procedure', evidence: [cite('e3', '12 passed')] }, [corrected])).toEqual([
      'refuse procedure-without-success',
    ]);
  });
});
