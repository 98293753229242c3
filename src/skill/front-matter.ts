import type { Problem } from '../errors.ts';
import { type RefusalRule, refusal } from './refusal.ts';
import { repairBlock } from './repair.ts';
import { readMapping } from './yaml-mapping.ts';

/** The front matter of a text with its fences, found by whole lines. Line numbers start at 1. */
export interface FrontMatterBlock {
  /** Between the fences, without them. */
  readonly block: string;
  /** Line of the file on which the block begins. */
  readonly blockLine: number;
  readonly body: string;
  readonly bodyLine: number;
  readonly problems: readonly Problem[];
}

export type FenceReading =
  | ({ readonly kind: 'found' } & FrontMatterBlock)
  | { readonly kind: 'refused'; readonly problem: Problem };

const FENCE = /^---[ \t]*$/;
/** What people close a block with when they mean a fence. */
const NEARLY_A_FENCE = /^(?:-{2}|-{4,}|\s+-{3,}|\.\.\.|-*[\u2013\u2014][-\u2013\u2014]*)[ \t]*$/;
/** A key, or what belongs to the one above; anything else at the start of a line may be text. */
const OF_BLOCK = /^(?:\s|#|[\w-]+\s*:(?:\s|$))/;
/** What goes on with front matter after a blank line. */
const FURTHER_KEY = /^(?:description|license|compatibility|metadata|allowed-tools|version|author|tags)\s*:/;
const OPEN_VALUE = /:[ \t]*(?:[>|][-+\d]*)?[ \t]*$/;
const LARGEST_BLOCK = 64 * 1024;

/**
 * Finds the front matter in a decoded text (LF, no byte-order mark). A language tag behind the fence is refused:
 * some readers run such a block as code. Blank lines and comments before it, and a closing fence that is missing or not
 * quite one where what stands above it is plain, are diagnostics.
 */
export function splitFrontMatter(text: string): FenceReading {
  const lines = text.split('\n');
  const { start, problems } = skipLeading(lines);
  const opening = (lines[start] ?? '').trim();
  if (!FENCE.test(opening)) return refuseOpening(lines, start);
  const first = start + 1;
  const close = lines.findIndex((line, index) => index >= first && FENCE.test(line));
  const block =
    nearlyClosedBlock(lines, first, close) ??
    closedByRule(lines, first, close) ??
    closedBlock(lines, first, close) ??
    unclosedBlock(lines, first);
  if (block === undefined) return refuse('fence-unclosed', 'frontmatter is not closed with ---', first);
  const inside = block.block.split('\n').findIndex((line) => line.startsWith('---'));
  if (inside >= 0)
    return refuse('fence-inside', 'a line of the front matter begins with ---', first + inside + 1);
  if (Buffer.byteLength(block.block) > LARGEST_BLOCK)
    return refuse('too-large', 'the front matter is larger than 64 KiB', first);
  return { kind: 'found', ...block, problems: [...problems, ...block.problems] };
}

function refuseOpening(lines: readonly string[], after: number): FenceReading {
  // A file of nothing but blanks has no line after them.
  const start = Math.min(after, lines.length - 1);
  const opening = (lines[start] ?? '').trim();
  if (/^---[ \t]*[A-Za-z]/.test(opening)) {
    const shown = JSON.stringify(opening.slice(0, 40));
    return refuse('fence-language', `the first line names a language (${shown})`, start + 1);
  }
  const later = lines.findIndex((line, index) => index > start && FENCE.test(line));
  const isBlock = later >= 0 && /^(?:name|description):/.test(lines[later + 1] ?? '');
  const where = isBlock ? ` (text stands before the --- of line ${later + 1})` : '';
  return refuse('no-frontmatter', `no YAML frontmatter${where}`, start + 1);
}

function skipLeading(lines: readonly string[]): { start: number; problems: Problem[] } {
  const problems: Problem[] = [];
  const note = (rule: string, message: string, index: number) => {
    if (problems.some((problem) => problem.rule === rule)) return;
    problems.push({ rule, severity: 'warning', message, line: index + 1 });
  };
  let index = 0;
  let inComment = false;
  for (; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    const opens = line.trimStart().startsWith('<!--');
    if (!inComment && line.trim() !== '' && !opens) break;
    const rule = inComment || opens ? 'text-before-frontmatter' : 'leading-blank';
    note(rule, 'other readers want --- on the first line', index);
    if (opens) inComment = true;
    if (line.includes('-->')) inComment = false;
  }
  if (/^\s+---/.test(lines[index] ?? ''))
    note('leading-blank', 'other readers want --- at the start of the line', index);
  return { start: index, problems };
}

function closedBlock(lines: readonly string[], first: number, close: number): FrontMatterBlock | undefined {
  if (close < 0) return undefined;
  return {
    block: lines.slice(first, close).join('\n'),
    blockLine: first + 1,
    body: lines.slice(close + 1).join('\n'),
    bodyLine: close + 2,
    problems: [],
  };
}

/** Closed with `----`, ` ---` or `...` before there is a fence, and what stands above is a skill's front matter. */
function nearlyClosedBlock(
  lines: readonly string[],
  first: number,
  close: number,
): FrontMatterBlock | undefined {
  const above = lines.slice(first, close < 0 ? lines.length : close);
  const near = first + above.findIndex((line) => NEARLY_A_FENCE.test(line));
  if (near < first) return undefined;
  const block = closedBlock(lines, first, near);
  if (block === undefined || !describesSkill(block.block, true)) return undefined;
  // An indented one is text of a longer value if the whole up to the fence reads as well.
  if (close >= 0 && describesSkill(above.join('\n'))) return undefined;
  const message = `frontmatter is closed with ${JSON.stringify(lines[near])}; other readers want ---`;
  const problem: Problem = { rule: 'fence-unclosed', severity: 'warning', message, line: near + 1 };
  return { ...block, problems: [problem] };
}

/**
 * The fence is a rule further down in the text: up to it the lines are no front matter, up to the first blank one they
 * are, and what follows that is neither a further key nor the rest of a value.
 */
function closedByRule(lines: readonly string[], first: number, close: number): FrontMatterBlock | undefined {
  const above = lines.slice(first, Math.max(first, close));
  const blank = above.findIndex((line) => line.trim() === '');
  if (blank < 0) return undefined;
  const next = above.slice(blank).find((line) => line.trim() !== '' && !line.startsWith('#'));
  if (next === undefined || /^(?:\s|[\w-]+\s*:(?:\s|$))/.test(next)) return undefined;
  return describesSkill(above.join('\n'), true) ? undefined : unclosedBlock(lines, first);
}

/**
 * Without a closing fence: the lines up to the first heading that no key follows, else up to the first blank one that
 * neither a value nor a further key goes on after, if they are pairs with a description.
 */
function unclosedBlock(lines: readonly string[], first: number): FrontMatterBlock | undefined {
  const blank = endAtBlank(lines, first);
  const heading = lines.findIndex((line, index) => index > first && /^#{1,6}[ \t]+\S/.test(line));
  const isHeading =
    heading >= 0 && heading < blank && !lines.slice(heading, blank).some((line) => /^[\w-]+\s*:/.test(line));
  const end = [...(isHeading ? [heading] : []), blank].find((each) => {
    const above = lines.slice(first, each);
    return describesSkill(
      above.join('\n'),
      above.every((line) => line === '' || OF_BLOCK.test(line)),
    );
  });
  if (end === undefined) return undefined;
  const where = end === heading ? 'heading' : 'blank line';
  const message = `frontmatter is not closed with ---; read up to the first ${where}`;
  const problem: Problem = { rule: 'fence-unclosed', severity: 'warning', message, line: first };
  const block = lines.slice(first, end).join('\n');
  const body = lines.slice(end).join('\n');
  return { block, blockLine: first + 1, body, bodyLine: end + 1, problems: [problem] };
}

/** In one pass, since a file may be nothing but blank lines and keys. */
function endAtBlank(lines: readonly string[], first: number): number {
  let last = '';
  let blank = -1;
  for (let index = first; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    if (line.trim() === '') {
      if (blank < 0) blank = index;
      continue;
    }
    const goesOn = FURTHER_KEY.test(line) || (/^\s/.test(line) && OPEN_VALUE.test(last));
    if (blank >= 0 && !goesOn) return blank;
    blank = -1;
    if (/^\S/.test(line)) last = line;
  }
  return blank < 0 ? lines.length : blank;
}

/** Whether it is front matter with a description, if need be after repairs. */
function describesSkill(block: string, mayRepair = false): boolean {
  if (Buffer.byteLength(block) > LARGEST_BLOCK) return false;
  const reading = readMapping(block);
  if (reading.kind === 'mapping') return isDescription(reading.value['description']);
  const repaired = mayRepair ? repairBlock(block, 1) : undefined;
  return repaired?.salvaged === false && isDescription(repaired.value['description']);
}

function isDescription(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}

function refuse(rule: RefusalRule, what: string, line: number): FenceReading {
  return { kind: 'refused', problem: refusal(rule, what, line) };
}
