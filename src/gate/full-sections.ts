import { fileText } from '../files/folder.ts';
import type { CheckContext, CheckFinding } from './check.ts';
import { type MarkdownLine, markdownLines } from './markdown.ts';

/**
 * From so many rules on a section is full: a new one is folded into those that stand there. Thirteen rules of one
 * heading are no longer read as one thought, and each review would add one more.
 */
export const FULL_SECTION = 12;

/**
 * The sections of a `SKILL.md` with at least that many rules, in order. A rule is a list item at the margin; those below
 * another are its detail. The steps of a numbered procedure are not counted: they are read one after the other, and one
 * that is missing can be folded into no other.
 */
export function fullSections(text: string): { readonly section: string; readonly rules: number }[] {
  return [...rulesBySection(text)].flatMap(([section, { length: rules }]) =>
    rules >= FULL_SECTION ? [{ section, rules }] : [],
  );
}

/**
 * A section of `SKILL.md` that a draft makes longer and that then holds more rules than fit (`FULL_SECTION`). As many as
 * before, or fewer, are always let through, also above the cap, as is a section under a new name. What a person or a
 * source wrote is not held to it, for there are other ways to write a skill than ours; a draft that adds to such a skill
 * is, as to any other. Files under `references/` are where the rest goes, and have no cap.
 */
export function crowdedFindings({ draft, base, candidate }: CheckContext): CheckFinding[] {
  if (draft === undefined) return [];
  const [before, after] = [base, candidate].map((folder) =>
    rulesBySection((folder && fileText(folder, 'SKILL.md')) ?? ''),
  ) as [Rules, Rules];
  const gone = [...before].flatMap(([section, { length }]) => (after.has(section) ? [] : [length]));
  return [...after].flatMap(([section, rules]): CheckFinding[] => {
    // Under its old name or, where there is none, as the longest that has lost its name.
    const had = before.get(section)?.length ?? Math.max(0, ...gone);
    if (rules.length <= FULL_SECTION || rules.length <= had) return [];
    const name = section === '' ? 'the part above the first heading' : `the section "${section}"`;
    const was = had === 0 ? '' : `, where ${had} stood before`;
    return [
      {
        rule: 'section-full',
        severity: 'refuse',
        message: `${name} would hold ${rules.length} rules${was}, and takes ${FULL_SECTION}: replace or merge rules that stand there, drop one with evidence, or move detail to references/`,
        file: 'SKILL.md',
        line: rules.at(-1)?.number ?? 1,
        subject: section,
      },
    ];
  });
}

type Rules = ReadonlyMap<string, readonly MarkdownLine[]>;

/** The lines with which rules begin, by section; without sections that are procedures: most of their items are numbered. */
function rulesBySection(text: string): Rules {
  const found = new Map<string, MarkdownLine[]>();
  for (const line of markdownLines(text))
    if (!line.front && !line.code && /^ {0,1}(?:[-*+]|\d{1,3}[.)])\s+\S/.test(line.text))
      found.set(line.section, [...(found.get(line.section) ?? []), line]);
  const isStep = (line: MarkdownLine) => /^ ?\d/.test(line.text);
  return new Map([...found].filter(([, lines]) => lines.filter(isStep).length * 2 <= lines.length));
}
