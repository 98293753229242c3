import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type Folder, readFolder, textFile } from '../../src/files/folder.ts';
import { type Draft, parseDraft } from '../../src/gate/draft.ts';
import { fillIn } from './fill-in.ts';

/** The half of the corpus that the gate may be mended by, and the one that is kept back. */
export type Half = 'open' | 'sealed';

/** One draft of the corpus, and what is known of it. */
export interface GateCase {
  /** `<session>/<case>`. */
  readonly id: string;
  /** `sound`, or the kind of defect. */
  readonly kind: string;
  /** Whether the draft alone and the skill show the defect, or only the session does; absent for sound drafts. */
  readonly shows?: 'draft' | 'session';
  /** The sound draft that it was made of by one change. */
  readonly of?: string;
  /** What is wrong, a sentence; absent for sound drafts. */
  readonly wrong?: string;
  readonly draft: Draft;
}

/** A half of the corpus, in the order of its files. */
export interface Corpus {
  readonly cases: readonly GateCase[];
  /** Absolute files of the sessions, by name. */
  readonly sessions: ReadonlyMap<string, string>;
  /** The skills that drafts change, and others that stand beside them. */
  readonly skills: ReadonlyMap<string, Folder>;
}

/** Which session a case belongs to. */
export function sessionOf({ id }: Pick<GateCase, 'id'>): string {
  return id.slice(0, id.indexOf('/'));
}

/** Reads a half of the corpus beside this file. Throws on a draft that does not have the form of one. */
export async function readCorpus(half: Half): Promise<Corpus> {
  const home = import.meta.dirname;
  const root = half === 'open' ? home : join(home, 'sealed');
  const names = (await readdir(join(root, 'cases'))).filter((file) => file.endsWith('.jsonl')).sort();
  const cases: GateCase[] = [];
  for (const file of names) {
    for (const line of await linesOf(join(root, 'cases', file))) cases.push(readCase(line));
  }
  const skills = new Map<string, Folder>();
  for (const line of await linesOf(join(home, 'library.jsonl'))) {
    const skill = JSON.parse(line) as LibrarySkill;
    skills.set(skill.name, folderOf(skill));
  }
  for (const name of (await readdir(join(root, 'skills'))).sort())
    skills.set(name, await readFolder(join(root, 'skills', name)));
  return {
    cases,
    sessions: new Map(names.map((file) => [basename(file, '.jsonl'), join(root, 'sessions', file)])),
    skills,
  };
}

async function linesOf(file: string): Promise<string[]> {
  return (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
}

function readCase(line: string): GateCase {
  const { draft, ...rest } = JSON.parse(fillIn(line)) as Omit<GateCase, 'draft'> & { draft: unknown };
  const parsed = parseDraft(JSON.stringify(draft));
  if ('faults' in parsed) throw new Error(`${rest.id} holds no draft: ${parsed.faults.join('; ')}`);
  return { ...rest, draft: parsed.draft };
}

interface LibrarySkill {
  readonly name: string;
  readonly description: string;
  readonly rules: readonly string[];
  readonly queries: readonly string[];
}

function folderOf({ name, description, rules, queries }: LibrarySkill): Folder {
  const title = name.replaceAll('-', ' ');
  const text = `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\nmetadata:\n  version: "1.0.0"\n---\n\n# ${title}\n\n${rules.map((rule) => `- ${rule}`).join('\n')}\n`;
  const triggers = queries.map((query) => ({ query, should_trigger: true }));
  return new Map([
    ['SKILL.md', textFile(text)],
    ['evals/triggers.json', textFile(`${JSON.stringify(triggers, undefined, 2)}\n`)],
  ]);
}
