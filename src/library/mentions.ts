import { normaliseName } from '../skill/name.ts';

/** In backticks, bare, after a slash or a namespace; from where it is told to look. */
const QUOTED = /`(\/)?([\p{L}\p{N}_-]+:)?([\p{L}\p{N}][\p{L}\p{N}\p{M}_-]{0,63})`( skill\b)?/uy;
const SIBLING_PATH = /\.\.\/([\p{L}\p{N}\p{M}_-]{1,64})\/SKILL\.md/gu;
const LONGEST_NAME = 64;
const TICK = 0x60;
const UNDERSCORE = 0x5f;

/**
 * Names that a body gives as names: in a path to a sibling, or in backticks after a slash or a namespace, before the word
 * skill, or with a hyphen. A plain word in backticks is mostly a command.
 */
export function mentionsIn(body: string): string[] {
  const found = new Set<string>();
  for (let at = body.indexOf('`'); at >= 0; at = body.indexOf('`', at)) {
    const end = endOfPlain(body, at + 1);
    const closing = body.charCodeAt(end);
    if (closing === TICK && !body.startsWith(' skill', end + 1)) {
      const isWord = end > at + 1 && end - at - 1 <= LONGEST_NAME && body.charCodeAt(at + 1) !== UNDERSCORE;
      at = isWord ? end + 1 : end;
    } else if (closing === TICK || mayGoOn(closing)) {
      QUOTED.lastIndex = at;
      const match = QUOTED.exec(body);
      at = match === null ? at + 1 : QUOTED.lastIndex;
      if (match === null) continue;
      const [, slash, namespace, name = '', after] = match;
      if (slash !== undefined || namespace !== undefined || after !== undefined || name.includes('-'))
        found.add(normaliseName(name));
    } else at = end;
  }
  for (const [, name = ''] of body.matchAll(SIBLING_PATH)) found.add(normaliseName(name));
  return [...found];
}

/**
 * Where the ASCII letters, digits and underscores end that begin at a place. Most of what stands in backticks is a word of
 * these, or begins with one and goes on as code: the pattern takes many times as long to say so.
 */
function endOfPlain(body: string, start: number): number {
  let at = start;
  for (; ; at += 1) {
    const code = body.charCodeAt(at);
    const letter = code | 0x20;
    const isPlain =
      (letter >= 0x61 && letter <= 0x7a) || (code >= 0x30 && code <= 0x39) || code === UNDERSCORE;
    if (!isPlain) return at;
  }
}

/** Whether a name may go on behind a plain beginning: with a hyphen, a slash, a colon or a letter of another script. */
function mayGoOn(code: number): boolean {
  return code === 0x2d || code === 0x2f || code === 0x3a || code > 0x7f;
}
