import { KnackError } from '../errors.ts';
import { type Folder, fileText, textFile, withFile } from '../files/folder.ts';
import { setField } from '../skill/edit.ts';
import { normaliseName } from '../skill/name.ts';
import { parseSkillFolder } from '../skill/parse.ts';
import type { History } from './history.ts';
import { NO_VERSION } from './records.ts';
import { isEmptied } from './taken-out.ts';

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
  return withFile(folder, 'SKILL.md', textFile(withAliases(text, rest)));
}

/** The text of a `SKILL.md` with these aliases and no others, each once. Throws `skill-invalid` as `setField` does. */
export function withAliases(text: string, aliases: readonly string[]): string {
  const spelled = new Map<string, string>();
  for (const alias of aliases) {
    const normal = normaliseName(alias);
    // In a text a comma ends a name; asked for is the normal form in any case.
    const isPlain = /^[\p{L}\p{N}\p{M}][\p{L}\p{N}\p{M} ._/:+-]*$/u.test(alias);
    if (normal !== '' && !spelled.has(normal)) spelled.set(normal, isPlain ? alias : normal);
  }
  return setField(text, 'metadata.aliases', [...spelled.values()].join(', '));
}

/** Those of these names, normalised, under which a skill was that is out of the library now and can be restored. */
export async function namesOut(history: History, names: readonly string[]): Promise<string[]> {
  const out: string[] = [];
  for (const name of names) {
    const [latest] = await history.log(normaliseName(name)).catch((error: unknown) => {
      // No skill was ever called that.
      if (error instanceof KnackError && error.code === 'not-found') return [];
      throw error;
    });
    if (latest?.version === NO_VERSION && !isEmptied(latest)) out.push(normaliseName(name));
  }
  return out;
}
