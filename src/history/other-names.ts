import { type Folder, fileText, textFile, withFile } from '../files/folder.ts';
import { normaliseName } from '../skill/name.ts';
import { aliasesOf, withAliases } from './aliases.ts';
import type { CommitOutcome, History } from './history.ts';
import { editSkill } from './ownership.ts';
import { NO_VERSION } from './records.ts';
import type { Revision } from './revision.ts';

/** Names that a skill is to get or to lose. */
interface NameChange {
  readonly names: readonly string[];
  readonly why: string;
}

/**
 * Gives a skill the names of one that goes, so that whoever asks for that one finds it. It goes on belonging to whom it
 * belonged. `unchanged` if it has them all already; throws `not-found` for a skill that is not there.
 */
export async function giveNames(
  history: History,
  skill: string,
  { names, why }: NameChange,
): Promise<CommitOutcome> {
  const aliases = aliasesOf(skill, await history.present(skill));
  const fresh = names.filter((name) => !isAmong(name, [skill, ...aliases]));
  // Of a skill that is not there the edit says so.
  if (fresh.length === 0 && (await history.present(skill)) !== undefined) return { kind: 'unchanged' };
  return setNames(history, skill, [...aliases, ...fresh], { what: answerTo(fresh), why });
}

/** Takes such names away again. `unchanged` where the skill has none of them from `giveNames` or a merge. */
export async function takeNames(
  history: History,
  skill: string,
  { names, why }: NameChange,
): Promise<CommitOutcome> {
  const aliases = aliasesOf(skill, await history.present(skill));
  const bringers = await bringersOf(history, skill, names);
  const gone = aliases.filter((alias) => isAmong(alias, names) && isGiven(alias, bringers));
  if (gone.length === 0) return { kind: 'unchanged' };
  const rest = aliases.filter((alias) => !gone.includes(alias));
  return setNames(history, skill, rest, { what: `answer to ${gone.join(', ')} no more`, why });
}

/** Those of these names that the skill got in the same step as that of `along`: they go where that one goes. */
export async function namesAlong(
  history: History,
  skill: string,
  { along, names }: { readonly along: string; readonly names: readonly string[] },
): Promise<string[]> {
  const bringers = await bringersOf(history, skill, [along, ...names]);
  const step = bringers.get(normaliseName(along));
  if (step === undefined || !isGiven(along, bringers)) return [];
  return names.filter((name) => bringers.get(normaliseName(name))?.sha === step.sha);
}

/** Those of these names that a skill got from knack, by a merge or for one that was retired, and not from a person. */
export async function namesGiven(
  history: History,
  skill: string,
  names: readonly string[],
): Promise<string[]> {
  const bringers = await bringersOf(history, skill, names);
  return names.filter((name) => isGiven(name, bringers));
}

/** A changed folder that goes on answering to the names that knack gave the skill, whatever the change made of them. */
export async function keepingNames(
  history: History,
  skill: string,
  { before, after }: { readonly before: Folder; readonly after: Folder },
): Promise<Folder> {
  const [text, kept] = [fileText(after, 'SKILL.md'), aliasesOf(skill, after)];
  const lost = aliasesOf(skill, before).filter((name) => !isAmong(name, [skill, ...kept]));
  const given = await namesGiven(history, skill, lost);
  if (text === undefined || given.length === 0) return after;
  const file = textFile(withAliases(text, [...kept, ...given]), after.get('SKILL.md')?.executable);
  return withFile(after, 'SKILL.md', file);
}

/** Whether a name is among others, in whatever spelling. */
export function isAmong(name: string, others: readonly string[]): boolean {
  return others.some((other) => normaliseName(other) === normaliseName(name));
}

function isGiven(name: string, bringers: ReadonlyMap<string, Revision>): boolean {
  const bringer = bringers.get(normaliseName(name));
  if (bringer === undefined) return false;
  const given = /^answer to (.+) too$/.exec(bringer.what)?.[1]?.split(', ') ?? [];
  return bringer.actor === 'reviewer' || isAmong(name, given);
}

/** By normalised name, the newest revision that brought it; a rollback brings none. */
async function bringersOf(
  history: History,
  skill: string,
  names: readonly string[],
): Promise<Map<string, Revision>> {
  const bringers = new Map<string, Revision>();
  const open = new Set(names.map(normaliseName));
  for (const revision of await history.log(skill)) {
    if (open.size === 0) break;
    const has =
      revision.version === NO_VERSION ? [] : aliasesOf(skill, await history.folderAt(skill, revision.sha));
    for (const name of open) {
      if (isAmong(name, has)) {
        if (revision.actor !== 'rollback') bringers.set(name, revision);
      } else if (bringers.has(name)) open.delete(name);
    }
  }
  return bringers;
}

function answerTo(names: readonly string[]): string {
  return `answer to ${names.join(', ')} too`;
}

async function setNames(
  history: History,
  skill: string,
  names: readonly string[],
  { what, why }: { readonly what: string; readonly why: string },
): Promise<CommitOutcome> {
  const owner = await history.ownership(skill);
  return editSkill(history, skill, { size: 'minor', what, why, owner }, (text) => withAliases(text, names));
}
