import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { KnackError, messageOf } from '../errors.ts';
import type { GateResult } from '../gate/gate.ts';
import { namesOut } from '../history/aliases.ts';
import { copiedFrom } from '../history/copied.ts';
import { whyDeleted } from '../history/deleted.ts';
import type { Origin, Override } from '../history/revision.ts';
import { nearNames } from '../library/near-names.ts';
import { withSource } from './fetch.ts';
import { finder } from './find-again.ts';
import { type JudgeMode, type JudgeSummary, openJudging } from './judging.ts';
import type { Conflict } from './merge-folders.ts';
import { createTextMerger } from './merge-text.ts';
import { isMilestone, type TransferParts } from './parts.ts';
import { type ReadOnlyImport, readImports } from './read-only.ts';
import { type Source, sourceOf, sourceText } from './source.ts';
import { updateReadOnly } from './update-read-only.ts';
import { updateSkill } from './update-skill.ts';

export interface UpdateRequest {
  /** Skills, or ids of read-only imports; everything that was imported if empty. */
  readonly names: readonly string[];
  readonly dryRun: boolean;
  /** Which side wins where both changed the same lines. */
  readonly prefer: 'ours' | 'theirs' | undefined;
  /** The branch, tag or commit that the sources are followed at from now on; `HEAD` is their default branch. */
  readonly to?: string | undefined;
  readonly allow: readonly Override[];
  readonly judge: JudgeMode;
}

export interface UpdateReport {
  /** Sorted by name. */
  readonly skills: readonly Updated[];
  readonly judging: JudgeSummary;
}

/** What became of a skill that was to be updated. */
export interface Updated {
  readonly name: string;
  readonly outcome:
    | 'updated'
    | 'would-update'
    | 'unchanged'
    /** Yours won wherever the source has something new; the next update is silent until it changes again. */
    | 'kept'
    | 'would-keep'
    /** The source has it no more; it stays here. */
    | 'removed-at-source'
    | 'conflict'
    /** It has uncommitted edits, or was deleted by hand. */
    | 'dirty'
    | 'refused'
    | 'failed';
  readonly source?: string;
  readonly from?: string;
  readonly to?: string;
  readonly sha?: string;
  readonly reason?: string;
  /** Files that are or would be written or removed. */
  readonly files?: readonly string[];
  readonly conflicts?: readonly Conflict[];
  readonly gate?: GateResult;
}

/** A skill of the workspace whose history says where it comes from. */
export interface Imported {
  readonly name: string;
  readonly origin: Origin;
}

/**
 * Takes up what changed at the sources of imported skills. One skill's trouble is its own result; a source that cannot be
 * reached is that of all its skills. What changed goes before a judge where a model is set. Throws `not-found` for names
 * that were not imported.
 */
export async function updateSkills(parts: TransferParts, request: UpdateRequest): Promise<UpdateReport> {
  const judging = await openJudging(parts, request.judge);
  const broken = new Map<string, string>();
  const readOnly = (
    await readImports(parts.workspace.imports, (id, why) => {
      if (request.names.length === 0 || request.names.includes(id)) broken.set(id, why);
    })
  ).filter((copy) => request.names.length === 0 || request.names.some((name) => isCopyIn([copy], name)));
  const imported = await importedSkills(
    parts,
    request.names,
    (name) => isCopyIn(readOnly, name) || broken.has(name),
  );
  const groups = new Map<string, { source: Source; skills: Imported[]; copies: ReadOnlyImport[] }>();
  const groupOf = (origin: { source: string; ref?: string }) => {
    const key = JSON.stringify([origin.source, origin.ref]);
    const group = groups.get(key) ?? { source: resolveSource(origin), skills: [], copies: [] };
    groups.set(key, group);
    return group;
  };
  const updated: Updated[] = [...broken].map(([name, reason]) => ({ name, outcome: 'failed', reason }));
  const attempt = async (names: readonly string[], act: () => Promise<Updated[]>): Promise<void> => {
    try {
      updated.push(...(await act()));
    } catch (error) {
      if (!(error instanceof KnackError) || ['aborted', 'git-missing'].includes(error.code)) throw error;
      updated.push(...names.map((name) => ({ name, outcome: 'failed' as const, reason: messageOf(error) })));
    }
  };
  for (const { name, origin } of imported)
    await attempt([name], async () => {
      const reason = await whyDeleted(parts.history, name);
      if (reason !== undefined) return [{ name, outcome: 'dirty', source: origin.source, reason }];
      const moved = movedTo(origin, request.to);
      groupOf(moved).skills.push({ name, origin: moved });
      return [];
    });
  for (const copy of readOnly)
    await attempt([copy.id], async () => {
      const moved = movedTo(copy, request.to);
      groupOf(moved).copies.push(moved);
      return [];
    });
  const merger = await createTextMerger(parts.environment);
  try {
    for (const { source, skills, copies } of groups.values()) {
      const names = [...skills.map(({ name }) => name), ...copies.map(({ id }) => id)];
      await attempt(names, () =>
        withSource(source, parts, async (open) => {
          const search = finder(open, source, {
            signal: parts.signal,
            taken: () => takenFrom(parts, source),
          });
          for (const [index, { name, origin }] of skills.entries()) {
            parts.onProgress(`updating ${index + 1} of ${skills.length}: ${name}`, isMilestone(index + 1));
            await attempt([name], async () => {
              const found = await search(origin);
              if ('outcome' in found) return [{ name, source: sourceText(source), ...found }];
              const { commit } = open;
              return [await updateSkill(parts, { name, origin, found, commit, merger, request, judging })];
            });
          }
          for (const copy of copies)
            await attempt([copy.id], () => updateReadOnly(parts, { copy, open, request, judging }));
          return [];
        }),
      );
    }
  } finally {
    await merger.close();
  }
  return {
    skills: updated.sort((left, right) => (left.name < right.name ? -1 : 1)),
    judging: judging.summary(),
  };
}

