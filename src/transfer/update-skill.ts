import { equalFolders, type Folder } from '../folder.ts';
import { UNNUMBERED } from '../history/records.ts';
import type { Origin } from '../history/revision.ts';
import { digestOf } from '../history/tree.ts';
import { higherVersion } from '../history/versions.ts';
import type { FoundSkill } from './find.ts';
import { gateImport, passLine, usedOverrides } from './import-gate.ts';
import { type FolderMerge, mergeFolders } from './merge-folders.ts';
import type { TextMerger } from './merge-text.ts';
import { versionIn, withVersion } from './merge-versions.ts';
import type { TransferParts } from './parts.ts';
import { renamed } from './rename.ts';
import type { Updated, UpdateRequest } from './update.ts';
import { whyNot } from './why-not.ts';

interface SkillUpdate {
  readonly origin: Origin;
  readonly name: string;
  readonly found: FoundSkill;
  readonly commit: string | undefined;
  readonly merger: TextMerger;
  readonly request: UpdateRequest;
}

/** Merges what changed at the source into one skill and commits it, unless anything stands in the way. */
export async function updateSkill(parts: TransferParts, update: SkillUpdate): Promise<Updated> {
  const { name, origin, found, commit, request } = update;
  const { history } = parts;
  const result = (outcome: Updated['outcome'], rest: Omit<Updated, 'name' | 'outcome'> = {}): Updated => ({
    name,
    outcome,
    source: origin.source,
    ...rest,
  });
  const theirs = renamed(found.folder, name);
  if (digestOf(theirs) === origin.tree) return result('unchanged');
  const { folder: ours, dirty } = await history.standing(name);
  if (dirty.length > 0)
    return result('dirty', {
      reason: `it has uncommitted edits in ${dirty.join(', ')}; commit or undo them first`,
    });
  if (ours === undefined) return result('failed', { reason: 'its files are gone' });
  const merged = await merge(parts, update, { ours, theirs });
  if (merged.kind === 'conflict') return result('conflict', { conflicts: merged.conflicts });
  const target = merged.folder;
  if (equalFolders(target, ours)) return result('unchanged');
  const files = changedFiles(ours, target);
  const gate = await gateImport(parts, { name, candidate: target, base: ours, allow: request.allow });
  if (gate.verdict !== 'pass') return result('refused', { reason: 'the gate refuses it', gate, files });
  const from = versionIn(ours);
  const to = versionIn(target) ?? UNNUMBERED;
  const numbers = { ...(from === undefined ? {} : { from }), to };
  if (request.dryRun) return result('would-update', { ...numbers, files, gate });
  const overrides = usedOverrides(gate, request.allow);
  const outcome = await history.commit({
    skill: name,
    base: ours,
    target,
    ...numbers,
    what: `update from ${origin.source}${origin.ref === undefined ? '' : `#${origin.ref}`}`,
    why: 'asked for by the user',
    actor: 'import',
    sessions: [],
    operations: [],
    gate: passLine(gate),
    overrides,
    origin: {
      source: origin.source,
      ...(origin.ref === undefined ? {} : { ref: origin.ref }),
      ...(commit === undefined ? {} : { commit }),
      path: found.path,
      name: found.name,
      tree: digestOf(theirs),
    },
    taken: theirs,
  });
  if (outcome.kind === 'unchanged') return result('unchanged');
  if (outcome.kind !== 'committed') return result('failed', { reason: whyNot(outcome) });
  for (const { rule, why } of overrides) await parts.keepOverride(name, rule, why);
  return result('updated', { ...numbers, sha: outcome.revision.sha, files, gate });
}

/** Numbers that were counted up here get one above both sides first, so that they are no conflict. */
async function merge(
  { history }: TransferParts,
  { name, merger, request: { prefer } }: SkillUpdate,
  { ours, theirs }: { ours: Folder; theirs: Folder },
): Promise<FolderMerge> {
  const base = (await history.origin(name))?.base;
  const counted = base !== undefined && versionIn(ours) !== versionIn(base);
  if (!counted) return mergeFolders({ base, ours, theirs }, merger, prefer);
  const number = higherVersion(await history.nextVersion(name, 'patch'), versionIn(theirs));
  const merged = await mergeFolders(
    {
      base: withVersion(base, number),
      ours: withVersion(ours, number),
      theirs: withVersion(theirs, number),
    },
    merger,
    prefer,
  );
  // Nothing but the number would change.
  const isOnlyNumber = merged.kind === 'merged' && equalFolders(merged.folder, withVersion(ours, number));
  return isOnlyNumber ? { kind: 'merged', folder: ours } : merged;
}

function changedFiles(before: Folder, after: Folder): string[] {
  const one = (folder: Folder, path: string): Folder => {
    const file = folder.get(path);
    return new Map(file === undefined ? [] : [[path, file]]);
  };
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((path) => !equalFolders(one(before, path), one(after, path)))
    .sort((left, right) => (left < right ? -1 : 1));
}
