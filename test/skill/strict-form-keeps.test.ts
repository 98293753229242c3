import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { strictForm } from '../../src/skill/strict-form.ts';

/** The front matter of a skill `pdf` with these lines in the strict form, without its first two lines; "same" if it stays. */
function fixed(lines: string): string {
  const text = `---\nname: pdf\ndescription: Reads: PDF.\n${lines}\n---\nb`;
  const form = strictForm({ path: '/root/pdf/SKILL.md', bytes: new TextEncoder().encode(text) });
  const block = form.kind === 'changed' ? form.text : text;
  expect(block.endsWith('\n---\nb')).toBe(true);
  return block.slice(block.indexOf('PDF.') + 4, -6).replace(/^"?\n/, '');
}

const STAYS = [
  'license: []',
  'compatibility: {}',
  'tags: []',
  'tags: {}',
  'tags:\n  a:\n  b:',
  'aliases: [a, {name: b}]',
  'metadata: {steps: [[1, 2], [], [3]], keep: x}',
  'metadata:\n  # reviewed\n  owner: x # team\n  steps: [[1], []]',
  'metadata: {a: 1, a: 2}',
  'metadata: {<<: {a: b}}',
  'x: &m\n  a: 1\nmetadata:\n  <<: *m\n  b: 2\nversion: 1.0',
  'x: &m\n  a: 1\nextra:\n  deep:\n    - <<: *m\nversion: 1.0',
  'x: &m {a: 1}\n<<: *m\nversion: 1.0',
  'x: &m {a: 1}\ny: {!!merge "<<": *m}\nversion: 1.0',
  'x: &m {a: 1}\ny: &k <<\nz: {*k : *m}\nversion: 1.0',
  'license: !mine x',
  'version: null',
  'author: ~',
  'tags: [a, null]',
  'disallowed-tools: Bash',
  'disallowedTools: [Bash]',
  'tools: Read',
  'paths: ["src/**"]',
  'context: fork',
  'agent: Explore',
  'User-Invocable: false',
  'Disable_Model_Invocation: true',
  'Hooks: [a]',
];

test.each(STAYS)(
  'what cannot be written without loss, or lifts a restriction elsewhere, stays: %s',
  (lines) => {
    expect(fixed(lines)).toBe(lines);
  },
);

const WRITTEN: [lines: string, expected: string][] = [
  ['metadata:\n  "<<": a\nversion: 1.0', 'metadata:\n  "<<": a\n  version: "1.0"'],
  ['allowed-tools: {Read: true}', 'allowed-tools:\n  Read: true'],
  ['allowed-tools: [Read, Bash(git add:*)]', 'allowed-tools: "Read Bash(git add:*)"'],
  ['allowed-tools: [Bash(a (b)), Read]', 'allowed-tools:\n  - "Bash(a (b))"\n  - "Read"'],
  [
    'allowed-tools: [Bash(node -e "f()":*), Read]',
    'allowed-tools:\n  - "Bash(node -e \\"f()\\":*)"\n  - "Read"',
  ],
  ['allowed-tools: ["mcp__x y", Read]', 'allowed-tools:\n  - "mcp__x y"\n  - "Read"'],
  ['allowed-tools:\n  - Read\n  - Bash(gh pr: *)', 'allowed-tools: "Read Bash(gh pr: *)"'],
  ['allowed-tools: Read, Bash(a b, c)', 'allowed-tools: "Read Bash(a b, c)"'],
  ['tags: [a, A]', 'metadata:\n  tags: "a, A"'],
  ['metadata:\n  on: [1]', 'metadata:\n  on:\n    - 1'],
  ['allowed_tools: null', 'allowed-tools: null'],
  [
    'metadata: {a: {on: true, n: 1.0, t: "1", d: 2026-01-01}}',
    'metadata:\n  a:\n    on: true\n    n: 1.0\n    t: "1"\n    d: 2026-01-01',
  ],
  [
    'metadata: # all\n  # reviewed\n  owner: x # team\n  tags: [p, q] # why\n  list: [1]\n# end',
    'metadata: # all\n  # reviewed\n  owner: x # team\n  # why\n  tags: "p, q"\n  list:\n    - 1\n# end',
  ],
  ['license: [MIT, "a, b"] # two', '# two\nlicense:\n  - "MIT"\n  - "a, b"'],
];

test.each(WRITTEN)('what can be written is, with its types and comments: %s', (lines, expected) => {
  expect(fixed(lines)).toBe(expected);
});

type Value = string | readonly Value[] | ReadonlyMap<string, Value>;

const scalar = fc.constantFrom(
  ...'a|b c|null|~||true|no|1|1.10|0x1f|1_0|2026-01-01|12:30|.5|-1|"x: y"|\'it\'\'s\'|"null"|"1"|"# no"|"a, b"|Read|Bash(a:*)|"Bash(a (b))"|"a \\"b\\""'.split(
    '|',
  ),
);
const { value } = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    { weight: 4, arbitrary: scalar },
    fc.array(tie('value'), { maxLength: 3 }),
    fc
      .uniqueArray(fc.tuple(fc.constantFrom('a', 'b', 'tags', '"q k"', 'on', 'x-y'), tie('value')), {
        maxLength: 3,
        selector: ([key]) => key,
      })
      .map((pairs) => new Map(pairs)),
  ),
}));
const field = fc.record({
  key: fc.constantFrom(
    ...'license|compatibility|metadata|allowed-tools|allowed_tools|tags|Tags|version|author|aliases|when-to-use|model|paths|disallowed-tools|hooks|x y'.split(
      '|',
    ),
  ),
  value,
  isFlow: fc.boolean(),
  comment: fc.boolean(),
});
type Field = typeof field extends fc.Arbitrary<infer T> ? T : never;

