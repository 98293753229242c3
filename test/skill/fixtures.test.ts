import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseSkill, readSkill } from '../../src/skill/parse.ts';
import { strictForm } from '../../src/skill/strict-form.ts';
import { readingOf } from './reading.ts';

const ROOT = resolve(import.meta.dirname, '../fixtures/skills');
const FOLDERS = readdirSync(ROOT);

describe('a skill whose fault is its folder’s name is read as its expected.json says:', () => {
  test.each(FOLDERS)('%s', async (folder) => {
    const text = readFileSync(join(ROOT, folder, 'expected.json'), 'utf8');
    const { fix: _, ...expected } = JSON.parse(text) as { fix?: string };
    expect(readingOf(await readSkill(join(ROOT, folder)))).toEqual(expected);
  });
});

const FILES = FOLDERS.map((folder) => [folder, join(ROOT, folder, 'SKILL.md')] as const).filter(
  ([, path]) => existsSync(path) && statSync(path).isFile(),
);

describe('its strict form, where it has one, keeps the body, has none of its own, and is as strict as expected:', () => {
  test.each(FILES)('%s', (folder, path) => {
    const bytes = new Uint8Array(readFileSync(path));
    const { fix = 'none', kind } = JSON.parse(readFileSync(join(ROOT, folder, 'expected.json'), 'utf8')) as {
      fix?: string;
      kind: string;
    };
    const form = strictForm({ path, bytes });
    if (form.kind === 'same') {
      expect(fix).toBe('none');
      return;
    }
    const changed = new TextEncoder().encode(form.text);
    const [before, after] = [bytes, changed].map((each) => parseSkill({ path, bytes: each }));
    expect(strictForm({ path, bytes: changed })).toEqual({ kind: 'same' });
    expect([after?.kind === 'loaded' && after.skill.strict ? 'strict' : 'better']).toEqual([fix]);
    if (kind === 'loaded') expect(bodyOf(after)).toBe(bodyOf(before));
  });
});

function bodyOf(reading: ReturnType<typeof parseSkill> | undefined): string | undefined {
  return reading?.kind === 'loaded' ? reading.skill.body : undefined;
}
