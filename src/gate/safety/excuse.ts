import { type MarkdownLine, withoutQuoted } from '../markdown.ts';

/** Where a phrase stands. */
export interface Place {
  readonly lines: readonly MarkdownLine[];
  readonly index: number;
  /** The line of that index, or as much of it as matters. */
  readonly line: MarkdownLine;
  readonly column: number;
  /** Whether the file is prose, in which quotations and code blocks mean something. */
  readonly isMarkdown: boolean;
}

const ADJACENT =
  /(?:\b(?:do not|don't|never|must not|should not|shall not|cannot|can't|won't|did not|didn't|does not|doesn't|refuse to|refuses to|avoid|nie|niemals|nunca|jamais|não|non|mai|nooit)|(?<!\p{L})(?:не|никогда не|nigdy nie|لا)|不要|切勿|禁止|絶対に|しないで)\s*["'“`]*(?:[\p{L}]+ )?["'“`]*$/iu;
const NEGATION =
  /\b(?:do not|don't|never|must not|should not|shall not|cannot|can't|avoid|refuse|reject|forbid|forbidden|not allowed|disallow|nicht|nie|niemals|kein|keine|nunca|jamais|ne pas)\b|\b(?:instead of|rather than)(?: [\w'-]+){0,4} *["'`(]*$|\b(?:prevent|stop|keep|block)(?:s|ing)? (?:[\w-]+ ){0,2}(?:agents?|anyone|users?|people|developers?|contributors?|models?|assistants?) from\b|\b(?:checks? for|looks? for|rejects?|blocks?|detects?|intercepts?) (?:(?!(?:so|by|with|use|pass|add|run|and|then|unless|you)\b)[\w-]+ ){0,4}["'`]?$|不要|切勿|禁止|しない/iu;
/** Here another clause begins, which the negation before it does not reach. A list of quoted things goes on. */
const CLAUSE =
  /[;:—–]|\s-\s|,(?! *(?:(?:and|or|nor) )?["'`])|\b(?:but|then|until|unless|without|before|if|when|except|because|since|so)\b/gi;
const DOUBLE_NEGATION =
  /\b(?:hesitate|forget|fail|worry|be afraid|bother|skip|delay|mind|stop|omit|miss|neglect)\b/i;
const ATTACK =
  /injection|attack|malicious|hostile|adversar|untrusted|phish|jailbreak|exploit|red[- ]team|\b(?:as|is|are|only|just|mere|merely) data\b|\bnot (?:as )?(?:an? )?(?:instructions?|commands?|orders?)\b|(?:never|not) (?:obey|follow|execute|act on|trust)|angriff|ataque|attaque|攻击|攻撃|注入/i;
const VERDICT =
  /\b(?:dangerous|destructive|insecure|unsafe|vulnerab\w+|risky|suspicious|bypass flags?)\b|破壊的|破坏性|危险|危険/i;
const TEMPLATE = /prompt template|chat template|tokeni[sz]er|special tokens?|chat format/i;
/** A column of a table of what is refused. */
const WHY_BLOCKED = /\bwhy (?:it is |this is )?(?:blocked|forbidden|refused|dangerous)\b/i;
/** What speaks about words instead of saying them. */
const MENTION =
  /\b(?:such as|like|examples?|e\.g\.|looks?|patterns?|phrases?|texts?|strings?|inputs?|samples?|(?:detect|flag|reject|refuse|block|warn|scan|intercept)(?:e?s|e?d|ing)?|they (?:may|might|can) (?:use|try)|says?|search for|look for|report|recogni[sz]e|spot|contains?|payloads?|attempts?|wie|como|comme)\b|[例如]|パターン|検知|警告|拦截/i;
/** A line that tells the reader to do it all the same. */
export const ORDER =
  /(?:^|[.,:;]|\bthen|\bplease)\s*(?:run|execute|install|type|paste|use|start|follow|obey|do|send)\b(?! not)|\b(?:must|should|shall|always|you|will) (?:be )?(?:obey|follow|execut)/i;
const BAD_LABEL =
  /^(?:bad|wrong|dangerous|insecure|unsafe|vulnerable|anti-?patterns?|forbidden|risky|incorrect)\b(?: [\w-]+){0,3}\s*:?$/i;
const NEGATED_LABEL =
  /^(?:never|do not|don't|avoid|must not)(?: ever)? (?:do|doing|use|using|run|running|write|writing|pipe|piping|execute|executing|call|set|paste|pasting|this|these|the following|such|commands?|code|patterns?)\b[^.;!?]{0,60}$/i;
const CONDITION = /\b(?:without|until|unless|before|otherwise|skip)/i;
const BAD_HEADING =
  /\b(?:(?:things|patterns|commands|what) to avoid|anti-?patterns?|mistakes|pitfalls|don'?ts?|red flags)\b|^(?:dangerous|unsafe|insecure|forbidden|bad|vulnerable|malicious)(?: [\w-]+){0,2}$/i;

/**
 * Why a phrase may stand: it is advice against the thing, or a quotation in a text that teaches about it. With
 * `adjacent` the negation stands right before it, with `sentence` in its clause. Undefined if nothing excuses it.
 */
export function excuseFor(negation: 'sentence' | 'adjacent', place: Place): string | undefined {
  const { line, column, isMarkdown } = place;
  if (isAdvisedAgainst(negation, line.text.slice(0, column))) return 'it is advice against it';
  if (!isMarkdown || !isQuotation(line, column, negation)) return undefined;
  const near = proseNear(place, line);
  const headings = line.section.split(' > ');
  if (negation === 'adjacent') {
    const isTaught =
      headings.some((heading) => ATTACK.test(heading)) ||
      near.some((text) => (ATTACK.test(text) && MENTION.test(text)) || TEMPLATE.test(text));
    return isTaught && !near.some((text) => ORDER.test(text))
      ? 'it is quoted in a text about such attacks'
      : undefined;
  }
  if (
    near.some((text) => (ATTACK.test(text) || VERDICT.test(text)) && MENTION.test(text) && !ORDER.test(text))
  )
    return 'it is quoted in a text about such attacks';
  if (near.some((text) => WHY_BLOCKED.test(text) && !ORDER.test(text)))
    return 'it is shown as a thing to avoid';
  const label = near.at(-1) ?? '';
  if (isWarningLabel(label) || headings.some((heading) => BAD_HEADING.test(heading) && !ORDER.test(label)))
    return 'it is shown as a thing to avoid';
  return undefined;
}

function isAdvisedAgainst(negation: 'sentence' | 'adjacent', before: string): boolean {
  const sentence = before.slice(
    Math.max(before.lastIndexOf('. '), before.lastIndexOf('! '), before.lastIndexOf('? ')) + 1,
  );
  if (negation === 'adjacent') return !DOUBLE_NEGATION.test(sentence) && ADJACENT.test(sentence);
  const start = [...withoutQuoted(sentence).matchAll(CLAUSE)].at(-1);
  const clause = start === undefined ? sentence : sentence.slice(start.index + start[0].length);
  return NEGATION.test(clause) && !DOUBLE_NEGATION.test(clause);
}

/** A comment in code speaks to the reader in its own words, and only shows a command. */
function isQuotation(line: MarkdownLine, column: number, negation: 'sentence' | 'adjacent'): boolean {
  const isInline =
    withoutQuoted(line.text).charAt(column).trim() === '' && line.text.charAt(column).trim() !== '';
  const isSaid = negation === 'adjacent' && /^\s*(?:#|\/\/|--)\s/.test(line.text);
  return (line.code && !isSaid) || isInline || /^\s*>/.test(line.text);
}

/** Lines of a code block above which nothing is said of it any more. */
const LONGEST_BLOCK = 300;

/** The prose that introduces a quotation: two lines above it, the comment above it in its block, its own line around it. */
function proseNear({ lines, index }: Place, line: MarkdownLine): string[] {
  let start = index;
  while (start > 0 && index - start < LONGEST_BLOCK && line.code && lines[start - 1]?.code) start -= 1;
  const above = lines
    .slice(Math.max(0, start - 4), start)
    .filter(({ text, front }) => text.trim() !== '' && !front && !/^\s*>/.test(text))
    .slice(-2);
  const comment = line.code ? /^\s*(?:#|\/\/|--)\s*(.*)$/.exec(lines[index - 1]?.text ?? '')?.[1] : undefined;
  const own = line.code || /^\s*>/.test(line.text) ? undefined : withoutQuoted(line.text);
  return [...above.map(({ text }) => withoutQuoted(text)), comment, own].flatMap((text) => {
    const plain = text?.replace(/^[\s#>|*+-]+|[\s|*]+$/g, '').replace(/\*\*/g, '') ?? '';
    return plain === '' ? [] : [plain];
  });
}

function isWarningLabel(text: string): boolean {
  if (/^[❌✗✘⛔🚫]/u.test(text)) return true;
  if (
    /^(?:this|these|the following) (?:should|must|will) be (?:blocked|rejected|refused|denied)\b/i.test(text)
  )
    return true;
  return (BAD_LABEL.test(text) || NEGATED_LABEL.test(text)) && !CONDITION.test(text);
}
