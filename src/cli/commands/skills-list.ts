import { type Command, Option } from 'commander';
import { KnackError } from '../../errors.ts';
import { brokenSkills } from '../../library/broken-skills.ts';
import type { Library, LibraryEntry, SkillRoot } from '../../library/library.ts';
import { type Narrowing, narrowingTo, tagNames } from '../../library/search/narrowing.ts';
import { tagIndexOf } from '../../library/tags/tag-index.ts';
import { hearSignals } from '../../pause.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { noun } from '../../text/counted.ts';
import type { Act } from '../command.ts';
import { listTable } from '../list-table.ts';
import { collect, onlyRoot } from '../options.ts';
import { clip, type Output } from '../output.ts';
import { asWord, inOneLine } from '../project-notes.ts';
import { tagsOf, unknownTagLine } from '../tag-options.ts';
import { withLookingRuntime } from '../with-runtime.ts';

interface Options {
  readonly all?: boolean;
  readonly wide?: boolean;
  readonly root?: string;
  readonly tag: readonly string[];
}

/** Columns of a version and a root: a long one would leave the others no room. */
const VERSIONED = 20;
const ROOTED = 30;
const MOST_BROKEN = 3;

export function configure(command: Command, act: Act): void {
  command
    .allowExcessArguments()
    .option('--all', 'also what is shadowed, refused, skipped, found twice, retired or not trusted, and why')
    .addOption(
      new Option('--tag <tag>', 'those with this tag alone (repeatable, or several by commas)')
        .argParser(collect)
        .default([])
        .conflicts('all'),
    )
    .option('--wide', 'whole descriptions')
    .option('--root <dir>', 'look at this folder alone')
    .action(
      act(async (context, options: Options) => {
        refuseWords(command.args);
        return withLookingRuntime(
          context,
          async (runtime) => {
            const library = await runtime.library();
            const tags = tagsOf(options.tag);
            const tagged = tags.length === 0 ? undefined : narrowingTo(library, tags);
            for (const unknown of tagged?.unknown ?? []) context.output.note(unknownTagLine(unknown));
            const isAll = options.all === true && options.root === undefined;
            const untrusted = isAll ? await untrustedIn(runtime, library) : NONE;
            const retired = isAll ? await (await import('../gone-skills.ts')).goneSkills(runtime) : [];
            const overlooked = options.all === true ? await overlookedIn(library) : undefined;
            const rows = [
              ...library.entries
                .filter((entry) => options.all || entry.state === 'listed')
                .filter((entry) => tagged === undefined || isTagged(entry, tagged))
                .map((entry) => describe(entry, library)),
              ...(overlooked?.rows ?? []),
              ...untrusted.skills,
              ...retired,
            ];
            const problems = [...library.problems, ...(overlooked?.problems ?? [])];
            const cell = (text: string, most: number) =>
              clip(inOneLine(text), options.wide || options.all ? Number.POSITIVE_INFINITY : most);
            await hearSignals(context.signal, 'listing skills');
            context.output.result({ skills: rows, problems }, () =>
              rows.length === 0
                ? tagged === undefined
                  ? 'no skills; put one into the workspace or add a root to knack.json'
                  : `no skill with ${inOneLine(tagNames(tags))}`
                : listTable(
                    rows.map((row) => [
                      inOneLine(row.name),
                      cell(('version' in row ? row.version : undefined) ?? '-', VERSIONED),
                      cell(row.root, ROOTED),
                      ...(tagged === undefined ? [] : [howTagged(library, row.name, tagged)]),
                      options.all
                        ? inOneLine(stateAndPlace(row))
                        : options.wide
                          ? inOneLine(row.description)
                          : row.description,
                    ]),
                    options.wide || options.all ? 'whole' : context.output.columns,
                  ),
            );
            for (const problem of problems)
              context.output.note(`${problem.severity}: ${inOneLine(problem.message)}`);
            if (options.all !== true) noteBroken(library, context.output);
            for (const note of untrusted.notes) context.output.note(inOneLine(note));
            return 0;
          },
          onlyRoot(options.root, context.cwd),
        );
      }),
    );
}

