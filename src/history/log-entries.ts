/** A commit as `git log` tells of it. */
export interface LogEntry {
  readonly sha: string;
  readonly date: string;
  readonly message: string;
  /** The files that it touched. */
  readonly files: readonly string[];
}

/** What starts such a log. A folder that was renamed is a file gone from the one and a new one in the other. */
export const LOG: readonly string[] = ['log', '--no-show-signature', '--no-color', '--no-renames'];

/** To be given to `git log` with `--name-only -z`, for `readLog`. */
export const LOG_FORMAT = '--format=%x00%x00%H%x00%cI%x00%B%x00';

/**
 * Reads such a log. What separates is NUL, which neither a message nor the name of a file can hold, and each commit is
 * three fields of fixed places: no message can pass for the end of one.
 */
export function readLog(log: string): LogEntry[] {
  const words = log.split('\0');
  const entries: LogEntry[] = [];
  let at = 0;
  const passEmpty = () => {
    while (words[at] === '') at += 1;
  };
  for (passEmpty(); at < words.length; passEmpty()) {
    const [sha = '', date = '', message = ''] = words.slice(at, at + 3);
    at += 3;
    passEmpty();
    const files: string[] = [];
    // A line end stands before the first file, and an empty word behind the last.
    if (words[at]?.startsWith('\n'))
      for (; at < words.length && words[at] !== ''; at += 1) files.push((words[at] ?? '').replace(/^\n/, ''));
    entries.push({ sha, date, message, files });
  }
  return entries;
}
