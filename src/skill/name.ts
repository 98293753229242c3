import { toNfkc } from '../text/nfkc.ts';

/** Whether a file is called `SKILL.md`, in any case of these letters; another letter that looks or folds alike is none. */
export function isSkillFile(name: string): boolean {
  return /^skill\.md$/i.test(name);
}

/** What most names are already: of ten thousand, normalising takes a while. */
const NORMAL = /^[a-z\d]+(?:-[a-z\d]+)*$/;

/**
 * The identifier for a declared name: NFKC, lower case, every run of other characters one hyphen. Letters and digits
 * of any script stay. Empty if nothing is left.
 */
export function normaliseName(declared: string): string {
  if (NORMAL.test(declared)) return declared;
  return toNfkc(declared)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, '-')
    .replace(/^-+|-+$/g, '');
}
