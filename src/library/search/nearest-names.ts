import type { Library, SearchHit } from '../library.ts';
import { otherForms } from '../words/short-forms.ts';
import { WEAK_STEMS } from '../words/stop-words.ts';
import { termsOf } from '../words/tokenize.ts';
import { boundedQuery } from './query.ts';
import type { SkillSearch, SkillSearchOptions } from './skill-search.ts';

/** Telling words of a query that a name may hold; in a longer one a word in common is chance. */
const MOST_WORDS = 6;
/** Hits that are looked through, and the score below which a word in common tells nothing. */
const AMONG = 30;
const LEAST = 0.3;
const MOST_NAMES = 3;

/**
 * For a short query that nothing fits: the skills with a telling word of it in their names, best first, copies once, at most
 * three. They do not fit; whoever used a casual word beside the telling one finds from them what to ask for.
 */
export async function nearestByName(
  library: Library,
  search: SkillSearch,
  query: string,
  options: Pick<SkillSearchOptions, 'narrowing' | 'signal'> = {},
): Promise<string[]> {
  const asked = boundedQuery(query);
  const words = new Set(termsOf(asked).filter((term) => !WEAK_STEMS.has(term)));
  if (words.size === 0 || words.size > MOST_WORDS) return [];
  for (const word of asked.toLowerCase().split(/\s+/))
    for (const form of otherForms(word)) for (const term of termsOf(form)) words.add(term);
  const said = new Set<string>();
  const isNear = ({ name, score }: SearchHit): boolean => {
    const skill = library.find(name);
    if (score < LEAST || skill === undefined || skill.userOnly || said.has(skill.description)) return false;
    said.add(skill.description);
    return termsOf(skill.name).some((term) => words.has(term));
  };
  const hits = await search.search(query, { ...options, limit: AMONG, all: true });
  return hits
    .filter(isNear)
    .slice(0, MOST_NAMES)
    .map(({ name }) => name);
}
