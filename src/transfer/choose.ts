import { KnackError } from '../errors.ts';
import { nearNames } from '../library/near-names.ts';
import type { AddRequest } from './add.ts';
import type { FoundSkill, SourceContent, SourceFault } from './find.ts';
import { sourceText } from './source.ts';

/**
 * The skills of a source that are wanted. Throws `not-found` for a source without skills and for names that it has not,
 * `usage` where it is not said which of several are wanted.
 */
export async function choose(
  { skills, faults, skipped }: SourceContent,
  { source, within, only, as, wantsAll }: AddRequest,
): Promise<{ chosen: readonly FoundSkill[]; faults: readonly SourceFault[] }> {
  const place = within === undefined ? sourceText(source) : `${within} of ${sourceText(source)}`;
  if (skills.length + faults.length === 0)
    throw new KnackError(
      'not-found',
      [`there is no skill in ${place}: a skill is a folder with a SKILL.md`, ...skipped].join('; '),
    );
  const names = new Set([...skills, ...faults].flatMap(({ name }) => name ?? []));
  const unknown = only.find((name) => !names.has(name));
  if (unknown !== undefined) {
    const near = nearNames(unknown, names);
    throw new KnackError(
      'not-found',
      `there is no skill "${unknown}" in ${place}${near.length > 0 ? `; did you mean ${near.join(', ')}?` : '; --list shows those that there are'}`,
    );
  }
  const chosen = only.length === 0 ? skills : skills.filter(({ name }) => only.includes(name));
  if (as !== undefined && chosen.length !== 1)
    throw new KnackError(
      'usage',
      `--as names one skill and ${chosen.length} are chosen; choose it with --skill`,
    );
  if (only.length === 0 && skills.length > 1 && !(await wantsAll(skills)))
    throw new KnackError(
      'usage',
      `${place} holds ${skills.length} skills; choose with --skill NAME, or take all with --yes (--list shows them)`,
    );
  const concerned = ({ name }: SourceFault) =>
    only.length === 0 || (name !== undefined && only.includes(name));
  return { chosen, faults: faults.filter(concerned) };
}
