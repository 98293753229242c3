import { lstatSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { hasSystemCode, KnackError, messageOf } from '../errors.ts';

/** The folder that `--to` names, absolute; it is made where it is missing. Throws `usage` for what cannot be one. */
export function targetFolder(given: string, cwd: string): string {
  const fail = (what: string) => {
    throw new KnackError(
      'usage',
      `--to ${given} ${what}; expected a folder, which is made where it is missing`,
    );
  };
  if (/^(?:[a-z][a-z\d+.-]+:\/\/|[\w.-]+@[\w.-]+:)/i.test(given))
    fail('is an address and no folder on this machine');
  const to = resolve(cwd, given);
  for (let at = to; dirname(at) !== at; at = dirname(at)) {
    // A path below a file is nothing either, and the file comes next.
    const found = statOf(at);
    if (found === undefined) continue;
    if (found === 'nowhere')
      fail(at === to ? 'is a link that leads nowhere' : `lies below ${at}, a link that leads nowhere`);
    else if (!found.isDirectory()) fail(at === to ? 'is a file' : `lies below ${at}, which is a file`);
    break;
  }
  return to;
}

function statOf(path: string) {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found !== undefined) return found;
    return lstatSync(path, { throwIfNoEntry: false }) === undefined ? undefined : 'nowhere';
  } catch (error) {
    if (hasSystemCode(error, 'ENOTDIR')) return undefined;
    if (hasSystemCode(error, 'ELOOP')) return 'nowhere';
    throw new KnackError('io', `cannot look at ${path}: ${messageOf(error)}`, { cause: error });
  }
}
