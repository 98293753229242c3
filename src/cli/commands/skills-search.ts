import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { KnackError, messageOf } from '../../errors.ts';
import { brokenSkills } from '../../library/broken-skills.ts';
import type { Library, SearchHit } from '../../library/library.ts';
import { FITS } from '../../library/search/ranking.ts';
import type { SkillSearch, SkillSearchOptions } from '../../library/search/skill-search.ts';
import type { Runtime } from '../../runtime.ts';
import { normaliseName } from '../../skill/name.ts';
import type { Act, CommandContext } from '../command.ts';
import { onlyRoot, wholeNumber } from '../options.ts';
import { clip } from '../output.ts';
import { inOneLine } from '../project-notes.ts';
import { withLookingRuntime } from '../with-runtime.ts';

interface Options {
  readonly limit: number;
  readonly all?: boolean;
  readonly wide?: boolean;
  readonly why?: boolean;
  readonly root?: string;
  readonly queries?: string;
}

export function configure(command: Command, act: Act): void {
  command
    .argument('[query...]', 'what you want to do, in your words')
    .option('--limit <k>', 'most hits', wholeNumber, 10)
    .option('--all', 'also hits that probably do not fit')
    .option('--wide', 'whole descriptions')
    .option('--why', 'say which fields, edges and stages of search put each hit there')
    .option('--root <dir>', 'search this folder alone')
    .option('--queries <file>', 'one {"id","query"} a line; answers one line each')
    .action(
      act(async (context, words: string[], options: Options) =>
        withLookingRuntime(
          context,
          async (runtime) => {
            const query = words.join(' ');
            if (options.queries === undefined && query.trim() === '') throw new KnackError('usage', NO_QUERY);
            const search = await prepared(runtime, context);
            if (options.queries !== undefined) await answerFile(search, options.queries, options, context);
            else await answer(await runtime.library(), search, query, options, context);
            return 0;
          },
          onlyRoot(options.root, context.cwd),
        ),
      ),
    );
}

const NO_QUERY = 'nothing to search for: give a query, or --queries FILE';

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
  library: Library,
  search: SkillSearch,
  query: string,
  options: Options,
  { output, signal }: CommandContext,
): Promise<void> {
  const hits = await search.search(query, {
    ...searchOptions(options),
    clauses: options.why === true,
    signal,
  });
  if (signal.aborted) throw new KnackError('aborted', 'stopped while searching');
  const asked = `-${normaliseName(query)}-`;
  for (const { name, message } of brokenSkills(library))
    if (asked.includes(`-${name}-`)) output.note(inOneLine(message));
  output.result({ query, hits }, () => {
    if (hits.length === 0)
      return options.all
        ? `nothing comes near: no word of it stands in any skill. ${BY_WORDS}`
        : `nothing fits. ${BY_WORDS} --all shows the nearest all the same.`;
    const most = options.wide ? Number.POSITIVE_INFINITY : LINES * (output.columns ?? COLUMNS);
    const lines = hits.map((hit, index) =>
      describe(library, { hit, index, most, why: options.why === true }),
    );
    return [...lines, ...(options.why ? [ORDER] : [])].join('\n');
  });
}

/** Of a hit, but for its reasons. */
const LINES = 2;
/** Where no terminal says it. */
const COLUMNS = 100;
/** What stands before the name of a hit. */
const INDENT = 13;

const BY_WORDS =
  'Search goes by words, so other words for it may help, in the language that the skills are written in; search.embeddings compares meanings too.';
const ORDER = `Best first, by all that matches, also in the body. The fit says how well what a skill is for answers the query: from ${FITS.toFixed(2)} on it fits by itself, below it may fit beside one that does.`;

/** Without the score: it says how sure a hit is, and the order is by more than that. */
function describe(
  library: Library,
  { hit, index, most, why }: { hit: SearchHit; index: number; most: number; why: boolean },
): string {
  const head = INDENT + hit.name.length + 2;
  const description = clip(library.find(hit.name)?.description ?? '', Math.max(most - head - 1, COLUMNS));
  const mark = hit.score >= FITS ? 'fits   ' : 'may fit';
  const reasons = why ? `\n             fit ${hit.score.toFixed(2)}; ${hit.why.join('; ')}` : '';
  return `${String(index + 1).padStart(2)}. ${mark}  ${hit.name}: ${description}${reasons}`;
}

async function answerFile(
  search: SkillSearch,
  file: string,
  options: Options,
  { output, signal }: CommandContext,
): Promise<void> {
  const lines = (
    await readFile(file, 'utf8').catch((error: unknown) => {
      throw new KnackError('not-found', `cannot read the queries ${file}: ${messageOf(error)}`, {
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
    const found = await search.search(query, { ...searchOptions(options), signal });
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

function searchOptions(options: Options): SkillSearchOptions {
  return { limit: options.limit, all: options.all === true };
}