/** Whoever gives words looks for something. */
function refuseWords(words: readonly string[]): void {
  if (words.length === 0) return;
  const [query, tags] = [words.map(asWord).join(' '), asWord(words.join(','))];
  throw new KnackError(
    'usage',
    `skills list takes no words: \`knack skills search ${query}\` finds skills by what they are for, \`knack skills list --tag ${tags}\` lists those with ${noun(words.length, 'that tag', 'all of these tags')}`,
  );
}

/** Why a skill is not used, or what is to be said of one that is, and where it is. */
function stateAndPlace({ state, why, path }: { state: string; why?: string; path?: string }): string {
  const said = why ? `${state}: ${why}` : state;
  if (path === undefined || said.includes(path)) return said;
  return `${said}${why ? '; ' : ': '}${path}`;
}

/** What is on disk and no entry of the library, for where it lies. */
async function overlookedIn(library: Library) {
  const { inDotFolders, nestedIn } = await import('../overlooked-skills.ts');
  const { secondPaths } = await import('../second-paths.ts');
  const again = secondPaths(library);
  const hidden = inDotFolders(library);
  return {
    rows: [
      ...nestedIn(library).map(({ root, path, problem }) =>
        overlookedRow({ state: 'nested', root, path, why: `${path}: ${problem.message}` }),
      ),
      ...hidden.flatMap(({ root, paths }) =>
        paths.map((path) => overlookedRow({ state: 'skipped', root, path, why: `${path}: ${SKIPPED}` })),
      ),
      ...again.skills.map((each) => overlookedRow({ state: 'duplicate', ...each })),
    ],
    problems: [...hidden.map(({ problem }) => problem), ...again.problems],
  };
}

function overlookedRow({
  name = '-',
  state,
  root,
  path,
  why,
}: {
  readonly name?: string;
  readonly state: 'nested' | 'skipped' | 'duplicate';
  readonly root: SkillRoot;
  readonly path: string;
  readonly why: string;
}) {
  return { name, version: undefined, state, root: root.name, path, description: '', why };
}

const SKIPPED = 'lies in a folder whose name begins with a dot';

const NONE = { skills: [], notes: [] };

async function untrustedIn(runtime: Runtime, library: Library) {
  const { untrustedSkills } = await import('../untrusted-skills.ts');
  return untrustedSkills(runtime.project(), library);
}

/** What somebody looks for here and does not find. */
function noteBroken(library: Library, output: Output): void {
  const broken = brokenSkills(library);
  for (const { message } of broken.slice(0, MOST_BROKEN)) output.note(inOneLine(message));
  const more = broken.length - MOST_BROKEN;
  if (more > 0) output.note(`${more} more cannot be used; \`knack skills list --all\` says why`);
}

/** Of all tags: one that no skill has leaves nothing. */
function isTagged(entry: LibraryEntry, { unknown, holds }: Narrowing): boolean {
  return entry.state === 'listed' && unknown.length === 0 && holds(entry.skill);
}

function howTagged(library: Library, name: string, { isDeclared }: Narrowing): string {
  const skill = library.find(name);
  return skill !== undefined && isDeclared(skill) ? 'declared' : 'derived';
}

function describe(entry: LibraryEntry, library: Library) {
  if (entry.state === 'refused') {
    return {
      name: '-',
      version: undefined,
      state: entry.state,
      root: entry.root.name,
      path: entry.path,
      description: '',
      why: `${entry.path}: ${entry.problems.map((problem) => problem.message).join('; ')}`,
    };
  }
  const { name, path, description, version, tags, strict, userOnly } = entry.skill;
  const why =
    entry.state === 'shadowed'
      ? `by ${entry.by}; reached as ${library.nameOf(entry.skill)}; ${path}`
      : (entry.problem?.message ?? (userOnly ? 'for the user alone; no model is offered it' : undefined));
  return {
    name,
    state: entry.state,
    root: entry.root.name,
    path,
    description,
    tags,
    // Found out where it is read: a list for people has no use for it, and it takes a look at all descriptions.
    get derivedTags() {
      return tagIndexOf(library).tagsOf(entry.skill).derived;
    },
    strict,
    ...(version ? { version } : {}),
    ...(why ? { why } : {}),
    ...(userOnly ? { userOnly } : {}),
  };
}
