import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { Catalog } from '../disclosure/catalog.ts';
import { claimedNames, describeClaim, fewOf } from '../library/claimed-names.ts';
import type { Library, LibraryEntry } from '../library/library.ts';
import { createPause, type Pause } from '../pause.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { Skill } from '../skill/skill.ts';
import { counted, noun } from '../text/counted.ts';
import type { CommandContext } from './command.ts';
import type { Diagnosis } from './diagnosis.ts';
import { checkFiles } from './doctor-files.ts';
import { checkLinks, checkProject } from './doctor-roots.ts';
import { goneSkills } from './gone-skills.ts';
import { misplacedSkills } from './misplaced-skills.ts';
import { inDotFolders, nestedIn } from './overlooked-skills.ts';
import { describeFailures, type SkillToRepair, skillsToRepair } from './to-repair.ts';
import { withRuntime } from './with-runtime.ts';

/** A runtime for a look alone. What a note would say of the project is a diagnosis here. */
export function diagnosed({ signal }: CommandContext) {
  return { looksOnly: true, onProject: () => {}, signal };
}

/** The skills, what a session begins with of them, and what is wrong with either. Throws `aborted`. */
export async function checkLibrary(context: CommandContext): Promise<Diagnosis[]> {
  return withRuntime(
    context,
    async (runtime) => {
      const library = await runtime.library();
      const pause = createPause(context.signal, 'looking at the library');
      const found: Diagnosis[] = [];
      for (const part of partsOf(runtime, library, pause)) {
        found.push(...(await part()));
        await pause();
      }
      return found;
    },
    diagnosed(context),
  );
}

type Part = () => readonly Diagnosis[] | Promise<readonly Diagnosis[]>;

function partsOf(runtime: Runtime, library: Library, pause: Pause): Part[] {
  return [
    () => [
      {
        what: 'library',
        state: 'ok',
        message: `${counted(library.skills.length, 'skill')} from ${counted(library.roots.length, 'root')}`,
      },
    ],
    async () => inCatalog(await runtime.catalog(), runtime.config.disclosure, library),
    () =>
      library.problems.map(({ severity, message }) => ({
        what: 'library',
        state: severity === 'error' ? 'fault' : 'warning',
        message,
      })),
    () => library.entries.flatMap(refusedSkill),
    () => overlooked(library),
    () => deletedSkills(runtime),
    () => library.entries.flatMap(faultsInUse),
    async () => skillsToRepair(library, await runtime.toRepair()).map(toRepairDiagnosis),
    () => withoutHistory(misplacedSkills(library, runtime.workspace)),
    () => missingPins(runtime.config.disclosure.pinned, library),
    () => checkLinks(library, pause),
    () => checkFiles(library, pause),
    () => danglingEdges(library),
    () => claimedTwice(library),
    () => checkProject(runtime.project()),
  ];
}

function refusedSkill(entry: LibraryEntry): Diagnosis[] {
  if (entry.state !== 'refused') return [];
  const why = entry.problems.map(({ message }) => message).join('; ');
  return [
    {
      what: 'skill',
      state: weightIn(entry),
      message: `${entry.path} is not used: ${why}`,
      remedy: `See: knack skills validate ${entry.path}`,
    },
  ];
}

function toRepairDiagnosis(each: SkillToRepair): Diagnosis {
  return {
    what: 'to repair',
    state: 'warning',
    message: `${each.name} ${describeFailures(each)}`,
    remedy: `Mend ${each.path}, or take it back: knack skills rollback ${each.name}. Until it changes or works it is not described in the catalog; \`knack skills forget ${each.name}\` lets it be.`,
  };
}

function danglingEdges(library: Library): Diagnosis[] {
  return library
    .edges()
    .filter(({ dangling }) => dangling)
    .map(({ from, to, kind }) => ({
      what: 'graph',
      state: 'warning',
      message: `${from} names ${to} (${kind}), which does not exist`,
      remedy: `Mend ${from}, or leave an alias.`,
    }));
}

async function deletedSkills(runtime: Runtime): Promise<Diagnosis[]> {
  const gone = await goneSkills(runtime);
  return gone
    .filter(({ state }) => state === 'deleted')
    .map(({ why }) => ({ what: 'skill', state: 'warning', message: why }));
}

/** Names that two skills claim, one of them of the workspace: among those of others the order of the roots decides. */
function claimedTwice(library: Library): Diagnosis[] {
  const isOurs = (skill: Skill) => library.rootOf(skill).writable;
  return claimedNames(library.skills)
    .filter(({ owner, others }) => others.some(isOurs) || (owner !== undefined && isOurs(owner)))
    .map((claim) => ({
      what: 'names',
      state: 'warning',
      message: describeClaim(claim, library.find(claim.name)),
      remedy: `Edit metadata.aliases in ${fewOf(
        claim.others.map(({ path }) => path),
        'or',
      )} and commit it.`,
    }));
}

