import type { Skill } from '../../skill/skill.ts';
import { createRecordedLikeness } from '../use/recorded-likeness.ts';
import {
  createRecordedFrequency,
  isWord,
  NOTHING_ASKED,
  type RecordedTerms,
  strengthOf,
  weighFeatures,
} from '../use/recorded-queries.ts';
import { createTermTable, type TermTable } from '../words/term-table.ts';
import { type BestSkill, bestSkills } from './best-skills.ts';
import { likeWord, type MeantTerm } from './like-word.ts';
import type { IndexedWords } from './mend-query.ts';
import { detailAt, placesOf } from './postings.ts';
import type { PreparedSkills } from './prepared-skills.ts';
import { purposeWeights } from './purpose-weights.ts';
import type { Query } from './query.ts';
import { type Candidate, heldStrength, type TermWeights } from './ranking.ts';

/** All skills by the terms that they hold. */
export interface FirstStage {
  /** What the index knows of words; of recorded queries nothing if they are left out. */
  wordsFor(withoutRecorded: boolean): IndexedWords;
  /** What the terms of a query are worth in this library. */
  weightsFor(query: Query, withoutRecorded: boolean): Omit<TermWeights, 'termOf'>;
  /**
   * The best `count` candidates for a query, exactly, ties by name, each with its copies, so that these take no other's
   * place; their documents hold what the skills have of its terms and words and nothing else. `among` says of which.
   */
  best(query: Query, count: number, withoutRecorded: boolean, among?: (skill: Skill) => boolean): Candidate[];
}

export interface FirstStageParts {
  readonly recorded: (skill: Skill) => readonly string[];
  readonly category: (skill: Skill) => string;
  readonly prepared: PreparedSkills;
}

/** A small library has seen too few texts to tell common words from rare ones. */
const FEWEST_SKILLS = 1000;
const WEAK_SHARE = 0.5;
/** The share of skills that one expects to be asked for with a stop word, and with a usual one. */
const STOP_COMMON = 0.5;
const WEAK_COMMON = 0.1;

const NONE: ReadonlySet<number> = new Set();

