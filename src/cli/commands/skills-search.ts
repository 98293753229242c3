import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { KnackError, messageOf } from '../../errors.ts';
import { brokenSkills } from '../../library/broken-skills.ts';
import type { Library } from '../../library/library.ts';
import {
  type Narrowing,
  type ReadQuery,
  readQueryWithTags,
  tagNames,
} from '../../library/search/narrowing.ts';
import { nearestByWord } from '../../library/search/nearest-words.ts';
import type { SkillSearch, SkillSearchOptions } from '../../library/search/skill-search.ts';
import { hearSignals } from '../../pause.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { normaliseName } from '../../skill/name.ts';
import type { Act, CommandContext } from '../command.ts';
import { collect, onlyRoot, wholeNumber } from '../options.ts';
import type { Output } from '../output.ts';
import { inOneLine } from '../project-notes.ts';
import { COLUMNS, hitsText } from '../search-view.ts';
import { tagsOf, unknownTagLine } from '../tag-options.ts';
import { withLookingRuntime } from '../with-runtime.ts';

interface Options {
  readonly limit: number;
  readonly all?: boolean;
  readonly wide?: boolean;
  readonly why?: boolean;
  readonly root?: string;
  readonly queries?: string;
  readonly tag: readonly string[];
}

export function configure(command: Command, act: Act): void {
  command
    .argument('[query...]', 'what you want to do, in your words')
    .option('--limit <k>', 'most hits', wholeNumber, 10)
    .option(
      '--tag <tag>',
      'look among the skills with this tag first (repeatable, or several by commas)',
      collect,
      [],
    )
    .option('--all', 'also hits that probably do not fit')
    .option('--wide', 'whole descriptions')
    .option(
      '--why',
      'say which fields, edges and stages of search put each hit there, and how much of its rank each is',
    )
    .option('--root <dir>', 'search this folder alone')
    .option('--queries <file>', 'one {"id","query"} a line; answers one line each')
    .action(
      act(async (context, words: string[], options: Options) =>
        withLookingRuntime(
          context,
          async (runtime) => {
            const query = words.join(' ');
            const isEmpty = query.trim() === '' && options.tag.length === 0;
            if (options.queries === undefined && isEmpty) throw new KnackError('usage', NO_QUERY);
            if (options.queries !== undefined) refuseBesideQueries(words, options);
            const asking: Asking = {
              library: await runtime.library(),
              search: await prepared(runtime, context),
              tags: tagsOf(options.tag),
              noted: new Set(),
            };
            if (options.queries !== undefined) await answerFile(asking, options.queries, options, context);
            else await answer(asking, query, options, context);
            return 0;
          },
          onlyRoot(options.root, context.cwd),
        ),
      ),
    );
}

/** What every query of a command is answered from. */
interface Asking {
  readonly library: Library;
  readonly search: SkillSearch;
  readonly tags: readonly string[];
  /** Tags that were said to be of no skill. */
  readonly noted: Set<string>;
}

const NO_QUERY = 'nothing to search for: give a query, --tag TAG, or --queries FILE';

/** A file's queries are answered by lines of JSON. */
function refuseBesideQueries(words: readonly string[], { why, wide }: Options): void {
  const beside = [
    ...(words.length > 0 ? ['a query'] : []),
    ...(why ? ['--why'] : []),
    ...(wide ? ['--wide'] : []),
  ];
  if (beside.length > 0)
    throw new KnackError('usage', `--queries FILE does not go with ${beside.join(' or ')}; leave one out`);
}

/** The query with its tags apart; says once of each that no skill has it. */
function readTags({ library, tags, noted }: Asking, query: string, output: Output): ReadQuery {
  const read = readQueryWithTags(library, query, tags);
  for (const unknown of read.narrowing?.unknown ?? []) {
    if (noted.has(unknown.tag)) continue;
    noted.add(unknown.tag);
    output.note(`${unknownTagLine(unknown)}; searched without it`);
  }
  return read;
}

