/** What speaks for a skill. */
export interface Proof {
  /** Weight of the words that its purpose or its recorded queries hold, and the most of one word. */
  purpose: number;
  best: number;
  detail: number;
  /** Words that it holds anywhere. */
  met: number;
  /** Whether its purpose lacks a word. */
  missed: boolean;
}

/** For whether something fits, a body counts only where it keeps to a word, and only beside the purpose. */
const DETAIL_PROOF = 0.3;
const PLAIN_DETAIL = 1;
const MOST_DETAIL = 4;
const MOST_SUPPORT = 2;
/** What the strongest word is discounted by where others are not met: one rare word in common is often chance. */
const CHANCE = 0.5;
/** A library in which a fit is what it says; among more skills the best by chance is better, with the logarithm. */
const USUAL_SIZE = 1600;
const LEAST_SIZE = 200;
const SIZE_POWER = 1.53;
/** How much it says that several words are met: what is alike by chance shares one. */
const MET_POWER = 0.25;
const MOST_MET = 8;
/** Matched weight that is about enough: one telling word in the name, or two in the description. */
export const ENOUGH = 10;
/** Weight of a query from which on more has to match. */
const LONG = 60;

/** The weight of a word that a body holds so strongly, as proof. */
export function detailProof(worth: number, detail: number): number {
  return worth * Math.min(Math.max(0, detail - PLAIN_DETAIL), MOST_DETAIL);
}

/** The weight that speaks for a skill: more where several words do. */
export function provenWeight({ purpose, best, detail, met, missed }: Proof): number {
  const support = Math.min(DETAIL_PROOF * detail, MOST_SUPPORT * purpose);
  return (purpose - (missed ? CHANCE * best : 0) + support) * Math.min(met, MOST_MET) ** MET_POWER;
}

/**
 * The proven weight that a query of this weight has to come to among so many different skills: nearly all of a word or
 * two, a part of a long text.
 */
export function neededWeight(total: number, size: number): number {
  const enough = Math.max(4, Math.min(0.9 * total, ENOUGH), ENOUGH * Math.sqrt(total / LONG));
  return enough * (Math.log(Math.max(size, LEAST_SIZE)) / Math.log(USUAL_SIZE)) ** SIZE_POWER;
}
