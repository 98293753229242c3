import type { Skill } from '../../skill/skill.ts';
import { mentionsIn } from '../mentions.ts';
import { type RecordedTerms, recordedTerms } from '../use/recorded-queries.ts';
import { createVocabulary, type Vocabulary } from '../words/vocabulary.ts';
import { type DocumentKey, type KeptIndex, loadIndex, saveIndex } from './index-file.ts';
import { mergePostings, type Postings, postingsOf } from './postings.ts';
import { createSkillPreparer, fieldTexts, type PreparedDocument } from './skill-document.ts';

/** Postings and the skills that they are of, some of which may not be wanted. */
export interface PreparedPart {
  readonly postings: Postings;
  /** By number of document; undefined for one that no skill is wanted for. */
  readonly skills: readonly (Skill | undefined)[];
}

/** What was prepared of skills for search, shared by the libraries of one origin, so that another one costs little. */
export interface PreparedSkills {
  readonly vocabulary: Vocabulary;
  /** Parts that hold each of these skills once; what is new among them is prepared. */
  partsOf(skills: readonly Skill[], category: (skill: Skill) => string): readonly PreparedPart[];
  /** The queries recorded with a skill; undefined without any. */
  recordedOf(skill: Skill, queries: readonly string[]): RecordedTerms | undefined;
  /** Names that the body gives as names of skills. */
  mentionsOf(skill: Skill): readonly string[];
  /** Keeps what was prepared of these skills for the next process, if it would have much to do anew. */
  keep(skills: readonly Skill[], category: (skill: Skill) => string): void;
}

/** Where what was prepared is kept. */
export interface PreparedCache {
  readonly file: string;
  /** Milliseconds. */
  readonly now: number;
  /** What says of a skill that its document is the same; undefined for one that is not as it is on disk. */
  readonly keyOf: (skill: Skill) => DocumentKey | undefined;
}

/** Skills that were prepared last lie apart from the rest, until they are a larger share of all than this, or more than a few. */
const APART = 0.1;
const FEW = 64;
/** An index on disk in which more than one skill of so many is new or gone is kept anew. */
const WORTH_KEEPING = 50;

