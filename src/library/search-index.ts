import MiniSearch, { type SearchResult } from 'minisearch';
import type { Skill } from '../skill/skill.ts';
import type { SearchHit, SearchOptions } from './library.ts';
import { type IndexedWords, mendQuery } from './mend-query.ts';
import { behindTwins } from './near-twins.ts';
import { type Query, readQuery } from './query.ts';
import { type Candidate, explainMatch, type Ranking, rankCandidates } from './ranking.ts';
import {
  createRecordedFrequency,
  NOTHING_ASKED,
  type RecordedTerms,
  recordedTerms,
  weighFeatures,
} from './recorded-queries.ts';
import { createSkillPreparer, type SkillDocument } from './skill-document.ts';
import type { SkillGraph } from './skill-graph.ts';
import { nearbyHits } from './spread.ts';
import { createTermTable } from './term-table.ts';
import { createVocabulary, type Vocabulary } from './vocabulary.ts';

export interface SearchIndex {
  /** Best first; ties by name. */
  search(query: string, options?: SearchOptions): SearchHit[];
  /** Puts skills in, in place of those of the same name, and takes others out. Equal to a rebuild. */
  update(skills: readonly Skill[], removed: readonly string[]): void;
}

export interface SearchIndexParts {
  /** Queries recorded with a skill on this machine. */
  readonly recorded: (skill: Skill) => readonly string[];
  /** The folder between a skill's root and its own; empty if there is none. */
  readonly category: (skill: Skill) => string;
  /** By name, alias or label. */
  readonly find: (name: string) => Skill | undefined;
  readonly graph: () => SkillGraph;
  /** Skills that were prepared before, so that a library made from another one costs little. */
  readonly prepared: PreparedSkills;
}

/** Prepared documents by skill, with the numbers of their terms. */
export interface PreparedSkills {
  readonly vocabulary: Vocabulary;
  readonly prepare: (skill: Skill, category: string) => SkillDocument;
  readonly documents: WeakMap<Skill, SkillDocument>;
}

interface Hit extends Ranking {
  /** What is held to the threshold. */
  readonly admission: number;
  readonly why: () => readonly string[];
}

interface Entry {
  readonly document: SkillDocument;
  readonly recorded: RecordedTerms | undefined;
  readonly indexed: Indexed;
}

type Indexed = {
  readonly id: string;
  readonly name: string;
  readonly purpose: string;
  readonly detail: string;
  readonly recorded: string;
};

const FIELDS = ['name', 'purpose', 'detail', 'recorded'] as const;
const BOOST = { name: 4, purpose: 2, detail: 0.5, recorded: 2 };
/** Skills that the second stage ranks. */
const CANDIDATES = 120;
/** Places in the index that one query visits, but for its rarest words: it bounds the time of long and common queries. */
const MOST_PLACES = 3000;
const FEWEST_WORDS = 3;
/** A small library has seen too few texts to tell common words from rare ones. */
const FEWEST_SKILLS = 1000;
const WEAK_SHARE = 0.5;
/** The share of skills that one expects to be asked for with a stop word, and with a usual one. */
const STOP_COMMON = 0.5;
const WEAK_COMMON = 0.1;
/** Below this nothing fits. */
const THRESHOLD = 0.7;
const EXACT_SCORE = 2;
/** Hits that are looked through for near-twins. */
const TWINS_AMONG = 30;

export function createPreparedSkills(): PreparedSkills {
  const vocabulary = createVocabulary();
  return { vocabulary, prepare: createSkillPreparer(vocabulary), documents: new WeakMap() };
}

