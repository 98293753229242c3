import { lstat, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { hasSystemCode, type Problem } from '../errors.ts';
import { type Folder, fileText } from '../files/folder.ts';
import { openReal } from '../files/open-real.ts';
import type { SkillTestCase, SkillToolSpec, TriggerQuery } from './skill.ts';
import { readTestsFile } from './tests-file.ts';
import { readToolsFile } from './tools-file.ts';
import { readTriggersFile } from './triggers-file.ts';

/** Texts of the files beside `SKILL.md` that belong to the skill's metadata. */
export interface Companions {
  readonly tools?: string;
  readonly tests?: string;
  readonly triggers?: string;
}

/** What the files beside `SKILL.md` say, and what is wrong in them. */
export interface CompanionsReading {
  readonly tools: readonly SkillToolSpec[];
  readonly tests: readonly SkillTestCase[];
  readonly triggers: readonly TriggerQuery[];
  readonly problems: readonly Problem[];
}

/** No file of a skill that is larger is read. */
export const LARGEST_FILE = 4 * 1024 * 1024;

const FILES: Record<keyof Companions, string> = {
  tools: 'tools.yaml',
  tests: 'tests.yaml',
  triggers: 'evals/triggers.json',
};

/** The texts in a skill's folder on disk; a link, a folder or a huge file of that name counts as none. */
export async function loadCompanions(dir: string): Promise<Companions> {
  const texts = await Promise.all(
    Object.entries(FILES).map(async ([key, name]) => {
      try {
        const path = join(dir, name);
        const found = await lstat(path);
        // A folder on the way may be a link as well.
        const isOwn = found.isFile() && (await realpath(path)) === join(await realpath(dir), name);
        return isOwn && found.size <= LARGEST_FILE
          ? [[key, await readText(join(await realpath(dir), name))] as const]
          : [];
      } catch (error) {
        if (hasSystemCode(error, 'ENOENT', 'ENOTDIR')) return [];
        throw error;
      }
    }),
  );
  return Object.fromEntries(texts.flat());
}

async function readText(real: string): Promise<string> {
  const handle = await openReal(real);
  try {
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}

/** The texts in a folder value. */
export function companionsOf(folder: Folder): Companions {
  const texts = Object.entries(FILES).map(([key, name]) => [key, fileText(folder, name)] as const);
  return Object.fromEntries(texts.filter(([, text]) => text !== undefined));
}

/** Reads the texts; one that is broken costs none of the others. */
export function readCompanions(texts: Companions): CompanionsReading {
  const tools = readToolsFile(texts.tools ?? 'tools: []');
  const tests = readTestsFile(texts.tests ?? 'cases: []');
  const triggers = readTriggersFile(texts.triggers ?? '[]');
  return {
    tools: tools.value,
    tests: tests.value,
    triggers: triggers.value,
    problems: [...tools.problems, ...tests.problems, ...triggers.problems],
  };
}