/** Search with what it needs for its first query, which may take a while once. */
async function prepared(runtime: Runtime, { output, signal }: CommandContext): Promise<SkillSearch> {
  const search = await runtime.search();
  await search.prepare({
    signal,
    onProgress: (done, of) => output.progress(`embedding skills: ${done} of ${of}`),
  });
  return search;
}

async function answer(
  asking: Asking,
  query: string,
  options: Options,
  { output, signal }: CommandContext,
): Promise<void> {
  const { library, search } = asking;
  const { text, narrowing } = readTags(asking, query, output);
  const hits = await search.search(text, {
    ...searchOptions(options, narrowing),
    shares: options.why === true,
    signal,
  });
  await hearSignals(signal, 'searching');
  const asked = `-${normaliseName(text)}-`;
  for (const { name, message } of brokenSkills(library))
    if (asked.includes(`-${name}-`)) output.note(inOneLine(message));
  const isListing = text === '';
  const nearest =
    hits.length > 0 || isListing || options.all
      ? []
      : await nearestByWord(library, search, text, { ...(narrowing && { narrowing }), signal });
  const value = {
    query,
    hits,
    ...(narrowing && { narrowing: narrowingJson(narrowing) }),
    ...(nearest.length > 0 && { nearest }),
  };
  await hearSignals(signal, 'searching');
  output.result(value, () => {
    if (hits.length === 0)
      return isListing
        ? `no skill has all of the ${inOneLine(tagNames(narrowing?.tags ?? []))}`
        : options.all
          ? `nothing comes near: no word of it stands in any skill. ${BY_WORDS}`
          : nearest.length > 0
            ? `nothing fits by itself. Nearest by a word of the query: ${inOneLine(nearest.join(', '))}; --all shows them and more.`
            : `nothing fits. ${BY_WORDS} --all shows the nearest all the same.`;
    const most = options.wide ? Number.POSITIVE_INFINITY : LINES * (output.columns ?? COLUMNS);
    return hitsText(hits, { library, narrowing, isListing, why: options.why === true, most });
  });
}

function narrowingJson({ tags, skills, unknown }: Narrowing) {
  return { tags, skills: skills.length, unknown };
}

/** Of a hit, but for its reasons. */
const LINES = 2;

const BY_WORDS =
  'Search goes by words, so other words for it may help, in the language that the skills are written in; search.embeddings compares meanings too.';
const EXPECTED = 'give a file with one {"id","query"} a line';

async function answerFile(
  asking: Asking,
  file: string,
  options: Options,
  { output, signal }: CommandContext,
): Promise<void> {
  const lines = (
    await readFile(file, 'utf8').catch((error: unknown) => {
      throw new KnackError('not-found', `cannot read the queries ${file}: ${messageOf(error)}; ${EXPECTED}`, {
        cause: error,
      });
    })
  )
    .replace(/^\uFEFF/, '')
    .split('\n');
  for (const [index, line] of lines.entries()) {
    if (signal.aborted) throw new KnackError('aborted', `stopped before line ${index + 1} of ${file}`);
    if (line.trim() === '') continue;
    const { id, query } = parseQuery(line, file, index + 1);
    const started = performance.now();
    const { text, narrowing } = readTags(asking, query, output);
    const found = await asking.search.search(text, { ...searchOptions(options, narrowing), signal });
    const hits = found.map(({ name, path, score }) => ({ name, path, score }));
    output.line({ id, hits, ms: Math.round((performance.now() - started) * 1000) / 1000 });
  }
}

function parseQuery(line: string, file: string, number: number): { id: unknown; query: string } {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw new KnackError('usage', `${file}:${number} is not JSON: ${messageOf(error)}`, { cause: error });
  }
  if (typeof value === 'object' && value !== null && 'query' in value && typeof value.query === 'string') {
    return { id: 'id' in value ? value.id : number, query: value.query };
  }
  throw new KnackError('usage', `${file}:${number}: expected {"id", "query"} with a text as query`);
}

function searchOptions(options: Options, narrowing: Narrowing | undefined): SkillSearchOptions {
  return { limit: options.limit, all: options.all === true, ...(narrowing && { narrowing }) };
}
