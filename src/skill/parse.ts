import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { hasSystemCode, messageOf, type Problem } from '../errors.ts';
import type { Folder } from '../files/folder.ts';
import { companionsOf, LARGEST_FILE, loadCompanions } from './companions.ts';
import { isSkillFile } from './name.ts';
import { parseSkill } from './parse-skill.ts';
import { refusal } from './refusal.ts';
import type { SkillReading } from './skill.ts';

export { parseSkill };

const FILE = 'SKILL.md';

/** Skills that are read at once: each opens a few files, and a process may open no more than a few hundred. */
const MOST_AT_ONCE = 16;
const waiting: (() => void)[] = [];
let running = 0;

/**
 * Reads the skill of a `SKILL.md`, or of the folder that holds one, with its companions. Never throws. Any number may be
 * started at once.
 */
export async function readSkill(path: string): Promise<SkillReading> {
  if (running < MOST_AT_ONCE) running += 1;
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    return await readFromDisk(path);
  } finally {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  }
}

async function readFromDisk(path: string): Promise<SkillReading> {
  let file = path;
  const refuse = (problem: Problem): SkillReading => ({ kind: 'refused', path: file, problems: [problem] });
  try {
    if ((await stat(path)).isDirectory() && !isSkillFile(basename(path)))
      file = join(path, nameAmong((await readdir(path)).sort(byName)));
    const found = await stat(file);
    if (!found.isFile()) return refuse(refusal('not-a-file', `${file} is not a regular file`));
    if (found.size > LARGEST_FILE)
      return refuse(refusal('too-large', `the file has ${found.size} bytes; at most ${LARGEST_FILE}`, 1));
    const bytes = new Uint8Array(await readFile(file));
    return withFileName(
      parseSkill({ path: file, bytes, companions: await loadCompanions(dirname(file)) }),
      basename(file),
    );
  } catch (error) {
    if (hasSystemCode(error, 'ENOENT')) return refuse(refusal('io', `${file} does not exist`));
    return refuse(refusal('io', `cannot read ${file}: ${messageOf(error)}`));
  }
}

/** Reads a skill from a folder value as if it stood at `dir`. */
export function parseSkillFolder(dir: string, folder: Folder): SkillReading {
  const name = nameAmong([...folder.keys()]);
  const path = join(dir, name);
  const file = folder.get(name);
  if (file === undefined) {
    const problem = refusal('no-skill-file', `there is no ${FILE} in ${dir}`);
    return { kind: 'refused', path, problems: [problem] };
  }
  return withFileName(parseSkill({ path, bytes: file.bytes, companions: companionsOf(folder) }), name);
}

/** `SKILL.md`, else the first that differs in case alone, else what should be there. */
function nameAmong(names: readonly string[]): string {
  return names.includes(FILE) ? FILE : (names.find(isSkillFile) ?? FILE);
}

function byName(left: string, right: string): number {
  return left < right ? -1 : 1;
}

/** Notes a file name in another case. The reference validator takes `skill.md` as well, and no third one. */
function withFileName(reading: SkillReading, name: string): SkillReading {
  if (name === FILE) return reading;
  const message = `the file is called ${name}; other readers want ${FILE}`;
  const problem: Problem = { rule: 'filename-case', severity: 'warning', message, line: 1 };
  if (reading.kind === 'refused') return { ...reading, problems: [...reading.problems, problem] };
  const { skill } = reading;
  const strict = skill.strict && name === 'skill.md';
  return { kind: 'loaded', skill: { ...skill, strict, problems: [...skill.problems, problem] } };
}
