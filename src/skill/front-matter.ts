import matter from 'gray-matter';
import type { Problem } from '../errors.ts';
import { type MappingReading, readMapping } from './yaml-mapping.ts';

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
const LARGEST_BLOCK = 64 * 1024;

/**
 * Finds the front matter in a decoded text (LF, no byte-order mark). A language tag behind the fence is refused:
 * some readers run such a block as code. Blank lines and comments before it, and a missing closing fence where the
 * rest is plain, are diagnostics.
 */
export function splitFrontMatter(text: string): FenceReading {
  const lines = text.split('\n');
  const { start, problems } = skipLeading(lines);
  const opening = lines[start] ?? '';
  if (!FENCE.test(opening.trim())) {
    if (/^---[ \t]*[A-Za-z]/.test(opening))
      return refused(
        'fence-language',
        `the first line names a language ("${opening.trim().slice(0, 40)}"); it must be exactly ---`,
        start + 1,
      );
    return refused('no-frontmatter', 'no YAML frontmatter; the first line must be ---', start + 1);
  }
  const first = start + 1;
  const close = lines.findIndex((line, index) => index >= first && FENCE.test(line));
  const strange = lines.findIndex(
    (line, index) =>
      index >= first && (close < 0 || index < close) && line.startsWith('---') && !FENCE.test(line),
  );
  if (close >= 0 && strange >= 0)
    return refused(
      'fence-inside',
      'a line of the front matter begins with ---; indent or quote it',
      strange + 1,
    );
  const found = close >= 0 ? closedBlock(lines, first, close) : unclosedBlock(lines, first);
  if (found === undefined) return refused('fence-unclosed', 'frontmatter is not closed with ---', first);
  if (Buffer.byteLength(found.block) > LARGEST_BLOCK)
    return refused('too-large', 'the front matter is larger than 64 KiB; move text into the body', first);
  return { kind: 'found', ...found, problems: [...problems, ...found.problems] };
}

/** Reads a block through gray-matter with the one engine that is allowed; every other throws. */
export function readBlock(block: string, blockLine: number): MappingReading {
  let reading: MappingReading | undefined;
  const refuseLanguage = {
    parse: (): never => {
      throw new Error('front matter language refused');
    },
  };
  const engines = {
    yaml: {
      parse: (source: string) => {
        reading = readMapping(source.replace(/^\n/, ''), blockLine);
        return reading.kind === 'mapping' ? { ...reading.value } : {};
      },
    },
    js: refuseLanguage,
    javascript: refuseLanguage,
    json: refuseLanguage,
    coffee: refuseLanguage,
    toml: refuseLanguage,
  };
  matter(`---\n${block}\n---\n`, { language: 'yaml', engines });
  // gray-matter does not call its engine for a block of blanks and comments.
  return (
    reading ?? {
      kind: 'refused',
      problem: {
        rule: 'not-a-mapping',
        severity: 'error',
        message: 'frontmatter must be key: value pairs',
        line: blockLine,
      },
    }
  );
}

function skipLeading(lines: readonly string[]): { start: number; problems: Problem[] } {
  const problems: Problem[] = [];
  let index = 0;
  let inComment = false;
  for (; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    const opens = line.trimStart().startsWith('<!--');
    if (!inComment && line.trim() !== '' && !opens) break;
    const rule = inComment || opens ? 'text-before-frontmatter' : 'leading-blank';
    if (!problems.some((problem) => problem.rule === rule)) {
      problems.push({
        rule,
        severity: 'warning',
        message: 'other readers want --- on the first line',
        line: index + 1,
      });
    }
    if (opens) inComment = true;
    if (line.includes('-->')) inComment = false;
  }
  if (/^\s+---/.test(lines[index] ?? '') && problems.length === 0)
    problems.push({
      rule: 'leading-blank',
      severity: 'warning',
      message: 'other readers want --- at the start of the line',
      line: index + 1,
    });
  return { start: index, problems };
}

function closedBlock(lines: readonly string[], first: number, close: number): FrontMatterBlock {
  return {
    block: lines.slice(first, close).join('\n'),
    blockLine: first + 1,
    body: lines.slice(close + 1).join('\n'),
    bodyLine: close + 2,
    problems: [],
  };
}

/** Without a closing fence: the lines up to the first blank one, if they are pairs with a description. */
function unclosedBlock(lines: readonly string[], first: number): FrontMatterBlock | undefined {
  const blank = lines.findIndex((line, index) => index >= first && line.trim() === '');
  const end = blank < 0 ? lines.length : blank;
  const block = lines.slice(first, end).join('\n');
  const reading = readMapping(block);
  if (
    reading.kind === 'refused' ||
    typeof reading.value['description'] !== 'string' ||
    reading.value['description'].trim() === ''
  )
    return undefined;
  const problem: Problem = {
    rule: 'fence-unclosed',
    severity: 'warning',
    message: 'frontmatter is not closed with ---; read up to the first blank line',
    line: first,
  };
  return {
    block,
    blockLine: first + 1,
    body: lines.slice(end).join('\n'),
    bodyLine: end + 1,
    problems: [problem],
  };
}

function refused(rule: string, message: string, line: number): FenceReading {
  return { kind: 'refused', problem: { rule, severity: 'error', message, line } };
}
