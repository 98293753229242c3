import type { Library, LibraryChange, SkillRoot } from '../library.ts';
import { type LibraryOptions, openLibrary } from '../open-library.ts';

/**
 * A library whose roots may come and go, as those of a project do that is trusted, or that changed since it was: they
 * are asked for again at every `refresh`, and what is no longer a root is out of the library before anything answers.
 */
export async function openChangingLibrary(
  rootsNow: () => readonly SkillRoot[],
  options: Omit<LibraryOptions, 'roots'>,
): Promise<Library> {
  let current = await openLibrary({ ...options, roots: rootsNow() });
  let refreshing: Promise<unknown> = Promise.resolve();

  async function refreshed(): Promise<LibraryChange[]> {
    const roots = rootsNow();
    if (sameRoots(roots, current.roots)) return current.refresh();
    const next = await openLibrary({ ...options, roots });
    const changes = changesBetween(current, next);
    current = next;
    for (const { name, from = 'new', to = 'removed' } of changes)
      options.log?.(`reloaded ${name} ${from} → ${to}`);
    return changes;
  }

  return {
    get roots() {
      return current.roots;
    },
    get entries() {
      return current.entries;
    },
    get skills() {
      return current.skills;
    },
    get problems() {
      return current.problems;
    },
    find: (name) => current.find(name),
    rootOf: (skill) => current.rootOf(skill),
    search: (query, searchOptions) => current.search(query, searchOptions),
    edges: (name) => current.edges(name),
    related: (name) => current.related(name),
    suggest: (name) => current.suggest(name),
    with: (skills, without) => current.with(skills, without),
    refresh() {
      const next = refreshing.then(refreshed);
      refreshing = next.catch(() => undefined);
      return next;
    },
  };
}

function sameRoots(left: readonly SkillRoot[], right: readonly SkillRoot[]): boolean {
  const keys = (roots: readonly SkillRoot[]) => roots.map(({ name, dir }) => `${name}\0${dir}`).join('\n');
  return keys(left) === keys(right);
}

function changesBetween(before: Library, after: Library): LibraryChange[] {
  const states = ({ skills }: Library) =>
    new Map(
      skills.map(({ name, contentHash, version }) => [
        name,
        { contentHash, label: version ?? contentHash.slice(0, 8) },
      ]),
    );
  const [old, present] = [states(before), states(after)];
  return [...new Set([...old.keys(), ...present.keys()])].flatMap((name): LibraryChange[] => {
    const [was, is] = [old.get(name), present.get(name)];
    if (is === undefined) return was === undefined ? [] : [{ name, kind: 'removed', from: was.label }];
    if (was === undefined) return [{ name, kind: 'added', to: is.label }];
    return was.contentHash === is.contentHash
      ? []
      : [{ name, kind: 'changed', from: was.label, to: is.label }];
  });
}
