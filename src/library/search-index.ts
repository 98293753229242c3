import MiniSearch, { type SearchResult } from 'minisearch';
import { normaliseName } from '../skill/name.ts';
import type { Skill } from '../skill/skill.ts';
import type { SearchHit, SearchOptions } from './library.ts';
import type { SkillGraph } from './skill-graph.ts';
import { termsOf } from './tokenize.ts';

export interface SearchIndex {
  search(query: string, options?: SearchOptions): SearchHit[];
  /** Puts skills in, in place of those of the same name, and takes others out. */
  update(skills: readonly Skill[], removed: readonly string[]): void;
}

export interface SearchIndexParts {
  /** Queries recorded with a skill on this machine. */
  readonly recorded: (skill: Skill) => readonly string[];
  readonly graph: () => SkillGraph;
}

type Field = 'name' | 'aliases' | 'tags' | 'when' | 'description' | 'headings' | 'triggers' | 'terms';
type Document = Record<Field, string> & { readonly id: string };

const FIELDS: readonly Field[] = [
  'name',
  'aliases',
  'tags',
  'when',
  'description',
  'headings',
  'triggers',
  'terms',
];
const BOOST: Record<Field, number> = {
  name: 4,
  aliases: 3,
  tags: 2,
  when: 1.5,
  description: 1.5,
  headings: 0.8,
  triggers: 2,
  terms: 0.5,
};
/** Fields that say what a skill is for; a hit in the rest alone proves little. */
const PURPOSE: ReadonlySet<string> = new Set(['name', 'aliases', 'tags', 'when', 'description', 'triggers']);

const KEY_TERMS = 30;
const CANDIDATES = 40;
/** A query with more terms is also searched clause by clause. */
const SHORT_QUERY = 12;
const MOST_CLAUSES = 12;
/** Below this share of the query's weight in what a skill is for, nothing fits. */
const THRESHOLD = 0.3;
const RELATED_SHARE = 0.55;

interface Entry {
  readonly skill: Skill;
  /** Terms of name, tags, description and the like, and of everything. */
  readonly purpose: ReadonlySet<string>;
  readonly whole: ReadonlySet<string>;
}

