import type { Problem } from '../../errors.ts';
import type { SkillRoot } from '../library.ts';
import type { FoundProblem } from './found-problems.ts';
import { brokenNow } from './last-good.ts';
import type { FileState } from './read-roots.ts';
import { signatureOf } from './stamps.ts';

/** Places in a signature. */
const [SIZE, MODIFIED, NODE] = [0, 1, 3];

/**
 * The states of files that are in service and are no files now, by path: a folder stands in their place, or an editor has
 * moved them aside and the new version is not there yet. They stay in service as they last were. What was deleted, or
 * given another name than that of a backup, is gone.
 */
export function notFilesNow(
  root: SkillRoot,
  known: ReadonlyMap<string, object>,
  found: { readonly paths: ReadonlySet<string>; readonly refused: readonly FoundProblem[] },
): ReadonlyMap<string, FileState> {
  const kept = new Map<string, FileState>();
  const keep = (path: string, state: FileState, problem: Problem) => {
    const next = stillInService(path, state, problem);
    if (next !== undefined) kept.set(path, next);
  };
  const faults = new Map(found.refused.map(({ path, problem }) => [path, problem]));
  for (const [path, state] of known) {
    if (found.paths.has(path) || !isServedIn(root, state)) continue;
    const fault = faults.get(path);
    if (fault?.rule === 'not-a-file') keep(path, state, fault);
    else if (fault === undefined && isMovedAside(path, state))
      keep(path, state, {
        rule: 'moved-aside',
        severity: 'error',
        message: `it is ${path}~ now, as while an editor saves it`,
      });
  }
  return kept;
}

/** What an earlier process read belongs to no root, and was never served by this one. */
function isServedIn(root: SkillRoot, state: object): state is FileState {
  return 'root' in state && state.root === root;
}

/** The same file, under the name of a backup. */
function isMovedAside(path: string, { signature }: FileState): boolean {
  const aside = signatureOf(`${path}~`, [], undefined);
  // The time of a change is that of the renaming.
  return [SIZE, MODIFIED, NODE].every((at) => aside[at] === signature[at]);
}

/** `state` itself where nothing changed since. */
function stillInService(path: string, state: FileState, fault: Problem): FileState | undefined {
  const lastGood = state.lastGood ?? (state.reading.kind === 'loaded' ? state.reading.skill : undefined);
  if (lastGood === undefined) return undefined;
  const reading = { kind: 'refused' as const, path, problems: [fault] };
  const problem = brokenNow(reading, lastGood);
  if (problem === undefined || state.problem?.message === problem.message) return state;
  // With the stamps of the file that was there: another one has others.
  return { root: state.root, signature: state.signature, folder: undefined, reading, lastGood, problem };
}
