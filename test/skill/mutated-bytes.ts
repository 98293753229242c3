import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import fc from 'fast-check';

const ROOT = resolve(import.meta.dirname, '../fixtures/skills');

/** The file of every fixture: each is a shape that people write, or one that they break. */
const SHAPES: readonly Uint8Array[] = readdirSync(ROOT)
  .map((folder) => join(ROOT, folder, 'SKILL.md'))
  .filter((path) => existsSync(path) && statSync(path).isFile())
  .map((path) => new Uint8Array(readFileSync(path)))
  .filter((bytes) => bytes.length < 4000);

/** What breaks files: fences and tags, ends of lines, marks of YAML, controls, characters beyond the usual. */
const PIECES = [
  ...['---', '---\n', '\n---\n', '---js\n', '--- yaml', '----', '...', '<!--', '-->', '```', '~~~\n'],
  ...['\n', '\r\n', '\r', '\n\n', '\t', '  ', '\u00a0', '\u3000', '\u0085', '\u2028', '\u2029', '\uFEFF'],
  ...[
    ': ',
    ':',
    '- ',
    '? ',
    '#',
    ' #',
    '"',
    "'",
    '|',
    '>',
    '>-',
    '|2',
    '&a ',
    '*a',
    '!x ',
    '!!str ',
    '<<: *a',
    '%YAML 1.2\n',
  ],
  ...['[', ']', '{', '}', ',', '\\', '\\x', '\\u0000', '@', '`', '\0', '\x07', '\x1b[2J', '\x7f', '\x9b'],
  ...[
    'name: x\n',
    'name:\n',
    'description: again\n',
    'description: ""\n',
    'Description: X\n',
    'metadata:\n',
    'metadata: {}\n',
    '__proto__: {polluted: yes}\n',
    'constructor: x\n',
    'params:\n  a: string\n',
  ],
  ...['数', '𝒳', '👩‍👩‍👧', '\u{e0041}', '\u202e', '\u200b', 'e\u0301', '\ufffe', '\ud7ff'],
];

type Mutation = (text: string) => string;

const at = fc.nat(9999);
const place = (text: string, share: number) => Math.floor((share * (text.length + 1)) / 10_000);

const typed = fc
  .tuple(
    at,
    fc.oneof(
      { weight: 5, arbitrary: fc.constantFrom(...PIECES) },
      fc.string({ unit: 'binary', maxLength: 5 }),
    ),
    fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat(20)),
  )
  .map(
    ([share, piece, cut]): Mutation =>
      (text) => {
        const from = place(text, share);
        return text.slice(0, from) + piece + text.slice(from + cut);
      },
  );

/** Something done to one line of the text. */
const onLine = (change: (line: string, other: string) => readonly string[]) =>
  fc.tuple(at, at).map(
    ([share, otherShare]): Mutation =>
      (text) => {
        const lines = text.split('\n');
        const index = Math.min(place(text, share) % lines.length, lines.length - 1);
        const other = lines[place(text, otherShare) % lines.length] ?? '';
        return lines.toSpliced(index, 1, ...change(lines[index] ?? '', other)).join('\n');
      },
  );

const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  { weight: 5, arbitrary: typed },
  onLine((line) => [line, line]),
  onLine(() => []),
  onLine((line, other) => [other, line]),
  onLine((line) => [`  ${line}`]),
  onLine((line) => [`\t${line}`]),
  onLine((line) => [line.trimStart()]),
  onLine((line) => [line.replace(/: (.*)$/, ': "$1"')]),
  onLine((line) => [line.replace(/: (.*)$/, ":\n  '$1'")]),
  onLine((line) => [line.replace(/: (.*)$/, ': |\n    $1\n\n  x')]),
  onLine((line) => [line.replace(/["']/g, '')]),
  onLine((line) => [line.toUpperCase()]),
  at.map(
    (share): Mutation =>
      (text) =>
        text.slice(0, place(text, share)),
  ),
  at.map(
    (share): Mutation =>
      (text) =>
        text.slice(place(text, share)),
  ),
  fc.constant<Mutation>((text) => text.replaceAll('\n', '\r\n')),
  fc.constant<Mutation>((text) => text.replaceAll('\n', '\r')),
  fc.constant<Mutation>((text) => `\uFEFF${text}`),
);

/** A byte that is another one now, which mostly is no UTF-8 any more. */
const byteChange = fc.tuple(at, fc.nat(255));

/** The bytes of a fixture that somebody broke: a few pieces, lines or ends of it, and seldom a single byte. */
export const mutatedBytes: fc.Arbitrary<Uint8Array> = fc
  .tuple(
    fc.constantFrom(...SHAPES),
    fc.array(mutation, { minLength: 1, maxLength: 6 }),
    fc.oneof({ weight: 8, arbitrary: fc.constant([]) }, fc.array(byteChange, { minLength: 1, maxLength: 2 })),
  )
  .map(([shape, mutations, bytes]) => {
    const text = mutations.reduce((before, mutate) => mutate(before), Buffer.from(shape).toString('utf8'));
    const mutated = new TextEncoder().encode(text);
    for (const [share, byte] of bytes) mutated[Math.floor((share * mutated.length) / 10_000)] = byte;
    return mutated;
  });
