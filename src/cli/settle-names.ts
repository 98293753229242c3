import type { Folder } from '../files/folder.ts';
import { aliasesOf, namesOut } from '../history/aliases.ts';
import type { CommitOutcome, History } from '../history/history.ts';
import { isAmong, namesAlong, namesGiven, takeNames } from '../history/other-names.ts';
import { restore } from '../history/ownership.ts';
import type { Library } from '../library/library.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { Skill } from '../skill/skill.ts';
import { whyNotCommitted } from './commit-view.ts';
import type { Output } from './output.ts';

/** What became of a name so that exactly one skill goes on answering to it. */
export interface NameStep {
  readonly skill: string;
  /** `back`: the skill is in the library again. `no-more`: it answers to these names no more. `kept`: it still does. */
  readonly kind: 'back' | 'no-more' | 'kept';
  readonly names: readonly string[];
  readonly outcome: CommitOutcome;
}

interface Parts {
  readonly library: Library;
  readonly history: History;
  readonly why: string;
}

/**
 * Settles names after a skill changed, each by a commit of one skill: a skill that is back has its own name, and those
 * that went along with it; a name that others answer to by now it has no more; and of a skill that knack let it answer
 * for, and that nobody answers for now, the skill comes back. What a person called a skill stays as it is.
 */
export async function settleNames(
  runtime: Runtime,
  change: { readonly skill: string; readonly before: Folder | undefined; readonly after: Folder | undefined },
  why: string,
): Promise<NameStep[]> {
  const [library, history] = [await runtime.library(), await runtime.history()];
  const parts = { library, history, why };
  const { skill, before, after } = change;
  await history.settled(() => library.refresh());
  const steps =
    before === undefined && after !== undefined
      ? await settleReturn(parts, skill)
      : await dropTaken(parts, skill, []);
  const kept = aliasesOf(skill, after);
  const lost = aliasesOf(skill, before).filter((name) => !isAmong(name, [skill, ...kept]));
  for (const name of await latestFirst(history, await namesGiven(history, skill, lost))) {
    // One that was brought back before may have had the name.
    if (library.find(name) !== undefined) continue;
    const outcome = await restore(history, name, why);
    if (outcome === undefined) continue;
    steps.push({ skill: name, kind: 'back', names: [name], outcome });
    await history.settled(() => library.refresh());
    if (outcome.kind === 'committed') steps.push(...(await settleReturn(parts, name)));
  }
  return steps;
}

/** Tells of each step, in a line. */
export function noteNames(output: Output, steps: readonly NameStep[]): void {
  for (const { skill, kind, names, outcome } of steps) {
    const all = names.join(', ');
    const told = {
      back: `${skill} is back, since nothing else would answer to its name; \`knack skills retire ${skill} --into NAME\` takes it out again`,
      'no-more': `${skill} answers to ${all} no more`,
      kept: `${skill} still has the alias ${all}, which another skill answers to: knack did not give it that name, so take it out of its SKILL.md`,
    }[kind];
    const number = outcome.kind === 'committed' ? ` (${outcome.revision.version})` : '';
    const obstacle = whyNotCommitted(skill, outcome);
    output.note(`note: ${obstacle === undefined ? `${told}${number}` : `not done: ${told}: ${obstacle}`}`);
  }
}

/** Those of these names that come back by themselves once a skill does not answer to them any more. */
export async function namesComingBack(
  history: History,
  skill: string,
  { before, after }: { readonly before: Folder | undefined; readonly after: Folder | undefined },
): Promise<string[]> {
  const kept = aliasesOf(skill, after);
  const lost = aliasesOf(skill, before).filter((name) => !isAmong(name, kept));
  return namesOut(history, await namesGiven(history, skill, lost));
}

/** A skill that is back takes its name from whoever answers to it, with the names that had gone there along with it. */
async function settleReturn(parts: Parts, skill: string): Promise<NameStep[]> {
  const { library, history, why } = parts;
  const own = aliasesOf(skill, await history.present(skill));
  const steps: NameStep[] = [];
  for (const holder of holdersOf(parts, skill, [skill, ...own])) {
    const along = await namesAlong(history, holder.name, { along: skill, names: own });
    const names = holder.aliases.filter((alias) => isAmong(alias, [skill, ...along]));
    if (names.length > 0) steps.push(await take(parts, holder.name, { names, why }));
  }
  if (steps.length > 0) await history.settled(() => library.refresh());
  return [
    ...steps,
    ...(await dropTaken(
      parts,
      skill,
      steps.flatMap(({ names }) => names),
    )),
  ];
}

/** Takes from a skill the aliases that are the name of another skill, or that another has. `but`: what was seen to. */
async function dropTaken(parts: Parts, skill: string, but: readonly string[]): Promise<NameStep[]> {
  const own = aliasesOf(skill, await parts.history.present(skill)).filter(
    (name) => !isAmong(name, [skill, ...but]),
  );
  const others = parts.library.skills.filter(({ name }) => name !== skill);
  const names = own.filter((alias) =>
    others.some((other) => isAmong(alias, [other.name, ...(isOurs(parts, other) ? other.aliases : [])])),
  );
  return names.length === 0 ? [] : [await take(parts, skill, { names, why: parts.why })];
}

async function take(
  { history }: Parts,
  skill: string,
  change: { readonly names: readonly string[]; readonly why: string },
): Promise<NameStep> {
  const outcome = await takeNames(history, skill, change);
  return { skill, kind: outcome.kind === 'unchanged' ? 'kept' : 'no-more', names: change.names, outcome };
}

function holdersOf(parts: Parts, skill: string, names: readonly string[]): Skill[] {
  return parts.library.skills.filter(
    (each) =>
      each.name !== skill && isOurs(parts, each) && each.aliases.some((alias) => isAmong(alias, names)),
  );
}

/** In a root that is only read nothing can be changed. */
function isOurs({ library }: Parts, skill: Skill): boolean {
  return library.rootOf(skill).writable;
}

/** What was retired last comes first: it may have taken the names of those before it along. */
async function latestFirst(history: History, names: readonly string[]): Promise<string[]> {
  const out = await namesOut(history, names);
  const order = (await history.logAll()).map(({ skill }) => skill);
  return out.sort((left, right) => order.indexOf(left) - order.indexOf(right));
}
