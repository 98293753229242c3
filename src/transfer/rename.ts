import { join, sep } from 'node:path';
import { type Folder, fileText, textFile, withFile } from '../files/folder.ts';
import { parseSkillFolder } from '../skill/parse.ts';
import { setField } from '../skill/set-field.ts';

/**
 * The skill under another name: its front matter says it, and nothing else changes. One that bears it already is left
 * as it is. Throws `skill-invalid` where the front matter is too broken to be edited.
 */
export function renamed(folder: Folder, name: string): Folder {
  const reading = parseSkillFolder(join(sep, name), folder);
  if (reading.kind === 'refused' || reading.skill.name === name) return folder;
  const path = [...folder.keys()].find((each) => each.toLowerCase() === 'skill.md') ?? 'SKILL.md';
  const text = fileText(folder, path) ?? '';
  return withFile(folder, path, textFile(setField(text, 'name', name), folder.get(path)?.executable));
}
