import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Folder, readFolder } from '../folder.ts';
import { digestOf } from '../history/tree.ts';
import type { OpenSource } from './fetch.ts';
import { findInSource } from './find.ts';
import { gateImport } from './import-gate.ts';
import { whyRefused } from './judge-decisions.ts';
import type { Judging } from './judging.ts';
import type { TransferParts } from './parts.ts';
import { editsIn, type ReadOnlyImport, writeImport } from './read-only.ts';
import { renamed } from './rename.ts';
import { sourceName, sourceOf } from './source.ts';
import type { Updated, UpdateRequest } from './update.ts';

/**
 * Replaces the skills of a read-only import by those of the source. A skill that the gate refuses, or that the source
 * has no more, stays as it is; where anything was edited or put here
 * by somebody nothing is written.
 */
export async function updateReadOnly(
  parts: TransferParts,
  {
    copy,
    open,
    request,
    judging,
  }: { copy: ReadOnlyImport; open: OpenSource; request: UpdateRequest; judging: Judging },
): Promise<Updated[]> {
  const { imports } = parts.workspace;
  const edits = await editsIn(imports, copy);
  if (edits.length > 0)
    return edits.map(({ name, change }) => ({
      name,
      outcome: 'dirty',
      source: copy.source,
      reason: `${change}, and ${join(imports, copy.id)} is only read and replaced as a whole; move it away first`,
    }));
  const { skills } = await findInSource(open, {
    name: sourceName(sourceOf(copy)),
    within: copy.within,
    signal: parts.signal,
  });
  const results: Updated[] = [];
  const next: { name: string; path: string; folder: Folder }[] = [];
  for (const known of copy.skills) {
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
  if (!request.dryRun && results.some(({ outcome }) => outcome === 'updated')) {
    const { skills: _, commit: __, ...record } = copy;
    await writeImport(
      imports,
      { ...record, ...(open.commit === undefined ? {} : { commit: open.commit }) },
      next,
    );
  }
  return results;
}
