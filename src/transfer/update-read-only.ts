import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { KnackError } from '../errors.ts';
import { readFolder } from '../files/folder.ts';
import { digestOf } from '../history/tree.ts';
import { createPause } from '../pause.ts';
import type { OpenSource } from './fetch.ts';
import { findInSource } from './find.ts';
import { gateImport } from './import-gate.ts';
import { whyRefused } from './judge-decisions.ts';
import type { Judging } from './judging.ts';
import { aloneInImports } from './mend-imports.ts';
import type { TransferParts } from './parts.ts';
import { editsIn, type ReadOnlyImport, readImports } from './read-only.ts';
import { renamed } from './rename.ts';
import { sourceName, sourceOf } from './source.ts';
import type { Updated, UpdateRequest } from './update.ts';
import { type ImportContent, replaceImport } from './write-import.ts';

/**
 * Replaces the skills of a read-only import by those of the source. A skill that the gate refuses, or that the source
 * has no more, stays as it is; where anything was edited or put here
 * by somebody nothing is written.
 */
export async function updateReadOnly(
  parts: TransferParts,
  {
    copy: given,
    open,
    request,
    judging,
  }: { copy: ReadOnlyImport; open: OpenSource; request: UpdateRequest; judging: Judging },
): Promise<Updated[]> {
  const { imports } = parts.workspace;
  const look = () => asItStands(imports, given);
  // A process that replaces it looks from outside like a person who edits it.
  const { copy, edits } = await (request.dryRun ? look() : aloneInImports(imports, look));
  const untouched = (found: typeof edits): Updated[] =>
    found.map(({ name, change }) => ({
      name,
      outcome: 'dirty',
      source: copy.source,
      reason: `${change}, and ${join(imports, copy.id)} is only read and replaced as a whole; move it away first`,
    }));
  if (edits.length > 0) return untouched(edits);
  const { skills, faults } = await findInSource(open, {
    name: sourceName(sourceOf(copy)),
    within: copy.within,
    signal: parts.signal,
  });
  const results: Updated[] = [];
  const next: ImportContent['skills'][number][] = [];
  const pause = createPause(parts.signal, `updating ${copy.id}`);
  for (const known of copy.skills) {
    await pause();
    const { name } = known;
    // Removed by hand: it does not come back.
    if (!existsSync(join(imports, copy.id, 'skills', name))) continue;
    const present = await readFolder(join(imports, copy.id, 'skills', name));
    const found =
      skills.find(({ path }) => path === known.path) ?? skills.find((skill) => skill.name === name);
    const keep = (result: Omit<Updated, 'name' | 'source'>) => {
      next.push({ name, path: known.path, folder: present });
      results.push({ name, source: copy.source, ...result });
    };
    const fault = faults.find((each) => each.path === known.path || each.name === name);
    if (found === undefined && fault !== undefined) {
      keep({ outcome: 'failed', reason: `${fault.path || 'the source'}: ${fault.reason}` });
      continue;
    }
    if (found === undefined) {
      keep({
        outcome: 'removed-at-source',
        reason: 'the source has it no more; the one here stays as it is',
      });
      continue;
    }
    const folder = renamed(found.folder, name);
    if (digestOf(folder) === known.tree) {
      keep({ outcome: 'unchanged' });
      continue;
    }
    const change = { name, candidate: folder, base: present, allow: request.allow };
    const checked = await gateImport(parts, change);
    const gate =
      checked.verdict === 'pass' ? await judging.judge({ ...change, source: copy.source }, checked) : checked;
    if (gate.verdict !== 'pass') {
      keep({ outcome: 'refused', reason: whyRefused(gate), gate });
      continue;
    }
    next.push({ name, path: found.path, folder });
    results.push({ name, source: copy.source, outcome: request.dryRun ? 'would-update' : 'updated', gate });
  }
  if (request.dryRun || results.every(({ outcome }) => outcome !== 'updated')) return results;
  const { skills: _, commit: __, id: ___, ...record } = copy;
  const replaced = await replaceImport(imports, copy, {
    record: { ...record, ...(open.commit === undefined ? {} : { commit: open.commit }) },
    skills: next,
  });
  if (replaced.kind === 'edited') return untouched(replaced.edits);
  return results.map((result) => {
    if (result.outcome !== 'updated' || replaced.kind === 'written') return result;
    const { name, source } = { source: copy.source, ...result };
    return replaced.kind === 'there'
      ? { name, source, outcome: 'unchanged' }
      : { name, source, outcome: 'failed', reason: 'the import changed while this ran; run it again' };
  });
}

/** The import as its record says now, and what somebody did to it. */
async function asItStands(
  imports: string,
  given: ReadOnlyImport,
): Promise<{ copy: ReadOnlyImport; edits: Awaited<ReturnType<typeof editsIn>> }> {
  const now = (await readImports(imports, () => undefined)).find(({ id }) => id === given.id);
  if (now === undefined)
    throw new KnackError('conflict', `${join(imports, given.id)} went away while this ran; run it again`);
  const copy = { ...given, skills: now.skills };
  return { copy, edits: await editsIn(imports, copy) };
}
