import type { Skill } from '../../skill/skill.ts';
import type { Library, SearchHit } from '../library.ts';
import { wordsIn } from '../words/scan-words.ts';
import { otherForms } from '../words/short-forms.ts';
import { WEAK_STEMS } from '../words/stop-words.ts';
import { expandWord, termsOf } from '../words/tokenize.ts';
import { boundedQuery } from './query.ts';
import { FIRST_DETAIL, fieldTexts } from './skill-document.ts';
import type { SkillSearch, SkillSearchOptions } from './skill-search.ts';

/** Telling words of a query that a name may hold; in a longer one a word in common is chance. */
const MOST_WORDS = 6;
/** The same of one that bodies may hold, and the bodies that may hold a word which tells something. */
const MOST_WORDS_OF_BODIES = 2;
const MOST_BODIES = 5;
/** Hits that are looked through, and the score below which a word in common tells nothing. */
const AMONG = 30;
const LEAST = 0.3;
const MOST_NAMES = 3;

/**
 * For a short query that nothing fits, at most three skills, copies once: those with a telling word of it in their names,
 * best first, and those few that alone hold a word of one or two, in their bodies; one of these has a place in any case.
 * They do not fit; whoever used a casual word beside the telling one finds from them what to ask for.
 */
export async function nearestByWord(
  library: Library,
  search: SkillSearch,
  query: string,
  options: Pick<SkillSearchOptions, 'narrowing' | 'signal'> = {},
): Promise<string[]> {
  const asked = boundedQuery(query);
  const words = new Set(termsOf(asked).filter(isTelling));
  if (words.size === 0 || words.size > MOST_WORDS) return [];
  for (const word of asked.toLowerCase().split(/\s+/))
    for (const form of otherForms(word)) for (const term of termsOf(form)) words.add(term);
  const said = new Set<string>();
  const isNew = ({ userOnly, description }: Skill): boolean => {
    if (userOnly || said.has(description)) return false;
    said.add(description);
    return true;
  };
  const isNear = ({ name, score }: SearchHit): boolean => {
    const skill = library.find(name);
    if (score < LEAST || skill === undefined || !isNew(skill)) return false;
    return termsOf(skill.name).some((term) => words.has(term));
  };
  const hits = await search.search(query, { ...options, limit: AMONG, all: true });
  const named = hits.filter(isNear).map(({ name }) => name);
  const held = tellingWords(asked)
    .flatMap((word) => inFewBodies(library, word))
    .filter(isNew)
    .map(({ name }) => name);
  return [...named.slice(0, MOST_NAMES - Math.min(held.length, 1)), ...held].slice(0, MOST_NAMES);
}

function isTelling(term: string): boolean {
  return !WEAK_STEMS.has(term);
}

/** The telling words of a query, each once, as they are written; none where there are too many for bodies. */
function tellingWords(query: string): string[] {
  const words = new Set(wordsIn(query).filter((word) => expandWord(word).some(isTelling)));
  return words.size > MOST_WORDS_OF_BODIES ? [] : [...words];
}

/** The skills whose bodies or headings hold a word, best first; none if there are more than a few or one is for it. */
function inFewBodies(library: Library, word: string): Skill[] {
  const terms = new Set(expandWord(word));
  const holds = (texts: readonly string[]) =>
    texts.some((text) => termsOf(text).some((term) => terms.has(term)));
  const found: Skill[] = [];
  for (const { name } of library.search(word, { limit: AMONG, all: true })) {
    const skill = library.find(name);
    if (skill === undefined) continue;
    const texts = fieldTexts(skill, skill.body, '');
    if (holds(texts.slice(0, FIRST_DETAIL))) return [];
    if (holds(texts.slice(FIRST_DETAIL))) found.push(skill);
    if (found.length > MOST_BODIES) return [];
  }
  return found;
}
