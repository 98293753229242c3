import type { Skill } from '../skill/skill.ts';
import type { Vocabulary } from './vocabulary.ts';

/** What search knows of one skill. A pure function of the skill, so that an updated index equals a rebuilt one. */
export interface SkillDocument {
  readonly skill: Skill;
  /** The skill's terms by number, ascending. The arrays below run along with it. */
  readonly terms: Uint32Array;
  /** How strongly name, aliases, tags, when-to-use and description hold the term. */
  readonly purpose: Float32Array;
  /** How strongly headings and body do, against the body's size. */
  readonly detail: Float32Array;
  /** Bit n: the nth of `FIELDS` holds it. */
  readonly fields: Uint16Array;
  /** The same as words for the first stage: three fields of stems. */
  readonly name: string;
  readonly purposeText: string;
  readonly detailText: string;
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
const KEY_TERMS = 30;
const LONGEST_BODY = 20_000;

/** Prepares a skill for the index. `category` is the folder between its root and its own, if there is one. */
export function skillDocument(skill: Skill, category: string, vocabulary: Vocabulary): SkillDocument {
  const purposeFields = [
    `${skill.label ?? ''} ${skill.name}`,
    skill.aliases.join(' | '),
    [...skill.tags, ...skill.weakTags].join(' | '),
    category,
    skill.whenToUse ?? '',
    skill.description,
  ].map((text) => vocabulary.numbersOf(text));
  const headings = vocabulary.numbersOf(skill.headings.join(' | '));
  const body = vocabulary.numbersOf(skill.body.slice(0, LONGEST_BODY));
  const purpose = new Map<number, number>();
  const detail = new Map<number, number>();
  const fields = new Map<number, number>();
  const add = (to: Map<number, number>, terms: readonly number[], weighing: Weighing, field: number) => {
    const length = 1 - weighing.discount + (weighing.discount * terms.length) / weighing.usual;
    for (const term of terms) {
      to.set(term, (to.get(term) ?? 0) + weighing.weight / length);
      fields.set(term, (fields.get(term) ?? 0) | (1 << field));
    }
  };
  for (const [field, terms] of purposeFields.entries()) add(purpose, terms, PURPOSE[field] ?? BODY, field);
  add(detail, headings, HEADINGS, FIELDS.indexOf('headings'));
  add(detail, body, BODY, FIELDS.indexOf('body'));
  const breadth = Math.sqrt(Math.max(detail.size, 30) / USUAL_TERMS);
  const terms = Uint32Array.from(fields.keys()).sort();
  const words = (numbers: Iterable<number>) => [...numbers].map(vocabulary.termOf).join(' ');
  return {
    skill,
    terms,
    purpose: Float32Array.from(terms, (term) => saturated(purpose.get(term), PURPOSE_SATURATION)),
    detail: Float32Array.from(terms, (term) => saturated(detail.get(term), DETAIL_SATURATION) / breadth),
    fields: Uint16Array.from(terms, (term) => fields.get(term) ?? 0),
    name: words([...(purposeFields[0] ?? []), ...(purposeFields[1] ?? [])]),
    purposeText: words(purposeFields.slice(2).flat()),
    detailText: words(new Set([...headings, ...keyTerms(body, purpose)])),
  };
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
export function saturated(value: number | undefined, k: number): number {
  return value === undefined ? 0 : (value * (k + 1)) / (value + k);
}

/** The terms that a body repeats most and that the purpose does not hold; ties by where they come first. */
function keyTerms(body: readonly number[], purpose: ReadonlyMap<number, number>): number[] {
  const counts = new Map<number, number>();
  for (const term of body) if (!purpose.has(term)) counts.set(term, (counts.get(term) ?? 0) + 1);
  const repeated = [...counts].filter(([, count]) => count > 1);
  return repeated
    .sort(([, left], [, right]) => right - left)
    .slice(0, KEY_TERMS)
    .map(([term]) => term);
}
