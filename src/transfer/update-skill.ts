import { equalFolders, type Folder } from '../files/folder.ts';
import { keepingNames } from '../history/other-names.ts';
import { UNNUMBERED } from '../history/records.ts';
import type { Origin } from '../history/revision.ts';
import { digestOf } from '../history/tree.ts';
import { higherVersion } from '../history/versions.ts';
import type { FoundSkill } from './find.ts';
import { gateImport, passLine, usedOverrides } from './import-gate.ts';
import { whyRefused } from './judge-decisions.ts';
import type { Judging } from './judging.ts';
import { keepOverrides } from './keep-overrides.ts';
import { type FolderMerge, mergeFolders } from './merge-folders.ts';
import type { TextMerger } from './merge-text.ts';
import { numberIn, versionIn, withVersion, withVersions } from './merge-versions.ts';
import type { TransferParts } from './parts.ts';
import { renamed } from './rename.ts';
import type { Updated, UpdateRequest } from './update.ts';
import { isThereNow, whyNot } from './why-not.ts';

interface SkillUpdate {
  readonly origin: Origin;
  readonly name: string;
  readonly found: FoundSkill;
  readonly commit: string | undefined;
  readonly merger: TextMerger;
  readonly request: UpdateRequest;
  readonly judging: Judging;
}

/** Merges what changed at the source into one skill and commits it, unless anything stands in the way. */
export async function updateSkill(parts: TransferParts, update: SkillUpdate): Promise<Updated> {
  const { name, origin, found, request } = update;
  const { history } = parts;
  const result = (outcome: Updated['outcome'], rest: Omit<Updated, 'name' | 'outcome'> = {}): Updated => ({
    name,
    outcome,
    source: origin.source,
    ...rest,
  });
  const theirs = renamed(found.folder, name);
  if (digestOf(theirs) === origin.tree)
    return result(
      'unchanged',
      request.to === undefined
        ? {}
        : { reason: `at ${request.to} it is as it was taken over, so there is nothing to write down` },
    );
  const { folder: ours, dirty, blocked } = await history.standing(name);
  if (blocked !== undefined) return result('failed', { reason: blocked });
  if (dirty.length > 0)
    return result('dirty', {
      reason: `it has uncommitted edits in ${dirty.join(', ')}; commit or undo them first`,
    });
  if (ours === undefined) return result('failed', { reason: 'its files are gone' });
  const merged = await merge(parts, update, { ours, theirs });
  if (merged.kind === 'conflict') return result('conflict', { conflicts: merged.conflicts });
  // A skill that was retired is found by a name that the source knows nothing of.
  const target = await keepingNames(history, name, { before: ours, after: merged.folder });
  if (equalFolders(target, ours)) return keepOurs(parts, update, { ours, theirs });
  const files = changedFiles(ours, target);
  const change = { name, candidate: target, base: ours, allow: request.allow };
  const checked = await gateImport(parts, change);
  const gate =
    checked.verdict === 'pass'
      ? await update.judging.judge({ ...change, source: origin.source }, checked)
      : checked;
  if (gate.verdict !== 'pass') return result('refused', { reason: whyRefused(gate), gate, files });
  const from = versionIn(ours);
  const to = merged.number;
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
    origin: originOf(update, theirs),
    taken: theirs,
  });
  if (outcome.kind === 'unchanged' || isThereNow(outcome, target)) return result('unchanged');
  if (outcome.kind !== 'committed') return result('failed', { reason: whyNot(name, outcome) });
  const unkept = await keepOverrides(parts, name, overrides);
  return result('updated', { ...numbers, sha: outcome.revision.sha, files, gate, ...unkept });
}

/**
 * Nothing of the source is taken. With `ours` that is kept, as a commit with a new number alone, and the source is silent
 * until it changes again.
 */
