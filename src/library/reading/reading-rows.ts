import { dirname } from 'node:path';
import type { Skill } from '../../skill/skill.ts';
import { type KeptSource, type KeptText, problemsIn, withKeptTexts } from './kept-bodies.ts';
import type { KnownFolder, KnownReading } from './reading-cache.ts';
import type { Stamp } from './stamps.ts';

/**
 * The texts of what is kept, a list for each kind, in the order of the files: of ten thousand files, a list for each file
 * would be most of what a start makes. A file that was refused has no name and none of what comes with it.
 */
export interface ReadingTexts {
  readonly paths: readonly string[];
  readonly beside: readonly (readonly string[] | 0)[];
  readonly names: readonly (string | 0)[];
  readonly descriptions: readonly string[];
  readonly hashes: readonly string[];
  /** What skills have beyond that. */
  readonly more: readonly (Partial<Skill> | 0)[];
}

/** What `readingsOf` reads; problems, headings and bodies lie elsewhere, each kind one after the other. */
export interface KeptRows {
  readonly texts: ReadingTexts;
  /** Of each file: stamp of the folder, whether the skill is strict, those that `KeptTexts` tells of, how many its signature has, and these. */
  readonly numbers: readonly number[];
}

const NONE: readonly never[] = Object.freeze([]);
/** What a skill has that says nothing. */
const PLAIN = {
  tags: NONE,
  weakTags: NONE,
  relatedSkills: NONE,
  aliases: NONE,
  allowedTools: NONE,
  userOnly: false,
  salvaged: false,
  tools: NONE,
  tests: NONE,
  triggers: NONE,
} satisfies Partial<Skill>;
/** In place of a folder's stamp where nothing is known of it. */
const UNKNOWN: Stamp = [-1, -1, -1, -1];
const NO_TEXT: KeptText = { length: 0, checksum: 0 };
/** Numbers of a folder's stamp. */
const FOLDER = 4;
/** Numbers of a file before its signature. */
const FIRST = 11;

/** The rows of readings; their texts are what `keepText` was given, their problems what `keepProblems` was given, in order. */
export function rowsOf(
  readings: readonly (readonly [path: string, known: KnownReading])[],
  keepProblems: (json: string) => number,
  keepText: (text: string) => KeptText,
): KeptRows {
  const numbers: number[] = [];
  const more: (Partial<Skill> | 0)[] = [];
  for (const [, { signature, reading, folder }] of readings) {
    const skill = reading.kind === 'loaded' ? reading.skill : undefined;
    const { problems } = reading.kind === 'loaded' ? reading.skill : reading;
    const length = problems.length === 0 ? 0 : keepProblems(JSON.stringify(problems));
    const headings = skill === undefined ? NO_TEXT : keepText(JSON.stringify(skill.headings));
    const body = skill === undefined ? NO_TEXT : keepText(skill.body);
    numbers.push(...(folder?.stamp ?? UNKNOWN), Number(skill?.strict ?? false), length);
    numbers.push(headings.length, headings.checksum, body.length, body.checksum);
    numbers.push(signature.length, ...signature);
    more.push(skill === undefined ? 0 : moreOf(skill));
  }
  const skills = readings.map(([, { reading }]) => (reading.kind === 'loaded' ? reading.skill : undefined));
  const texts = {
    paths: readings.map(([path]) => path),
    beside: readings.map(([, { folder }]) =>
      folder === undefined || folder.beside.length === 0 ? 0 : folder.beside,
    ),
    names: skills.map((skill) => skill?.name ?? 0),
    descriptions: skills.map((skill) => skill?.description ?? ''),
    hashes: skills.map((skill) => skill?.contentHash ?? ''),
    more,
  } satisfies ReadingTexts;
  return { texts, numbers };
}

function moreOf(skill: Skill): Partial<Skill> | 0 {
  const {
    name: _,
    description: __,
    contentHash: ___,
    strict: ____,
    body: _____,
    headings: ______,
    dir: _______,
    path: ________,
    problems: _________,
    ...rest
  } = skill;
  const more = Object.entries(rest).filter(([key, value]) => !isPlain(key, value));
  return more.length === 0 ? 0 : Object.fromEntries(more);
}

function isPlain(key: string, value: unknown): boolean {
  return key in PLAIN && (value === false || (Array.isArray(value) && value.length === 0));
}

/** What the rows say, by path. `start` is where headings and bodies begin in the file, in bytes. */
export function readingsOf(
  { paths, beside, names, descriptions, hashes, more }: ReadingTexts,
  from: KeptSource,
  start: number,
): Map<string, KnownReading> {
  const { numbers } = from;
  const readings = new Map<string, KnownReading>();
  let at = 0;
  let text = start;
  let problem = 0;
  for (let row = 0; row < paths.length; row += 1) {
    const path = paths[row] ?? '';
    const name = names[row] ?? 0;
    const places = at + FOLDER + 1;
    const signature = numbersIn(numbers, at + FIRST, numbers[at + FIRST - 1] ?? 0);
    const folder = folderIn(numbers, at, beside[row] ?? 0);
    const length = numbers[places] ?? 0;
    if (name === 0) {
      const problems = problemsIn(from.problems, problem, length);
      readings.set(path, { signature, folder, reading: { kind: 'refused', path, problems } });
    } else {
      const skill = {
        name,
        description: descriptions[row] ?? '',
        dir: dirname(path),
        path,
        contentHash: hashes[row] ?? '',
        strict: numbers[at + FOLDER] === 1,
        // Those of `PLAIN`; copying them from there takes longer.
        tags: NONE,
        weakTags: NONE,
        relatedSkills: NONE,
        aliases: NONE,
        allowedTools: NONE,
        userOnly: false,
        salvaged: false,
        tools: NONE,
        tests: NONE,
        triggers: NONE,
      };
      const others = more[row] ?? 0;
      if (others !== 0) Object.assign(skill, others);
      const kept = withKeptTexts(skill, { from, places, text, problem });
      readings.set(path, { signature, folder, reading: { kind: 'loaded', skill: kept } });
    }
    text += (numbers[places + 1] ?? 0) + (numbers[places + 3] ?? 0);
    problem += length;
    at += FIRST + signature.length;
  }
  return readings;
}

function folderIn(numbers: Float64Array, at: number, beside: readonly string[] | 0): KnownFolder | undefined {
  const stamp = numbersIn(numbers, at, FOLDER);
  return stamp[0] === UNKNOWN[0] ? undefined : { stamp, beside: beside === 0 ? NONE : beside };
}

function numbersIn(numbers: Float64Array, at: number, length: number): Stamp {
  const found = [numbers[at] ?? 0, numbers[at + 1] ?? 0, numbers[at + 2] ?? 0, numbers[at + 3] ?? 0];
  for (let next = found.length; next < length; next += 1) found.push(numbers[at + next] ?? 0);
  return found;
}
