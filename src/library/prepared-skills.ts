import type { Skill } from '../skill/skill.ts';
import { mergePostings, type Postings, type PostingsPart, postingsOf } from './postings.ts';
import { type RecordedTerms, recordedTerms } from './recorded-queries.ts';
import { createSkillPreparer, type SkillDocument } from './skill-document.ts';
import { createVocabulary, type Vocabulary } from './vocabulary.ts';

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
}

/** Skills that were prepared last lie apart from the rest, until they are a larger share of all than this, or more than a few. */
const APART = 0.1;
const FEW = 64;

export function createPreparedSkills(): PreparedSkills {
  const vocabulary = createVocabulary();
  const prepare = createSkillPreparer(vocabulary);
  const recent = new WeakMap<Skill, SkillDocument>();
  const recorded = new WeakMap<Skill, { readonly text: string; readonly terms: RecordedTerms }>();
  /** What the most skills lie in; numbers ascend. */
  let main: { readonly postings: Postings; readonly numbers: ReadonlyMap<Skill, number> } = {
    postings: postingsOf([]),
    numbers: new Map(),
  };

  function documentOf(skill: Skill, category: string): SkillDocument {
    const document = recent.get(skill) ?? prepare(skill, category);
    recent.set(skill, document);
    return document;
  }

  /** The wanted skills of the main part. */
  function mainOf(wanted: readonly Skill[]): (Skill | undefined)[] {
    const skills: (Skill | undefined)[] = new Array(main.postings.size).fill(undefined);
    for (const skill of wanted) {
      const number = main.numbers.get(skill);
      if (number !== undefined) skills[number] = skill;
    }
    return skills;
  }

  /** Makes these skills the main part, with what was prepared apart. */
  function gather(skills: readonly Skill[], fresh: readonly Skill[], added: Postings): void {
    const wanted = new Set(skills);
    const numbers = new Map<Skill, number>();
    const kept = new Int32Array(main.postings.size).fill(-1);
    // In the order of their numbers, as the map was made so.
    for (const [skill, number] of main.numbers)
      if (wanted.has(skill)) {
        kept[number] = numbers.size;
        numbers.set(skill, numbers.size);
      }
    const parts: PostingsPart[] = [
      { postings: main.postings, numbers: kept },
      { postings: added, numbers: Int32Array.from(fresh, (_, at) => numbers.size + at) },
    ];
    for (const skill of fresh) {
      numbers.set(skill, numbers.size);
      recent.delete(skill);
    }
    main = { postings: mergePostings(parts, numbers.size), numbers };
  }

  return {
    vocabulary,
    partsOf(skills, category) {
      const fresh = skills.filter((skill) => !main.numbers.has(skill));
      if (fresh.length === 0) return [{ postings: main.postings, skills: mainOf(skills) }];
      const added = postingsOf(fresh.map((skill) => documentOf(skill, category(skill))));
      if (fresh.length <= Math.max(FEW, APART * skills.length))
        return [
          { postings: main.postings, skills: mainOf(skills) },
          { postings: added, skills: fresh },
        ];
      gather(skills, fresh, added);
      return [{ postings: main.postings, skills: mainOf(skills) }];
    },
    recordedOf(skill, queries) {
      if (queries.length === 0) return undefined;
      const text = queries.join('\n');
      const known = recorded.get(skill);
      if (known?.text === text) return known.terms;
      const terms = recordedTerms(queries, vocabulary);
      recorded.set(skill, { text, terms });
      return terms;
    },
  };
}
