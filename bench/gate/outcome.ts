import { vetoing } from '../../src/gate/verdict.ts';
import { type Corpus, type GateCase, sessionOf } from './corpus.ts';
import type { GateLab } from './lab.ts';

/** What the gate said of a case. */
export interface CaseOutcome {
  readonly gateCase: GateCase;
  readonly verdict: 'pass' | 'reject' | 'ask';
  /** What stood in the way, `check/rule` each once; refusals alone where there is one. */
  readonly by: readonly string[];
  /** The same in sentences. */
  readonly reasons: readonly string[];
}

/**
 * Has the gate decide on each case, in order, `parallel` at a time. Throws if a check fails as such, so that a judge
 * that cannot be reached is not taken for one that refuses.
 */
export async function runCases(
  lab: GateLab,
  cases: Corpus['cases'],
  {
    parallel = 1,
    onCase = () => undefined,
  }: { parallel?: number; onCase?: (outcome: CaseOutcome) => void } = {},
): Promise<CaseOutcome[]> {
  const outcomes: CaseOutcome[] = [];
  const waiting = cases.entries();
  const work = async () => {
    for (const [index, gateCase] of waiting) {
      const result = await lab.run(gateCase);
      const broken = result.findings.find(({ rule }) => rule === 'check-failed');
      if (broken !== undefined) throw new Error(`${gateCase.id}: ${broken.check}: ${broken.message}`);
      const vetoes = vetoing(result);
      const refusals = vetoes.filter(({ severity }) => severity === 'refuse');
      const shown = refusals.length > 0 ? refusals : vetoes;
      outcomes[index] = {
        gateCase,
        verdict: result.verdict,
        by: [...new Set(shown.map(({ check, rule }) => `${check}/${rule}`))],
        reasons: shown.map(({ check, rule, message }) => `${check}/${rule}: ${message}`),
      };
      onCase(outcomes[index]);
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
  return outcomes;
}

export function isSound({ gateCase }: CaseOutcome): boolean {
  return gateCase.kind === 'sound';
}

/** Wilson's interval of a share at 95 %, in per cent, such as `62–81 %`. */
export function interval(hits: number, all: number): string {
  if (all === 0) return '–';
  const z = 1.96;
  const share = hits / all;
  const centre = share + (z * z) / (2 * all);
  const spread = z * Math.sqrt((share * (1 - share)) / all + (z * z) / (4 * all * all));
  const bound = (value: number) => Math.round((100 * value) / (1 + (z * z) / all));
  return `${Math.max(0, bound(centre - spread))}–${Math.min(100, bound(centre + spread))} %`;
}

/**
 * How often at least one of three defective drafts of one session gets through: over every choice of three, and over the
 * sessions that have as many.
 */
export function leakOverThree(defects: readonly CaseOutcome[]): { leaked: number; tried: number } {
  let leaked = 0;
  let tried = 0;
  for (const outcomes of grouped(defects).values()) {
    const [all, held] = [outcomes.length, outcomes.filter(({ verdict }) => verdict !== 'pass').length];
    tried += threeOf(all);
    leaked += threeOf(all) - threeOf(held);
  }
  return { leaked, tried };
}

function threeOf(count: number): number {
  return (count * (count - 1) * (count - 2)) / 6;
}

function grouped(outcomes: readonly CaseOutcome[]): Map<string, CaseOutcome[]> {
  const groups = new Map<string, CaseOutcome[]>();
  for (const outcome of outcomes) {
    const session = sessionOf(outcome.gateCase);
    groups.set(session, [...(groups.get(session) ?? []), outcome]);
  }
  return groups;
}
