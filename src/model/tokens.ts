import { createHash } from 'node:crypto';

type Encode = (text: string) => { readonly length: number };

let encode: Encode | undefined;
const known = new Map<string, number>();
const MOST_KNOWN = 20_000;

/**
 * Unbroken runs longer than this are counted in pieces: the tokenizer takes quadratic time for them, so that a
 * hundred kilobytes of base64 would block for seconds. It costs at most two tokens a cut.
 */
const LONG_RUN = /\S{400}(?=\S)|\s{400}(?=\s)/gu;

/** A run of more than 400 covers the whole of a stretch that begins at a multiple of this. */
const STRETCH = 200;
const BLANK = /\s/;

/** Loads the tokenizer (o200k, some hundred milliseconds), once. `countTokens` wants it. */
export async function loadTokenizer(): Promise<void> {
  if (encode !== undefined) return;
  const tokenizer = await import('gpt-tokenizer/encoding/o200k_base');
  // Text that spells a control token is text: skills and transcripts may hold any words.
  encode = (text) => tokenizer.encode(text, { disallowedSpecial: new Set() });
}

/**
 * Tokens of a text (o200k). The one count that budgets, prices and reports use: exact but for unbroken runs of more
 * than 400 characters. Takes linear time. Needs `loadTokenizer` before.
 */
export function countTokens(text: string): number {
  if (encode === undefined) throw new Error('loadTokenizer() has to be awaited before tokens are counted');
  if (text.length < 64) return encode(text).length;
  const key = createHash('sha1').update(text).digest('base64');
  const before = known.get(key);
  if (before !== undefined) return before;
  if (known.size >= MOST_KNOWN) known.clear();
  const count = countPieces(text, encode);
  known.set(key, count);
  return count;
}

/** A look at few letters, where the pattern begins anew at each: of texts without such a run it took a sixth of the time. */
function mayHoldLongRun(text: string): boolean {
  for (let start = 0; start + STRETCH <= text.length; start += STRETCH) {
    const isBlank = BLANK.test(text.charAt(start));
    let end = start + 1;
    while (end < start + STRETCH && BLANK.test(text.charAt(end)) === isBlank) end += 1;
    if (end === start + STRETCH) return true;
  }
  return false;
}

function countPieces(text: string, encode: Encode): number {
  let count = 0;
  let start = 0;
  for (const run of mayHoldLongRun(text) ? text.matchAll(LONG_RUN) : []) {
    const end = run.index + run[0].length;
    count += encode(text.slice(start, end)).length;
    start = end;
  }
  return count + encode(text.slice(start)).length;
}
