import { existsSync } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';
import { type Config, loadConfig } from '../config.ts';
import { counted, noun } from '../counted.ts';
import type { Catalog } from '../disclosure/catalog.ts';
import { KnackError, messageOf } from '../errors.ts';
import { createHistory } from '../history/history.ts';
import { claimedNames, describeClaim } from '../library/claimed-names.ts';
import type { Library, LibraryEntry } from '../library/library.ts';
import { detectSandbox } from '../scripts/sandbox.ts';
import type { Skill } from '../skill/skill.ts';
import { checkWorkspace, locateWorkspace, type Workspace } from '../workspace.ts';
import type { CommandContext } from './command.ts';
import { checkHomes, checkLinks, checkProject } from './doctor-roots.ts';
import { misplacedSkills } from './misplaced-skills.ts';
import { describeFailures, skillsToRepair } from './to-repair.ts';
import { withRuntime } from './with-runtime.ts';

/** One thing that was looked at. `fault`: knack cannot do its work until the remedy is done. */
export interface Diagnosis {
  readonly what: string;
  readonly state: 'ok' | 'warning' | 'fault';
  readonly message: string;
  readonly remedy?: string;
  /** Set where the exit code says it too, though knack works: whoever runs `doctor` unattended has to look. */
  readonly needsLook?: true;
  /** What the message counts, a line each. */
  readonly details?: readonly string[];
}

/** Looks at the set-up and the library, part by part; a broken part never hides another. */
export async function diagnose(context: CommandContext): Promise<Diagnosis[]> {
  const workspace = locateWorkspace(context.workspace, context.environment);
  const parts: [string, () => Promise<Diagnosis[]>][] = [
    ['workspace', () => checkPlace(workspace)],
    ['configuration', () => checkConfiguration(context, workspace)],
    ['git', () => checkGit(context, workspace)],
    ['sandbox', () => checkSandbox(context)],
    ['library', () => checkLibrary(context)],
    ['roots', () => checkHomes(context, workspace)],
    ['search', () => checkSearch(context)],
  ];
  const found: Diagnosis[] = [];
  for (const [what, check] of parts) {
    // What stands in a workspace that cannot be made says nothing more.
    if (IN_WORKSPACE.has(what) && found.some((each) => each.what === 'workspace' && each.state === 'fault'))
      continue;
    try {
      found.push(...(await check()));
    } catch (error) {
      const message = messageOf(error);
      // A part that rests on a broken one says the same.
      if (!found.some((each) => each.message === message)) found.push({ what, state: 'fault', message });
    }
  }
  return found;
}

const IN_WORKSPACE: ReadonlySet<string> = new Set(['configuration', 'git', 'library', 'roots', 'search']);

/** What a note would say of the project is a diagnosis here. */
const DIAGNOSED = { looksOnly: true, onProject: () => {} };

async function checkPlace(workspace: Workspace): Promise<Diagnosis[]> {
  checkWorkspace(workspace);
  if (!existsSync(workspace.skills))
    return [
      {
        what: 'workspace',
        state: 'warning',
        message: `there is none in ${workspace.dir} yet`,
        remedy:
          'The first command that writes makes it, or: knack init. Another: --workspace or KNACK_WORKSPACE.',
      },
    ];
  await access(workspace.skills, constants.W_OK);
  return [{ what: 'workspace', state: 'ok', message: workspace.dir }];
}

async function checkConfiguration(context: CommandContext, workspace: Workspace): Promise<Diagnosis[]> {
  const config = await loadConfig(workspace.dir, context.environment);
  const { baseUrl, apiKey } = config.model;
  const learning: Diagnosis = {
    what: 'learning',
    state: 'ok',
    message: `review.autonomy is "${config.review.autonomy}"`,
  };
  if (!apiKey && !baseUrl) {
    const remedy =
      'Set OPENAI_API_KEY, or OPENAI_BASE_URL for another endpoint, and KNACK_MODEL. Search, gate without judge and history work without.';
    return [
      learning,
      { what: 'model', state: 'warning', message: 'none: chat, run and review cannot draft', remedy },
    ];
  }
  return [learning, await checkModel(context, config.model)];
}

/** Asks the endpoint which models it has, which costs nothing. */
async function checkModel(context: CommandContext, model: Config['model']): Promise<Diagnosis> {
  const { checkedUrl } = await import('../model/base-url.ts');
  const { reachEndpoint } = await import('../model/reach-endpoint.ts');
  const baseUrl = checkedUrl(model.baseUrl ?? 'https://api.openai.com/v1');
  const reached = await reachEndpoint(
    { baseUrl, apiKey: model.apiKey, model: model.assistant },
    { signal: context.signal },
  );
  if (reached.kind !== 'answers')
    return {
      what: 'model',
      state: 'warning',
      message: reached.why,
      remedy: 'Until it answers, chat, run and review cannot draft; all else works.',
    };
  const where = model.baseUrl === undefined ? 'the OpenAI API' : baseUrl;
  return { what: 'model', state: 'ok', message: `${model.assistant} at ${where}, which answers` };
}