const flow = (item: Value): string =>
  typeof item === 'string'
    ? item || 'null'
    : Array.isArray(item)
      ? `[${item.map(flow).join(', ')}]`
      : `{${[...(item as ReadonlyMap<string, Value>)].map(([key, part]) => `${key}: ${flow(part)}`).join(', ')}}`;

/** ` a`, or lines below, each with a comment of its own. */
function block(item: Value, indent: string, note: () => string): string {
  if (typeof item === 'string') return ` ${item}${note()}`;
  const parts = Array.isArray(item) ? item : [...(item as ReadonlyMap<string, Value>)];
  if (parts.length === 0) return ` ${flow(item)}${note()}`;
  const lines = Array.isArray(item)
    ? item.map((part: Value) => `${indent}-${block(part, `${indent}  `, note)}`)
    : [...(item as ReadonlyMap<string, Value>)].map(
        ([key, part]) => `${indent}${key}:${block(part, `${indent}  `, note)}`,
      );
  return `${note()}\n${lines.join('\n')}`;
}

const front = fc.uniqueArray(field, { maxLength: 5, selector: ({ key }) => key }).map((fields: Field[]) => {
  let notes = 0;
  const lines = fields.map(({ key, value: item, isFlow, comment }) => {
    const note = () => {
      notes += comment ? 1 : 0;
      return comment ? ` # note ${notes}.` : '';
    };
    return `${key}:${isFlow ? ` ${flow(item)}${note()}` : block(item, '  ', note)}`;
  });
  return { lines: lines.join('\n'), notes };
});

const SPECIFIED = ['license', 'compatibility', 'metadata', 'allowed-tools'];
const LISTS = ['tags', 'aliases'];
const canonical = (key: string) => key.toLowerCase().replaceAll('_', '-');
const textOf = (item: unknown) => (Array.isArray(item) ? item.join(', ') : item);

test.each(['1.1', '1.2'] as const)(
  'whatever the fields, each has the value that it had in YAML %s, or is the text of that; and each comment stays',
  (version) => {
    fc.assert(
      fc.property(front, ({ lines, notes }) => {
        const after = fixed(lines);
        for (let index = 1; index <= notes; index += 1)
          expect(after).toMatch(new RegExp(`(?:^|\\s)# note ${index}\\.$`, 'm'));
        const [was, is] = [lines, after].map((each) => parse(each, { version }) ?? {});
        const [wasText, isText] = [lines, after].map((each) => parse(each, { schema: 'failsafe' }) ?? {});
        for (const [key, item] of Object.entries(was)) {
          const proper = SPECIFIED.find((each) => each === canonical(key)) ?? key;
          const place = key in is ? key : proper;
          if (place in is) {
            const isList = Array.isArray(item) && place !== 'metadata' && typeof is[place] === 'string';
            if (place === 'allowed-tools' && typeof is[place] === 'string' && item !== is[place])
              expect(is[place].split(' ').join()).toBe(
                [wasText[key]]
                  .flat()
                  .join(' ')
                  .split(/[\s,]+/)
                  .join(),
              );
            else if (isList) expect(is[place]).toBe(textOf(wasText[key]));
            else if (
              place === 'metadata' &&
              typeof item === 'object' &&
              item !== null &&
              !Array.isArray(item)
            ) {
              for (const [name, part] of Object.entries(item)) {
                const now = is[place][name];
                if (LISTS.includes(name) && typeof now === 'string')
                  expect(now).toBe(textOf(wasText[key][name]));
                else expect(now).toEqual(part);
              }
            } else if (place !== 'metadata' || item !== null) expect(is[place]).toEqual(item);
          } else {
            const known =
              Object.keys(isText['metadata']).find((each) => canonical(each) === canonical(key)) ?? '';
            expect(isText['metadata'][known]).toBe(textOf(wasText[key]));
            expect(['paths', 'disallowed-tools', 'hooks', 'x y']).not.toContain(key);
            expect(item).not.toBe(null);
          }
        }
      }),
      { numRuns: 600 },
    );
  },
);
