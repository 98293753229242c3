import type { Command } from 'commander';
import { catalogEntry } from '../../disclosure/entry.ts';
import { recordedNames } from '../../library/use/recorded-names.ts';
import { countTokens, loadTokenizer } from '../../model/tokens.ts';
import { hearSignals } from '../../pause.ts';
import { brakesOf } from '../../review/brakes.ts';
import { type Spending, spendingOf } from '../../review/spending.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { counted } from '../../text/counted.ts';
import type { Act } from '../command.ts';
import { table } from '../output.ts';
import { withLookingRuntime } from '../with-runtime.ts';

/** What a learned skill costs from then on. */
interface LearnedSkill {
  readonly skill: string;
  /** Tokens of its entry in every conversation; 0 where the catalog has no room for it. */
  readonly perConversation: number;
  /** Tokens of its instructions, each time it is loaded. */
  readonly perLoad: number;
  readonly loads: number;
}

const MOST_DAYS = 14;
const MOST_SKILLS = 20;

export function configure(command: Command, act: Act): void {
  command.action(
    act(async (context) =>
      withLookingRuntime(context, async (runtime) => {
        const entries = await (await runtime.ledger()).entries();
        const spending = spendingOf(entries);
        const { why } = brakesOf(entries, runtime.config.review, new Date());
        const learned = await learnedSkills(runtime);
        await hearSignals(context.signal, 'counting what reviews cost');
        context.output.result({ ...spending, learned, ...(why ? { paused: why } : {}) }, () =>
          [
            describeReviews(spending),
            describeImports(spending),
            ...(why === undefined ? [] : [`paused: ${why}`]),
            describeDays(spending),
            describeSkills(spending),
            describeLearned(learned),
          ]
            .filter((part) => part !== '')
            .join('\n\n'),
        );
        return 0;
      }),
    ),
  );
}

async function learnedSkills(runtime: Runtime): Promise<LearnedSkill[]> {
  const [library, owners, usage, catalog] = [
    await runtime.library(),
    // In one look: a look a skill starts git for each.
    await (await runtime.history()).owners(),
    await runtime.usage(),
    await runtime.catalog(),
  ];
  await loadTokenizer();
  const described = new Set(catalog.described);
  const found: LearnedSkill[] = [];
  for (const skill of library.skills) {
    if (!library.rootOf(skill).writable || owners.get(skill.name) !== 'learned') continue;
    found.push({
      skill: skill.name,
      perConversation: described.has(skill.name) ? countTokens(catalogEntry(skill)) : 0,
      perLoad: countTokens(skill.body),
      loads: usage.loadsOf(...recordedNames(skill, library)),
    });
  }
  return found.sort((left, right) => right.perConversation - left.perConversation);
}

function describeReviews({ reviews, outcomes, tokens, overrides }: Spending): string {
  if (reviews === 0) return 'no reviews yet';
  const counts = Object.entries(outcomes).map(([outcome, count]) => `${count} ${outcome}`);
  return [
    `${counted(reviews, 'review')}: ${counts.join(', ')}`,
    `${counted(tokens.total, 'token')}: ${tokens.reviewer} to draft, ${tokens.judge} to judge${tokens.replay === undefined ? '' : `, ${tokens.replay} to do tasks again`}`,
    ...(overrides === 0 ? [] : [`${counted(overrides, 'finding')} of the gate let pass by a person`]),
  ].join('\n');
}

function describeImports({ imports }: Spending): string {
  if (imports === undefined) return '';
  return `${counted(imports.judged, 'skill')} of others judged, ${imports.passed} passed: ${counted(imports.tokens, 'token')}`;
}

function describeDays({ days }: Spending): string {
  if (days.length === 0) return '';
  const rows = days.slice(0, MOST_DAYS).map(({ day, reviews, tokens }) => [day, `${reviews}`, `${tokens}`]);
  return table([['day', 'reviews', 'tokens'], ...rows]);
}

function describeSkills({ skills }: Spending): string {
  if (skills.length === 0) return '';
  const rows = skills
    .slice(0, MOST_SKILLS)
    .map(({ skill, reviews, committed, tokens }) => [skill, `${reviews}`, `${committed}`, `${tokens}`]);
  return table([['skill', 'reviews', 'committed', 'tokens'], ...rows]);
}

function describeLearned(learned: readonly LearnedSkill[]): string {
  if (learned.length === 0) return 'no learned skills';
  const rows = learned
    .slice(0, MOST_SKILLS)
    .map(({ skill, perConversation, perLoad, loads }) => [
      skill,
      `${perConversation}`,
      `${perLoad}`,
      `${loads}`,
    ]);
  return table([['learned skill', 'tokens a conversation', 'tokens a load', 'loads'], ...rows]);
}
