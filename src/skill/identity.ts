import type { Problem } from '../errors.ts';
import { normaliseName } from './name.ts';

/** What a skill is called. */
export interface Identity {
  readonly name: string;
  /** The name as declared, when it differs from `name`. */
  readonly label?: string;
  readonly aliases: readonly string[];
  readonly problems: readonly Problem[];
}

const LONGEST_NAME = 64;

/** The identifier: the declared name in its normal form, else the folder's; the folder's name stays an alias. */
export function identify(declared: string | undefined, directory: string, line: number): Identity {
  const problems: Problem[] = [];
  const note = (rule: string, message: string) => problems.push({ rule, severity: 'warning', message, line });
  const normal = normaliseName(declared ?? '');
  if (normal === '') {
    const why = declared === undefined ? 'there is no name' : `the name "${declared}" cannot be used`;
    note('name-from-directory', `${why}; the folder's name "${directory}" was taken`);
    return { name: normaliseName(directory) || 'skill', aliases: [], problems };
  }
  if (normal.length > LONGEST_NAME)
    note('name-too-long', `the name has ${normal.length} characters; at most ${LONGEST_NAME}`);
  const folderName = normaliseName(directory);
  const aliases = [
    ...(declared === normal ? [] : [String(declared)]),
    ...(folderName === normal || folderName === '' ? [] : [directory]),
  ];
  return {
    name: normal,
    ...(declared === normal || declared === undefined ? {} : { label: declared }),
    aliases,
    problems,
  };
}
