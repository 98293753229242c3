import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { JUDGE_QUESTIONS } from '../../src/gate/checks/judge.ts';
import { RULES_BY_CHECK, ruleFault } from '../../src/gate/rule-names.ts';

const GATE = resolve(import.meta.dirname, '../../src/gate');

/** The words that stand where a finding gets its rule: `rule: '…'`, and what findings are made by. */
function rulesIn(text: string): string[] {
  return [
    ...[...text.matchAll(/\brule:[^,;}]*/g)].flatMap(([words]) => [...words.matchAll(/'([a-z-]+)'/g)]),
    ...text.matchAll(
      /\b(?:refuse|refusal|fault|finding|rule|command|of|changedCase)\(\s*(?:'(?:ask|refuse|warn|note)',\s*)?'([a-z-]+)',/g,
    ),
  ].map((match) => String(match[1]));
}

test('every rule that a check may find is a name that may be allowed', () => {
  const rules = readdirSync(GATE, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => rulesIn(readFileSync(join(GATE, file), 'utf8')));
  const asked = Object.keys(JUDGE_QUESTIONS).map((id) => `judge-${id}`);
  expect(new Set(rules).size).toBeGreaterThan(80);
  expect([...new Set([...rules, ...asked])].filter((rule) => ruleFault(rule) !== undefined)).toEqual([]);
});

test('a rule is named alone or with its check', () => {
  for (const [check, names] of Object.entries(RULES_BY_CHECK))
    for (const name of names.split(' '))
      expect([ruleFault(name), ruleFault(`${check}/${name}`)]).toEqual([undefined, undefined]);
});

test.each([
  ['download-and-rum', /no rule "download-and-rum"; did you mean download-and-run/],
  ['safety/download', /no rule "download"; did you mean download-and-run/],
  ['savety/secret', /no check "savety"; there are format, bounds/],
  ['xyz', /no rule "xyz"; each finding names its own/],
  ['', /no rule ""/],
  ['a/b/c', /no check "a"/],
])('%j is no rule', (given, told) => {
  expect(ruleFault(given)).toMatch(told);
});
