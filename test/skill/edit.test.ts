import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deleteExact, insertAfter, replaceExact, serializeSkill, setField } from '../../src/skill/edit.ts';
import { parseSkill } from '../../src/skill/parse.ts';

const parse = (text: string) => {
  const reading = parseSkill({ path: '/root/pdf/SKILL.md', bytes: new TextEncoder().encode(text) });
  if (reading.kind === 'refused') throw new Error(JSON.stringify(reading.problems));
  return reading.skill;
};

test('what is written is strict and reads back, for any description and body', () => {
  const text = fc
    .string({ unit: 'binary', minLength: 1, maxLength: 200 })
    .filter((value) => value.trim() !== '' && !value.includes('\0') && value.isWellFormed());
  fc.assert(
    fc.property(text, fc.string(), (description, body) => {
      const skill = parse(
        serializeSkill(
          { name: 'pdf', description, version: '1.10', tags: ['a', 'b'] },
          body.replaceAll('\r', ''),
        ),
      );
      expect(skill.description).toBe(description.trim());
      expect({ body: skill.body.trim(), version: skill.version, tags: skill.tags }).toEqual({
        body: body.replaceAll('\r', '').trim(),
        version: '1.10',
        tags: ['a', 'b'],
      });
    }),
    {
      examples: [
        ['a\n---\nb', ''],
        ['# x', ''],
        ['[a', '---\nb'],
        ['a #b', ''],
        ['"', ''],
        [': ', ''],
      ],
    },
  );
});

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

test('broken front matter is not edited', () => {
  expect(() => setField('---\nname: [\n---\n', 'name', 'x')).toThrow('mend it first');
  expect(() => setField('no fences', 'name', 'x')).toThrow('mend it first');
});

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
