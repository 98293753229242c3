import { countTokens, loadTokenizer } from '../model/tokens.ts';
import type { GateInput, JudgePrompts } from './check.ts';
import { contextOf } from './gate.ts';
import { judgeMaterial } from './judge-material.ts';

/** Of both prompts of the judge, with some reasoning. */
const ANSWERS = 1500;
/** Text that is too long to be worth counting. */
const LONGEST = 2_000_000;

/** About how many tokens it takes to have a judge look at a change: two requests with all of it, and their answers. */
export async function judgeCost(input: GateInput, prompts: JudgePrompts): Promise<number> {
  await loadTokenizer();
  const material = judgeMaterial(contextOf(input)).text('old-first');
  const systems = await Promise.all(
    ['judge-questions', 'judge-worst-defect'].map((name) => prompts.render(name, {})),
  );
  const length = material.length > LONGEST ? Math.ceil(material.length / 4) : countTokens(material);
  return 2 * length + systems.reduce((sum, system) => sum + countTokens(system), 0) + ANSWERS;
}
