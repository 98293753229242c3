import { sentencesOf } from '../markdown.ts';
import { IMPERATIVE } from './orders.ts';

const VOICE =
  '(?:page|site|website|web ?page|article|post|blog|docs?|documentation|read-?me|guide|manual|tutorial|wiki|file|note|notice|banner|comment|issue|ticket|e-?mail|message|instructions?|policy|output|tool|script|server|response|result|log|changelog|repo(?:sitory)?|search results?)s?';
/** Somebody else's words told again: "the page says that one should …". */
const REPORT = new RegExp(
  [
    `\\b${VOICE}\\b[^.!?\\n]{0,60}?\\b(?:says?|said|states?|stated|reads?|notes?|noted|mentions?|claims?|warns?|explains?|insists?|advises?|advised|suggests?|suggested|recommends?|recommended|requires?|required|demands?|demanded|instructs?|instructed|tells?|told|asks?|asked|wants?|orders?|ordered)\\b`,
    `\\b(?:according to|as per|per|following|as (?:stated|described|instructed|recommended) (?:in|by)) (?:the|this|that|its|their) (?:[\\w.-]+ ){0,3}${VOICE}\\b`,
    '\\bit (?:says|states|tells|instructs|recommends|requires|asks)\\b',
    '\\blaut (?:der|dem|den) \\p{L}+|\\b(?:die|der|das) (?:Seite|Doku\\p{L}*|Datei|Anleitung|Ausgabe) (?:sagt|verlangt|schreibt|empfiehlt|fordert)',
    '\\bsegún (?:la|el) \\p{L}+|\\bla (?:página|documentación|guía) (?:dice|exige|pide|recomienda)',
    '(?:页面|文档|网页|说明)[^。]{0,12}(?:说|要求|写道|建议)|(?:ページ|文書|ドキュメント)[^。]{0,12}(?:書いて|によ)',
  ].join('|'),
  'iu',
);
/** A report that is an order by its verb alone: "the page tells us to push first". */
const ORDERING =
  /\b(?:instructs?|instructed|tells?|told|asks?|asked|orders?|ordered|demands?|demanded|requires?|required|recommends?|recommended|advises?|advised|wants?|verlangt|fordert|empfiehlt|exige|pide|recomienda)\b|要求|建议/i;

/** The sentences in which somebody tells again what a page, a file or a program says is to be done. */
export function reportedOrders(text: string): string[] {
  return sentences(text).filter(
    (sentence) => REPORT.test(sentence) && (IMPERATIVE.test(sentence) || ORDERING.test(sentence)),
  );
}

/** Whether a text tells again what others say, orders or not. */
export function isReport(text: string): boolean {
  return sentences(text).some((sentence) => REPORT.test(sentence));
}

/** The sentences of a text, line by line. */
export function sentences(text: string): string[] {
  return text.split('\n').flatMap((line) => sentencesOf(line).map((each) => each.text.trim()));
}
