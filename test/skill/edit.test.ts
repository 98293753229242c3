import { describe, expect, test } from 'vitest';
import { deleteExact, insertAfter, replaceExact, setField } from '../../src/skill/edit.ts';
import { parseSkill } from '../../src/skill/parse.ts';

const parse = (text: string) => {
  const reading = parseSkill({ path: '/root/pdf/SKILL.md', bytes: new TextEncoder().encode(text) });
  if (reading.kind === 'refused') throw new Error(JSON.stringify(reading.problems));
  return reading.skill;
};

const FORMS: [title: string, text: string][] = [
  [
    'plain',
    '---\n# kept\nname:   pdf\ndescription: Old text.   # why\nmetadata:\n  version: "1.0.0"\n  tags: a\n---\nbody: x\n',
  ],
  ['quoted', "---\nname: pdf\ndescription: 'Old text.'\nmetadata:\n    version: 1.0.0\n---\nbody\n"],
  [
    'block scalar',
    '---\nname: pdf\ndescription: >-\n  Old\n  text.\nmetadata:\n  version: "1.0.0"\n---\nbody\n',
  ],
  [
    'literal block at the end',
    '---\nname: pdf\nmetadata:\n  version: "1.0.0"\ndescription: |\n  Old text.\n---\nbody\n',
  ],
];

describe.each(FORMS)('a field in a %s form', (_, lf) => {
  test.each([lf, lf.replaceAll('\n', '\r\n'), `\uFEFF${lf}`])('is set and every other byte stays', (text) => {
    const edited = setField(text, 'description', 'New: text # here');
    expect(parse(edited).description).toBe('New: text # here');
    expect(edited.includes('\r\n')).toBe(text.includes('\r\n'));
    expect(edited.startsWith('\uFEFF')).toBe(text.startsWith('\uFEFF'));
    const others = (value: string) =>
      value.split('\n').filter((line) => !/description|Old|text\./.test(line));
    expect(others(edited)).toEqual(others(text));
    expect(setField(edited, 'description', 'New: text # here')).toBe(edited);
    expect(parse(setField(text, 'metadata.version', '1.1.0')).version).toBe('1.1.0');
  });

  test('that is missing is added and the rest stays', () => {
    const edited = setField(lf, 'metadata.author', 'me');
    expect(parse(edited).author).toBe('me');
    expect(parse(edited).version).toBe('1.0.0');
    expect(edited.replace(/ *author: "me"\n/, '')).toBe(lf);
  });
});

test('metadata that is missing is made', () => {
  expect(setField('---\nname: pdf\ndescription: A b.\n---\nbody', 'metadata.version', '1.0.0')).toBe(
    '---\nname: pdf\ndescription: A b.\nmetadata:\n  version: "1.0.0"\n---\nbody',
  );
});

const SHAPES: [title: string, block: string, key: string, expected: string][] = [
  ['a list in one line', 'metadata:\n  tags: [a, b] # why', 'metadata.tags', 'metadata:\n  tags: "x" # why'],
  [
    'a list of lines',
    'metadata:\n  tags:\n    - a\n    - b\n  author: me',
    'metadata.tags',
    'metadata:\n  tags: "x"\n  author: me',
  ],
  [
    'a map in one line',
    'metadata: {"a": {"b": "c"}}',
    'metadata.tags',
    'metadata: {"a": {"b": "c"}, "tags": "x"}',
  ],
  ['an empty map in one line', 'metadata: {} # why', 'metadata.tags', 'metadata: {"tags": "x"} # why'],
  ['nothing but a comment', 'metadata: # why', 'metadata.tags', 'metadata: # why\n  tags: "x"'],
  ['an empty value with a comment', 'description: # why', 'description', 'description: "x" # why'],
  ['a key that stands twice', 'license: a\nlicense: b', 'license', 'license: a\nlicense: "x"'],
  ['an alias', 'license: &a MIT\ndescription: *a', 'description', 'license: &a MIT\ndescription: "x"'],
  [
    'an indented block',
    '  name: pdf\n  license: MIT',
    'description',
    '  name: pdf\n  license: MIT\n  description: "x"',
  ],
  [
    'a block that is a map in one line',
    '{name: pdf}',
    'metadata.tags',
    '{name: pdf, "metadata": {"tags": "x"}}',
  ],
  ['a map in capitals', 'METADATA:\n  Author: me', 'metadata.author', 'METADATA:\n  Author: "x"'],
  ['a key with a hyphen', 'when-to-use: always', 'when_to_use', 'when-to-use: "x"'],
  ['a fence behind a line separator', 'license: "a\u2028---"', 'license', 'license: "x"'],
];

