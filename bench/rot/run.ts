/**
 * A reviewer that offers bad drafts most of the time, session after session: what the gate keeps out of the library,
 * beside a loop that commits every draft. Run: `npx tsx bench/rot/run.ts [rounds] [seed] [arm]…`.
 */
import { type Arm, type Round, runArm } from './arm.ts';
import { tryEnds } from './ends.ts';
import { acceptedList, kindTable, roundTable, summaryTable } from './tables.ts';

const rounds = Number(process.argv[2] ?? 100);
const seed = Number(process.argv[3] ?? 7);
const wanted = process.argv.slice(4);
const kinds = (['yes', 'none', 'ungated'] as const).filter(
  (kind) => wanted.length === 0 || wanted.includes(kind),
);
const onRound = ({ number, kind, outcome, after, lostRules }: Round) =>
  process.stderr.write(
    `${number} ${kind} → ${outcome}; ${after.skills} skills, ${after.poisoned.length} poisoned, ${lostRules.length} rules lost\n`,
  );
const arms: readonly Arm[] = await Promise.all(kinds.map((kind) => runArm(kind, { rounds, seed, onRound })));
for (const arm of arms) process.stdout.write(`\n${roundTable(arm)}`);
for (const arm of arms) process.stdout.write(`\n${acceptedList(arm)}`);
process.stdout.write(`\n${kindTable(arms)}\n${summaryTable(arms)}\n`);
for (const arm of arms)
  process.stdout.write(`${arm.kind}: ${JSON.stringify(await tryEnds(arm, seed), undefined, 1)}\n`);
