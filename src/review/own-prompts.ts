import type { Prompts } from '../model/prompts.ts';

/** Prompts whose words must never come back in a draft. */
const OWN_PROMPTS = ['abstract', 'format', 'judge-questions', 'judge-worst-defect'];

/** The texts of knack's own prompts, for the gate: a draft that repeats a run of their words is refused. */
export function ownPrompts(prompts: Prompts): Promise<string[]> {
  return Promise.all(OWN_PROMPTS.map((name) => prompts.source(name)));
}
