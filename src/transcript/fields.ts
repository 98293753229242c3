/** A parsed JSON object whose fields nobody has checked yet. */
export type Fields = Readonly<Record<string, unknown>>;

/** The value as an object, or undefined if it is none (an array is none). */
export function asFields(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

/** The value if it is a string with something in it. */
export function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** A value as a word: texts, numbers and the like as they are, of an object only that it is one; its `toString` is foreign. */
export function asWord(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  return Array.isArray(value) ? 'list' : 'object';
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** An ISO 8601 time from such a string, or from seconds or milliseconds since 1970. */
export function asTime(value: unknown): string | undefined {
  if (typeof value === 'string') return Number.isNaN(Date.parse(value)) ? undefined : value;
  if (typeof value !== 'number' || !(value > 1e8) || value > 1e14) return undefined;
  return new Date(value > 1e11 ? value : value * 1000).toISOString();
}

/** The pieces of a message's content: a string is one piece, a list gives one for each block. */
export function contentBlocks(content: unknown): readonly Fields[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return asList(content).map((block) =>
    typeof block === 'string' ? { type: 'text', text: block } : (asFields(block) ?? {}),
  );
}

/** The text of tool output in any of its shapes: a string, text blocks, or a value as JSON. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (content === null || content === undefined) return '';
  if (!Array.isArray(content)) return JSON.stringify(content);
  return contentBlocks(content)
    .map((block) => (typeof block['text'] === 'string' ? block['text'] : imageMark(block)))
    .join('\n');
}

/** What stands in place of a picture or another attachment: its kind and size, never its bytes. */
export function imageMark(block: Fields): string {
  const data = asFields(block['source'])?.['data'] ?? block['data'] ?? asFields(block['image_url'])?.['url'];
  const kind = typeof block['type'] === 'string' ? block['type'].replace(/[^\w-]/g, '').slice(0, 20) : 'part';
  return `[${kind}${typeof data === 'string' ? ` ${Math.ceil((data.length * 0.75) / 1024)} KB` : ''}]`;
}
