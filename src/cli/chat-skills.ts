import { readQueryWithTags } from '../library/search/narrowing.ts';
import { nearestByWord } from '../library/search/nearest-words.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { clip } from './output.ts';
import { COLUMNS, hitsText } from './search-view.ts';
import { columnsOf } from './text-width.ts';

/** Lines of a list that is still read. */
const MOST_LISTED = 40;

/** What `/skills` answers: a line a skill, as many as a person reads; with words those that a search finds. */
export async function chatSkills(runtime: Runtime, words: string): Promise<string> {
  const library = await runtime.library();
  if (words === '') {
    const { skills } = library;
    const lines = skills.slice(0, MOST_LISTED).map((skill) => {
      const start = `${library.nameOf(skill)}: `;
      return `${start}${clip(skill.description, 2 * COLUMNS - columnsOf(start))}`;
    });
    const more = skills.length - lines.length;
    return [
      ...lines,
      ...(more > 0 ? [`and ${more} more; /skills WORDS finds those that fit the words`] : []),
    ].join('\n');
  }
  const { text, narrowing } = readQueryWithTags(library, words, []);
  const search = await runtime.search();
  const within = narrowing === undefined ? {} : { narrowing };
  const hits = await search.search(text, within);
  if (hits.length > 0)
    return hitsText(hits, { library, narrowing, isListing: text === '', why: false, most: 2 * COLUMNS });
  const nearest = text === '' ? [] : await nearestByWord(library, search, text, within);
  const next = nearest.length > 0 ? `nearest by a word: ${nearest.join(', ')}` : 'other words may find more';
  return `nothing fits by itself; ${next}`;
}
