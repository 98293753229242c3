import { createHash } from 'node:crypto';
import { lstat, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { hasSystemCode, messageOf, type Problem } from '../errors.ts';
import { type Folder, fileText } from '../folder.ts';
import { gatherFields } from './fields.ts';
import { readBlock, splitFrontMatter } from './front-matter.ts';
import { normaliseName } from './name.ts';
import { repairBlock } from './repair.ts';
import type { Skill, SkillReading, SkillToolSpec } from './skill.ts';
import { readTestsFile } from './tests-file.ts';
import { decodeText } from './text.ts';
import { readToolsFile, toolFromParams } from './tools-file.ts';
import { readTriggersFile } from './triggers-file.ts';
import { validateStrict } from './validate.ts';

/** Texts of the files beside `SKILL.md` that belong to the skill's metadata. */
export interface Companions {
  readonly tools?: string;
  readonly tests?: string;
  readonly triggers?: string;
}

const COMPANIONS: Record<keyof Companions, string> = {
  tools: 'tools.yaml',
  tests: 'tests.yaml',
  triggers: 'evals/triggers.json',
};
const LARGEST_FILE = 4 * 1024 * 1024;
const LONGEST_NAME = 64;

/** Reads one skill from its bytes. Pure; never throws, whatever the bytes are. */
export function parseSkill(source: {
  path: string;
  bytes: Uint8Array;
  companions?: Companions;
}): SkillReading {
  const { path, bytes, companions = {} } = source;
  const refuse = (...problems: Problem[]): SkillReading => ({ kind: 'refused', path, problems });
  if (bytes.length > LARGEST_FILE)
    return refuse({
      rule: 'too-large',
      severity: 'error',
      message: `the file has ${bytes.length} bytes; at most ${LARGEST_FILE}`,
    });
  const decoded = decodeText(bytes);
  if (decoded.kind === 'refused') return refuse(decoded.problem);
  const split = splitFrontMatter(decoded.text);
  if (split.kind === 'refused') return refuse(split.problem, ...decoded.problems);
  const reading = readBlock(split.block, split.blockLine);
  const repaired =
    reading.kind === 'refused' && reading.problem.rule === 'yaml'
      ? repairBlock(split.block, split.blockLine)
      : undefined;
  if (reading.kind === 'refused' && repaired === undefined) {
    const { problem } = reading;
    return refuse(
      problem.rule === 'yaml' ? { ...problem, message: `${problem.message}; repair failed` } : problem,
      ...decoded.problems,
    );
  }
  const raw = reading.kind === 'mapping' ? reading.value : (repaired?.value ?? {});
  const fields = gatherFields(raw, split.blockLine);
  if (fields.description === undefined) {
    return refuse({
      rule: 'description-missing',
      severity: 'error',
      message: 'description is required (text, up to 1024 chars)',
      line: split.blockLine,
    });
  }
  const name = nameOf(fields.name, path, split.blockLine);
  const salvaged = repaired?.salvaged === true;
  const beside = readCompanions(companions);
  const tools = toolsOf(beside.tools, fields, name.name);
  const read = [
    ...decoded.problems,
    ...split.problems,
    ...(reading.kind === 'mapping' ? [...reading.problems, ...reading.strict] : (repaired?.problems ?? [])),
  ];
  const bom =
    bytes[0] === 0xef && bytes[1] === 0xbb
      ? [
          {
            rule: 'byte-order-mark',
            severity: 'info' as const,
            message: 'the file begins with a byte-order mark',
            line: 1,
          },
        ]
      : [];
  const strict = validateStrict({
    raw,
    directory: basename(dirname(path)),
    reading: [...read, ...bom],
    line: split.blockLine,
  });
  const body = split.body.replace(/^\n/, '');
  const bodyEmpty: Problem[] =
    body.trim() === ''
      ? [
          {
            rule: 'body-empty',
            severity: 'warning',
            message: 'there are no instructions after the front matter',
            line: split.bodyLine,
          },
        ]
      : [];
  const thin: Problem[] =
    /\s|\p{Script=Han}{4}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}/u.test(fields.description)
      ? []
      : [
          {
            rule: 'description-thin',
            severity: 'info',
            message: 'the description is one word; the skill will hardly be found',
            line: split.blockLine,
          },
        ];
  const { problems: fieldProblems, params: _, name: __, description, ...known } = fields;
  const skill: Skill = {
    ...known,
    ...name.label,
    name: name.name,
    aliases: [...new Set([...known.aliases, ...name.aliases])].filter((alias) => alias !== name.name),
    description,
    dir: dirname(path),
    path,
    body,
    headings: headingsOf(body),
    salvaged,
    contentHash: createHash('sha256').update(bytes).digest('hex'),
    tools: salvaged ? [] : tools,
    tests: beside.tests,
    triggers: beside.triggers,
    problems: unique([
      ...read,
      ...name.problems,
      ...fieldProblems,
      ...strict,
      ...bodyEmpty,
      ...thin,
      ...beside.problems,
    ]),
    strict: strict.length === 0,
  };
  return { kind: 'loaded', skill };
}

