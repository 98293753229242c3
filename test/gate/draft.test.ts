import { expect, test } from 'vitest';
import { parseDraft } from '../../src/gate/draft.ts';
import { createDraft } from '../support/drafts.ts';

const OPERATION = { op: 'delete', skill: 's', file: 'SKILL.md', anchor: 'a', evidence: [] };
const DRAFT = { decision: 'patch', skill: 's', lesson: 'l', operations: [OPERATION], triggers: [] };
const json = JSON.stringify;

const READ: [title: string, text: string][] = [
  ['plain', json(DRAFT)],
  ['in a fence', `\`\`\`json\n${json(DRAFT)}\n\`\`\``],
  ['in a fence between words', `Here it is:\n\n~~~\n${json(DRAFT)}\n~~~\nDone.`],
  ['between words', `The draft: ${json(DRAFT)} as wanted.`],
  ['with blank lines around', `\n\n  ${json(DRAFT)}\n`],
  [
    'without lists that are empty',
    json({ ...DRAFT, triggers: undefined, operations: [{ ...OPERATION, evidence: undefined }] }),
  ],
  [
    'with empty text for what is left out',
    json({ ...DRAFT, retires: '', change: '', operations: [{ ...OPERATION, claim: '', text: '' }] }),
  ],
  [
    'with null for what is left out',
    json({ ...DRAFT, retires: null, operations: [{ ...OPERATION, claim: null, text: null }] }),
  ],
];

test.each(READ)('reads a draft %s', (_, text) => {
  expect(parseDraft(text)).toEqual({ draft: DRAFT });
});

test('reads a draft whose text holds fences and braces', () => {
  const draft = createDraft({}, { text: '```json\n{"a": 1}\n```\n' });
  expect(parseDraft(json(draft))).toEqual({ draft });
  expect(parseDraft(`\`\`\`json\n${JSON.stringify(draft, undefined, 2)}\n\`\`\``)).toEqual({ draft });
});

const FAULTS: [title: string, draft: unknown, faults: string[]][] = [
  ['nothing at all', undefined, ['the answer is not one JSON object: it is empty']],
  [
    'another decision',
    { ...DRAFT, decision: 'rewrite' },
    ['decision must be equal to one of the allowed values (["nothing","create","patch","merge","retire"])'],
  ],
  [
    'a field of its own',
    { ...DRAFT, author: 'x' },
    ['the value must NOT have additional properties ("author")'],
  ],
  [
    'an operation of its own',
    { ...DRAFT, operations: [{ ...OPERATION, op: 'rewrite' }] },
    [
      'operations.0.op must be equal to one of the allowed values (["replace","insert_after","delete","write_file","set"])',
    ],
  ],
  [
    'evidence without a quote',
    { ...DRAFT, operations: [{ ...OPERATION, evidence: [{ session: 's', event: 'e' }] }] },
    ["operations.0.evidence.0 must have required property 'quote'"],
  ],
  ['a list in place of the draft', [DRAFT], ['the value must be object']],
  ['no lesson', { ...DRAFT, lesson: undefined }, ["the value must have required property 'lesson'"]],
  [
    'nothing, with operations',
    { ...DRAFT, decision: 'nothing' },
    ['decision is "nothing" but there are operations'],
  ],
  ['no skill', { ...DRAFT, skill: undefined }, ['decision is "patch" but skill does not say which']],
  ['no operations', { ...DRAFT, operations: [] }, ['decision is "patch" but there are no operations']],
  [
    'a new skill without SKILL.md',
    { ...DRAFT, decision: 'create' },
    ['decision is "create" but no write_file operation makes SKILL.md'],
  ],
  [
    'a merge of one',
    { ...DRAFT, decision: 'merge' },
    ['decision is "merge" but retires does not name the skill that is absorbed'],
  ],
  [
    'a merge with itself',
    { ...DRAFT, decision: 'merge', retires: 's' },
    ['decision is "merge" but skill and retires are both "s"'],
  ],
  [
    'a patch that retires',
    { ...DRAFT, retires: 't' },
    ['retires is only for "merge", the decision is "patch"'],
  ],
  [
    'operations without their parts',
    {
      ...DRAFT,
      operations: [
        { ...OPERATION, anchor: undefined },
        { ...OPERATION, op: 'set', anchor: undefined },
        { ...OPERATION, op: 'write_file', text: 'x' },
        { ...OPERATION, text: 'x' },
      ],
    },
    [
      'operations.0 is "delete" and needs an anchor: exact text of the file',
      'operations.1 is "set" and needs an anchor: the field',
      'operations.1 is "set" and needs a text',
      'operations.2 is "write_file" and takes no anchor',
      'operations.3 is "delete" and takes no text',
    ],
  ],
];

test.each(FAULTS)('names the faults of a draft with %s', (_, draft, faults) => {
  expect(parseDraft(draft === undefined ? '' : json(draft))).toEqual({ faults });
});

test('an answer that is no JSON is one fault', () => {
  const read = parseDraft('I decided for nothing.');
  expect('faults' in read && read.faults).toHaveLength(1);
});

test('decides for nothing without operations', () => {
  const draft = { decision: 'nothing', lesson: '', operations: [], triggers: [] };
  expect(parseDraft('{"decision": "nothing", "lesson": ""}')).toEqual({ draft });
});
