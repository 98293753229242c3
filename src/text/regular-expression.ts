import { createContext, Script } from 'node:vm';
import { KnackError } from '../errors.ts';

/** For one call; an expression that takes longer backtracks without end. */
const MATCH_MILLISECONDS = 1000;
const UNBOUNDED = /^(?:[*+]|\{\d+,\})/;

/**
 * The indexes of those texts that fit an expression which somebody else wrote. Runs apart, where it can be stopped:
 * throws `refused` when it takes longer than a second.
 */
export function createMatcher(expression: RegExp): (texts: readonly string[]) => readonly number[] {
  const sandbox = createContext({ expression, texts: [] as readonly string[] });
  const script = new Script('texts.flatMap((text, index) => (expression.test(text) ? [index] : []))');
  return (texts) => {
    sandbox['texts'] = texts;
    try {
      return script.runInContext(sandbox, { timeout: MATCH_MILLISECONDS }) as number[];
    } catch (error) {
      if (isTimeout(error))
        throw new KnackError(
          'refused',
          `the expression ${expression.source} takes too long; write it without nested repetition`,
          { cause: error },
        );
      throw error;
    } finally {
      sandbox['texts'] = [];
    }
  };
}

/**
 * Whether a repetition stands within a repeated group and nothing tells one round from the next, as in `(\w+\s?)*`: such
 * an expression may take for ever. A sign that each round begins or ends with, as in `(-[a-z]+)*`, tells them apart.
 */
export function hasNestedRepetition(pattern: string): boolean {
  const groups: { start: number; repeats: boolean }[] = [];
  const tokens = /\\.|\[(?:\\.|[^\]\\])*\]|[()]|[*+]|\{\d+,\}/gs;
  for (const { 0: token, index } of pattern.matchAll(tokens)) {
    if (token === '(') groups.push({ start: index + 1, repeats: false });
    else if (token === ')') {
      const group = groups.pop();
      if (group === undefined) continue;
      const repeated = UNBOUNDED.test(pattern.slice(index + 1));
      const body = pattern.slice(group.start, index).replace(/^\?(?::|<\w+>)/, '');
      if (repeated && group.repeats && !isDelimited(body)) return true;
      const outer = groups.at(-1);
      if (outer !== undefined && (group.repeats || repeated)) outer.repeats = true;
    } else if (UNBOUNDED.test(token)) {
      const group = groups.at(-1);
      if (group !== undefined) group.repeats = true;
    }
  }
  return false;
}

function isDelimited(body: string): boolean {
  if (body.includes('|')) return false;
  const sign = String.raw`(?:[-,;:/_@# ]|\\[-.,;:/_@#])`;
  return new RegExp(`^${sign}(?![?*{])|${sign}$`).test(body);
}

/** The error is made in the other context, so it is no `Error` of ours. */
function isTimeout(error: unknown): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  );
}
