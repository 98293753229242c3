/**
 * Whether `text` fits `pattern` as a whole, where `*` stands for any characters. Takes at most the product of both
 * lengths, whatever the pattern.
 */
export function matchesWildcard(pattern: string, text: string): boolean {
  let at = 0;
  let from = 0;
  let star = -1;
  let resume = 0;
  while (from < text.length) {
    if (at < pattern.length && pattern[at] === '*') {
      star = at++;
      resume = from;
    } else if (at < pattern.length && pattern[at] === text[from]) {
      at++;
      from++;
    } else if (star >= 0) {
      at = star + 1;
      from = ++resume;
    } else {
      return false;
    }
  }
  while (pattern[at] === '*') at++;
  return at === pattern.length;
}

/**
 * Whether a relative path (`/` between its parts) fits a glob: `*` stays within one part, `**` is any number of
 * parts. A glob without `/` is compared with the file's name alone.
 */
export function matchesGlob(glob: string, path: string): boolean {
  const parts = path.split('/');
  if (!glob.includes('/')) return matchesWildcard(glob, parts.at(-1) ?? '');
  let reached = new Set([0]);
  for (const segment of glob.split('/')) {
    const next = new Set<number>();
    for (const position of reached) {
      if (segment === '**') {
        for (let end = position; end <= parts.length; end++) next.add(end);
      } else if (position < parts.length && matchesWildcard(segment, parts[position] ?? '')) {
        next.add(position + 1);
      }
    }
    reached = next;
  }
  return reached.has(parts.length);
}
