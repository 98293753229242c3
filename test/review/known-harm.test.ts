import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { restore } from '../../src/history/ownership.ts';
import { createOpenAiModel } from '../../src/model/openai-model.ts';
import type { TranscriptEvent } from '../../src/transcript/event.ts';
import { abstractOf, commaSkill, createDraft, exportSkill, RULE, verdictOf } from '../support/drafts.ts';
import { commaSession, openLab, type ReviewLab } from '../support/review-lab.ts';
import { startScriptedModel } from '../support/scripted-model.ts';

test('the same session told twice under paraphrased titles makes one skill; the refusal names the twin and the score', async () => {
  const lab = await openLab({ settings: { attempts: 1 } });
  await lab.review([{ json: abstractOf() }, { json: createDraft() }]);
  const other = 'european-csv-totals';
  const [operation] = createDraft(
    {},
    {
      skill: other,
      text: commaSkill()
        .replace('decimal-comma-amounts', other)
        .replace('# Amounts with decimal commas', '# Totals of European CSV files'),
    },
  ).operations;
  const { outcome } = await lab.review(
    [
      { json: abstractOf({ skill: other, title: 'sum European amounts rightly' }) },
      {
        json: createDraft({
          skill: other,
          operations: [{ ...operation, evidence: [{ ...operation?.evidence[0], session: 'session-2' }] }],
        }),
      },
    ],
    { transcript: commaSession('session-2') },
  );
  expect(outcome.outcome).toBe('rejected');
  expect(outcome.reasons.join('\n')).toMatch(
    /novelty\/near-duplicate.*says the same as "decimal-comma-amounts" \(similarity \d\.\d\d\)/,
  );
  expect(lab.library.skills.map(({ name }) => name)).toEqual(['decimal-comma-amounts']);
});

const shell = (id: string, command: string, text: string, isError: boolean): TranscriptEvent[] => [
  { id, ref: '1', role: 'assistant', kind: 'tool-call', toolName: 'shell', callId: id, args: { command } },
  { id: `${id}-r`, ref: '1', role: 'tool', kind: 'tool-result', callId: id, text, isError },
];

/** Reviews a rule that rests on one event of a session in which a tool was absent, and maybe set up then. */
async function drafted(text: string, event: string, quote: string, claim: string, mended: boolean) {
  const lab = await openLab({ settings: { attempts: 1 } });
  await lab.learn('sales-exports', exportSkill());
  const { outcome } = await lab.review(
    [
      { json: abstractOf({ decision: 'patch', skill: 'sales-exports' }) },
      {
        json: {
          decision: 'patch',
          skill: 'sales-exports',
          lesson: abstractOf().lesson,
          change: 'patch',
          operations: [
            {
              op: 'insert_after',
              skill: 'sales-exports',
              file: 'SKILL.md',
              anchor: '- Look at the first lines of the export.',
              text,
              claim,
              evidence: quote === '' ? [] : [{ session: 'session-1', event, quote }],
            },
          ],
          triggers: [],
        },
      },
    ],
    {
      transcript: commaSession('session-1', [
        ...shell('t1', 'xsv stats sales.csv', 'xsv: command not found', true),
        ...(mended
          ? [
              ...shell('t2', 'cargo install xsv', 'Installed xsv', false),
              ...shell('t3', 'xsv stats sales.csv', 'field,type,sum', false),
            ]
          : []),
      ]),
    },
  );
  return [outcome.outcome, outcome.reasons.join('\n')] as const;
}

test('a tool that was absent once makes no rule; how it was set up, with a later success, does', async () => {
  const [absent, why] = await drafted(
    '- The tool xsv does not work.',
    't1-r',
    'xsv: command not found',
    'negative',
    false,
  );
  expect([absent, why]).toEqual(['rejected', expect.stringContaining('evidence/negative-from-failure')]);
  const [mended] = await drafted(
    '- Sum columns with xsv, which `cargo install xsv` sets up.',
    't3-r',
    'field,type,sum',
    'procedure',
    true,
  );
  expect(mended).toBe('committed');
});

test('a task that was never solved makes no workflow, whatever the text says of itself', async () => {
  const text = '- Verified workflow: sum the columns with xsv stats.';
  const [unsolved, why] = await drafted(text, 't1-r', 'xsv: command not found', 'procedure', false);
  expect([unsolved, why]).toEqual([
    'rejected',
    expect.stringContaining('evidence/procedure-without-success'),
  ]);
  const [uncited, none] = await drafted(text, '', '', 'procedure', true);
  expect([uncited, none]).toEqual(['rejected', expect.stringContaining('evidence/no-evidence')]);
});

