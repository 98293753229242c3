import type { Revision } from './revision.ts';

/** What a commit says that takes a skill over from a root that is only read. */
export function copyLine(root: string): string {
  return `copy from the root ${root}`;
}

/** The root that the newest of these revisions which is a copy was taken over from. */
export function copiedFrom(revisions: readonly Pick<Revision, 'actor' | 'what'>[]): string | undefined {
  for (const { actor, what } of revisions) {
    const [, root] = /^copy from the root (.+)$/.exec(what) ?? [];
    if (actor === 'import' && root !== undefined) return root;
  }
  return undefined;
}
