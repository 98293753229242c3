import { createHash } from 'node:crypto';
import type { Skill } from '../skill/skill.ts';
import { counted } from '../text/counted.ts';
import type { LibraryChange, LibraryEntry } from './library.ts';

/** What is compared of two states of a library. */
interface Listing {
  readonly skills: readonly Skill[];
  readonly entries: readonly LibraryEntry[];
}

/** The skills that came, went or are other ones now; of what reads as it did nothing is said. */
export function changesBetween(before: Listing, after: Listing): LibraryChange[] {
  if (before === after) return [];
  const old = new Map(before.skills.map((skill) => [skill.name, skill]));
  const present = new Set(after.skills.map((skill) => skill.name));
  const changed = after.skills.flatMap((skill): LibraryChange[] => {
    const { name } = skill;
    const was = old.get(name);
    if (was === undefined) return [{ name, kind: 'added', to: labelOf(skill) }];
    if (was === skill) return [];
    const labels = labelsOf(was, skill);
    return labels === undefined ? [] : [{ name, kind: 'changed', from: labels[0], to: labels[1] }];
  });
  const removed = before.skills
    .filter((skill) => !present.has(skill.name))
    .map((skill): LibraryChange => ({ name: skill.name, kind: 'removed', from: labelOf(skill) }));
  return [...changed, ...removed];
}

/** Changes, or faults, of one look that have a line each. */
const MOST_LINES = 10;

/** A line for each change, and of many one that counts the others by kind. */
export function changeLines(changes: readonly LibraryChange[]): string[] {
  const lines = changes
    .slice(0, MOST_LINES)
    .map(({ name, from = 'new', to = 'removed' }) => `reloaded ${name} ${from} → ${to}`);
  const others = changes.slice(MOST_LINES);
  if (others.length === 0) return lines;
  const kinds = [
    ['added', 'new'],
    ['changed', 'changed'],
    ['removed', 'removed'],
  ].flatMap(([kind, word]) => {
    const count = others.filter((change) => change.kind === kind).length;
    return count === 0 ? [] : [`${count} ${word}`];
  });
  return [...lines, `and ${others.length} more: ${kinds.join(', ')}`];
}

/** The same of faults. */
export function faultLines(faults: readonly string[]): string[] {
  const more = faults.length - MOST_LINES;
  return more <= 0
    ? [...faults]
    : [...faults.slice(0, MOST_LINES), `and ${counted(more, 'other is', 'others are')} broken now`];
}

/** What went wrong with skills that stay in service as they last were, and had not before: one line each. */
export function newFaults(before: Listing, after: Listing): string[] {
  if (before === after) return [];
  const known = new Set(faultsIn(before));
  return faultsIn(after).filter((fault) => !known.has(fault));
}

function faultsIn({ entries }: Listing): string[] {
  return entries.flatMap((entry) =>
    entry.state === 'refused' || entry.problem === undefined ? [] : [entry.problem.message],
  );
}

/** What tells two versions apart, the shortest that does; undefined where nothing does. */
function labelsOf(was: Skill, is: Skill): readonly [from: string, to: string] | undefined {
  // The path last: a file may be called SKILL.md in other letters, in a folder that stays.
  const labels = [labelOf, numberedHash, hashWithFiles, ({ dir }: Skill) => dir, ({ path }: Skill) => path];
  for (const label of labels) {
    const [from, to] = [label(was), label(is)];
    if (from !== to) return [from, to];
  }
  return undefined;
}

function labelOf({ version, contentHash }: Skill): string {
  return version ?? contentHash.slice(0, 8);
}

function numberedHash({ version, contentHash }: Skill): string {
  return numbered(version, contentHash.slice(0, 8));
}

/** Of all that was read of a skill, the files beside `SKILL.md` too. */
function hashWithFiles({ version, contentHash, tools, tests, triggers }: Skill): string {
  const read = JSON.stringify([contentHash, tools, tests, triggers]);
  return numbered(version, createHash('sha256').update(read).digest('hex').slice(0, 8));
}

function numbered(version: string | undefined, hash: string): string {
  return version === undefined ? hash : `${version} (${hash})`;
}