/** Lexical search in two stages: an index of fields, then the best candidates ranked again with their bodies. */
export function createSearchIndex(skills: readonly Skill[], parts: SearchIndexParts): SearchIndex {
  const entries = new Map<string, Entry>();
  const frequency = new Map<string, number>();
  const mini = new MiniSearch<Document>({
    fields: [...FIELDS],
    idField: 'id',
    tokenize: (text) => (text === '' ? [] : text.split(' ')),
    processTerm: (term) => term,
    searchOptions: { boost: BOOST },
  });

  function put(skill: Skill): void {
    remove(skill.name);
    const body = termsOf(skill.body);
    const document: Document = {
      id: skill.name,
      name: terms(skill.name, skill.label ?? ''),
      aliases: terms(...skill.aliases),
      tags: terms(...skill.tags, ...skill.weakTags, folderCategory(skill)),
      when: terms(skill.whenToUse ?? ''),
      description: terms(skill.description),
      headings: terms(...skill.headings),
      triggers: terms(...parts.recorded(skill)),
      terms: keyTerms(body).join(' '),
    };
    const purpose = new Set(
      FIELDS.filter((field) => PURPOSE.has(field) && field !== 'triggers').flatMap((field) =>
        document[field].split(' '),
      ),
    );
    const whole = new Set([...purpose, ...document.headings.split(' '), ...body]);
    entries.set(skill.name, { skill, purpose, whole });
    for (const term of whole) frequency.set(term, (frequency.get(term) ?? 0) + 1);
    mini.add(document);
  }

  function remove(name: string): void {
    const entry = entries.get(name);
    if (entry === undefined) return;
    for (const term of entry.whole) frequency.set(term, (frequency.get(term) ?? 1) - 1);
    entries.delete(name);
    mini.discard(name);
  }

  const weight = (term: string) => Math.log(1 + entries.size / (1 + (frequency.get(term) ?? 0)));

  /** Share of the query's weight that a set of terms holds. */
  function coverage(query: readonly string[], held: ReadonlySet<string>): number {
    const total = query.reduce((sum, term) => sum + weight(term), 0);
    return total === 0
      ? 0
      : query.reduce((sum, term) => sum + (held.has(term) ? weight(term) : 0), 0) / total;
  }

  function rank(
    query: readonly string[],
    withoutRecorded: boolean,
  ): Map<string, { share: number; result: SearchResult }> {
    const options = {
      boost: withoutRecorded ? { ...BOOST, triggers: 0 } : BOOST,
      fields: FIELDS.filter((field) => !withoutRecorded || field !== 'triggers'),
      prefix: (term: string) => term.length > 4,
      fuzzy: (term: string) => (term.length > 5 && !frequency.has(term) ? 0.2 : false),
      weights: { fuzzy: 0.35, prefix: 0.3 },
    };
    const results = mini.search(query.join(' '), options).slice(0, CANDIDATES);
    const best = results[0]?.score ?? 1;
    return new Map(results.map((result) => [String(result.id), { share: result.score / best, result }]));
  }

  function search(text: string, options: SearchOptions = {}): SearchHit[] {
    const query = [...new Set(termsOf(text))];
    if (query.length === 0 && !entries.has(normaliseName(text))) return [];
    const clauses = query.length <= SHORT_QUERY ? [query] : [query, ...clausesOf(text)];
    const scores = new Map<string, { rank: number; fit: number; result: SearchResult | undefined }>();
    for (const [index, clause] of clauses.entries()) {
      for (const [name, { share, result }] of rank(clause, options.withoutRecorded === true)) {
        const entry = entries.get(name);
        if (entry === undefined) continue;
        const recorded =
          result.terms.length > 0 && Object.values(result.match).some((fields) => fields.includes('triggers'))
            ? share
            : 0;
        const fit = Math.max(
          coverage(clause, entry.purpose),
          0.6 * coverage(clause, entry.whole),
          0.9 * recorded * coverage(clause, new Set(result.queryTerms)),
        );
        const rankScore =
          (share + 0.35 * coverage(clause, entry.whole)) *
          (index === 0 ? 1 : 0.7 * Math.min(1, clause.length / 5));
        const before = scores.get(name);
        scores.set(name, {
          rank: (before?.rank ?? 0) + rankScore,
          fit: Math.max(before?.fit ?? 0, fit * (index === 0 ? 1 : Math.min(1, clause.length / 4))),
          result: before?.result ?? result,
        });
      }
    }
    const exact = entries.get(normaliseName(text))?.skill.name;
    const top = Math.max(1e-9, ...[...scores.values()].map((score) => score.rank));
    const bestFit = Math.max(0, ...[...scores.values()].map((score) => score.fit));
    const hits = new Map<string, SearchHit>();
    for (const [name, { rank: ranked, result }] of scores)
      hits.set(name, hit(name, (ranked / top) * bestFit, explain(result)));
    if (exact !== undefined) hits.set(exact, hit(exact, 2, ['exact name']));
    for (const source of ordered(hits).slice(0, 3)) spread(source, hits);
    return ordered(hits)
      .filter((each) => options.all === true || each.score >= THRESHOLD)
      .slice(0, options.limit ?? 10);
  }

  /** What a good hit names as belonging to it comes up behind it. */
  function spread(source: SearchHit, hits: Map<string, SearchHit>): void {
    for (const { name, kind } of parts.graph().neighbours(source.name).slice(0, 4)) {
      if (kind === 'mention' && !hits.has(name)) continue;
      const before = hits.get(name)?.score ?? 0;
      const score = Math.max(before, source.score * RELATED_SHARE);
      if (score > before && entries.has(name))
        hits.set(
          name,
          hit(name, score, [
            `${kind === 'related' ? 'related to' : kind} ${source.name}`,
            ...(hits.get(name)?.why ?? []),
          ]),
        );
    }
  }

  function hit(name: string, score: number, why: readonly string[]): SearchHit {
    return { name, path: entries.get(name)?.skill.path ?? '', score: Math.round(score * 1000) / 1000, why };
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

function ordered(hits: ReadonlyMap<string, SearchHit>): SearchHit[] {
  return [...hits.values()].sort(
    (left, right) => right.score - left.score || (left.name < right.name ? -1 : 1),
  );
}

function explain(result: SearchResult | undefined): string[] {
  if (result === undefined) return [];
  const byField = new Map<string, string[]>();
  for (const [term, fields] of Object.entries(result.match))
    for (const field of fields) byField.set(field, [...(byField.get(field) ?? []), term]);
  const sorted = [...byField].sort(([left], [right]) => BOOST[right as Field] - BOOST[left as Field]);
  return sorted.map(([field, found]) => `${field}: ${found.join(', ')}`);
}

function clausesOf(text: string): string[][] {
  const clauses = text
    .split(/[.!?;:\n,。！？；，、]+/)
    .map((clause) => [...new Set(termsOf(clause))])
    .filter((clause) => clause.length >= 2);
  return clauses.sort((left, right) => right.length - left.length).slice(0, MOST_CLAUSES);
}

/** The folder between root and skill often names a category. */
function folderCategory(skill: Skill): string {
  const parent = skill.dir.split('/').at(-2) ?? '';
  return /^(skills|\.?claude|\.?agents|src|main|tmp|root)$/i.test(parent) || /\d{3}|^knack/.test(parent)
    ? ''
    : parent;
}

function terms(...texts: readonly string[]): string {
  return termsOf(texts.join(' \n ')).join(' ');
}

/** The terms that a body repeats most. */
function keyTerms(body: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const term of body) counts.set(term, (counts.get(term) ?? 0) + 1);
  return [...counts]
    .filter(([term, count]) => count > 1 && term.length > 2)
    .sort(([, left], [, right]) => right - left)
    .slice(0, KEY_TERMS)
    .map(([term]) => term);
}