async function checkGit(context: CommandContext, workspace: Workspace): Promise<Diagnosis[]> {
  const settings = (await loadConfig(workspace.dir, context.environment)).history;
  const history = createHistory({
    root: workspace.skills,
    environment: context.environment,
    looksOnly: true,
    ...settings,
  });
  await history.open();
  const revisions = await history.logAll();
  const { createLedger } = await import('../review/ledger.ts');
  const lost = (await createLedger(workspace.ledger).entries()).filter(
    (entry) => entry.type === 'review-end' && entry.sha !== undefined,
  ).length;
  const isThere = settings.inRepository || existsSync(join(workspace.skills, '.git'));
  const busy = isThere ? await history.whyBusy() : undefined;
  return [
    { what: 'git', state: 'ok', message: `${workspace.skills}, ${counted(revisions.length, 'revision')}` },
    ...(revisions.length > 0 || lost === 0
      ? []
      : [
          {
            what: 'git',
            state: 'warning' as const,
            message: `there is no history in ${workspace.skills}, although ${counted(lost, 'review')} committed there: its repository was removed or replaced`,
            remedy:
              'Bring its .git back from a backup; or begin anew: git add and git commit in that folder. Until then nothing can be rolled back.',
          },
        ]),
    ...(busy === undefined
      ? []
      : [{ what: 'git', state: 'warning' as const, message: `nothing can be learned now: ${busy}` }]),
  ];
}

async function checkSandbox(context: CommandContext): Promise<Diagnosis[]> {
  const sandbox = await detectSandbox(context.environment.path);
  if (sandbox.ok) return [{ what: 'sandbox', state: 'ok', message: 'bubblewrap' }];
  return [{ what: 'sandbox', state: 'warning', message: sandbox.why, remedy: sandbox.remedy }];
}

async function checkLibrary(context: CommandContext): Promise<Diagnosis[]> {
  return withRuntime(
    context,
    async (runtime) => {
      const library = await runtime.library();
      const refused = library.entries.filter((entry) => entry.state === 'refused');
      const dangling = library.edges().filter((edge) => edge.dangling);
      return [
        {
          what: 'library',
          state: 'ok' as const,
          message: `${counted(library.skills.length, 'skill')} from ${counted(library.roots.length, 'root')}`,
        },
        ...inCatalog(await runtime.catalog(), runtime.config.disclosure, library),
        ...library.problems.map((problem) => ({
          what: 'library',
          state: problem.severity === 'error' ? ('fault' as const) : ('warning' as const),
          message: problem.message,
        })),
        ...refused.map((entry) => ({
          what: 'skill',
          state: weightIn(entry),
          message: `${entry.path} is not used: ${entry.problems.map((problem) => problem.message).join('; ')}`,
          remedy: `See: knack skills validate ${entry.path}`,
        })),
        ...library.entries.flatMap(faultsInUse),
        ...skillsToRepair(library, await runtime.toRepair()).map((each) => ({
          what: 'to repair',
          state: 'warning' as const,
          message: `${each.name} ${describeFailures(each)}`,
          remedy: `Mend ${each.path}, or take it back: knack skills rollback ${each.name}. Until it changes or works it is not described in the catalog; \`knack skills forget ${each.name}\` lets it be.`,
        })),
        ...withoutHistory(misplacedSkills(library, runtime.workspace)),
        ...missingPins(runtime.config.disclosure.pinned, library),
        ...(await checkLinks(library)),
        ...dangling.map((edge) => ({
          what: 'graph',
          state: 'warning' as const,
          message: `${edge.from} names ${edge.to} (${edge.kind}), which does not exist`,
          remedy: `Mend ${edge.from}, or leave an alias.`,
        })),
        ...claimedTwice(library),
        ...checkProject(runtime.project()),
      ];
    },
    DIAGNOSED,
  );
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
      remedy: `Edit metadata.aliases in ${claim.others.map(({ path }) => path).join(' or ')} and commit it.`,
    }));
}

/** Whether search asks an embedding model, which answers now, and how many skills it has seen. */
async function checkSearch(context: CommandContext): Promise<Diagnosis[]> {
  return withRuntime(
    context,
    async (runtime): Promise<Diagnosis[]> => {
      const { search, model } = runtime.config;
      if (search.embeddings === undefined)
        return [{ what: 'search', state: 'ok', message: 'by words (search.embeddings is not set)' }];
      const { createEmbeddingModel } = await import('../model/embedding-model.ts');
      const embedder = createEmbeddingModel({
        ...search.embeddings,
        apiKey: model.apiKey,
        retries: 0,
        requestMs: 10_000,
      });
      const { skills } = await runtime.library();
      const kept = await (await runtime.semanticStage())?.kept(skills);
      const has = `${kept?.count ?? 0} of ${counted(skills.length, 'skill has', 'skills have')} a vector`;
      const [vector] = await embedder.embed(['knack'], context.signal);
      const message = `by words and by meaning: ${search.embeddings.model} answers with ${vector?.length} numbers; ${has}`;
      return [{ what: 'search', state: 'ok', message }];
    },
    DIAGNOSED,
  ).catch((error: unknown) => {
    if (!(error instanceof KnackError && EMBEDDING_CODES.has(error.code))) throw error;
    const remedy = 'Until then search goes by words alone.';
    return [{ what: 'search', state: 'warning', message: error.message, remedy }];
  });
}

const EMBEDDING_CODES: ReadonlySet<string> = new Set(['model-failed', 'model-missing']);

/** What is broken in a root that is only read is for somebody else to mend, and keeps knack from nothing. */
function weightIn({ root }: Pick<LibraryEntry, 'root'>): 'fault' | 'warning' {
  return root.writable ? 'fault' : 'warning';
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
