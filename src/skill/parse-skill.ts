import { createHash } from 'node:crypto';
import { basename, dirname } from 'node:path';
import type { Problem } from '../errors.ts';
import { readBody } from './body.ts';
import { type Companions, LARGEST_FILE, readCompanions } from './companions.ts';
import { type Fields, gatherFields } from './fields.ts';
import { splitFrontMatter } from './front-matter.ts';
import { identify } from './identity.ts';
import { readFrontMatter } from './read-front-matter.ts';
import { refusal } from './refusal.ts';
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
    return refuse(refusal('too-large', `the file has ${bytes.length} bytes; at most ${LARGEST_FILE}`, 1));
  const decoded = decodeText(bytes);
  if (decoded.kind === 'refused') return refuse(decoded.problem);
  const block = splitFrontMatter(decoded.text);
  if (block.kind === 'refused') return refuse(block.problem, ...decoded.problems);
  const front = readFrontMatter(block);
  if (front.kind === 'refused') return refuse(front.problem, ...decoded.problems);
  const lineOf = (key: string) => front.lines.get(key) ?? block.blockLine;
  const fields = gatherFields(front.value, lineOf);
  const { problems: fieldProblems, params: _, name: declared, description, ...known } = fields;
  if (description === undefined)
    return refuse(refusal('description-missing', 'description is required', lineOf('description')));
  const directory = basename(dirname(path));
  const { problems: nameProblems, ...named } = identify(declared, directory, lineOf('name'));
  const { problems: besideProblems, tools, ...beside } = readCompanions(companions);
  const { problems: bodyProblems, ...content } = readBody(
    block.body,
    Math.min(block.bodyLine, linesIn(decoded.text)),
  );
  const reading = [...decoded.problems, ...block.problems, ...front.problems];
  const strict = validateStrict({ raw: front.value, directory, reading, lineOf });
  const skill: Skill = {
    ...known,
    ...named,
    aliases: [...new Set([...known.aliases, ...named.aliases])].filter((alias) => alias !== named.name),
    description,
    dir: dirname(path),
    path,
    ...content,
    salvaged: front.salvaged,
    contentHash: createHash('sha256').update(bytes).digest('hex'),
    tools: front.salvaged ? [] : toolsOf(tools, fields, named.name),
    ...beside,
    problems: unique([
      ...reading,
      ...nameProblems,
      ...fieldProblems,
      ...strict,
      ...bodyProblems,
      ...thinDescription(description, lineOf('description')),
      ...besideProblems,
    ]),
    strict: strict.length === 0,
  };
  return { kind: 'loaded', skill };
}

function toolsOf(listed: readonly SkillToolSpec[], fields: Fields, name: string): readonly SkillToolSpec[] {
  if (fields.params === undefined || listed.length > 0) return listed;
  const { description = name } = fields;
  return [toolFromParams(fields.params, { name, description, script: 'scripts/run' })];
}

/** Scripts that write no blanks need a few letters more than one word has. */
function thinDescription(description: string, line: number): Problem[] {
  const isEnough =
    /\s|\p{Script=Han}{4}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Script=Thai}/u;
  if (isEnough.test(description)) return [];
  const message = 'the description is one word; the skill will hardly be found';
  return [{ rule: 'description-thin', severity: 'info', message, line }];
}

/** A text that ends with a line break has an empty line behind it. */
function linesIn(text: string): number {
  return text.split('\n').length;
}

function unique(problems: readonly Problem[]): Problem[] {
  return [...new Map(problems.map((problem) => [`${problem.rule} ${problem.message}`, problem])).values()];
}
