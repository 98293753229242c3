import type { Git } from './git.ts';

/** Whatever an attribute or a setting says: no program makes the diff, and it reads the same for everybody. */
const PLAIN = ['--no-ext-diff', '--no-textconv', '--no-color', '--ignore-submodules=none'];

/**
 * The unified diff of a skill's folder between two commits, or from one to the files that stand. A file whose bytes are
 * text is shown as text, also where an attribute has git take it for a binary one.
 */
export async function diffOf(git: Git, ends: readonly string[], skill: string): Promise<string> {
  const ask = (path: string, ...how: string[]) =>
    git.run('diff', ...PLAIN, '--diff-algorithm=myers', ...how, ...ends, '--', path);
  const counts = (await ask(skill, '--numstat', '-z', '--no-renames', '--relative')).split('\0');
  const files = counts.flatMap((line) => {
    const [, lines, path] = /^(\d+|-)\t(?:\d+|-)\t(.+)$/s.exec(line) ?? [];
    return path === undefined ? [] : [{ path, isBinary: lines === '-' }];
  });
  if (!files.some(({ isBinary }) => isBinary)) return ask(skill);
  let diff = '';
  for (const { path, isBinary } of files) {
    const text = await ask(path, ...(isBinary ? ['--text'] : []));
    diff += isBinary && /[\0\ufffd]/.test(text) ? await ask(path) : text;
  }
  return diff;
}
