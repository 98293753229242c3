import type { Problem } from '../errors.ts';
import type { Precedence } from './precedence.ts';
import { findCallCycle } from './skill-graph.ts';

/** Problems that skills have together, and those of skills that stay in service as they last were good. */
export function problemsIn({ skills, entries, find }: Precedence): Problem[] {
  const broken = entries.flatMap((entry) => (entry.state === 'refused' ? [] : (entry.problem ?? [])));
  const cycle = findCallCycle(skills, find);
  if (cycle === undefined) return broken;
  const message = `the tools of ${cycle.join(' → ')} call each other in a circle; take one of the calls out of tools.yaml`;
  return [...broken, { rule: 'call-cycle', severity: 'error', message }];
}