/** Lexical search in two stages: an index of fields, then the best candidates ranked again with their bodies. */
export function createSearchIndex(skills: readonly Skill[], parts: SearchIndexParts): SearchIndex {
  const { vocabulary, prepare, documents } = parts.prepared;
  const entries = new Map<string, Entry>();
  /** In how many skills a term stands: in what they are for, in their key terms, and anywhere. */
  const frequency = { purpose: createTermTable(), key: createTermTable(), anywhere: createTermTable() };
  const asked = createRecordedFrequency();
  const index = new MiniSearch<Indexed>({
    fields: [...FIELDS],
    idField: 'id',
    tokenize: (text) => (text === '' ? [] : text.split(' ')),
    processTerm: (term) => term,
    searchOptions: { boost: BOOST },
  });

  function documentOf(skill: Skill): SkillDocument {
    const known = documents.get(skill);
    if (known !== undefined) return known;
    const document = prepare(skill, parts.category(skill));
    documents.set(skill, document);
    return document;
  }

  function put(skill: Skill): void {
    remove(skill.name);
    const document = documentOf(skill);
    const queries = parts.recorded(skill);
    const recorded = queries.length === 0 ? undefined : recordedTerms(queries, vocabulary);
    const indexed: Indexed = {
      id: skill.name,
      name: document.name,
      purpose: document.purposeText,
      detail: [...document.keyTerms].map(vocabulary.termOf).join(' '),
      recorded: recorded?.text ?? '',
    };
    entries.set(skill.name, { document, recorded, indexed });
    count(document, 1);
    if (recorded !== undefined) asked.count(recorded, 1);
    index.add(indexed);
  }

  function remove(name: string): void {
    const entry = entries.get(name);
    if (entry === undefined) return;
    entries.delete(name);
    count(entry.document, -1);
    if (entry.recorded !== undefined) asked.count(entry.recorded, -1);
    // Not `discard`: what it leaves behind would still count until it is vacuumed.
    index.remove(entry.indexed);
  }

  function count({ terms, purpose, keyTerms }: SkillDocument, by: 1 | -1): void {
    for (let at = 0; at < terms.length; at += 1) {
      const term = terms[at] ?? 0;
      frequency.anywhere.add(term, by);
      if ((purpose[at] ?? 0) > 0) frequency.purpose.add(term, by);
    }
    for (const term of keyTerms) frequency.key.add(term, by);
  }

  /** Mostly by what skills are for: a word that many bodies hold may still tell purposes apart. */
  const heldBy = (term: number) => 0.75 * frequency.purpose.get(term) + 0.25 * frequency.anywhere.get(term);

  function weightOf(term: number): number {
    const size = Math.max(entries.size, FEWEST_SKILLS);
    const rarity = Math.log(1 + (size - heldBy(term) + 0.5) / (heldBy(term) + 0.5));
    return rarity * (vocabulary.isWeak(term) ? WEAK_SHARE : 1);
  }

  /** The share of skills that a word stands in; of usual words as if many did. */
  function shareOf(word: number): number {
    if (vocabulary.isStop(word)) return STOP_COMMON;
    const share = heldBy(word) / Math.max(entries.size, 1);
    return Math.max(share, vocabulary.isWeak(word) ? WEAK_COMMON : 0.5 / FEWEST_SKILLS);
  }

  /** The words that are looked up: the rarest first, as many as there is time for. */
  function lookedUp(query: Query): string[] {
    const places = (term: number) => frequency.purpose.get(term) + frequency.key.get(term);
    const rarest = [...query.terms].sort((left, right) => places(left) - places(right));
    let visited = 0;
    const taken = rarest.filter((term, position) => {
      visited += places(term);
      return visited <= MOST_PLACES || position < FEWEST_WORDS;
    });
    return taken.map(vocabulary.termOf);
  }

  const indexedWords = (withoutRecorded: boolean): IndexedWords => ({
    isHeld: (term) => frequency.anywhere.get(term) > 0 || (!withoutRecorded && asked.isHeld(term)),
    purposesWith: (term) => frequency.purpose.get(term),
    like: (word) =>
      best(
        index.search(word, { prefix: true, fuzzy: word.length > 4 ? 1 : false, fields: ['name', 'purpose'] }),
        5,
      ).flatMap(({ terms }) => terms),
  });

  function candidatesOf(query: Query, withoutRecorded: boolean): Candidate[] {
    const fields = withoutRecorded ? FIELDS.filter((field) => field !== 'recorded') : [...FIELDS];
    const results = index.search(lookedUp(query).join(' '), { fields });
    return best(results, CANDIDATES).flatMap(({ name }) => candidate(name, withoutRecorded) ?? []);
  }

  function candidate(name: string, withoutRecorded: boolean): Candidate | undefined {
    const entry = entries.get(name);
    if (entry === undefined) return undefined;
    const { document, recorded } = entry;
    return withoutRecorded || recorded === undefined ? { document } : { document, recorded };
  }

  function search(text: string, options: SearchOptions = {}): SearchHit[] {
    const withoutRecorded = options.withoutRecorded === true;
    const query = mendQuery(readQuery(text, vocabulary), vocabulary, indexedWords(withoutRecorded));
    const candidates = candidatesOf(query, withoutRecorded);
    const rankings = rankCandidates(query, candidates, {
      weightOf,
      size: entries.size,
      asked: withoutRecorded ? NOTHING_ASKED : weighFeatures(query, asked, shareOf, entries.size),
    });
    const hits = new Map<string, Hit>();
    for (const [position, each] of candidates.entries()) {
      const ranking = rankings[position];
      if (ranking !== undefined)
        hits.set(each.document.skill.name, {
          ...ranking,
          admission: ranking.fit,
          why: () => explainMatch(query, each, vocabulary.termOf),
        });
    }
    for (const [name, { edge, ...nearby }] of nearbyHits(hits, parts.graph(), withoutRecorded)) {
      const before = hits.get(name);
      if (entries.has(name)) hits.set(name, { ...nearby, why: () => [edge, ...(before?.why() ?? [])] });
    }
    const exact = parts.find(text.trim())?.name;
    if (exact !== undefined && entries.has(exact))
      hits.set(exact, {
        rank: Number.POSITIVE_INFINITY,
        fit: EXACT_SCORE,
        admission: EXACT_SCORE,
        why: () => ['exact name'],
      });
    const sorted = [...hits]
      .filter(([, { admission }]) => options.all === true || admission >= THRESHOLD)
      .sort(([a, left], [b, right]) => right.rank - left.rank || (a < b ? -1 : 1));
    const limit = options.limit ?? 10;
    return behindTwins(sorted, (name) => entries.get(name)?.document, Math.max(TWINS_AMONG, 2 * limit))
      .slice(0, limit)
      .map(([name, { fit, why }]) => ({
        name,
        path: entries.get(name)?.document.skill.path ?? '',
        score: Math.round(fit * 1000) / 1000,
        why: why(),
      }));
  }

  for (const skill of skills) put(skill);
  return {
    search,
    update(changed, removed) {
      for (const name of removed) remove(name);
      for (const skill of changed) put(skill);
    },
  };
}

/**
 * The best results, ties by name: the order in which skills came into the index must not tell, nor may the last digits
 * of a score, which depend on it too.
 */
function best(results: readonly SearchResult[], count: number): { name: string; terms: string[] }[] {
  const rounded = (result: SearchResult | undefined) => Number((result?.score ?? 0).toPrecision(9));
  const least = rounded(results[count - 1]);
  let end = Math.min(count, results.length);
  while (end < results.length && rounded(results[end]) >= least) end += 1;
  return results
    .slice(0, end)
    .map((result) => ({ name: String(result.id), score: rounded(result), terms: result.terms }))
    .sort((left, right) => right.score - left.score || (left.name < right.name ? -1 : 1))
    .slice(0, count);
}
