import { existsSync, realpathSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import { loadConfig } from '../config.ts';
import { isSystemError, KnackError, messageOf } from '../errors.ts';
import { textFile } from '../files/folder.ts';
import { createHistory, type History } from '../history/history.ts';
import { diffFolders } from '../review/folder-diff.ts';
import { fixSkill, type SkillFix } from '../skill/fix-skill.ts';
import { sharedNames } from '../skill/shared-names.ts';
import type { SkillReading } from '../skill/skill.ts';
import { counted, noun } from '../text/counted.ts';
import { knackPackage, locateWorkspace } from '../workspace.ts';
import type { CommandContext } from './command.ts';
import { asWord, inOneLine } from './project-notes.ts';

/** A file that was written, or with `--dry-run` would be. */
export interface Fixed {
  readonly path: string;
  /** Set where it has another name then. */
  readonly to?: string;
  readonly written: boolean;
  readonly rules: readonly string[];
  readonly diff: string;
}

/** What `--fix` came to. */
export interface Fixes {
  readonly fixed: readonly Fixed[];
  /** Imported skills that are not in the strict form and that nobody named: the `SKILL.md` of each. */
  readonly imported: readonly string[];
  /** Those that could not be written, or not whole; the others were all the same. */
  readonly failed: readonly Failed[];
  /** Of what was written: the skills of the workspace, which have to be committed yet. */
  readonly uncommitted: readonly Uncommitted[];
  /** The writable root. */
  readonly root: string;
}

interface Failed {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

interface Uncommitted {
  readonly name: string;
  /** It had edits, or no commit, before: git cannot take back the fix alone. */
  readonly wasDirty: boolean;
}

interface FixRequest {
  readonly readings: readonly SkillReading[];
  /** Given as paths: what lies in them may be written in any root. */
  readonly places: readonly string[];
  /** Roots of skills that were given by name, where they are only read. */
  readonly readOnly: readonly string[];
  /** Somebody named the places; else only what is the person's own or learned is written. */
  readonly isNamed: boolean;
  readonly write: boolean;
}

/** Writes the strict form of these skills, except for those of a root that is only read and imported ones that nobody named. */
export async function fixSkills(context: CommandContext, request: FixRequest): Promise<Fixes> {
  const { readings, places, readOnly, isNamed, write } = request;
  const workspace = locateWorkspace(context.workspace, context.environment);
  const config = await loadConfig(workspace.dir, context.environment);
  const root = workspace.skills;
  const history = await historyIn(context, root, config.history);
  const owners = await history?.owners();
  const skillOf = (path: string) =>
    isInside(root, path) ? relative(realOf(root), realOf(path)).split(sep)[0] : undefined;
  const guarded = [...config.roots, knackPackage.skills, ...readOnly].filter(
    (dir) => !places.some((place) => isInside(dir, place)),
  );
  const shared = await sharedNames(readings);
  const fixed: Fixed[] = [];
  const imported: string[] = [];
  const failed: Failed[] = [];
  const uncommitted = new Map<string, Uncommitted>();
  const fixAt = async (path: string) => {
    const outer = guarded.find((dir) => isInside(dir, path));
    const name = skillOf(path);
    const isLeft = !isNamed && name !== undefined && owners?.get(name) === 'imported';
    const writes = write && outer === undefined && !isLeft;
    const wasDirty = writes && name !== undefined ? await isDirty(history, name) : false;
    const fix = await fixOne(path, { write: writes, shared });
    if (fix.kind === 'left') {
      if (fix.why !== undefined) context.output.note(inOneLine(`left ${path} as it is: ${fix.why}`));
    } else if (outer !== undefined) {
      context.output.note(
        inOneLine(`left ${path} as it is: ${outer} is only read; name a path in it to change it`),
      );
    } else if (isLeft) imported.push(path);
    else {
      fixed.push(asFixed(fix, context.cwd, write));
      if (writes && name !== undefined) uncommitted.set(name, { name, wasDirty });
      for (const aside of fix.asides) context.output.note(inOneLine(`left ${aside} as it is: ${ASIDE}`));
      if (fix.fault !== undefined) throw fix.fault;
    }
  };
  for (const reading of readings) {
    const path = reading.kind === 'loaded' ? reading.skill.path : reading.path;
    try {
      await fixAt(path);
    } catch (error) {
      failed.push(asFailed(path, error));
    }
  }
  return {
    fixed,
    imported,
    failed,
    uncommitted: history === undefined ? [] : [...uncommitted.values()],
    root,
  };
}

const ASIDE = 'a write that broke off left it; remove it if no other knack is at work';

/** What keeps one skill from being written; everything else ends the whole and is thrown. */
function asFailed(path: string, error: unknown): Failed {
  if (error instanceof KnackError && error.code !== 'aborted')
    return { path, code: error.code, message: error.message };
  if (isSystemError(error)) return { path, code: 'io', message: `cannot fix ${path}: ${messageOf(error)}` };
  throw error;
}

/** The same as JSON has it. */
export function publicFixes(fixes: Fixes | undefined): object {
  if (fixes === undefined) return {};
  const { fixed, imported, failed, uncommitted } = fixes;
  return {
    fixed,
    ...(imported.length > 0 ? { left: imported.map((path) => ({ path, why: 'imported' })) } : {}),
    ...(failed.length > 0 ? { failed } : {}),
    ...(uncommitted.length > 0 ? { uncommitted: uncommitted.map(({ name }) => name) } : {}),
  };
}

/** What was left and how to fix it nevertheless; what is to be committed, and how to take it back. */
export function linesOfFixes({ fixed, imported, failed, uncommitted, root }: Fixes): string[] {
  const git = `git -C ${asWord(root)}`;
  const names = uncommitted.map(({ name }) => name);
  const clean = uncommitted.filter(({ wasDirty }) => !wasDirty).map(({ name }) => name);
  const edited = uncommitted.filter(({ wasDirty }) => wasDirty).map(({ name }) => name);
  const renamed = fixed.flatMap(({ to, written }) => (written && to !== undefined ? [to] : []));
  const back = [
    ...(clean.length === 0 ? [] : [`${git} checkout HEAD -- ${clean.map(asWord).join(' ')}`]),
    ...(clean.length === 0 ? [] : renamed.map((path) => `rm ${asWord(path)}`)),
  ];
  const lines = [
    ...failed.map(({ path, message }) => `failed  ${path}: ${message}`),
    ...(imported.length === 0
      ? []
      : [
          `left as ${noun(imported.length, 'it is', 'they are')}, for an edit of yours would stand against each update: ${counted(imported.length, 'imported skill')}; to fix one nevertheless, name it: knack skills validate --fix ${asWord(imported[0] ?? '')}`,
          ...imported.slice(1).map((path) => `    ${path}`),
        ]),
    ...(names.length === 0
      ? []
      : [
          `not committed yet, and an edit of yours until then: ${names.join(', ')}`,
          `    to keep it: ${git} add ${names.map(asWord).join(' ')} && ${git} commit -m "Write the strict form"`,
          ...(back.length === 0 ? [] : [`    to take it back: ${back.join(' && ')}`]),
          ...(edited.length === 0
            ? []
            : [
                `    ${edited.join(', ')} had edits before that are not committed: what the diff above shows can only be taken back by hand`,
              ]),
        ]),
  ];
  return lines.map(inOneLine);
}

/** Undefined where there is none, and nothing that could be committed: no workspace, or no git. */
async function historyIn(
  { environment }: CommandContext,
  root: string,
  settings: { readonly inRepository: boolean },
): Promise<History | undefined> {
  if (!existsSync(root)) return undefined;
  try {
    const history = createHistory({ root, environment, looksOnly: true, ...settings });
    await history.open();
    return history;
  } catch (error) {
    if (error instanceof KnackError && error.code === 'git-missing') return undefined;
    throw error;
  }
}

async function isDirty(history: History | undefined, name: string): Promise<boolean> {
  return history !== undefined && (await history.standing(name)).dirty.length > 0;
}

/** A file that cannot be read is among the refused ones already. */
async function fixOne(path: string, request: Parameters<typeof fixSkill>[1]): Promise<SkillFix> {
  const isFile = existsSync(path) && (await stat(path)).isFile();
  return isFile ? fixSkill(path, request) : { kind: 'left', path };
}

function asFixed(fix: SkillFix & { kind: 'changed' }, cwd: string, written: boolean): Fixed {
  const [from = '', name = ''] = [fix.path, fix.to].map((path) =>
    inOneLine(relative(cwd, path).split(sep).join('/')),
  );
  const [before, after] = [fix.before, fix.after].map((text) => new Map([[name, textFile(text)]]));
  const renaming =
    from === name ? '' : `diff --git a/${from} b/${name}\nrename from ${from}\nrename to ${name}\n`;
  return {
    path: fix.path,
    ...(from === name ? {} : { to: fix.to }),
    written,
    rules: [...new Set(fix.mended.map(({ rule }) => rule))],
    diff: renaming + diffFolders(before, after ?? new Map()),
  };
}

/** Whether the path is the folder or in it, whatever links lead there. */
function isInside(dir: string, path: string): boolean {
  const [root, place] = [realOf(dir), realOf(path)];
  return place === root || place.startsWith(`${root}${sep}`);
}

function realOf(path: string): string {
  return existsSync(path) ? realpathSync(path) : path;
}