/** All skills here that came from a source, at whatever branch, tag or commit. */
async function takenFrom({ history }: TransferParts, source: Source): Promise<Imported[]> {
  const all = [...(await history.origins())].map(([name, origin]) => ({ name, origin }));
  return all.filter(({ origin }) => origin.source === sourceText(source));
}

/** An origin followed at another branch, tag or commit. Throws `usage` for a folder, which has none. */
function movedTo<T extends { readonly source: string; readonly ref?: string }>(
  origin: T,
  to: string | undefined,
): T {
  if (to === undefined) return origin;
  if (resolveSource(origin).kind === 'folder')
    throw new KnackError(
      'usage',
      `its source ${origin.source} is a folder, which has no tags to go over to; leave --to out`,
    );
  const { ref: _, ...rest } = origin;
  return (to === 'HEAD' ? rest : { ...rest, ref: to }) as T;
}

function resolveSource(origin: { source: string; ref?: string }): Source {
  try {
    return sourceOf(origin);
  } catch (error) {
    if (!(error instanceof KnackError) || error.code !== 'not-found') throw error;
    throw new KnackError(
      'not-found',
      `its source ${origin.source} is not there any more; bring it back to that place, or use the skill as it is`,
      { cause: error },
    );
  }
}

async function importedSkills(
  { history, library, workspace }: TransferParts,
  names: readonly string[],
  isCopy: (name: string) => boolean,
): Promise<Imported[]> {
  const recorded = await history.origins();
  const wanted = names.length === 0 ? [...recorded.keys()] : [...new Set(names)];
  const imported: Imported[] = [];
  for (const name of wanted) {
    const origin = recorded.get(name);
    if (origin !== undefined) imported.push({ name, origin });
    else if (names.length > 0 && !isCopy(name))
      throw new KnackError(
        'not-found',
        (await namesOut(history, [name])).length > 0
          ? `${name} is retired, so it is not updated; knack skills restore ${name} brings it back${answeredBy(library, name)}`
          : ((await whyDeleted(history, name)) ??
              (existsSync(join(workspace.skills, name))
                ? await whyNoSource(history, name)
                : notImported(library, name, recorded.keys()))),
      );
  }
  return imported;
}

function isCopyIn(readOnly: readonly ReadOnlyImport[], name: string): boolean {
  return readOnly.some(({ id, skills }) => id === name || skills.some((skill) => skill.name === name));
}

async function whyNoSource(history: TransferParts['history'], name: string): Promise<string> {
  const root = copiedFrom(await history.log(name));
  const cut = root === undefined ? await history.cut(name) : undefined;
  if (cut !== undefined) return `where ${name} comes from cannot be told: ${cut}`;
  if (root !== undefined)
    return `${name} is a copy from the root ${root}, which is no source to update from; without the copy (knack skills retire ${name}) that of the root is used as it is now`;
  return `${name} was not imported, so there is no source to update it from; knack skills log ${name} shows where it comes from`;
}

function notImported(library: TransferParts['library'], name: string, imported: Iterable<string>): string {
  const skill = library.find(name);
  if (skill !== undefined && library.rootOf(skill).writable)
    return `${name} is another name of ${skill.name}; knack skills update ${skill.name} takes up what changed`;
  if (skill !== undefined)
    return `${name} stands in the root ${library.rootOf(skill).dir}, which is only read: what changes there is used as it is`;
  const near = nearNames(name, imported);
  return `no skill "${name}" was imported; ${near.length > 0 ? `did you mean ${near.join(', ')}?` : 'knack skills update without names updates all that were'}`;
}

/** The skill that answers to a name now, which may be the one that is meant. */
function answeredBy(library: TransferParts['library'], name: string): string {
  const skill = library.find(name);
  return skill === undefined ? '' : `; its name stands for ${skill.name} until then`;
}
