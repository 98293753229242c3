import { beforeAll, expect, test } from 'vitest';
import { JUDGE_QUESTIONS } from '../../../src/gate/checks/judge.ts';
import type { Library } from '../../../src/library/library.ts';
import { createOpenAiModel } from '../../../src/model/openai-model.ts';
import { createPrompts } from '../../../src/model/prompts.ts';
import { knackPackage } from '../../../src/workspace.ts';
import { checkRules, cite, draftOf, libraryOf, sessionOf, skillFolder } from '../../support/gate-lab.ts';
import { type Step, startScriptedModel } from '../../support/scripted-model.ts';

let library: Library;
beforeAll(async () => {
  library = await libraryOf();
});

const RULE = '- Always count the rows afterwards.';
const base = skillFolder('# Cleaning');
const candidate = skillFolder(`# Cleaning\n\n${RULE}`);
const draft = draftOf([
  { anchor: '# Cleaning', text: RULE, claim: 'preference', evidence: [cite('e1', 'count the rows')] },
]);
const evidence = [sessionOf([['user', 'Always count the rows afterwards.']])];
const prompts = createPrompts({ packageDir: knackPackage.prompts, overridable: [] });

/** What the check finds when the judge gives these answers, each of which has to be asked for. */
async function judged(steps: readonly Step[], more = {}): Promise<string[]> {
  const server = await startScriptedModel(steps);
  const model = createOpenAiModel({ baseUrl: server.url, apiKey: 'none', model: 'scripted', retries: 0 });
  const rules = await checkRules('judge', {
    base,
    candidate,
    draft,
    evidence,
    library,
    judge: { model, prompts },
    ...more,
  });
  await server.close();
  return rules;
}

type Answer = { id: string; reason: string; answer: string; quote: string };
const answers = (change: (answer: Answer) => Partial<Answer> | undefined = () => ({})): Step => ({
  json: {
    answers: Object.entries(JUDGE_QUESTIONS).flatMap(([id, answer]) => {
      const given = { id, reason: 'as it says', answer, quote: answer === 'yes' ? 'count the rows' : '' };
      const changed = change(given);
      return changed === undefined ? [] : [{ ...given, ...changed }];
    }),
  },
});
const defect = (more = {}): Step => ({
  json: { defect: '', quote: '', severity: 'none', better: 'new', ...more },
});
const only = (id: string, more: Partial<Answer>) => answers((given) => (given.id === id ? more : {}));

const CASES: [title: string, steps: Step[], rules: string[]][] = [
  ['both let it through', [answers(), defect()], []],
  [
    'a no where a yes is needed, and the second is not asked',
    [only('follows', { answer: 'no' })],
    ['refuse judge-follows'],
  ],
  ['a yes where a no is needed', [only('harmful', { answer: 'yes', quote: RULE })], ['refuse judge-harmful']],
  [
    'a serious defect',
    [answers(), defect({ defect: 'wrong', quote: RULE, severity: 'serious' })],
    ['refuse judge-worst-defect'],
  ],
  [
    'a slight defect',
    [answers(), defect({ defect: 'long', severity: 'slight' })],
    ['note judge-worst-defect'],
  ],
  ['a tie', [answers(), defect({ better: 'equal' })], ['refuse judge-no-better']],
  ['the old one is better', [answers(), defect({ better: 'old' })], ['refuse judge-no-better']],
  [
    'a quote that stands nowhere, twice',
    [only('follows', { quote: 'made up' }), only('follows', { quote: 'made up' })],
    ['refuse judge-malformed'],
  ],
  ['a quote that stands nowhere, mended', [only('follows', { quote: 'made up' }), answers(), defect()], []],
  [
    'a yes without a quote, twice',
    [only('worth', { quote: '' }), only('worth', { quote: '' })],
    ['refuse judge-malformed'],
  ],
  [
    'a question left out, twice',
    [
      answers((given) => (given.id === 'worth' ? undefined : {})),
      answers((given) => (given.id === 'worth' ? undefined : {})),
    ],
    ['refuse judge-malformed'],
  ],
  [
    '"not applicable" though there is evidence, twice',
    [only('follows', { answer: 'not-applicable' }), only('follows', { answer: 'not-applicable' })],
    ['refuse judge-malformed'],
  ],
  ['no JSON, twice', [{ text: 'It is fine.' }, { text: 'Really.' }], ['refuse judge-malformed']],
  ['half an answer', [{ text: '{"answers": [', finish: 'length' }], ['refuse judge-cut']],
];

test.each(CASES)('%s', async (_, steps, rules) => {
  expect(await judged(steps)).toEqual(rules);
});

test('without evidence the questions about it do not apply', async () => {
  const onEvidence = ['follows', 'differs', 'shown', 'undone'];
  const first = answers(({ id }) => (onEvidence.includes(id) ? { answer: 'not-applicable', quote: '' } : {}));
  expect(await judged([first, defect()], { evidence: [] })).toEqual([]);
});

test('without a model it is not run', async () => {
  expect(await checkRules('judge', { base, candidate, library })).toEqual([
    'not run: no model is configured for the judge',
  ]);
});

test('a file that it cannot read is for a person', async () => {
  const large = skillFolder(`# Cleaning\n\n${RULE}`, { 'references/a.md': 'long '.repeat(15_000) });
  expect(await judged([answers(), defect()], { candidate: large })).toEqual(['ask judge-unseen']);
});
