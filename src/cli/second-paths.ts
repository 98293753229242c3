import type { Problem } from '../errors.ts';
import type { Library, LibraryEntry, SkillRoot } from '../library/library.ts';
import { type Discovery, discoverSkills } from '../library/reading/discover.ts';
import { distinctRoots } from '../library/reading/distinct-roots.ts';
import { isInside, listFolder, skillFileOf, targetOf, within } from '../library/reading/folder-entries.ts';
import { counted } from '../text/counted.ts';

/** A path by which nothing is found that is not found by another one. */
export interface SecondPath {
  /** Of the skill where it leads to one that has a name. */
  readonly name: string;
  readonly root: SkillRoot;
  /** Of a `SKILL.md`, or of a link to a folder of several. */
  readonly path: string;
  /** Says what it leads to. */
  readonly why: string;
}

/**
 * The links, and the roots within others, that lead to skills which are read by another path; and a remark for each root
 * that leads to the very folder of another one. A look at all folders, for who asks for what is not used.
 */
export function secondPaths(library: Pick<Library, 'roots' | 'entries'>): {
  skills: SecondPath[];
  problems: Problem[];
} {
  const shown = new Set(library.entries.map(pathOf));
  const entries = new Map(library.entries.map((entry) => [realOf(pathOf(entry)), entry]));
  const { roots, again } = distinctRoots(library.roots);

  function fileAt(root: SkillRoot, path: string, real: string): SecondPath[] {
    const entry = entries.get(real);
    if (entry === undefined || shown.has(path)) return [];
    shown.add(path);
    const name = entry.state === 'refused' ? '-' : entry.skill.name;
    return [{ name, root, path, why: `the same file as ${pathOf(entry)}` }];
  }

  function folderAt(root: SkillRoot, path: string, real: string): SecondPath[] {
    const file = skillFileOf(listFolder(real).entries);
    if (file !== undefined) return fileAt(root, within(path, file.name), realOf(within(real, file.name)));
    const count = [...entries.keys()].filter((each) => isInside(real, each)).length;
    if (count === 0) return [];
    const skills = counted(count, 'SKILL.md is', 'SKILL.md are');
    return [{ name: '-', root, path, why: `leads to ${real}, whose ${skills} found by another path` }];
  }

  return {
    skills: roots.flatMap((root) => {
      const found = discovered(root);
      return [
        ...found.files.flatMap(({ path, real }) => fileAt(root, path, real)),
        ...found.again.flatMap(({ path, real }) =>
          targetOf(real).kind === 'file' ? fileAt(root, path, real) : folderAt(root, path, real),
        ),
      ];
    }),
    problems: again.map(({ root, as }) => ({
      rule: 'same-root',
      severity: 'info',
      message: `the root ${root.name}, ${root.dir}, leads to the folder of the root ${as.name}, ${as.dir}, and is read once`,
    })),
  };
}

function discovered(root: SkillRoot): Pick<Discovery, 'files' | 'again'> {
  return targetOf(root.dir).kind === 'folder' ? discoverSkills(root.dir) : { files: [], again: [] };
}

function pathOf(entry: LibraryEntry): string {
  return entry.state === 'refused' ? entry.path : entry.skill.path;
}

function realOf(path: string): string {
  const target = targetOf(path);
  return 'real' in target ? target.real : path;
}
