import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readSkill } from '../../src/skill/parse.ts';
import type { Skill } from '../../src/skill/skill.ts';
import { skillText, temporary } from './skills.ts';

/** Skills in a new folder, each with its `tools.yaml` and, by path, its other files; read as the library reads them. */
export async function callableSkills(
  files: Readonly<Record<string, Readonly<Record<string, string>>>>,
): Promise<{ root: string; find(name: string): Skill | undefined; skill(name: string): Skill }> {
  const root = await temporary('callable');
  const skills = new Map<string, Skill>();
  for (const [name, texts] of Object.entries(files)) {
    for (const [path, text] of Object.entries({ 'SKILL.md': skillText(name, '- one'), ...texts })) {
      await mkdir(dirname(join(root, name, path)), { recursive: true });
      await writeFile(join(root, name, path), text);
    }
    const reading = await readSkill(join(root, name));
    if (reading.kind === 'refused') throw new Error(JSON.stringify(reading.problems));
    skills.set(name, reading.skill);
  }
  const find = (name: string) => skills.get(name);
  return {
    root,
    find,
    skill(name) {
      const skill = find(name);
      if (skill === undefined) throw new Error(`no skill ${name}`);
      return skill;
    },
  };
}
