import { Lexer } from 'yaml';

/** The lexer's mark of a scalar: the token behind it is its text, whatever that begins with. */
const SCALAR = '\x1f';

/** The comments of a text in YAML, each from its `#` to the end of its line, in their order. */
export function commentsOf(source: string): string[] {
  const comments: string[] = [];
  let isScalar = false;
  for (const token of new Lexer().lex(source)) {
    if (!isScalar && token.startsWith('#')) comments.push(token.trimEnd());
    isScalar = token === SCALAR;
  }
  return comments;
}
