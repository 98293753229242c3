import { KnackError } from '../errors.ts';
import type { CommandEntry } from './command.ts';

/** What other programs call it, by the command of knack. */
export const OTHER_WORDS: Record<string, readonly string[]> = {
  retire: ['remove', 'rm', 'delete', 'del', 'uninstall', 'drop', 'unlearn'],
  restore: ['undelete', 'unretire', 'recover'],
  add: ['install', 'import', 'fetch', 'clone', 'download', 'copy', 'cp'],
  update: ['upgrade', 'sync', 'pull'],
  show: ['get', 'cat', 'view', 'info', 'read', 'describe', 'open'],
  list: ['ls', 'all'],
  search: ['find', 'query', 'grep', 'lookup'],
  validate: ['check', 'lint', 'verify', 'fix', 'fmt', 'format'],
  log: ['history', 'versions', 'revisions'],
  rollback: ['undo', 'revert', 'reset'],
  approve: ['accept', 'apply'],
  pending: ['staged', 'proposed', 'drafts'],
  export: ['publish', 'pack', 'share'],
};

/**
 * Throws `usage` with knack's own command where a word is that of another program, or stands under `skills`. Any other
 * word passes.
 */
export function refuseOtherWords(
  path: readonly string[],
  word: string,
  entries: Record<string, CommandEntry>,
  skills: Record<string, CommandEntry>,
): void {
  if (Object.hasOwn(entries, word) || (path.length > 0 && entries !== skills)) return;
  const own = Object.hasOwn(skills, word)
    ? word
    : Object.keys(OTHER_WORDS).find((command) => OTHER_WORDS[command]?.includes(word));
  if (own === undefined) return;
  throw new KnackError(
    'usage',
    `unknown command '${[...path, word].join(' ')}'; knack skills ${own} is what it may be: ${skills[own]?.summary}`,
  );
}