const relating = exportSkill('reports').replace('  version:', '  related-skills: amount-columns\n  version:');
const edges = (lab: ReviewLab) =>
  lab.library
    .edges()
    .flatMap(({ from, to, dangling }) => (from === 'reports' ? [`${to}${dangling ? ' dangling' : ''}`] : []));

test('what led to a skill that a merge takes out leads to the one that absorbs it, and back when it comes back', async () => {
  const lab = await openLab();
  await lab.learn('sales-exports', exportSkill());
  const rule = '- Leave cells without an amount empty.';
  await lab.learn(
    'amount-columns',
    `---\nname: amount-columns\ndescription: "Sums columns of amounts in CSV files. Use when totals of a column are wanted. Leave empty cells empty."\nmetadata:\n  version: "1.0.0"\n---\n\n# Amount columns\n\n${rule}\n`,
  );
  await lab.learn(
    'reports',
    relating
      .replace(
        'Reads sales exports in CSV and adds up their amounts. Use when working on an export of sales. Look at the file before computing.',
        'Writes monthly reports as slides. Use when a report for the board is wanted.',
      )
      .replace(
        '# Sales exports\n\n- Look at the first lines of the export.\n- Name the column that was added up.',
        '# Reports\n\n- One slide a region.',
      ),
  );
  expect(edges(lab)).toEqual(['amount-columns']);
  const { outcome } = await lab.review([
    { json: abstractOf({ decision: 'merge', skill: 'sales-exports', retires: 'amount-columns' }) },
    {
      json: {
        decision: 'merge',
        skill: 'sales-exports',
        retires: 'amount-columns',
        lesson: abstractOf().lesson,
        change: 'minor',
        operations: [
          {
            op: 'insert_after',
            skill: 'sales-exports',
            file: 'SKILL.md',
            anchor: '- Look at the first lines of the export.',
            text: RULE,
            claim: 'preference',
            evidence: createDraft().operations[0]?.evidence,
          },
          {
            op: 'insert_after',
            skill: 'sales-exports',
            file: 'SKILL.md',
            anchor: '- Name the column',
            text: rule,
            evidence: [],
          },
        ],
        triggers: [],
      },
    },
  ]);
  expect(outcome.outcome).toBe('committed');
  expect(edges(lab)).toEqual(['sales-exports']);
  await restore(lab.history, 'amount-columns', 'wanted back');
  await lab.library.refresh();
  expect(edges(lab)).toEqual(['amount-columns']);
  expect(execFileSync('git', ['-C', lab.skills, 'status', '--porcelain'], { encoding: 'utf8' })).toBe('');
});

test('the two judges see old and new in opposite orders, and one who takes neither for better refuses', async () => {
  const lab = await openLab({ settings: { attempts: 1 } });
  await lab.learn('sales-exports', exportSkill());
  const [questions] = verdictOf();
  const patch = {
    ...createDraft(),
    decision: 'patch',
    skill: 'sales-exports',
    operations: [
      {
        ...createDraft().operations[0],
        op: 'insert_after',
        skill: 'sales-exports',
        anchor: '- Look at the first lines of the export.',
        text: RULE,
      },
    ],
    triggers: [],
  };
  const server = await startScriptedModel([
    { json: questions },
    { json: { defect: '', quote: '', severity: 'none', better: 'equal' } },
  ]);
  try {
    const judge = createOpenAiModel({ baseUrl: server.url, apiKey: 'none', model: 'judge', retries: 0 });
    const { outcome } = await lab.review(
      [{ json: abstractOf({ decision: 'patch', skill: 'sales-exports' }) }, { json: patch }],
      { parts: { judge } },
    );
    expect([outcome.outcome, outcome.reasons.join('\n')]).toEqual([
      'rejected',
      expect.stringContaining('judge/judge-no-better'),
    ]);
    const orders = server.requests.map(({ messages }) =>
      [...String(messages[1]?.content).matchAll(/^<<(old|new)\b/gm)].map(([, part]) => part),
    );
    expect(orders.map(([first]) => first)).toEqual(['old', 'new']);
  } finally {
    await server.close();
  }
});
