/** The texts of a merge; of a file that was not there before the base is empty. */
interface Texts {
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
}

/**
 * Texts of which one has other line ends throughout (CRLF and LF), with the same ones: else each line of it would be a
 * change. `finish` gives the merged text the line ends of the side that changed them. Where one mixes both, nothing is
 * done: there they may mean something.
 */
export function withOneLineEnd(texts: Texts): { plain: Texts; finish: (merged: string) => string } {
  const same = { plain: texts, finish: (merged: string) => merged };
  const [base, ours, theirs] = [texts.base, texts.ours, texts.theirs].map(lineEndOf);
  const ends = [base, ours, theirs].filter((end) => end !== undefined);
  if (ends.includes('mixed') || new Set(ends).size < 2) return same;
  const plain = (text: string) => text.replaceAll('\r\n', '\n');
  const wanted = ours === base ? theirs : ours;
  return {
    plain: { base: plain(texts.base), ours: plain(texts.ours), theirs: plain(texts.theirs) },
    finish: (merged) => (wanted === 'crlf' ? merged.replaceAll('\n', '\r\n') : merged),
  };
}

/** Undefined of a text without a line end. */
function lineEndOf(text: string): 'lf' | 'crlf' | 'mixed' | undefined {
  const all = text.split('\n').length - 1;
  if (all === 0) return undefined;
  const crlf = text.split('\r\n').length - 1;
  return crlf === 0 ? 'lf' : crlf === all ? 'crlf' : 'mixed';
}