async function keepOurs(
  { history }: TransferParts,
  update: SkillUpdate,
  { ours, theirs }: { ours: Folder; theirs: Folder },
): Promise<Updated> {
  const { name, origin, request } = update;
  const result = { name, source: origin.source };
  // Another process took it over since the origins were read.
  if ((await history.origin(name))?.origin.tree === digestOf(theirs))
    return { ...result, outcome: 'unchanged' };
  if (request.prefer !== 'ours')
    return {
      ...result,
      outcome: 'unchanged',
      reason: 'it holds all that is new at the source already; --ours writes that down',
    };
  const from = versionIn(ours);
  const to = await nextNumber(history, name, theirs);
  const target = withVersion(ours, to);
  if (equalFolders(target, ours))
    return {
      ...result,
      outcome: 'failed',
      reason: `that yours is kept is written down with a new version, and the front matter of its SKILL.md cannot be edited; knack skills validate ${name} says why`,
    };
  const numbers = { ...(from === undefined ? {} : { from }), to };
  const files = changedFiles(ours, target);
  if (request.dryRun) return { ...result, outcome: 'would-keep', ...numbers, files };
  const outcome = await history.commit({
    skill: name,
    base: ours,
    target,
    ...numbers,
    what: `keep ours against ${origin.source}${origin.ref === undefined ? '' : `#${origin.ref}`}`,
    why: 'asked for by the user',
    actor: 'import',
    sessions: [],
    operations: [],
    origin: originOf(update, theirs),
    taken: theirs,
  });
  if (outcome.kind === 'unchanged' || isThereNow(outcome, target)) return { ...result, outcome: 'unchanged' };
  if (outcome.kind !== 'committed') return { ...result, outcome: 'failed', reason: whyNot(name, outcome) };
  return { ...result, outcome: 'kept', ...numbers, sha: outcome.revision.sha, files };
}

/** Where the files of the source come from that count as taken over from now on. */
function originOf({ origin, found, commit }: SkillUpdate, theirs: Folder): Origin {
  const version = numberIn(theirs);
  return {
    source: origin.source,
    ...(origin.ref === undefined ? {} : { ref: origin.ref }),
    ...(commit === undefined ? {} : { commit }),
    path: found.path,
    name: found.name,
    ...(version === undefined ? {} : { version }),
    tree: digestOf(theirs),
  };
}

type Merge = Exclude<FolderMerge, { kind: 'merged' }> | { kind: 'merged'; folder: Folder; number: string };

/**
 * All three sides get the number of the new revision first, so that no number is a conflict. Yours as it is, where nothing
 * else would change: a number of the source alone counts where yours was never counted up.
 */
async function merge(
  { history }: TransferParts,
  { name, merger, request: { prefer } }: SkillUpdate,
  { ours, theirs }: { ours: Folder; theirs: Folder },
): Promise<Merge> {
  const base = (await history.origin(name))?.base;
  const number = await nextNumber(history, name, theirs);
  // Where yours has none, a line for it would move those that a conflict names.
  const numberedAs = versionIn(ours) === undefined ? withVersions : withVersion;
  const numbered = withVersions(ours, number);
  const merged = await mergeFolders(
    {
      base: base === undefined ? undefined : numberedAs(base, number),
      ours: numbered,
      theirs: numberedAs(theirs, number),
    },
    merger,
    prefer,
  );
  if (merged.kind === 'conflict') return merged;
  const isCountedUp = base !== undefined && versionIn(ours) !== versionIn(base);
  if (equalFolders(merged.folder, numbered) && (isCountedUp || number !== versionIn(theirs)))
    return { kind: 'merged', folder: ours, number };
  const folder = withVersion(merged.folder, number);
  // What cannot be edited keeps a number that may be an earlier one's, and goes by its commit.
  return { kind: 'merged', folder, number: versionIn(folder) === number ? number : UNNUMBERED };
}

/** The source's own number where it is above all that were used here, else the next above those. */
async function nextNumber(history: TransferParts['history'], name: string, theirs: Folder): Promise<string> {
  const next = await history.nextVersion(name, 'patch');
  const there = numberIn(theirs);
  return there !== undefined && higherVersion(next, there) !== next ? there : next;
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