test.each(SHAPES)('setting a field of %s changes that field alone', (_, block, key, expected) => {
  expect(setField(`---\n${block}\n---\n- a\n`, key, 'x')).toBe(`---\n${expected}\n---\n- a\n`);
});

const UNSETTABLE: [title: string, text: string, key: string][] = [
  ['YAML that is broken', '---\nname: [\n---\n', 'name'],
  ['no fences', 'no fences', 'name'],
  ['no closing fence', '---\nname: a\n', 'name'],
  ['bare carriage returns', '---\rname: a\r---\r', 'name'],
  ['a carriage return in the block', '---\nname: a\rlicense: b\n---\n', 'name'],
  ['a map in its place', '---\nname:\n  a: b\n---\n', 'name'],
  ['a text in place of the map', '---\nmetadata: text\n---\n', 'metadata.tags'],
];

test.each(UNSETTABLE)(
  'a field is not set where there is %s, and the message says what to do',
  (_, text, key) => {
    expect(() => setField(text, key, 'x')).toThrow(/; (?:mend it|make it)/);
  },
);

const ANCHORS: [title: string, outcome: unknown, expected: unknown][] = [
  ['replace', replaceExact('a b c', 'b', 'x'), { kind: 'edited', text: 'a x c', at: 2, length: 1 }],
  [
    'replace an anchor that is missing',
    replaceExact('a', 'b', 'x'),
    { kind: 'fault', fault: 'anchor-missing' },
  ],
  [
    'replace an anchor that is there twice',
    replaceExact('b b', 'b', 'x'),
    { kind: 'fault', fault: 'anchor-ambiguous' },
  ],
  ['replace an empty anchor', replaceExact('b b', ' ', 'x'), { kind: 'fault', fault: 'anchor-empty' }],
  [
    'insert after a part of a line',
    insertAfter('- one\n- two\n', 'on', '- new'),
    { kind: 'edited', text: '- one\n- new\n- two\n', at: 6, length: 5 },
  ],
  [
    'insert after a last line without an end',
    insertAfter('- one', '- one', '- new\n'),
    { kind: 'edited', text: '- one\n- new\n', at: 6, length: 5 },
  ],
  [
    'insert keeps CRLF',
    insertAfter('a\r\nb\r\n', 'a', 'x\ny'),
    { kind: 'edited', text: 'a\r\nx\r\ny\r\nb\r\n', at: 3, length: 4 },
  ],
  [
    'insert takes the line break of its place',
    insertAfter('a\nb\r\nc\n', 'b', 'x'),
    { kind: 'edited', text: 'a\nb\r\nx\r\nc\n', at: 5, length: 1 },
  ],
  ['delete a whole line', deleteExact('a\nb\nc', 'b'), { kind: 'edited', text: 'a\nc', at: 2, length: 0 }],
  [
    'delete a part of a line',
    deleteExact('a b c\n', 'b '),
    { kind: 'edited', text: 'a c\n', at: 2, length: 0 },
  ],
];

test.each(ANCHORS)('%s', (_, outcome, expected) => {
  expect(outcome).toEqual(expected);
});
