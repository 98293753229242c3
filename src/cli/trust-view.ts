import { relative, sep } from 'node:path';
import type { ProjectContent } from '../library/project/project-content.ts';
import type { ProjectPlace } from '../library/project/project-places.ts';
import { parseSkill } from '../skill/parse.ts';
import { counted } from '../text/counted.ts';
import { clip } from './output.ts';
import { inOneLine } from './project-notes.ts';

/** What of a place would come into force, for a person who decides about it. */
export interface TrustView {
  readonly dir: string;
  readonly skills: readonly TrustedSkill[];
  /** Relative to the place. */
  readonly roots: readonly string[];
  readonly servers: readonly {
    readonly name: string;
    readonly settings: Readonly<Record<string, unknown>>;
  }[];
  readonly files: number;
  readonly faults: readonly string[];
  readonly notes: readonly string[];
}

interface TrustedSkill {
  readonly name: string;
  /** Relative to the place. */
  readonly path: string;
  readonly description: string;
  /** What could be run, relative to the skill's folder. */
  readonly runs: readonly string[];
  /** Why it would not be used. */
  readonly refused?: string;
}

const MOST_FAULTS = 10;
const LONGEST = 300;

/** Gathers what was read of a place; the skills are parsed from the very bytes that were hashed. */
export function trustViewOf({ dir }: ProjectPlace, content: ProjectContent): TrustView {
  const nameOf = (path: string) => relative(dir, path).split(sep).join('/') || '.';
  const folders = new Set(
    [...content.skillFiles.keys()].map((path) => nameOf(path).replace(/\/?[^/]*$/, '')),
  );
  const skills = [...content.skillFiles].flatMap(([path, bytes]): TrustedSkill[] => {
    const file = nameOf(path);
    const folder = file.replace(/\/?[^/]*$/, '');
    // What lies below a skill is a part of it.
    if (parentsOf(folder).some((parent) => folders.has(parent))) return [];
    const runs = [...content.files].flatMap(([name, hash]) =>
      name.startsWith(`${folder}/`) && isRunnable(name.slice(folder.length), hash)
        ? [name.slice(folder.length + 1)]
        : [],
    );
    const reading = parseSkill({ path, bytes });
    return [
      reading.kind === 'loaded'
        ? { name: reading.skill.name, path: file, description: reading.skill.description, runs }
        : {
            name: folder.split('/').at(-1) ?? folder,
            path: file,
            description: '',
            runs,
            refused: reading.problems[0]?.message ?? 'it cannot be read',
          },
    ];
  });
  return {
    dir,
    skills,
    roots: content.roots.map((root) => nameOf(root.dir)),
    servers: content.servers,
    files: content.files.size,
    faults: content.faults,
    notes: content.notes,
  };
}

/** The view as lines; every text of the checkout behind a bar, on one line, with what does not show written out. */
export function trustLines(view: TrustView): string[] {
  const faults = view.faults.slice(0, MOST_FAULTS);
  return [
    `${inOneLine(view.dir)} (${counted(view.files, 'file')})`,
    ...view.roots.map((root) => `  skills in ${inOneLine(root)}`),
    ...view.skills.flatMap(skillLines),
    ...view.servers.map(({ name, settings }) => `  │ server ${cut(name)}: ${cut(JSON.stringify(settings))}`),
    ...view.notes.map((note) => `  note: ${inOneLine(note)}`),
    ...faults.map((fault) => `  fault: ${inOneLine(fault)}`),
    ...(view.faults.length > faults.length
      ? [`  fault: and ${view.faults.length - faults.length} more`]
      : []),
  ];
}

function skillLines({ name, path, description, runs, refused }: TrustedSkill): string[] {
  return [
    refused === undefined
      ? `  │ ${cut(name)}: ${cut(description)}`
      : `  │ ${cut(path)} would not be used: ${cut(refused)}`,
    ...(runs.length === 0 ? [] : [`  │     can run ${cut(runs.join(', '))}`]),
  ];
}

function cut(text: string): string {
  return clip(inOneLine(text), LONGEST);
}

function isRunnable(path: string, hash: string): boolean {
  return hash.startsWith('x ') || /^\/(?:scripts\/|tools\.yaml$)/.test(path);
}

function parentsOf(folder: string): string[] {
  const parts = folder.split('/');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'));
}
