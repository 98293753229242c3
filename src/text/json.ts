/** Lists and objects within each other; what is nested deeper is no answer to anything, and walks over it would overflow. */
const DEEPEST = 200;

/**
 * The value of a JSON text that others wrote. Throws `SyntaxError` where it is none or is nested deeper than 200 levels,
 * so that whatever walks over the value may recurse.
 */
export function parseForeignJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (isTooDeep(value)) throw new SyntaxError(`it is nested deeper than ${DEEPEST} levels`);
  return value;
}

/** Whether a value that came of JSON is nested deeper than 200 levels. Does not recurse. */
export function isTooDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; depth <= DEEPEST; depth += 1) {
    const below: unknown[] = [];
    for (const each of level)
      if (typeof each === 'object' && each !== null)
        for (const inner of Object.values(each)) if (typeof inner === 'object') below.push(inner);
    if (below.length === 0) return false;
    level = below;
  }
  return true;
}
