import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Library } from '../../src/library/library.ts';
import { type LibraryOptions, openLibrary } from '../../src/library/open-library.ts';
import { parseSkill } from '../../src/skill/parse.ts';
import type { Skill } from '../../src/skill/skill.ts';

export interface SkillFields {
  /** @default the folder's own name */
  readonly name?: string;
  readonly description?: string;
  readonly body?: string;
  /** Further lines of the front matter. */
  readonly more?: string;
}

/** A folder of skills in a temporary place, changed by the name of what is in it. */
export interface LibraryFolder {
  /** Absolute and real. */
  readonly dir: string;
  path(relative: string): string;
  /** Writes `folder/SKILL.md` in the strict form. */
  skill(folder: string, fields?: SkillFields): void;
  file(relative: string, content: string | Uint8Array): void;
  link(relative: string, target: string): void;
  hardLink(relative: string, target: string): void;
  remove(relative: string): void;
  /** As the writable root `workspace`, or with the given roots. */
  open(options?: Partial<LibraryOptions>): Promise<Library>;
}

export function libraryFolder(): LibraryFolder {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'knack-library-')));
  const path = (relative: string) => join(dir, relative);
  const file = (relative: string, content: string | Uint8Array) => {
    mkdirSync(dirname(path(relative)), { recursive: true });
    writeFileSync(path(relative), content);
  };
  return {
    dir,
    path,
    file,
    skill: (folder, fields) => file(join(folder, 'SKILL.md'), skillFileText(folder, fields)),
    link(relative, target) {
      mkdirSync(dirname(path(relative)), { recursive: true });
      symlinkSync(target, path(relative));
    },
    hardLink(relative, target) {
      mkdirSync(dirname(path(relative)), { recursive: true });
      linkSync(target, path(relative));
    },
    remove: (relative) => rmSync(path(relative), { recursive: true }),
    open: (options) => openLibrary({ roots: [{ name: 'workspace', dir, writable: true }], ...options }),
  };
}

/** A library of skills that are not on disk; keys are folders as for `LibraryFolder.skill`. */
export async function givenLibrary(skills: Readonly<Record<string, SkillFields>>): Promise<Library> {
  const roots = [{ name: 'given', dir: '/given', writable: true }];
  return (await openLibrary({ roots })).with(
    Object.entries(skills).map(([folder, fields]) => givenSkill(folder, fields)),
  );
}

function givenSkill(folder: string, fields: SkillFields): Skill {
  const bytes = new TextEncoder().encode(skillFileText(folder, fields));
  const reading = parseSkill({ path: `/given/${folder}/SKILL.md`, bytes });
  if (reading.kind === 'refused') throw new Error(JSON.stringify(reading.problems));
  return reading.skill;
}

function skillFileText(folder: string, fields: SkillFields = {}): string {
  const name = fields.name ?? folder.split('/').at(-1) ?? folder;
  const {
    description = `Does ${name}. Use when ${name} is wanted.`,
    body = `# ${name}\n`,
    more = '',
  } = fields;
  return `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n${more === '' ? '' : `${more}\n`}---\n\n${body}`;
}
