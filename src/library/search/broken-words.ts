import { katakanaRuns, withoutLength } from '../words/katakana.ts';
import type { KatakanaWord } from './query.ts';
import type { Candidate } from './ranking.ts';
import { FIRST_DETAIL, fieldTexts } from './skill-document.ts';

const NONE: ReadonlySet<number> = new Set();

/**
 * Gives for a candidate the pairs of a query's katakana words that it holds by chance alone, as parts of other words: コンテ
 * of コンテナ in コンテンツ. A word counts where what the candidate is for has it, also within a longer one, where it
 * has a whole word that the query's is put together with, and where recorded queries have all of its pairs.
 */
export function createBrokenWords(
  words: readonly KatakanaWord[],
): (candidate: Candidate) => ReadonlySet<number> {
  if (words.length === 0) return () => NONE;
  return ({ document: { skill }, recorded }) => {
    const texts = fieldTexts(skill, '', '').slice(0, FIRST_DETAIL).join('\n');
    const runs = katakanaRuns(texts).map(withoutLength);
    const isMet = ({ word, terms }: KatakanaWord) => {
      const asked = withoutLength(word);
      return (
        runs.some((run) => run.includes(asked) || (run.length > 1 && asked.includes(run))) ||
        terms.every((term) => (recorded?.countOf(term) ?? 0) > 0)
      );
    };
    const broken = words.filter((word) => !isMet(word));
    const met = new Set(words.filter(isMet).flatMap(({ terms }) => terms));
    return new Set(broken.flatMap(({ terms }) => terms).filter((term) => !met.has(term)));
  };
}
