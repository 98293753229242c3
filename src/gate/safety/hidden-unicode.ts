import type { CheckFinding } from '../check.ts';

/** Scripts whose spelling needs the joiners U+200C and U+200D. */
const JOINER_SCRIPTS =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Mongolian}\p{Script=Tibetan}]/u;
/** Scripts without blanks between words, where U+200B marks where a line may break. */
const BREAK_SCRIPTS = /[\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}\p{Script=Myanmar}\p{Script=Tibetan}]/u;
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u;
const EMOJI = /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F|\u20E3/u;
const FLAG = /\u{1F3F4}[\u{E0061}-\u{E007A}\u{E0030}-\u{E0039}]{1,10}\u{E007F}/gu;
const SUSPECT =
  /[\u{E0000}-\u{E007F}]+|[\u202A-\u202E\u2066-\u2069]|[\u200B-\u200F\u2060-\u2065\u206A-\u206F\u180E\uFEFF\u115F\u1160\u3164\uFFA0]|[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]{2,}|[\u{E0100}-\u{E01EF}]|[\u0000-\u0008\u000B\u000E-\u001F\u007F-\u0084\u0086-\u009F]/gu;

/**
 * Characters that a person does not see and a model reads: Unicode tags, bidirectional controls, zero-width
 * characters where no script needs them, runs of variation selectors, control characters. Each finding names what is
 * hidden, decoded. A leading BOM, emoji (flags, joined families) and scripts that need joiners pass.
 */
export function findHiddenUnicode(file: string, text: string): CheckFinding[] {
  const visible = text.replace(/^\uFEFF/, ' ').replace(FLAG, (flag) => ' '.repeat(flag.length));
  const findings: CheckFinding[] = [];
  for (const match of visible.matchAll(SUSPECT)) {
    const before = lastCharacter(visible.slice(Math.max(0, match.index - 3), match.index));
    const after = firstCharacter(
      visible.slice(match.index + match[0].length, match.index + match[0].length + 2),
    );
    if (isNeeded(match[0], before, after, lineAt(visible, match.index))) continue;
    findings.push({
      rule: /^[\u0000-\u001f\u007f-\u009f]/.test(match[0]) ? 'control-character' : 'hidden-unicode',
      severity: 'refuse',
      message: `hides ${decode(match[0])} after ${JSON.stringify(shownBefore(visible, match.index))}`,
      file,
      line: visible.slice(0, match.index).split('\n').length,
      subject: match[0],
    });
  }
  return findings;
}

function isNeeded(found: string, before: string, after: string, line: string): boolean {
  if (found === '\u200D') return (EMOJI.test(before) && EMOJI.test(after)) || JOINER_SCRIPTS.test(before);
  if (found === '\u200C') return JOINER_SCRIPTS.test(before) && JOINER_SCRIPTS.test(after);
  if (found === '\u200B') return BREAK_SCRIPTS.test(before) || BREAK_SCRIPTS.test(after);
  if (found === '\u200E' || found === '\u200F') return RIGHT_TO_LEFT.test(line);
  if (/^[\u{E0100}-\u{E01EF}]$/u.test(found)) return /\p{Script=Han}/u.test(before);
  return false;
}

function decode(found: string): string {
  const points = [...found].map((character) => character.codePointAt(0) ?? 0);
  const tags = points
    .map((point) => (point >= 0xe0020 && point <= 0xe007e ? String.fromCharCode(point - 0xe0000) : ''))
    .join('');
  if (tags !== '') return `the text ${JSON.stringify(tags)} in Unicode tags`;
  const selectors = points.map((point) =>
    point >= 0xe0100 && point <= 0xe01ef
      ? point - 0xe0100 + 16
      : point >= 0xfe00 && point <= 0xfe0f
        ? point - 0xfe00
        : -1,
  );
  if (points.length > 1 && selectors.every((byte) => byte >= 0))
    return `the bytes ${JSON.stringify(String.fromCharCode(...selectors))} in variation selectors`;
  return points.map((point) => `U+${point.toString(16).toUpperCase().padStart(4, '0')}`).join(' ');
}

function lineAt(text: string, offset: number): string {
  const end = text.indexOf('\n', offset);
  return text.slice(text.lastIndexOf('\n', offset - 1) + 1, end < 0 ? undefined : end);
}

/** The end of the line before a place, as a person would look for it. */
function shownBefore(text: string, offset: number): string {
  return text.slice(Math.max(text.lastIndexOf('\n', offset - 1) + 1, offset - 20), offset).trimStart();
}

function lastCharacter(text: string): string {
  return [...text].at(-1) ?? '';
}

function firstCharacter(text: string): string {
  return [...text][0] ?? '';
}