export function createPreparedSkills(cache?: PreparedCache): PreparedSkills {
  const kept = cache && loadIndex(cache.file);
  const vocabulary = createVocabulary(kept?.terms);
  const prepare = createSkillPreparer(vocabulary);
  const recent = new WeakMap<Skill, PreparedDocument>();
  const recorded = new WeakMap<Skill, { readonly text: string; readonly terms: RecordedTerms }>();
  const mentions = new WeakMap<Skill, readonly string[]>();
  /** What the most skills lie in. */
  let main = { postings: kept?.postings ?? postingsOf([]), numbers: new Map<Skill, number>(), isKept: true };

  function keptNumber(skill: Skill): number | undefined {
    const known = main.isKept ? main.numbers.get(skill) : undefined;
    if (known !== undefined) return known;
    const key = kept && cache.keyOf(skill);
    return key && kept.numberOf(key);
  }

  function mainNumber(skill: Skill): number | undefined {
    const number = main.isKept ? keptNumber(skill) : main.numbers.get(skill);
    if (number !== undefined) main.numbers.set(skill, number);
    return number;
  }

  function recentDocument(skill: Skill, category: string): PreparedDocument {
    const document = recent.get(skill) ?? documentOf(skill, category);
    recent.set(skill, document);
    return document;
  }

  /** Also finds what the body mentions, as it is read already. */
  function documentOf(skill: Skill, category: string): PreparedDocument {
    const { body } = skill;
    if (!mentions.has(skill)) mentions.set(skill, mentionsIn(body));
    return prepare(fieldTexts(skill, body, category));
  }

  /** The wanted skills of the main part. */
  function mainPart(wanted: readonly Skill[]): PreparedPart {
    const skills: (Skill | undefined)[] = new Array(main.postings.size).fill(undefined);
    for (const skill of wanted) {
      const number = mainNumber(skill);
      if (number !== undefined) skills[number] = skill;
    }
    return { postings: main.postings, skills };
  }

  function partsOf(skills: readonly Skill[], category: (skill: Skill) => string): PreparedPart[] {
    const fresh = skills.filter((skill) => mainNumber(skill) === undefined);
    if (fresh.length === 0) return [mainPart(skills)];
    if (fresh.length <= Math.max(FEW, APART * skills.length)) {
      const documents = fresh.map((skill) => recentDocument(skill, category(skill)));
      return [mainPart(skills), { postings: postingsOf(documents), skills: fresh }];
    }
    const known = fresh.length === skills.length ? [] : [mainPart(skills)];
    const merged = mergeParts([...known, preparedPart(fresh, category)], () => true);
    main = {
      postings: merged.postings,
      numbers: new Map(merged.skills.map((skill, number) => [skill, number])),
      isKept: false,
    };
    return [merged];
  }

  function preparedPart(skills: readonly Skill[], category: (skill: Skill) => string): PreparedPart {
    const documents = skills.map((skill) => recent.get(skill) ?? documentOf(skill, category(skill)));
    for (const skill of skills) recent.delete(skill);
    return { postings: postingsOf(documents), skills };
  }

  function mentionsOf(skill: Skill): readonly string[] {
    const known = mentions.get(skill);
    if (known !== undefined) return known;
    const number = keptNumber(skill);
    // Not remembered: the graph asks once, and remembering ten thousand takes longer than looking again.
    if (number !== undefined && kept !== undefined) return kept.mentions(number);
    const found = mentionsIn(skill.body);
    mentions.set(skill, found);
    return found;
  }

  return {
    vocabulary,
    partsOf,
    mentionsOf,
    recordedOf(skill, queries) {
      if (queries.length === 0) return undefined;
      const text = queries.join('\n');
      const known = recorded.get(skill);
      if (known?.text === text) return known.terms;
      const terms = recordedTerms(queries, vocabulary);
      recorded.set(skill, { text, terms });
      return terms;
    },
    keep(skills, category) {
      if (cache === undefined || !isWorthKeeping(skills, kept, keptNumber)) return;
      const { postings, skills: held } = mergeParts(
        partsOf(skills, category),
        (skill) => cache.keyOf(skill) !== undefined,
      );
      saveIndex(
        cache.file,
        {
          postings,
          termOf: vocabulary.termOf,
          keys: held.flatMap((skill) => cache.keyOf(skill) ?? []),
          mentions: held.map(mentionsOf),
        },
        cache.now,
      );
    },
  };
}

function isWorthKeeping(
  skills: readonly Skill[],
  kept: KeptIndex | undefined,
  keptNumber: (skill: Skill) => number | undefined,
): boolean {
  const same = skills.filter((skill) => keptNumber(skill) !== undefined).length;
  const others = skills.length - same + (kept?.postings.size ?? 0) - same;
  return others * WORTH_KEEPING > skills.length;
}

/** One part in place of several, with the skills that pass alone. */
function mergeParts(
  parts: readonly PreparedPart[],
  passes: (skill: Skill) => boolean,
): { readonly postings: Postings; readonly skills: readonly Skill[] } {
  const [only] = parts;
  if (parts.length === 1 && only?.skills.every((skill) => skill !== undefined && passes(skill)))
    return { postings: only.postings, skills: only.skills.flatMap((skill) => skill ?? []) };
  const taken: Skill[] = [];
  const numbered = parts.map(({ postings, skills }) => ({
    postings,
    numbers: Int32Array.from(skills, (skill) =>
      skill !== undefined && passes(skill) ? taken.push(skill) - 1 : -1,
    ),
  }));
  return { postings: mergePostings(numbered, taken.length), skills: taken };
}
