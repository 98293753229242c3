import { isAbsolute } from 'node:path';
import { knownProjectRoot, rootNameOf } from '../../known-roots.ts';
import type { SkillRoot } from '../library.ts';
import { type ProjectContent, type ProjectRoot, readProjectContent } from './project-content.ts';
import { findProjectPlaces, type ProjectPlace } from './project-places.ts';
import type { ProjectServer } from './project-settings.ts';
import { changesSince, type TrustChange, type TrustStore } from './trust.ts';

/** A place and whether what it holds is in force. */
export type PlaceState =
  | { readonly state: 'untrusted'; readonly place: ProjectPlace }
  | {
      /** It was trusted once, and is no longer what it was then. */
      readonly state: 'changed';
      readonly place: ProjectPlace;
      readonly changes: readonly TrustChange[];
      readonly faults: readonly string[];
    }
  | { readonly state: 'trusted'; readonly place: ProjectPlace; readonly content: ProjectContent };

/** The places around a working folder, nearest first. */
export interface Project {
  readonly places: readonly PlaceState[];
  /** Of trusted places alone, nearest first, each folder once. */
  readonly roots: readonly ProjectRoot[];
  /** Of trusted places alone, nearest first. */
  readonly servers: readonly ProjectServer[];
}

export interface ProjectOptions {
  /** Absolute; undefined where nobody works in a folder. */
  readonly cwd: string | undefined;
  readonly home: string;
  /** The writable root. */
  readonly workspace: string;
  /** Those of `knack.json`. */
  readonly roots: readonly string[];
  readonly trust: TrustStore;
}

/**
 * Looks at the places around `cwd` as they are now. A place without a record is not read at all; one with a record is
 * in force only if every byte is what it was when it was trusted.
 */
export function readProject({ cwd, trust, ...own }: ProjectOptions): Project {
  const found = cwd === undefined ? [] : placesAround(cwd, own);
  const places = found.map((place) => stateOf(place, trust));
  const contents = places.flatMap((each) => (each.state === 'trusted' ? [each.content] : []));
  const roots = new Map<string, ProjectRoot>();
  for (const root of contents.flatMap((content) => content.roots))
    if (!roots.has(root.dir)) roots.set(root.dir, root);
  return { places, roots: [...roots.values()], servers: contents.flatMap((content) => content.servers) };
}

/** The places around a folder, without what is a root by the user's own choice. */
export function placesAround(
  cwd: string,
  { home, workspace, roots = [] }: Pick<ProjectOptions, 'home'> & Partial<ProjectOptions>,
): ProjectPlace[] {
  const own = roots.filter((root) => isAbsolute(root));
  return findProjectPlaces(cwd, { home, except: workspace === undefined ? own : [workspace, ...own] });
}

/** Whether one place is in force as it is now. */
export function stateOf(place: ProjectPlace, trust: TrustStore): PlaceState {
  const record = trust.find(place.dir);
  if (record === undefined) return { state: 'untrusted', place };
  const content = readProjectContent(place);
  const changes = changesSince(record, content);
  const { faults } = content;
  return changes.length + faults.length === 0
    ? { state: 'trusted', place, content }
    : { state: 'changed', place, changes, faults };
}

/**
 * The roots of a library in order of precedence: the writable one; those of the trusted project, nearest first, as what
 * a project says is meant for the work at hand; those of `knack.json` in their order; the bundled ones. A name such as
 * `.claude/skills` in `knack.json` takes the folders of that name out of the project's place and to its own.
 */
export function orderRoots(
  { writable, bundled }: { readonly writable: string; readonly bundled: string },
  configured: readonly string[],
  project: readonly ProjectRoot[],
): SkillRoot[] {
  const names = new Set(['workspace', 'bundled']);
  const unique = (wanted: string) => {
    let name = wanted;
    for (let count = 2; names.has(name); count += 1) name = `${wanted}-${count}`;
    names.add(name);
    return name;
  };
  const named = new Set(configured.flatMap((path) => knownProjectRoot(path) ?? []));
  const ofProject = (roots: readonly ProjectRoot[]) =>
    roots.map(({ name, dir }) => ({ name: unique(`project/${name}`), dir, writable: false }));
  return [
    { name: 'workspace', dir: writable, writable: true },
    ...ofProject(project.filter(({ home }) => home === undefined || !named.has(home))),
    ...configured.flatMap((path) =>
      knownProjectRoot(path) === undefined
        ? [{ name: unique(rootNameOf(path)), dir: path, writable: false }]
        : ofProject(project.filter(({ home }) => home === knownProjectRoot(path))),
    ),
    { name: 'bundled', dir: bundled, writable: false },
  ];
}