/** What is broken in a root that is only read is for somebody else to mend, and keeps knack from nothing. */
function weightIn({ root }: Pick<LibraryEntry, 'root'>): 'fault' | 'warning' {
  return root.writable ? 'fault' : 'warning';
}

/** What is on disk and no skill of the library for where it lies. */
function overlooked(library: Library): Diagnosis[] {
  const nested = nestedIn(library);
  const roots = [...new Set(nested.map(({ root }) => root))].map((root): Diagnosis => {
    const ofRoot = nested.filter((each) => each.root === root);
    return {
      what: 'nested',
      state: 'warning',
      message: `${counted(ofRoot.length, 'SKILL.md lies in the folder of another skill and is', 'SKILL.md lie in the folders of other skills and are')} not used, in ${root.dir}`,
      remedy:
        'What is meant as a skill of its own has to move out of there: knack doctor --verbose names them.',
      details: ofRoot.map(({ path, problem }) => `${path}: ${problem.message}`),
    };
  });
  const skipped = inDotFolders(library).map(
    ({ problem, paths }): Diagnosis => ({
      what: 'skipped',
      state: 'warning',
      message: problem.message,
      remedy: 'See them: knack doctor --verbose',
      details: paths,
    }),
  );
  return [...roots, ...skipped];
}

/** What is wrong with a skill that is used all the same, such as a file of tools that cannot be read. */
function faultsInUse(entry: LibraryEntry): Diagnosis[] {
  if (entry.state !== 'listed') return [];
  const { skill, problem } = entry;
  const messages = [
    ...(problem === undefined ? [] : [problem.message]),
    ...skill.problems.flatMap(({ severity, message, line }) => {
      if (severity !== 'error') return [];
      // Of a file beside SKILL.md the message begins with its name.
      if (/^(?:tools\.yaml|tests\.yaml|evals\/)/.test(message)) return [join(skill.dir, message)];
      return [`${skill.path}${line === undefined ? '' : `:${line}`}: ${message}`];
    }),
  ];
  const remedy = `See: knack skills validate ${skill.path}`;
  return messages.map((message) => ({ what: 'skill', state: weightIn(entry), message, remedy }));
}

/** How much of the library a session begins with. What is cut is found by search, and may be what the model needed. */
function inCatalog(
  { described, shown, total, tokens }: Catalog,
  { catalogTokens, pinned }: Config['disclosure'],
  library: Library,
): Diagnosis[] {
  const left = pinned.flatMap((name) => {
    const skill = library.find(name);
    if (skill === undefined || skill.userOnly) return [];
    const own = library.nameOf(skill);
    if (own !== skill.name)
      return {
        message: `${own} is pinned, and another skill is listed as ${skill.name}`,
        remedy: `Pin ${skill.name} in knack.json, or give one of the two another name.`,
      };
    if (described.includes(own)) return [];
    return {
      message: `${own} is pinned, and there is no room for its description`,
      remedy: 'Raise disclosure.catalogTokens in knack.json, shorten the description, or pin fewer.',
    };
  });
  return [
    {
      what: 'catalog',
      state: 'ok',
      message: `${shown} of ${counted(total, 'skill')} with ${noun(total, 'its description', 'their descriptions')}, ${tokens} of ${counted(catalogTokens, 'token')}`,
    },
    ...(shown === total
      ? []
      : [
          {
            what: 'catalog',
            state: 'warning' as const,
            message: `${counted(total - shown, 'description is', 'descriptions are')} cut from it; a model finds what they describe by search and beside messages`,
            remedy:
              'Raise disclosure.catalogTokens in knack.json, shorten long descriptions, retire what nobody needs (knack skills stats), or pin what has to be in sight.',
            needsLook: true as const,
          },
        ]),
    ...left.map((each) => ({ what: 'catalog', state: 'warning' as const, ...each })),
  ];
}

function withoutHistory([first, ...others]: readonly string[]): Diagnosis[] {
  if (first === undefined) return [];
  const more = others.length === 0 ? '' : `, and so with ${counted(others.length, 'other')} (--verbose)`;
  const message = `nothing is learned into a skill that has no history: ${first}${more}`;
  return [{ what: 'skill', state: 'warning', message, details: [first, ...others] }];
}

function missingPins(pinned: readonly string[], library: Library): Diagnosis[] {
  return pinned
    .filter((name) => library.find(name) === undefined)
    .map((name) => {
      const near = library.suggest(name);
      const guess = near.length === 0 ? '' : `; did you mean ${near.join(', ')}?`;
      return {
        what: 'configuration',
        state: 'warning',
        message: `disclosure.pinned names "${name}", which is no skill${guess}`,
        remedy: 'Mend or remove it in knack.json.',
      };
    });
}
