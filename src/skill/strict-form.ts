import { basename, dirname } from 'node:path';
import { KnackError, type Problem } from '../errors.ts';
import { gatherFields } from './fields.ts';
import { splitFrontMatter } from './front-matter.ts';
import { identify } from './identity.ts';
import { keepsValues, type ReadBlock } from './keeps-values.ts';
import { normaliseName } from './name.ts';
import { parseSkill } from './parse-skill.ts';
import { readFrontMatter } from './read-front-matter.ts';
import { setField } from './set-field.ts';
import type { Skill, SkillReading } from './skill.ts';
import { strictBlock } from './strict-block.ts';
import { decodeStrictly } from './text.ts';
import { isStrictName } from './validate.ts';
import { hasMergeKey } from './yaml-merge.ts';

/** A `SKILL.md` in the form that the specification wants, as far as that takes no judgement. */
export type StrictForm =
  | {
      readonly kind: 'changed';
      readonly text: string;
      /** What is no longer found. */
      readonly mended: readonly Problem[];
    }
  | { readonly kind: 'same' };

interface StrictRequest {
  readonly path: string;
  readonly bytes: Uint8Array;
  /** @default none */
  readonly shared?: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();
const MOST_PASSES = 4;

/**
 * Writes the front matter in the strict form: one pair of fences, values quoted, the folder's name, fields of others under
 * `metadata` as texts. The body stays to the byte, and so does every line that is in the form already. What would read
 * differently afterwards is not changed. The name that the skill had becomes an alias unless it is among `shared`, names
 * in their normal form that stand for no one skill. Pure; never throws.
 */
export function strictForm({ path, bytes, shared = NONE }: StrictRequest): StrictForm {
  const before = parseSkill({ path, bytes });
  const raw = decodeStrictly(bytes);
  // What holds a NUL is perhaps no text at all.
  if (raw === undefined || raw.includes('\0') || (before.kind === 'loaded' && before.skill.strict))
    return { kind: 'same' };
  try {
    const text = rewriteFully(path, withoutYamlTag(raw), shared);
    const after = parseSkill({ path, bytes: new TextEncoder().encode(text) });
    const mended = problemsOf(before).filter(({ rule, message }) => {
      return !problemsOf(after).some((left) => left.rule === rule && left.message === message);
    });
    return text !== raw && mended.length > 0 && readsAlike(before, after) && keeps(raw, text)
      ? { kind: 'changed', text, mended }
      : { kind: 'same' };
  } catch (error) {
    if (error instanceof KnackError && error.code === 'skill-invalid') return { kind: 'same' };
    throw error;
  }
}

/** `---yaml` says what `---` says; every other tag stays refused. */
function withoutYamlTag(raw: string): string {
  return raw.replace(/^(\uFEFF?---)[ \t]*ya?ml[ \t]*(?=\r?\n)/i, '$1');
}

/** What one pass mends can let the next see more: an alias that stood in the way of its neighbour. */
function rewriteFully(path: string, raw: string, shared: ReadonlySet<string>): string {
  let text = raw;
  for (let pass = 0; pass < MOST_PASSES; pass += 1) {
    const next = rewrite(path, text, shared);
    if (next === text) break;
    text = next;
  }
  return text;
}

function rewrite(path: string, raw: string, shared: ReadonlySet<string>): string {
  const split = splitFrontMatter(asRead(raw));
  if (split.kind === 'refused') throw cannot(split.problem);
  const front = readFrontMatter(split);
  if (front.kind === 'refused') throw cannot(front.problem);
  const { description, name, aliases } = gatherFields(front.value, () => split.blockLine);
  if (description === undefined || front.salvaged) throw cannot();
  if ([front.source, split.block].some(hasMergeKey)) throw cannot();
  const { head, body, newline } = cutBody(raw.replace(/^\uFEFF/, ''), split.bodyLine);
  const folder = basename(dirname(path));
  const wanted = isStrictName(folder) ? folder : undefined;
  const block = strictBlock(
    { source: front.source, original: split.block, value: front.value },
    { name: wanted, description },
  );
  // What stood before the fence becomes a comment behind it.
  const before = head.slice(0, split.blockLine - 2).filter((line) => line.trim() !== '');
  const lines = ['---', ...before.map((line) => `# ${line}`), ...block.lines, '---'];
  const fields = new Map(block.metadata);
  const known = identify(name, folder, 1).name;
  const isRenamed = wanted !== undefined && known !== normaliseName(wanted);
  if (isRenamed && !shared.has(known) && !aliases.includes(known))
    fields.set('aliases', [...aliases, known].join(', '));
  const isOpen = body === '' && !/\n$/.test(raw);
  const strict = lines.join(newline) + (isOpen ? '' : newline) + body;
  return [...fields].reduce((edited, [key, value]) => setField(edited, `metadata.${key}`, value), strict);
}

/** Whether nothing of the front matter is lost, though knack itself may not read it. */
function keeps(raw: string, text: string): boolean {
  const [before, after] = [raw, text].map(blockOf);
  return before !== undefined && after !== undefined && keepsValues(before, after);
}

function blockOf(raw: string): ReadBlock | undefined {
  const split = splitFrontMatter(asRead(withoutYamlTag(raw)));
  const front = split.kind === 'found' ? readFrontMatter(split) : undefined;
  return front?.kind === 'read' ? front : undefined;
}

function asRead(raw: string): string {
  return raw.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
}

/** The lines before the body, without their ends, and the body as it is. */
function cutBody(raw: string, bodyLine: number): { head: string[]; body: string; newline: string } {
  const lines = raw.split('\n');
  const head = lines.slice(0, bodyLine - 1);
  if (head.some((line) => /\r(?!$)/.test(line))) throw cannot();
  return {
    head: head.map((line) => line.replace(/\r$/, '')),
    body: lines.slice(bodyLine - 1).join('\n'),
    newline: head[0]?.endsWith('\r') === true ? '\r\n' : '\n',
  };
}

/** Whether both readings say the same of the skill but for its name. A refused one may only become readable. */
function readsAlike(before: SkillReading, after: SkillReading): boolean {
  if (after.kind === 'refused') return false;
  if (before.kind === 'refused') return true;
  return JSON.stringify(contentOf(before.skill)) === JSON.stringify(contentOf(after.skill));
}

function contentOf(skill: Skill): unknown {
  const {
    name: _,
    label: __,
    aliases: ___,
    contentHash: ____,
    problems: _____,
    strict: ______,
    ...content
  } = skill;
  return Object.entries(content).sort(([left], [right]) => (left < right ? -1 : 1));
}

function problemsOf(reading: SkillReading): readonly Problem[] {
  return reading.kind === 'loaded' ? reading.skill.problems : reading.problems;
}

function cannot(problem?: Problem): KnackError {
  return new KnackError('skill-invalid', problem?.message ?? 'there is no mechanical way');
}
