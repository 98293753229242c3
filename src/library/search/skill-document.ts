import type { Skill } from '../../skill/skill.ts';
import { statedTags } from '../tags/skill-tags.ts';
import type { Vocabulary } from '../words/vocabulary.ts';
import { stepsOf } from './postings.ts';

/** What search knows of one skill. A pure function of the skill, so that an updated index equals a rebuilt one. */
export interface SkillDocument {
  readonly skill: Skill;
  /** The skill's terms by number, ascending. The lists below run along with it. */
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

/** By field, in the order of `FIELDS`: the first ones say what a skill is for, the others hold its detail. */
const WEIGHINGS: readonly Weighing[] = [
  { weight: 3, usual: 4, discount: 0.3 },
  { weight: 3, usual: 4, discount: 0.3 },
  { weight: 2, usual: 6, discount: 0.3 },
  { weight: 1, usual: 2, discount: 0.3 },
  { weight: 1, usual: 30, discount: 0.4 },
  { weight: 1, usual: 30, discount: 0.4 },
  { weight: 1.2, usual: 40, discount: 0.5 },
  { weight: 1, usual: 500, discount: 0.75 },
];
export const FIRST_DETAIL = 6;
/** Saturation: the second mention of a word says less than the first. */
const PURPOSE_SATURATION = 2;
const DETAIL_SATURATION = 1.2;
/** Distinct terms of a usual body. A body with many more holds any word, which proves less. */
const USUAL_TERMS = 250;
/** Characters: what a skill is about stands at its beginning. */
const LONGEST_BODY = 12_000;

/** The terms of a skill as they are sorted into the index: in the order in which its texts have them, what it is for first. */
export interface PreparedDocument {
  readonly terms: Uint32Array;
  /** Of the terms at the beginning that hold any; in single precision. */
  readonly purpose: Float32Array;
  /** In steps: see `Postings`. */
  readonly detail: Uint16Array;
  readonly fields: Uint8Array;
}

/**
 * Prepares skills for the index, one at a time, over one vocabulary. From their `fieldTexts` and not from skills: these
 * have many shapes, each of which has the engine compile anew what reads it.
 */
export function createSkillPreparer(vocabulary: Vocabulary): (texts: readonly string[]) => PreparedDocument {
  // Where a term of the skill at hand stands in the row, plus one; emptied after each skill.
  let places = new Uint32Array(1 << 12);
  let row = largerRow();
  let used = 0;

  function add(text: string, field: number): void {
    if (text === '') return;
    const numbers = vocabulary.readNumbers(text);
    const each = mentionWorth(field, numbers.length);
    makeRoom(numbers.length);
    const { terms, counts, met } = row;
    // Counted first: most words of a body are there several times.
    let distinct = 0;
    for (let at = 0; at < numbers.length; at += 1) {
      const term = numbers[at] ?? 0;
      let place = (places[term] ?? 0) - 1;
      if (place < 0) {
        place = used;
        used += 1;
        places[term] = used;
        terms[place] = term;
      }
      if (counts[place] === 0) {
        met[distinct] = place;
        distinct += 1;
      }
      counts[place] = (counts[place] ?? 0) + 1;
    }
    const strengths = row[field < FIRST_DETAIL ? 'purpose' : 'detail'];
    for (let at = 0; at < distinct; at += 1) {
      const place = met[at] ?? 0;
      strengths[place] = (strengths[place] ?? 0) + each * (counts[place] ?? 0);
      row.fields[place] = (row.fields[place] ?? 0) | (1 << field);
      counts[place] = 0;
    }
  }

  /** For so many more terms. */
  function makeRoom(more: number): void {
    while (row.terms.length < used + more) row = largerRow(row);
    if (places.length >= vocabulary.size) return;
    const larger = new Uint32Array(2 * vocabulary.size);
    larger.set(places);
    places = larger;
  }

  return (texts) => {
    used = 0;
    let meant = 0;
    for (let field = 0; field < FIELDS.length; field += 1) {
      if (field === FIRST_DETAIL) meant = used;
      add(texts[field] ?? '', field);
    }
    let held = 0;
    for (let at = 0; at < used; at += 1) if ((row.detail[at] ?? 0) > 0) held += 1;
    const breadth = Math.sqrt(Math.max(held, 30) / USUAL_TERMS);
    const { terms, purpose, detail, fields } = emptyDocument(used, meant);
    terms.set(row.terms.subarray(0, used));
    fields.set(row.fields.subarray(0, used));
    for (let at = 0; at < meant; at += 1) purpose[at] = saturated(row.purpose[at] ?? 0, PURPOSE_SATURATION);
    for (let at = 0; at < used; at += 1) {
      detail[at] = stepsOf(saturated(row.detail[at] ?? 0, DETAIL_SATURATION) / breadth);
      places[terms[at] ?? 0] = 0;
    }
    for (const block of [row.purpose, row.detail, row.fields]) block.fill(0, 0, used);
    return { terms, purpose, detail, fields };
  };
}

/** The texts of a skill in the order of `FIELDS`; `body` is its own, read once, `category` the folder that it is sorted into. */
export function fieldTexts(skill: Omit<Skill, 'body'>, body: string, category: string): string[] {
  return [
    `${skill.label ?? ''} ${skill.name}`,
    skill.aliases.join(' | '),
    statedTags(skill).join(' | '),
    category,
    skill.whenToUse ?? '',
    skill.description,
    skill.headings.join(' | '),
    body.slice(0, LONGEST_BODY),
  ];
}

/** What one mention of a term is worth in a field of so many terms, before saturation. */
export function mentionWorth(field: number, terms: number): number {
  const { weight, usual, discount } = WEIGHINGS[field] ?? { weight: 0, usual: 1, discount: 0 };
  return weight / (1 - discount + (discount * terms) / usual);
}

/** For so many terms, in one block: one for each list would be four times as many to clear away. */
function emptyDocument(size: number, meant: number) {
  const block = new ArrayBuffer(4 * (size + meant) + 3 * size);
  return {
    terms: new Uint32Array(block, 0, size),
    purpose: new Float32Array(block, 4 * size, meant),
    detail: new Uint16Array(block, 4 * (size + meant), size),
    fields: new Uint8Array(block, 4 * (size + meant) + 2 * size, size),
  };
}

/** What is gathered of the skill at hand, in the order in which its terms come; all 0 before and after. */
interface Row {
  readonly terms: Uint32Array;
  readonly purpose: Float64Array;
  readonly detail: Float64Array;
  readonly fields: Uint8Array;
  /** Of the field at hand: how often a term stands in it, and the places of those that do. */
  readonly counts: Uint32Array;
  readonly met: Uint32Array;
}

function largerRow(row?: Row): Row {
  const size = row === undefined ? 1 << 12 : row.terms.length * 2;
  const larger = {
    terms: new Uint32Array(size),
    purpose: new Float64Array(size),
    detail: new Float64Array(size),
    fields: new Uint8Array(size),
    counts: new Uint32Array(size),
    met: new Uint32Array(size),
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
