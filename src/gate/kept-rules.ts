import { type MarkdownLine, markdownLines, sentencesOf, wordsOf } from './markdown.ts';

/** A rule (a heading, a list item, a numbered step) or a paragraph, with the lines that it fills. */
export interface Statement {
  readonly kind: 'rule' | 'paragraph';
  readonly text: string;
  /** First and last line, 1-based. */
  readonly lines: readonly [number, number];
}

/** A statement counts as kept if some sentence holds this share of its words, or this share of its sentences is kept. */
const KEPT = 0.6;
/** A sentence or paragraph of fewer words carries no rule of its own. */
const SLIGHT_WORDS = 3;
const NEGATION =
  /(?<![\p{L}\p{N}])(?:never|not|no|none|nothing|nobody|neither|nor|without|avoid|forbidden|forbid|stop|cannot|\p{L}+n['’]t|kein\p{L}*|nicht|nie|niemals|ohne|weder|nunca|jamás|sin|ningún|ninguna?|ne|pas|jamais|aucune?|sans)(?![\p{L}\p{N}])|[不没勿禁无無]|ない|ません|않|마세요|하지 마/giu;
/** What makes an order weaker or narrower; "must" and "always" say no more than the imperative. */
const MODALS: readonly RegExp[] = [
  /(?<![\p{L}\p{N}])(?:should|ought|prefer|soll\p{L}*|debería|devrait)(?![\p{L}\p{N}])|[应應]/iu,
  /(?<![\p{L}\p{N}])(?:may|might|can|could|optional\p{L}*|darf|dürfen|kann|können|puede|peut)(?![\p{L}\p{N}])|可以/iu,
  /(?<![\p{L}\p{N}])(?:only|nur|sólo|solo|seulement)(?![\p{L}\p{N}])|[只仅]/iu,
];
const NUMBER = /\d+(?:[.,]\d+)*|\b(?:two|three|four|five|six|seven|eight|nine|ten|once|twice)\b/gi;

/** The statements of a Markdown text, in order, without front matter and code blocks; a wrapped one is one. */
export function statementsOf(text: string): Statement[] {
  const found: Statement[] = [];
  let open: Statement | undefined;
  for (const line of markdownLines(text)) {
    const begins = line.front || line.code ? undefined : beginningAt(line);
    if (begins === undefined || line.text.trim() === '') {
      open = undefined;
    } else if (begins.kind === 'more' && open !== undefined) {
      open = { ...open, text: `${open.text} ${begins.text}`, lines: [open.lines[0], line.number] };
      found[found.length - 1] = open;
    } else {
      const kind = begins.kind === 'more' ? 'paragraph' : begins.kind;
      open = { kind, text: begins.text, lines: [line.number, line.number] };
      found.push(open);
      if (begins.alone) open = undefined;
    }
  }
  return found.filter(
    ({ kind, text: words }) => wordsOf(words).length >= (kind === 'rule' ? 1 : SLIGHT_WORDS),
  );
}

/** Tells which statements still stand in these texts: most of their words, with the same negations, modals and numbers. */
export function createKeeper(texts: readonly string[]): (statement: Statement) => boolean {
  const wordings = texts
    .flatMap((text) => [
      ...statementsOf(text).flatMap((statement) => [statement.text, ...pieces(statement.text)]),
      // A description names much of what the rules speak of, and keeps none.
      ...markdownLines(text).flatMap((line) => (line.front ? [] : [line.text])),
    ])
    .map(wordingOf);
  const holds = (text: string) => {
    const wanted = wordingOf(text);
    return wordings.some((wording) => keeps(wording, wanted));
  };
  return ({ kind, text }) => {
    if (holds(text)) return true;
    const sentences = kind === 'rule' ? [] : pieces(text);
    return sentences.length > 1 && sentences.filter(holds).length >= sentences.length * KEPT;
  };
}

/**
 * Tells which of these statements another one says again, at its own length or a longer one: this share of the words of
 * either stands in the other, with the same negations, modals and numbers. The first that does, else undefined.
 */
export function createComparer(
  statements: readonly Statement[],
  share: number,
): (statement: Statement) => Statement | undefined {
  const known = statements.map((statement) => ({ statement, wording: wordingOf(statement.text) }));
  return ({ text }) => {
    const wording = wordingOf(text);
    return known.find(
      (other) =>
        isSubset(wording.numbers, other.wording.numbers) &&
        isSubset(other.wording.numbers, wording.numbers) &&
        (keeps(wording, other.wording, share) || keeps(other.wording, wording, share)),
    )?.statement;
  };
}

interface Wording {
  readonly words: ReadonlySet<string>;
  readonly negations: number;
  readonly modals: string;
  readonly numbers: ReadonlySet<string>;
}

function wordingOf(text: string): Wording {
  return {
    words: new Set(wordsOf(text)),
    negations: text.match(NEGATION)?.length ?? 0,
    modals: MODALS.map((modal) => modal.test(text)).join(),
    numbers: new Set(text.toLowerCase().match(NUMBER)),
  };
}

function keeps(wording: Wording, wanted: Wording, share = KEPT): boolean {
  if (wording.negations !== wanted.negations || wording.modals !== wanted.modals) return false;
  if (!isSubset(wanted.numbers, wording.numbers)) return false;
  return [...wanted.words].filter((word) => wording.words.has(word)).length >= wanted.words.size * share;
}

function isSubset(numbers: ReadonlySet<string>, of: ReadonlySet<string>): boolean {
  return [...numbers].every((number) => of.has(number));
}

function pieces(text: string): string[] {
  return sentencesOf(text)
    .map((sentence) => sentence.text.trim())
    .filter((sentence) => wordsOf(sentence).length >= SLIGHT_WORDS);
}

/** `alone`: the next line is no part of it. */
function beginningAt({ text }: MarkdownLine): {
  kind: Statement['kind'] | 'more';
  text: string;
  alone: boolean;
} {
  const heading = /^\s{0,3}#{1,6}\s+(\S.*)$/.exec(text)?.[1];
  if (heading !== undefined) return { kind: 'rule', text: heading.trim(), alone: true };
  const item = /^\s*(?:[-*+]\s+(?:\[[ xX]\]\s+)?|\d{1,3}[.)]\s+)(\S.*)$/.exec(text)?.[1];
  if (item !== undefined) return { kind: 'rule', text: item.trim(), alone: false };
  if (/^\s*\|/.test(text)) return { kind: 'paragraph', text: text.trim(), alone: true };
  return { kind: 'more', text: text.trim(), alone: false };
}
