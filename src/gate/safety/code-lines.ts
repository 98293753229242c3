import { isProse } from '../texts.ts';
import type { SourceLines } from './source-lines.ts';

const PROGRAM =
  /\.(?:sh|bash|zsh|fish|py|rb|pl|php|lua|r|[cm]?[jt]sx?|ps1|bat|cmd|sql|css|html?|svg|xml|go|rs|java|cs|c|cpp|h)$/i;
const COMMENT = /^\s*(?:#(?!!)|\/\/|\/?\*|--\s|;|%|rem\b|<!--|"""|''')/i;
/** Marks that statements have and sentences do not. */
const STATEMENT =
  /[{}=;<>|$]|\w\(|\)\s*$|\[['"\w]|^\s*(?:[\w.-]+\s+-|import |from |def |class |return |if |else|for |while |const |let |var |"[^"]*":)/;

/** Whether an offset lies on a line of code that is no comment; the sentences that code holds count as prose. */
export function codeLines(file: string, lines: SourceLines): (offset: number) => boolean {
  const isProgram = PROGRAM.test(file);
  return (offset) => {
    const line = lines.at(offset);
    if (line === undefined || !(line.code || (isProgram && !isProse(file)))) return false;
    const text = line.text.slice(0, 400);
    return !COMMENT.test(text) && STATEMENT.test(text);
  };
}
