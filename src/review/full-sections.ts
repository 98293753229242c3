import { markdownLines } from '../gate/markdown.ts';

/**
 * From so many rules on a section is full: a new one is folded into those that stand there. Thirteen rules of one
 * heading are no longer read as one thought, and each review would add one more.
 */
export const FULL_SECTION = 12;

/** The sections of a `SKILL.md` with at least that many rules (list items, numbered steps), in order. */
export function fullSections(text: string): { readonly section: string; readonly rules: number }[] {
  const counts = new Map<string, number>();
  // Those below another are its detail.
  for (const { text: line, front, code, section } of markdownLines(text))
    if (!front && !code && /^ {0,1}(?:[-*+]|\d{1,3}[.)])\s+\S/.test(line))
      counts.set(section, (counts.get(section) ?? 0) + 1);
  return [...counts].flatMap(([section, rules]) => (rules >= FULL_SECTION ? [{ section, rules }] : []));
}