/** Reads the skill of a `SKILL.md`, or of the folder that holds one, with its companions. Never throws. */
export async function readSkill(path: string): Promise<SkillReading> {
  let file = path;
  const refuse = (rule: string, message: string): SkillReading => ({
    kind: 'refused',
    path: file,
    problems: [{ rule, severity: 'error', message }],
  });
  try {
    if ((await stat(path)).isDirectory() && basename(path).toLowerCase() !== 'skill.md')
      file = join(path, 'SKILL.md');
    const found = await stat(file);
    if (!found.isFile()) return refuse('not-a-file', `${file} is not a regular file`);
    if (found.size > LARGEST_FILE)
      return refuse('too-large', `the file has ${found.size} bytes; at most ${LARGEST_FILE}`);
    const bytes = new Uint8Array(await readFile(file));
    const reading = parseSkill({ path: file, bytes, companions: await readCompanionFiles(dirname(file)) });
    return basename(file) === 'SKILL.md'
      ? reading
      : withProblem(reading, {
          rule: 'filename-case',
          severity: 'warning',
          message: `the file is called ${basename(file)}; other readers want SKILL.md`,
        });
  } catch (error) {
    if (hasSystemCode(error, 'ENOENT')) return refuse('io', `${file} does not exist`);
    return refuse('io', `cannot read ${file}: ${messageOf(error)}`);
  }
}

/** Reads a skill from a folder value as if it stood at `dir`. */
export function parseSkillFolder(dir: string, folder: Folder): SkillReading {
  const path = join(dir, 'SKILL.md');
  const file = folder.get('SKILL.md');
  if (file === undefined)
    return {
      kind: 'refused',
      path,
      problems: [{ rule: 'no-skill-file', severity: 'error', message: `there is no SKILL.md in ${dir}` }],
    };
  const texts = Object.entries(COMPANIONS).map(([key, name]) => [key, fileText(folder, name)] as const);
  return parseSkill({
    path,
    bytes: file.bytes,
    companions: Object.fromEntries(texts.filter(([, text]) => text !== undefined)),
  });
}

async function readCompanionFiles(dir: string): Promise<Companions> {
  const texts = await Promise.all(
    Object.entries(COMPANIONS).map(async ([key, name]) => {
      try {
        const found = await lstat(join(dir, name));
        return found.isFile() && found.size <= LARGEST_FILE
          ? [[key, await readFile(join(dir, name), 'utf8')] as const]
          : [];
      } catch (error) {
        if (hasSystemCode(error, 'ENOENT', 'ENOTDIR')) return [];
        throw error;
      }
    }),
  );
  return Object.fromEntries(texts.flat());
}

function readCompanions(texts: Companions) {
  const tools = readToolsFile(texts.tools ?? 'tools: []');
  const tests = readTestsFile(texts.tests ?? 'cases: []');
  const triggers = readTriggersFile(texts.triggers ?? '[]');
  return {
    tools: tools.value,
    tests: tests.value,
    triggers: triggers.value,
    problems: [...tools.problems, ...tests.problems, ...triggers.problems],
  };
}

function toolsOf(
  listed: readonly SkillToolSpec[],
  fields: ReturnType<typeof gatherFields>,
  name: string,
): readonly SkillToolSpec[] {
  if (fields.params === undefined || listed.length > 0) return listed;
  return [
    toolFromParams(fields.params, { name, description: fields.description ?? name, script: 'scripts/run' }),
  ];
}

/** The identifier: the declared name in its normal form, else the folder's; the folder's name stays an alias. */
function nameOf(
  declared: string | undefined,
  path: string,
  line: number,
): { name: string; label: { label?: string }; aliases: string[]; problems: Problem[] } {
  const directory = basename(dirname(path));
  const problems: Problem[] = [];
  const note = (rule: string, message: string) => problems.push({ rule, severity: 'warning', message, line });
  const normal = normaliseName(declared ?? '');
  if (normal === '') {
    note(
      'name-from-directory',
      `${declared === undefined ? 'there is no name' : `the name "${declared}" cannot be used`}; the folder's name "${directory}" was taken`,
    );
    return { name: normaliseName(directory) || 'skill', label: {}, aliases: [], problems };
  }
  if (normal.length > LONGEST_NAME)
    note('name-too-long', `the name has ${normal.length} characters; at most ${LONGEST_NAME}`);
  const folderName = normaliseName(directory);
  const aliases = [
    ...(declared === normal ? [] : [String(declared)]),
    ...(folderName === normal || folderName === '' ? [] : [directory]),
  ];
  return {
    name: normal,
    label: declared === normal || declared === undefined ? {} : { label: declared },
    aliases,
    problems,
  };
}

function headingsOf(body: string): string[] {
  const lines = body.replace(/^(```|~~~)[\s\S]*?^\1/gm, '').split('\n');
  return lines.flatMap((line) => /^#{1,6}\s+(.*?)\s*#*$/.exec(line)?.[1] ?? []);
}

function withProblem(reading: SkillReading, problem: Problem): SkillReading {
  if (reading.kind === 'refused') return { ...reading, problems: [...reading.problems, problem] };
  return {
    kind: 'loaded',
    skill: {
      ...reading.skill,
      strict: reading.skill.strict && basename(reading.skill.path) === 'skill.md',
      problems: [...reading.skill.problems, problem],
    },
  };
}

function unique(problems: readonly Problem[]): Problem[] {
  return [...new Map(problems.map((problem) => [`${problem.rule} ${problem.message}`, problem])).values()];
}
