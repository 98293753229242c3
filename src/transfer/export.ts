import { lstat, mkdir, rename, rm, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { hasSystemCode, KnackError, messageOf, type Problem } from '../errors.ts';
import { equalFolders, type Folder, readFolder, textFile, withFile, writeFolder } from '../files/folder.ts';
import { makeFolders } from '../files/make-folders.ts';
import { makeTemporaryFolder } from '../files/temporary-folder.ts';
import { parseSkillFolder } from '../skill/parse.ts';
import type { Skill } from '../skill/skill.ts';
import { strictForm } from '../skill/strict-form.ts';
import { isRefusedElsewhere } from '../skill/validate.ts';
import { type LinkedFolder, linksOf, separateLinks } from './inner-links.ts';
import { ownFolderOf } from './own-folders.ts';
import type { TransferParts } from './parts.ts';

export interface ExportRequest {
  /** Absolute. */
  readonly to: string;
  /** Whether `evals/` goes along. */
  readonly evals: boolean;
  readonly dryRun: boolean;
}

/** What became of a skill that was to be handed out. */
export interface Exported {
  readonly name: string;
  /** Where it is or would be. */
  readonly dir: string;
  readonly outcome: 'exported' | 'would-export' | 'unchanged' | 'refused';
  readonly reason?: string;
  /** Rules of the format that were mended on the way. */
  readonly mended: readonly string[];
  /** What is left that other readers may stumble over. */
  readonly problems: readonly Problem[];
}

/**
 * Writes a skill as a folder that any agent reads: in the strict form as far as that takes no judgement, with its modes
 * and inner links, without anything of git. A folder that is there and differs is refused and stays as it is.
 */
export async function exportSkill(
  parts: Pick<TransferParts, 'workspace' | 'history'>,
  skill: Skill,
  { to, evals, dryRun }: ExportRequest,
): Promise<Exported> {
  const dir = join(to, skill.name);
  const refuse = (reason: string): Exported => ({
    name: skill.name,
    dir,
    outcome: 'refused',
    reason,
    mended: [],
    problems: [],
  });
  try {
    const read = await folderOf(parts, skill);
    const chosen = evals ? read : new Map([...read].filter(([path]) => !path.startsWith('evals/')));
    const { folder, mended, problems } = strictly(dir, chosen);
    const linked = await separateLinks(skill.dir, folder);
    const result = (outcome: Exported['outcome']): Exported => ({
      name: skill.name,
      dir,
      outcome,
      mended,
      problems,
    });
    const there = await compare(dir, linked);
    if (there === 'same') return result('unchanged');
    if (there === 'other')
      return refuse(
        `${dir} is there and differs; nothing was written: move it away, or export to another folder`,
      );
    await refuseOwnFolders(parts, to, skill);
    if (dryRun) return result('would-export');
    await write(dir, linked);
    return result('exported');
  } catch (error) {
    if (error instanceof KnackError && ['refused', 'not-found'].includes(error.code))
      return refuse(error.message);
    throw error;
  }
}

/** What stands at the skill's place; of one of the workspace without what git ignores. */
async function folderOf(
  { workspace, history }: Pick<TransferParts, 'workspace' | 'history'>,
  skill: Skill,
): Promise<Folder> {
  const isOwn = dirname(skill.dir) === workspace.skills;
  return (isOwn ? await history.present(basename(skill.dir)) : undefined) ?? readFolder(skill.dir);
}

function strictly(
  dir: string,
  given: Folder,
): { folder: Folder; mended: string[]; problems: readonly Problem[] } {
  const name = [...given.keys()].find((path) => path.toLowerCase() === 'skill.md') ?? 'SKILL.md';
  const file = given.get(name);
  if (file === undefined) throw new KnackError('refused', `there is no SKILL.md for ${dir}`);
  const form = strictForm({ path: join(dir, 'SKILL.md'), bytes: file.bytes });
  const text = form.kind === 'changed' ? textFile(form.text, file.executable) : file;
  const folder = withFile(withFile(given, name, undefined), 'SKILL.md', text);
  const reading = parseSkillFolder(dir, folder);
  const isStrict = reading.kind === 'loaded' && reading.skill.strict;
  const problems = reading.kind === 'loaded' ? reading.skill.problems : reading.problems;
  return {
    folder,
    mended: [
      ...(form.kind === 'changed' ? form.mended.map(({ rule }) => rule) : []),
      ...(name === 'SKILL.md' ? [] : ['filename-case']),
    ],
    problems: isStrict
      ? []
      : problems.filter(({ severity, rule }) => severity !== 'info' || isRefusedElsewhere(rule)),
  };
}

async function compare(dir: string, { files, links }: LinkedFolder): Promise<'none' | 'same' | 'other'> {
  try {
    if (!(await lstat(dir)).isDirectory()) return 'other';
    const there = await separateLinks(dir, await readFolder(dir));
    const own = await linksOf(dir);
    const hasSameLinks =
      own.size === links.size && [...links].every(([path, target]) => own.get(path) === target);
    return equalFolders(there.files, files) && hasSameLinks ? 'same' : 'other';
  } catch (error) {
    if (hasSystemCode(error, 'ENOENT', 'ENOTDIR')) return 'none';
    // It holds what no skill of ours does.
    if (error instanceof KnackError && error.code === 'refused') return 'other';
    throw error;
  }
}

async function refuseOwnFolders(
  { workspace }: Pick<TransferParts, 'workspace'>,
  to: string,
  skill: Skill,
): Promise<void> {
  const own = await ownFolderOf(to, [workspace.skills, workspace.imports, skill.dir]);
  if (own !== undefined)
    throw new KnackError(
      'refused',
      `${to} is a part of the library (${own}); export to a folder outside of it`,
    );
}

/** Prepared beside its place and moved there as a whole. */
async function write(dir: string, { files, links }: LinkedFolder): Promise<void> {
  let aside: string | undefined;
  try {
    await makeFolders(dirname(dir));
    aside = await makeTemporaryFolder('.knack-export', dirname(dir));
    const next = join(aside, basename(dir));
    await writeFolder(next, files);
    for (const [path, target] of links) {
      await mkdir(dirname(join(next, path)), { recursive: true });
      await symlink(target, join(next, path));
    }
    await rename(next, dir);
  } catch (error) {
    if (error instanceof KnackError) throw error;
    throw new KnackError(
      'io',
      `cannot write ${dir}: ${messageOf(error)}; give a folder that you can write to with --to`,
      { cause: error },
    );
  } finally {
    if (aside !== undefined) await rm(aside, { recursive: true, force: true });
  }
}