export function createFirstStage(skills: readonly Skill[], parts: FirstStageParts): FirstStage {
  const { vocabulary } = parts.prepared;
  let first = 0;
  /** Documents of all parts have one row of numbers; `first` is where those of a part begin. */
  const segments = parts.prepared.partsOf(skills, parts.category).map((part) => {
    const segment = { ...part, first };
    first += part.skills.length;
    return segment;
  });
  const owners = segments.flatMap((segment) => segment.skills);
  const isWanted = Uint8Array.from(owners, (skill) => (skill === undefined ? 0 : 1));
  const frequency = frequencies();
  const asked = createRecordedFrequency();
  const recordedOf = recordedByOwner();
  const recorded = recordedByWord();
  const likeness = createRecordedLikeness(vocabulary, rarityInTexts);
  // The same blocks for all searches: new ones each time would be garbage faster than it is collected.
  const scores = new Float64Array(owners.length);
  const isChosen = new Uint8Array(owners.length);
  let meant: readonly MeantTerm[] | undefined;
  let distinct: number | undefined;
  let purposes: Float64Array | undefined;

  /** In how many skills a term stands: in what they are for, and anywhere. */
  function frequencies(): { readonly purpose: TermTable; readonly anywhere: TermTable } {
    const counts = { purpose: createTermTable(), anywhere: createTermTable() };
    for (const { postings, first, skills: held } of segments) {
      const isWhole = held.every((skill) => skill !== undefined);
      const wanted = (from: number, to: number) => {
        if (isWhole) return to - from;
        let count = 0;
        for (let place = from; place < to; place += 1)
          count += isWanted[first + (postings.owners[place] ?? 0)] ?? 0;
        return count;
      };
      for (let term = postings.starts.length - 2; term >= 0; term -= 1) {
        const [start, others, end] = placesOf(postings, term);
        const meant = wanted(start, others);
        if (meant > 0) counts.purpose.add(term, meant);
        if (end > start) counts.anywhere.add(term, meant + wanted(others, end));
      }
    }
    return counts;
  }

  function meantTerms(): MeantTerm[] {
    return Array.from({ length: vocabulary.size }, (_, number) => number).flatMap((number) => {
      const purposes = frequency.purpose.get(number);
      return purposes === 0 ? [] : [{ number, term: vocabulary.termOf(number), purposes }];
    });
  }

  /** The numbers of the skills that have queries with a word, and how strongly. Counts them too. */
  function recordedByWord(): ReadonlyMap<number, readonly (readonly [owner: number, strength: number])[]> {
    const found = new Map<number, (readonly [number, number])[]>();
    for (const [owner, known] of recordedOf) {
      asked.count(known);
      for (const word of known.features.filter(isWord)) {
        const held = found.get(word) ?? [];
        held.push([owner, strengthOf(known.countOf(word), known.queries)]);
        found.set(word, held);
      }
    }
    return found;
  }

  function recordedByOwner(): ReadonlyMap<number, RecordedTerms> {
    const found = new Map<number, RecordedTerms>();
    for (const [owner, skill] of owners.entries()) {
      const known = skill && parts.prepared.recordedOf(skill, parts.recorded(skill));
      if (known !== undefined) found.set(owner, known);
    }
    return found;
  }

  /** Mostly by what skills are for: a word that many bodies hold may still tell purposes apart. */
  const heldBy = (term: number) => 0.75 * frequency.purpose.get(term) + 0.25 * frequency.anywhere.get(term);

  function weightOf(term: number): number {
    return rarityAmong(heldBy(term)) * (vocabulary.isWeak(term) ? WEAK_SHARE : 1);
  }

  function rarityAmong(holding: number): number {
    return Math.log(1 + (Math.max(skills.length, FEWEST_SKILLS) - holding + 0.5) / (holding + 0.5));
  }

  /** The share of skills that a word stands in; of usual words as if many did. */
  function shareOf(word: number): number {
    if (vocabulary.isStop(word)) return STOP_COMMON;
    const share = heldBy(word) / Math.max(skills.length, 1);
    return Math.max(share, vocabulary.isWeak(word) ? WEAK_COMMON : 0.5 / FEWEST_SKILLS);
  }

  /** What a word is worth that stands in so many recorded queries and, one may expect, purposes. */
  function rarityInTexts(word: number): number {
    const texts = asked.queries + skills.length;
    const holding = asked.queriesWith(word) + skills.length * shareOf(word);
    return Math.max(0, Math.log((texts + 1) / (holding + 1)));
  }

  /** Fills `scores`. Each adds up over the terms in their order, so that it does not tell where a document lies. */
  function score(terms: readonly number[], withoutRecorded: boolean): void {
    scores.fill(0);
    for (const term of terms) {
      const weight = weightOf(term);
      for (const { postings, first } of segments) {
        const [start, others, end] = placesOf(postings, term);
        const shift = (postings.meant[term] ?? 0) - start;
        for (let place = start; place < end; place += 1) {
          const owner = first + (postings.owners[place] ?? 0);
          const purpose = place < others ? (postings.purpose[place + shift] ?? 0) : 0;
          scores[owner] = (scores[owner] ?? 0) + weight * heldStrength(purpose, detailAt(postings, place));
        }
      }
      if (withoutRecorded) continue;
      for (const [owner, strength] of recorded.get(term) ?? [])
        scores[owner] = (scores[owner] ?? 0) + weight * strength;
    }
  }

  /** What the chosen skills hold of these terms, in their order. */
  function candidatesOf(
    best: readonly BestSkill[],
    terms: readonly number[],
    withoutRecorded: boolean,
    weights: Float64Array | undefined,
  ): Candidate[] {
    const candidates = best.flatMap(({ number, copies }) => {
      const skill = owners[number];
      return skill === undefined
        ? []
        : [{ number, document: emptyDocument(skill), copies: copies.flatMap((copy) => owners[copy] ?? []) }];
    });
    const documents = new Map(candidates.map(({ number, document }) => [number, document]));
    for (const { number } of candidates) isChosen[number] = 1;
    for (const term of terms.toSorted((left, right) => left - right))
      for (const { postings, first } of segments) {
        const [start, others, end] = placesOf(postings, term);
        const shift = (postings.meant[term] ?? 0) - start;
        for (let place = start; place < end; place += 1) {
          const owner = first + (postings.owners[place] ?? 0);
          if (isChosen[owner] !== 1) continue;
          const document = documents.get(owner);
          document?.terms.push(term);
          document?.purpose.push(place < others ? (postings.purpose[place + shift] ?? 0) : 0);
          document?.detail.push(detailAt(postings, place));
          document?.fields.push(postings.fields[place] ?? 0);
        }
      }
    for (const { number } of candidates) isChosen[number] = 0;
    return candidates.map(({ number, document, copies }) => {
      const known = withoutRecorded ? undefined : recordedOf.get(number);
      return {
        document,
        copies,
        purposeWeight: weights?.[number] ?? 0,
        ...(known === undefined ? {} : { recorded: known }),
      };
    });
  }

  return {
    wordsFor: (withoutRecorded) => ({
      isHeld: (term) => frequency.anywhere.get(term) > 0 || (!withoutRecorded && asked.isHeld(term)),
      skillsWith: (term) => frequency.anywhere.get(term),
      purposesWith: (term) => frequency.purpose.get(term),
      like: (word) => {
        meant ??= meantTerms();
        return likeWord(word, meant);
      },
    }),
    weightsFor(query, withoutRecorded) {
      distinct ??= new Set(skills.map(({ description }) => description)).size;
      return {
        weightOf,
        rarityOf: (term) => rarityAmong(frequency.anywhere.get(term)),
        size: distinct,
        asked: withoutRecorded
          ? NOTHING_ASKED
          : weighFeatures(query, asked, likeness, shareOf, skills.length),
      };
    },
    best(query, count, withoutRecorded, among) {
      const terms = withoutRecorded ? query.terms : [...new Set([...query.terms, ...query.words])];
      score(terms, withoutRecorded);
      const found =
        among === undefined ? owners : owners.map((skill) => (skill && among(skill) ? skill : undefined));
      const best = bestSkills(scores, { skills: found, own: withoutRecorded ? NONE : recordedOf }, count);
      if (query.clauses.length > 0) purposes ??= purposeWeights(segments, owners.length, weightOf);
      return candidatesOf(best, terms, withoutRecorded, query.clauses.length > 0 ? purposes : undefined);
    },
  };
}

/** In plain lists: blocks of a few numbers each would be most of the garbage of a search. */
function emptyDocument(skill: Skill) {
  return {
    skill,
    terms: [] as number[],
    purpose: [] as number[],
    detail: [] as number[],
    fields: [] as number[],
  };
}
