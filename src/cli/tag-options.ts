import { KnackError } from '../errors.ts';
import type { UnknownTag } from '../library/search/narrowing.ts';
import { tagList } from '../library/tags/tag-query.ts';
import { inOneLine } from './project-notes.ts';

/** The tags that `--tag` names, each time one or several by commas. Throws `usage` where it names none. */
export function tagsOf(values: readonly string[]): string[] {
  return values.flatMap((value) => {
    const tags = tagList(value);
    if (tags.length === 0) throw new KnackError('usage', `--tag "${value}" names no tag`);
    return tags;
  });
}

/** That nobody has a tag, with those it may have been meant for. */
export function unknownTagLine({ tag, near }: UnknownTag): string {
  return inOneLine(`no skill has the tag "${tag}"${near.length === 0 ? '' : `; near: ${near.join(', ')}`}`);
}
