import type { Library } from '../library/library.ts';
import { entryUnder, escapeMarkup } from './entry.ts';
import type { FileChange } from './file-changes.ts';

/** What is to be said of a skill that is not as the conversation knows it. */
export interface News {
  readonly name: string;
  readonly line: string;
  /** For what is too long to stand beside any message. */
  readonly short: string;
}

interface Compared {
  /** The library as it was last announced, and as it is: name to hash. */
  readonly known: ReadonlyMap<string, string>;
  readonly present: ReadonlyMap<string, string>;
  readonly loaded: ReadonlyMap<string, string>;
  readonly files: readonly FileChange[];
}

/** The skills that came, changed or went, and those whose files did. */
export function turnNews(library: Library, { known, present, loaded, files }: Compared): News[] {
  const texts = newsOf(library, known, present, loaded);
  return [...texts, ...fileNews(files, texts)];
}

/** Of a skill that is to be loaded again its files come with it. */
function fileNews(files: readonly FileChange[], texts: readonly News[]): News[] {
  const told = new Set(texts.map(({ name }) => name));
  return files.flatMap(({ name, paths }) => {
    if (told.has(name)) return [];
    const line = `- ${name}: files changed since it was loaded: ${escapeMarkup(paths)}`;
    return [{ name, line, short: `- ${name} (files changed)` }];
  });
}

/** Skills that came, changed or went since they were last announced. Of nothing before the first message: the catalog has said it. */
function newsOf(
  library: Library,
  known: ReadonlyMap<string, string>,
  present: ReadonlyMap<string, string>,
  loaded: ReadonlyMap<string, string>,
): News[] {
  const changed = [...present].filter(([name, hash]) => known.get(name) !== hash);
  const gone = [...known.keys()].filter((name) => !present.has(name));
  return [
    ...changed.flatMap(([name]) => {
      const skill = library.find(name);
      if (skill === undefined) return [];
      const what = loaded.has(name) ? 'changed, load it again' : known.has(name) ? 'changed' : 'new';
      return [{ name, line: `${entryUnder(name, skill)} (${what})`, short: `- ${name} (${what})` }];
    }),
    ...gone.map((name) => {
      const line = `- ${name} is no longer there`;
      return { name, line, short: line };
    }),
  ];
}
