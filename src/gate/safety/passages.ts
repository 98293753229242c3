import type { FoldedText } from './fold-text.ts';
import { UNSPACED } from './words/word-scan.ts';

/** Where each character of a folded text stands among its sentences and words. */
export interface Passages {
  /** The number of the sentence. */
  sentenceAt(index: number): number;
  /** How far into the text, in half words; a Chinese or Japanese character counts as one half. */
  stepAt(index: number): number;
  /** Where a sentence begins in the folded text. */
  startOf(sentence: number): number;
}

const LIST_OR_BLOCK = /[-+#>|`~\d•·/]/;

/** A sentence ends with its mark, at a blank line, and where a list, a heading, a table, a comment or a fence begins. */
export function passagesOf(source: string, { text, originOf }: FoldedText): Passages {
  const sentences = new Uint32Array(text.length + 1);
  const steps = new Uint32Array(text.length + 1);
  const starts = [0];
  let step = 0;
  let before = ' ';
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (UNSPACED.test(character)) step += 1;
    else if (character !== ' ' && (before === ' ' || UNSPACED.test(before))) step += 2;
    sentences[at] = starts.length - 1;
    steps[at] = step;
    if (
      endsSentence(text, at, before) ||
      (character === ' ' && breaksLine(source, originOf(at), originOf(at + 1), text.charAt(at + 1)))
    )
      starts.push(at + 1);
    before = character;
  }
  sentences[text.length] = starts.length - 1;
  steps[text.length] = step;
  return {
    sentenceAt: (index) => sentences[index] ?? 0,
    stepAt: (index) => steps[index] ?? 0,
    startOf: (sentence) => starts[sentence] ?? text.length,
  };
}

function endsSentence(text: string, at: number, before: string): boolean {
  const character = text.charAt(at);
  if ('。！？'.includes(character) || character === '।') return true;
  if (!'.!?'.includes(character)) return false;
  const after = text.charAt(at + 1);
  return before !== ' ' && (after === ' ' || after === '');
}

function breaksLine(source: string, from: number, to: number, next: string): boolean {
  const first = source.indexOf('\n', from);
  if (first < 0 || first >= to) return false;
  const second = source.indexOf('\n', first + 1);
  return (second >= 0 && second < to) || LIST_OR_BLOCK.test(next) || source.slice(first, to).includes('*');
}
