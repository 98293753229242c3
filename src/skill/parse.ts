import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { hasSystemCode, messageOf, type Problem } from '../errors.ts';
import type { Folder } from '../folder.ts';
import { readBody } from './body.ts';
import { type Companions, companionsOf, LARGEST_FILE, loadCompanions, readCompanions } from './companions.ts';
import { gatherFields } from './fields.ts';
import { readBlock, splitFrontMatter } from './front-matter.ts';
import { identify } from './identity.ts';
import { repairBlock } from './repair.ts';
import type { Skill, SkillReading, SkillToolSpec } from './skill.ts';
import { decodeText } from './text.ts';
import { toolFromParams } from './tools-file.ts';
import { validateStrict } from './validate.ts';

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
  const identity = identify(fields.name, basename(dirname(path)), split.blockLine);
  const salvaged = repaired?.salvaged === true;
  const beside = readCompanions(companions);
  const tools = toolsOf(beside.tools, fields, identity.name);
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
  const { problems: bodyProblems, ...content } = readBody(split.body, split.bodyLine);
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
  const { problems: nameProblems, ...named } = identity;
  const { problems: fieldProblems, params: _, name: __, description, ...known } = fields;
  const skill: Skill = {
    ...known,
    ...named,
    aliases: [...new Set([...known.aliases, ...named.aliases])].filter((alias) => alias !== named.name),
    description,
    dir: dirname(path),
    path,
    ...content,
    salvaged,
    contentHash: createHash('sha256').update(bytes).digest('hex'),
    tools: salvaged ? [] : tools,
    tests: beside.tests,
    triggers: beside.triggers,
    problems: unique([
      ...read,
      ...nameProblems,
      ...fieldProblems,
      ...strict,
      ...bodyProblems,
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
    const reading = parseSkill({ path: file, bytes, companions: await loadCompanions(dirname(file)) });
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
  return parseSkill({ path, bytes: file.bytes, companions: companionsOf(folder) });
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
