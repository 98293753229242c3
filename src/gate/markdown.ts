import { toNfkc } from '../text/nfkc.ts';
/** One line of a Markdown text with what a check needs to know of its surroundings. */
export interface MarkdownLine {
  /** 1-based. */
  readonly number: number;
  readonly text: string;
  /** Inside the front matter block. */
  readonly front: boolean;
  /** Inside a fenced code block, or one of its fences. */
  readonly code: boolean;
  /** The headings above it, outermost first, joined with ` > `. */
  readonly section: string;
}

/** The lines of a Markdown text. Line ends may be LF or CRLF; never throws. */
export function markdownLines(text: string): MarkdownLine[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const frontEnd = frontMatterEnd(lines);
  const sections: string[] = [];
  let fence: string | undefined;
  return lines.map((line, index) => {
    const front = index <= frontEnd;
    const mark = front ? undefined : /^\s*(?:[-*+]\s+|\d+[.)]\s+|>\s*)*(`{3,}|~{3,})/.exec(line)?.[1];
    const wasCode = fence !== undefined;
    if (mark !== undefined) {
      if (fence === undefined) fence = mark;
      else if (closes(line, fence)) fence = undefined;
    }
    const code = wasCode || fence !== undefined;
    const heading = front || code ? undefined : /^(#{1,6})\s+(.+?)\s*#*\s*$/.exec(line);
    if (heading) {
      const depth = String(heading[1]).length;
      sections.length = Math.min(sections.length, depth - 1);
      while (sections.length < depth - 1) sections.push('');
      sections.push(String(heading[2]));
    }
    return { number: index + 1, text: line, front, code, section: sections.filter(Boolean).join(' > ') };
  });
}

/** The sentences of one line, with where each begins in it. */
export function sentencesOf(line: string): { text: string; start: number }[] {
  const found: { text: string; start: number }[] = [];
  for (const match of line.matchAll(/[^.!?。！？;]+(?:[.!?;](?!\s|$)[^.!?。！？;]*)*[.!?。！？;]*/g))
    if (match[0].trim() !== '') found.push({ text: match[0], start: match.index });
  return found;
}

/** The text with inline code and quoted words blanked out, every other character at its place. */
export function withoutQuoted(line: string): string {
  return line.replace(/(`+)[^`]+\1|"[^"]{2,}"|“[^”]+”|„[^“”]+[“”]|«[^»]+»|「[^」]+」/g, (quoted) =>
    ' '.repeat(quoted.length),
  );
}

/** Lower-case words of a text, for comparing wordings; Chinese, Japanese and Korean count each character. */
export function wordsOf(text: string): string[] {
  return (
    toNfkc(text)
      .toLowerCase()
      .match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]|[\p{L}\p{N}_]+/gu) ?? []
  );
}

function frontMatterEnd(lines: readonly string[]): number {
  if (lines[0]?.trimEnd() !== '---') return -1;
  return lines.findIndex((line, index) => index > 0 && line.trimEnd() === '---');
}

function closes(line: string, fence: string): boolean {
  const trimmed = line.replace(/^[\s>]*/, '').trimEnd();
  return (
    trimmed.length >= fence.length &&
    trimmed === trimmed.charAt(0).repeat(trimmed.length) &&
    trimmed.startsWith(fence)
  );
}
