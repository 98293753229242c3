import { KnackError } from '../errors.ts';
import { type Folder, fileText, textFile, withFile } from '../folder.ts';
import { setField } from '../skill/edit.ts';
import { parseSkillFolder } from '../skill/parse.ts';
import type { History } from './history.ts';
import { NO_VERSION } from './records.ts';
import type { Revision } from './revision.ts';

/** What the commit says that takes a skill out because another has absorbed it. */
export function mergeInto(into: string): string {
  return `merge into ${into}, which answers to its name`;
}

/** The skill that absorbed the one that this revision took out; undefined for any other revision. */
export function mergedInto({ version, what }: Pick<Revision, 'version' | 'what'>): string | undefined {
  return version === NO_VERSION ? /^merge into (.*), which answers to its name$/.exec(what)?.[1] : undefined;
}

/** The names that a skill answers to beside its own. */
export function aliasesOf(skill: string, folder: Folder | undefined): readonly string[] {
  const reading = folder === undefined ? undefined : parseSkillFolder(`/${skill}`, folder);
  return reading?.kind === 'loaded' ? reading.skill.aliases : [];
}

/** The folder of a skill that no longer answers to these names. */
export function withoutAliases(skill: string, folder: Folder, names: readonly string[]): Folder {
  const [text, aliases] = [fileText(folder, 'SKILL.md'), aliasesOf(skill, folder)];
  const rest = aliases.filter((alias) => !names.includes(alias));
  if (text === undefined || rest.length === aliases.length) return folder;
  return withFile(folder, 'SKILL.md', textFile(setField(text, 'metadata.aliases', rest.join(', '))));
}

/** Those of these names under which a skill was that is out of the library now: `restore` brings it back. */
export async function namesOut(history: History, names: readonly string[]): Promise<string[]> {
  const out: string[] = [];
  for (const name of names) {
    const [latest] = await history.log(name).catch((error: unknown) => {
      // No skill was ever called that.
      if (error instanceof KnackError && error.code === 'not-found') return [];
      throw error;
    });
    if (latest?.version === NO_VERSION) out.push(name);
  }
  return out;
}

/**
 * Whether a skill got this name from knack, by a merge or for one that was retired, and not from a person: by the
 * newest revision that brought it.
 */
export async function isGivenName(
  history: History,
  skill: string,
  alias: string,
  isOurs: (revision: Revision) => boolean,
): Promise<boolean> {
  let bringer: Revision | undefined;
  for (const revision of await history.log(skill)) {
    const has = revision.version !== NO_VERSION && (await hasAlias(history, revision, alias));
    if (has && revision.actor !== 'rollback') bringer = revision;
    else if (!has && bringer !== undefined) break;
  }
  return bringer !== undefined && (bringer.actor === 'reviewer' || isOurs(bringer));
}

async function hasAlias(history: History, { skill, sha }: Revision, alias: string): Promise<boolean> {
  return aliasesOf(skill, await history.folderAt(skill, sha)).includes(alias);
}
