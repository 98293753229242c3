import { scriptOf } from '../words/scripts.ts';
import type { Candidate } from './ranking.ts';
import { FIRST_DETAIL, fieldTexts } from './skill-document.ts';

const NONE: ReadonlySet<number> = new Set();

/**
 * Gives for a candidate the terms of a query in scripts that it is neither written in, as far as what it is for goes, nor
 * was asked for in. That it lacks them says nothing about what it is for: `解析pdf` asks an English library for `pdf`.
 */
export function createForeignTerms(
  terms: readonly number[],
  termOf: (term: number) => string,
): (candidate: Candidate) => ReadonlySet<number> {
  const byScript = new Map<RegExp, number[]>();
  for (const term of terms) {
    const script = scriptOf(termOf(term));
    if (script !== undefined) byScript.set(script, [...(byScript.get(script) ?? []), term]);
  }
  if (byScript.size === 0) return () => NONE;
  return ({ document: { skill }, recorded }) => {
    const purpose = fieldTexts(skill, '', '').slice(0, FIRST_DETAIL).join('\n');
    const isForeign = (script: RegExp, asked: readonly number[]) =>
      !script.test(purpose) && !asked.some((term) => (recorded?.countOf(term) ?? 0) > 0);
    return new Set([...byScript].flatMap(([script, asked]) => (isForeign(script, asked) ? asked : [])));
  };
}
