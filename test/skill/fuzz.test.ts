/** Front matter that is broken in every way; `FUZZ_RUNS` and `FUZZ_SEED` make a longer run of it. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { KnackError, type Problem } from '../../src/errors.ts';
import { setField } from '../../src/skill/edit.ts';
import { versionFault } from '../../src/skill/field-values.ts';
import { parseSkill } from '../../src/skill/parse.ts';
import type { Skill, SkillReading } from '../../src/skill/skill.ts';
import { strictForm } from '../../src/skill/strict-form.ts';
import { mutatedBytes } from './mutated-bytes.ts';

const runs = Number(process.env['FUZZ_RUNS'] ?? 1500);
const seed = process.env['FUZZ_SEED'];
const settings = { numRuns: runs, ...(seed === undefined ? {} : { seed: Number(seed) }) };
const TIMEOUT = 120_000 + runs * 20;

const path = '/root/pdf/SKILL.md';
const read = (bytes: Uint8Array): SkillReading => parseSkill({ path, bytes });
const encode = (text: string) => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);

/** Every rule that refuses; a new one belongs here and into the guide. */
const REFUSALS = [
  'description-missing',
  'fence-inside',
  'fence-language',
  'fence-unclosed',
  'no-frontmatter',
  'not-a-mapping',
  'not-text',
  'not-utf8',
  'too-large',
  'yaml',
  'yaml-aliases',
];

function checkLines(problems: readonly Problem[], bytes: Uint8Array): void {
  const last = decode(bytes).split(/\r\n?|\n/).length;
  for (const { line, rule } of problems)
    if (line !== undefined)
      expect([rule, line >= 1 && line <= last, Number.isInteger(line)]).toEqual([rule, true, true]);
}

test(
  'whatever the bytes, a skill is loaded or refused by name, at a line of the file, and twice alike',
  () => {
    fc.assert(
      fc.property(mutatedBytes, (bytes) => {
        const reading = read(bytes);
        expect(JSON.stringify(read(bytes))).toBe(JSON.stringify(reading));
        expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
        if (reading.kind === 'refused') {
          const [first] = reading.problems;
          expect([REFUSALS.includes(first?.rule ?? ''), first?.severity]).toEqual([true, 'error']);
          expect(first?.message).toMatch(/\S; \S/);
          checkLines(reading.problems, bytes);
          return;
        }
        const { skill } = reading;
        checkLines(skill.problems, bytes);
        const text = decode(bytes).replace(/\r\n?/g, '\n');
        expect(skill.description).toBe(skill.description.trim());
        expect([skill.description === '', skill.name === '', text.endsWith(skill.body)]).toEqual([
          false,
          false,
          true,
        ]);
        expect(skill.problems.every(({ message }) => message.length < 2000)).toBe(true);
      }),
      settings,
    );
  },
  TIMEOUT,
);

/** What no rewriting may change. */
function contentOf({
  name: _,
  label: _l,
  aliases: _a,
  contentHash: _c,
  problems: _p,
  strict: _s,
  ...content
}: Skill) {
  return content;
}

test(
  'the strict form of whatever loads says the same, keeps the body to the byte, and has none of its own',
  () => {
    fc.assert(
      fc.property(mutatedBytes, (bytes) => {
        const form = strictForm({ path, bytes });
        if (form.kind === 'same') return;
        const after = read(encode(form.text));
        expect(strictForm({ path, bytes: encode(form.text) })).toEqual({ kind: 'same' });
        const before = read(bytes);
        if (after.kind === 'refused') throw new Error(`refused: ${JSON.stringify(after.problems)}`);
        if (before.kind === 'refused') return;
        expect(contentOf(after.skill)).toEqual(contentOf(before.skill));
        const raw = rawBody(decode(bytes), before.skill);
        expect(form.text.endsWith(raw)).toBe(true);
      }),
      settings,
    );
  },
  TIMEOUT,
);

/** The body with the line ends that it has on disk. */
function rawBody(text: string, { body }: Skill): string {
  const lines = text.split(/(?<=\r\n|\r(?!\n)|\n)/);
  let rest = '';
  for (
    let index = lines.length - 1;
    index >= 0 && rest.replace(/\r\n?/g, '\n').length < body.length;
    index -= 1
  )
    rest = lines[index] + rest;
  return rest;
}

const value = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }).filter((text) => text.trim() !== ''),
  fc.constantFrom('a: b', '# x', 'a\n---\nb', '"', "'", '1.10', '~', '\u2028---', 'x\r\ny'),
);
const field = fc.constantFrom('description', 'metadata.version', 'metadata.tags', 'license');

test(
  'a field is set in whatever loads, and nothing else changes; or it is said why not',
  () => {
    fc.assert(
      fc.property(mutatedBytes, field, value, value, (bytes, key, first, second) => {
        const before = read(bytes);
        if (before.kind === 'refused' && before.problems[0]?.rule === 'not-utf8') return;
        const text = decode(bytes);
        let edited: string;
        try {
          edited = setField(text, key, first);
        } catch (error) {
          expect(error).toMatchObject({ code: 'skill-invalid', constructor: KnackError });
          return;
        }
        expect(setField(edited, key, first)).toBe(edited);
        // There and back again: the same bytes.
        expect(setField(setField(edited, key, second), key, first)).toBe(edited);
        const { start, end } = changed(text, edited);
        expect(
          text.slice(0, start) + edited.slice(start, edited.length - end) + text.slice(text.length - end),
        ).toBe(edited);
        if (before.kind === 'refused') return;
        const after = read(encode(edited));
        if (after.kind === 'refused') throw new Error(`refused: ${JSON.stringify(after.problems)}`);
        const { description, version, tags, ...others } = contentOf(after.skill);
        const was = contentOf(before.skill);
        // A tool made of a params map is described as the skill is.
        if (key !== 'description') expect(others.tools).toEqual(was.tools);
        expect({ ...others, tools: [] }).toEqual({ ...without(was), tools: [] });
        expect(key === 'description' ? description : first.trim()).toBe(first.trim());
        const isVersion = versionFault(first.trim()) === undefined;
        if (key === 'metadata.version') expect(version).toBe(isVersion ? first.trim() : undefined);
        if (key !== 'description') expect(description).toBe(was.description);
        if (key !== 'metadata.tags') expect(tags).toEqual(was.tags);
        const hasOne = (end_: RegExp) => end_.test(text);
        if (!hasOne(/\r/)) expect(edited).not.toContain('\r');
        if (!hasOne(/(?<!\r)\n/)) expect(edited).not.toMatch(/(?<!\r)\n/);
      }),
      settings,
    );
  },
  TIMEOUT,
);

function without({ description: _, version: _v, tags: _t, ...others }: ReturnType<typeof contentOf>) {
  return others;
}

/** How much of both texts is alike, from the start and from the end. */
function changed(left: string, right: string): { start: number; end: number } {
  const most = Math.min(left.length, right.length);
  let start = 0;
  while (start < most && left[start] === right[start]) start += 1;
  let end = 0;
  while (end < most - start && left[left.length - 1 - end] === right[right.length - 1 - end]) end += 1;
  return { start, end };
}
