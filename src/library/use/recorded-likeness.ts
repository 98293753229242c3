import type { Skill } from '../../skill/skill.ts';
import { positionOf } from '../search/skill-document.ts';
import type { Vocabulary } from '../words/vocabulary.ts';
import type { RecordedTerms } from './recorded-queries.ts';

/** How alike queries are to what skills were asked for before and say that they are for. */
export interface RecordedLikeness {
  /** For one query, by all its plain words: gives for a skill the cosine of the two, 0 to 1. */
  to(query: readonly number[]): (skill: Skill, recorded: RecordedTerms | undefined) => number;
}

/** A text as the weights of its words, or several of them added up. */
interface Profile {
  /** Ascending; the weights run along. */
  readonly terms: Uint32Array;
  readonly weights: Float64Array;
  readonly length: number;
}

/**
 * Every recorded query counts alike, however long it is, and the skill's purpose counts as one more: so a skill with many
 * queries is not more alike than one with few. `rarityOf` says what a word is worth. Profiles are made as they are asked for.
 */
export function createRecordedLikeness(
  vocabulary: Pick<Vocabulary, 'wordsOf'>,
  rarityOf: (word: number) => number,
): RecordedLikeness {
  const profiles = new Map<Skill, Profile>();

  function profileOf(skill: Skill, recorded: RecordedTerms | undefined): Profile {
    const known = profiles.get(skill);
    if (known !== undefined) return known;
    const purpose = new Set(vocabulary.wordsOf(purposeText(skill)));
    const profile = profileFrom([...(recorded?.texts ?? []), [...purpose]], rarityOf);
    profiles.set(skill, profile);
    return profile;
  }

  return {
    to(query) {
      const asked = query.map((word) => ({ word, weight: rarityOf(word) }));
      const length = lengthOf(asked.map(({ weight }) => weight));
      return (skill, recorded) => {
        const profile = profileOf(skill, recorded);
        if (length * profile.length === 0) return 0;
        let sum = 0;
        for (const { word, weight } of asked)
          sum += weight * (profile.weights[positionOf(profile, word)] ?? 0);
        return sum / (length * profile.length);
      };
    },
  };
}

/** Sums run in the order of the texts, so that they do not depend on the numbers that words have. */
function profileFrom(texts: readonly (readonly number[])[], rarityOf: (word: number) => number): Profile {
  const sums = new Map<number, number>();
  for (const words of texts) {
    const weights = words.map(rarityOf);
    const length = lengthOf(weights) || 1;
    for (const [at, word] of words.entries())
      sums.set(word, (sums.get(word) ?? 0) + (weights[at] ?? 0) / length);
  }
  const length = lengthOf([...sums.values()]);
  const terms = Uint32Array.from(sums.keys()).sort();
  return { terms, weights: Float64Array.from(terms, (word) => sums.get(word) ?? 0), length };
}

function lengthOf(weights: readonly number[]): number {
  return Math.sqrt(weights.reduce((sum, weight) => sum + weight * weight, 0));
}

function purposeText(skill: Skill): string {
  return [skill.label ?? '', skill.name, skill.whenToUse ?? '', skill.description].join(' | ');
}
