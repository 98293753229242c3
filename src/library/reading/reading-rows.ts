import { dirname } from 'node:path';
import type { Skill } from '../../skill/skill.ts';
import { type KeptText, type KeptTexts, type OpenFile, problemsIn, withKeptTexts } from './kept-bodies.ts';
import type { KnownReading } from './reading-cache.ts';

/**
 * What is kept of one file, without keys: of ten thousand files these are most of what a start would read. Problems,
 * headings and body lie elsewhere, each kind one after the other in the order of the rows; a file that was refused has
 * problems alone.
 */
export type ReadingRow = readonly [
  path: string,
  signature: string,
  /** Of the folder, as far as it is known. */
  stamp: string | 0,
  beside: readonly string[] | 0,
  skill: SkillRow | 0,
  /** Bytes. */
  problems: number,
];

type SkillRow = readonly [
  name: string,
  description: string,
  contentHash: string,
  strict: boolean,
  /** What it has beyond that. */
  more: Partial<Skill> | 0,
  headings: number,
  headingsChecksum: number,
  body: number,
  bodyChecksum: number,
];

/** Where the texts of the rows lie. */
export interface KeptPlaces {
  readonly problems: Buffer;
  readonly file: OpenFile;
  /** Where headings and bodies begin in the file, in bytes. */
  readonly start: number;
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

/** The row of a reading; its texts are what `keep` was given, the problems of a reading before the texts of its skill. */
export function rowOf(
  path: string,
  { signature, reading, folder }: KnownReading,
  keepProblems: (json: string) => number,
  keepText: (text: string) => KeptText,
): ReadingRow {
  const { problems } = reading.kind === 'loaded' ? reading.skill : reading;
  return [
    path,
    signature,
    folder === undefined ? 0 : folder.stamp,
    folder === undefined || folder.beside.length === 0 ? 0 : folder.beside,
    reading.kind === 'loaded' ? skillRow(reading.skill, keepText) : 0,
    problems.length === 0 ? 0 : keepProblems(JSON.stringify(problems)),
  ];
}

function skillRow(skill: Skill, keepText: (text: string) => KeptText): SkillRow {
  const {
    name,
    description,
    contentHash,
    strict,
    body,
    headings,
    dir: _,
    path: __,
    problems: ___,
    ...rest
  } = skill;
  const more = Object.entries(rest).filter(([key, value]) => !isPlain(key, value));
  const keptHeadings = keepText(JSON.stringify(headings));
  const keptBody = keepText(body);
  return [
    name,
    description,
    contentHash,
    strict,
    more.length === 0 ? 0 : Object.fromEntries(more),
    keptHeadings.length,
    keptHeadings.checksum,
    keptBody.length,
    keptBody.checksum,
  ];
}

function isPlain(key: string, value: unknown): boolean {
  return key in PLAIN && (value === false || (Array.isArray(value) && value.length === 0));
}

/** What the rows say, by path. */
export function readingsOf(
  rows: readonly ReadingRow[],
  { problems, file, start }: KeptPlaces,
): Map<string, KnownReading> {
  const readings = new Map<string, KnownReading>();
  let text = start;
  let problem = 0;
  for (const [path, signature, stamp, beside, row, length] of rows) {
    const found = { json: problems, start: problem, length };
    const folder = stamp === 0 ? undefined : { stamp, beside: beside === 0 ? NONE : beside };
    if (row === 0)
      readings.set(path, {
        signature,
        reading: { kind: 'refused', path, problems: problemsIn(found) },
        folder,
      });
    else {
      const [name, description, contentHash, strict, more, headings, headingsChecksum, body, bodyChecksum] =
        row;
      const skill = { name, description, dir: dirname(path), path, contentHash, strict, ...PLAIN };
      if (more !== 0) Object.assign(skill, more);
      const texts: KeptTexts = {
        file,
        start: text,
        headings: { length: headings, checksum: headingsChecksum },
        body: { length: body, checksum: bodyChecksum },
        problems: found,
      };
      readings.set(path, {
        signature,
        reading: { kind: 'loaded', skill: withKeptTexts(skill, texts) },
        folder,
      });
      text += headings + body;
    }
    problem += length;
  }
  return readings;
}
