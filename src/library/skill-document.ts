import type { Skill } from '../skill/skill.ts';
import { createTermTable } from './term-table.ts';
import type { Vocabulary } from './vocabulary.ts';

/** What search knows of one skill. A pure function of the skill, so that an updated index equals a rebuilt one. */
export interface SkillDocument {
  readonly skill: Skill;
  /** The skill's terms by number, ascending. The arrays below run along with it. */
  readonly terms: ArrayLike<number>;
  /** How strongly name, aliases, tags, when-to-use and description hold the term, in single precision. */
  readonly purpose: ArrayLike<number>;
  /** How strongly headings and body do, against the body's size; the same. */
  readonly detail: ArrayLike<number>;
  /** Bit n: the nth of `FIELDS` holds it. */
  readonly fields: ArrayLike<number>;
}

/** The fields by weight, for `why`. */
export const FIELDS = [
  'name',
  'aliases',
  'tags',
  'category',
  'when to use',
  'description',
  'headings',
  'body',
] as const;

interface Weighing {
  readonly weight: number;
  /** Terms of a field of usual length, and how much a longer one is discounted, 0 to 1. */
  readonly usual: number;
  readonly discount: number;
}

const PURPOSE: readonly Weighing[] = [
  { weight: 3, usual: 4, discount: 0.3 },
  { weight: 3, usual: 4, discount: 0.3 },
  { weight: 2, usual: 6, discount: 0.3 },
  { weight: 1, usual: 2, discount: 0.3 },
  { weight: 1, usual: 30, discount: 0.4 },
  { weight: 1, usual: 30, discount: 0.4 },
];
const HEADINGS: Weighing = { weight: 1.2, usual: 40, discount: 0.5 };
const BODY: Weighing = { weight: 1, usual: 500, discount: 0.75 };
/** Saturation: the second mention of a word says less than the first. */
const PURPOSE_SATURATION = 2;
const DETAIL_SATURATION = 1.2;
/** Distinct terms of a usual body. A body with many more holds any word, which proves less. */
const USUAL_TERMS = 250;
/** Characters: what a skill is about stands at its beginning. */
const LONGEST_BODY = 12_000;

/** Prepares skills for the index, one at a time, over one vocabulary. */
export function createSkillPreparer(
  vocabulary: Vocabulary,
): (skill: Skill, category: string) => SkillDocument {
  // Where a term of the skill at hand stands in the row, plus one; emptied after each skill.
  const places = createTermTable();
  let row = largerRow();
  const counts = createTermTable();
  const met: number[] = [];
  let length = 0;
  const count = (term: number) => {
    length += 1;
    if (counts.add(term, 1) === 1) met.push(term);
  };

  /** `category` is the folder between the skill's root and its own, if there is one. */
  return (skill, category) => {
    let used = 0;
    const place = (term: number): number => {
      const known = places.get(term) - 1;
      if (known >= 0) return known;
      if (used === row.terms.length) row = largerRow(row);
      places.set(term, used + 1);
      row.terms[used] = term;
      row.purpose[used] = 0;
      row.detail[used] = 0;
      row.fields[used] = 0;
      used += 1;
      return used - 1;
    };
    const add = (to: 'purpose' | 'detail', text: string, weighing: Weighing, field: number) => {
      const { weight, usual, discount } = weighing;
      // Counted first: most words of a body are there several times.
      length = 0;
      met.length = 0;
      vocabulary.visitNumbers(text, count);
      const each = weight / (1 - discount + (discount * length) / usual);
      for (const term of met) {
        const at = place(term);
        row[to][at] = (row[to][at] ?? 0) + each * counts.get(term);
        row.fields[at] = (row.fields[at] ?? 0) | (1 << field);
        counts.set(term, 0);
      }
    };
    const purposeTexts = [
      `${skill.label ?? ''} ${skill.name}`,
      skill.aliases.join(' | '),
      [...skill.tags, ...skill.weakTags].join(' | '),
      category,
      skill.whenToUse ?? '',
      skill.description,
    ];
    for (const [field, text] of purposeTexts.entries()) add('purpose', text, PURPOSE[field] ?? BODY, field);
    add('detail', skill.headings.join(' | '), HEADINGS, FIELDS.indexOf('headings'));
    add('detail', skill.body.slice(0, LONGEST_BODY), BODY, FIELDS.indexOf('body'));
    let held = 0;
    for (let at = 0; at < used; at += 1) if ((row.detail[at] ?? 0) > 0) held += 1;
    const breadth = Math.sqrt(Math.max(held, 30) / USUAL_TERMS);
    const terms = row.terms.slice(0, used).sort();
    const purpose = new Float32Array(used);
    const detail = new Float32Array(used);
    const fields = new Uint8Array(used);
    for (let index = 0; index < used; index += 1) {
      const at = place(terms[index] ?? 0);
      purpose[index] = saturated(row.purpose[at] ?? 0, PURPOSE_SATURATION);
      detail[index] = saturated(row.detail[at] ?? 0, DETAIL_SATURATION) / breadth;
      fields[index] = row.fields[at] ?? 0;
    }
    for (const term of terms) places.set(term, 0);
    return { skill, terms, purpose, detail, fields };
  };
}

/** What is gathered of the skill at hand, in the order in which its terms come. */
interface Row {
  readonly terms: Uint32Array;
  readonly purpose: Float64Array;
  readonly detail: Float64Array;
  readonly fields: Uint8Array;
}

function largerRow(row?: Row): Row {
  const size = row === undefined ? 1 << 12 : row.terms.length * 2;
  const larger = {
    terms: new Uint32Array(size),
    purpose: new Float64Array(size),
    detail: new Float64Array(size),
    fields: new Uint8Array(size),
  };
  for (const key of ['terms', 'purpose', 'detail', 'fields'] as const) larger[key].set(row?.[key] ?? []);
  return larger;
}

/** Where a term stands in the arrays of a document, or -1. */
export function positionOf(document: Pick<SkillDocument, 'terms'>, term: number): number {
  const { terms } = document;
  let low = 0;
  let high = terms.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = terms[middle] ?? 0;
    if (found === term) return middle;
    if (found < term) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

/** 0 for nothing, 1 for one plain mention, towards 1 + k for many. */
export function saturated(value: number, k: number): number {
  return value === 0 ? 0 : (value * (k + 1)) / (value + k);
}
