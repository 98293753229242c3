import { type FoldedText, foldText } from './fold-text.ts';
import { type SourceLines, sourceLines } from './source-lines.ts';

/** A text as the rules look at it: read once for all of them. */
export interface ReadText {
  readonly text: string;
  readonly folded: FoldedText;
  readonly lines: SourceLines;
}

export function readText(text: string): ReadText {
  return { text, folded: foldText(text), lines: sourceLines(text) };
}
