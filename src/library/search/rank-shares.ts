import type { Skill } from '../../skill/skill.ts';
import type { RankShare } from '../library.ts';
import type { Vocabulary } from '../words/vocabulary.ts';
import type { RankParts } from './rank-parts.ts';
import { FIELDS, FIRST_DETAIL, fieldTexts, mentionWorth } from './skill-document.ts';

/** What the shares of a skill are named by. */
export interface Explained {
  readonly skill: Skill;
  readonly category: string;
  readonly vocabulary: Pick<Vocabulary, 'numbersOf'>;
  /** A term as it was asked for. */
  readonly wordOf: (term: number) => string;
  readonly clauseAt: (index: number) => string;
}

type Field = (typeof FIELDS)[number];

const PURPOSE_FIELDS = FIELDS.slice(0, FIRST_DETAIL);
const DETAIL_FIELDS = FIELDS.slice(FIRST_DETAIL);

/**
 * The parts of a rank as shares, largest first. What a skill is for and its detail are divided among their fields by what
 * each of these brought into them, term by term.
 */
export function sharesOf(parts: RankParts, explained: Explained): RankShare[] {
  const broughtBy = contributions(explained, new Set(parts.held.map(({ term }) => term)));
  const shares = new Map<Field, { value: number; words: Set<string> }>();
  const divide = (term: number, value: number, fields: readonly Field[]) => {
    const brought = fields.map((field) => broughtBy(field, term));
    const all = brought.reduce((sum, each) => sum + each, 0);
    for (const [at, field] of fields.entries()) {
      // A text that is no longer as it was indexed: the last field is the one that holds most of it.
      const share = all > 0 ? (brought[at] ?? 0) / all : at === fields.length - 1 ? 1 : 0;
      if (value * share === 0) continue;
      const known = shares.get(field) ?? { value: 0, words: new Set() };
      known.words.add(explained.wordOf(term));
      shares.set(field, { ...known, value: known.value + value * share });
    }
  };
  for (const { term, purpose, detail } of parts.held) {
    divide(term, purpose, PURPOSE_FIELDS);
    divide(term, detail, DETAIL_FIELDS);
  }
  const { recorded, likeness, long } = parts;
  const others: RankShare[] = [
    { part: 'recorded queries', value: recorded },
    { part: 'likeness to recorded queries', value: likeness },
    ...(long === undefined
      ? []
      : [
          { part: 'clause', value: long.clause, of: explained.clauseAt(long.index) },
          { part: 'breadth of the body', value: long.breadth },
          { part: 'purpose met', value: long.purposeMet },
        ]),
  ];
  return [
    ...Array.from(
      shares,
      // A folder is a tag that nobody declared.
      ([field, { value, words }]): RankShare => ({
        part: field === 'category' ? 'derived tags' : field,
        value,
        words: [...words],
      }),
    ),
    ...others.filter(({ value }) => value !== 0),
  ].sort((left, right) => right.value - left.value);
}

/** What each field of a skill brought of some terms, before saturation. */
function contributions(
  { skill, category, vocabulary }: Explained,
  terms: ReadonlySet<number>,
): (field: Field, term: number) => number {
  const fields = fieldTexts(skill, skill.body, category).map((text, field) => {
    const numbers = vocabulary.numbersOf(text);
    const each = mentionWorth(field, numbers.length);
    const brought = new Map<number, number>();
    for (const number of numbers)
      if (terms.has(number)) brought.set(number, (brought.get(number) ?? 0) + each);
    return brought;
  });
  return (field, term) => fields[FIELDS.indexOf(field)]?.get(term) ?? 0;
}
