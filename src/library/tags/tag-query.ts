/** A query with the tags that it names apart from its words. */
export interface TagQuery {
  /** Without what names tags. */
  readonly text: string;
  /** Distinct, as they are written, in their order. */
  readonly tags: readonly string[];
}

/** Of a query that somebody types; a longer one, or one of several lines, is a task that was pasted. */
const MOST_WORDS = 16;
const MOST_CHARACTERS = 400;

/**
 * Text that was taken from somewhere: in quotes, also to the end where nothing closes them, or in brackets. An apostrophe
 * inside of a word opens nothing.
 */
const QUOTED = [
  `"[^"]*(?:"|$)`,
  '`[^`]*(?:`|$)',
  '“[^”]*(?:”|$)',
  '«[^»]*(?:»|$)',
  '「[^」]*(?:」|$)',
  `(?<!\\S)'[^']*(?:'|$)`,
  String.raw`\{[^}]*\}|\[[^\]]*\]|\([^)]*\)|<[^>]*>`,
].join('|');
const TAG = String.raw`[\p{L}\p{N}.][\p{L}\p{M}\p{N}._+#/-]*`;
/** One or several tags, by commas; a full stop or a comma behind it ends the clause. */
const NAMED = String.raw`(?<!\S)tag:(${TAG}(?:,${TAG})*)[,;!?]?(?!\S)`;
const PARTS = new RegExp(`${QUOTED}|${NAMED}`, 'gu');

/**
 * Takes `tag:word` out of a short query of one line, where it is a token of its own; everything else, such as `tag: latest`,
 * `image:tag:v1`, an address or what is quoted, is text. The text is as it was where it names no tag.
 */
export function readTagQuery(query: string): TagQuery {
  const trimmed = query.trim();
  const isLong = trimmed.length > MOST_CHARACTERS || trimmed.split(/\s+/).length > MOST_WORDS;
  if (isLong || /[\r\n]/.test(trimmed)) return { text: query, tags: [] };
  const tags: string[] = [];
  const text = trimmed.replace(PARTS, (part, named: string | undefined) => {
    if (named === undefined) return part;
    tags.push(...tagList(named));
    return '';
  });
  return tags.length === 0
    ? { text: query, tags }
    : { text: text.replace(/\s+/g, ' ').trim(), tags: [...new Set(tags)] };
}

/** Tags of a list by commas, without what is empty and without full stops behind them. */
export function tagList(text: string): string[] {
  return text
    .split(',')
    .map((tag) => tag.trim().replace(/(?<=.)\.+$/, ''))
    .filter((tag) => tag !== '');
}
