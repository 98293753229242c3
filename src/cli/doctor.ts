import { existsSync } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';
import { type Config, loadConfig } from '../config.ts';
import { KnackError, messageOf } from '../errors.ts';
import { createHistory } from '../history/history.ts';
import { hearSignals } from '../pause.ts';
import { detectSandbox } from '../scripts/sandbox.ts';
import { counted } from '../text/counted.ts';
import { checkWorkspace, isInWorkspace, locateWorkspace, type Workspace } from '../workspace.ts';
import type { CommandContext } from './command.ts';
import type { Diagnosis } from './diagnosis.ts';
import { checkLibrary, diagnosed } from './doctor-library.ts';
import { checkHomes } from './doctor-roots.ts';
import { initWords } from './init-words.ts';
import { withRuntime } from './with-runtime.ts';

/** Looks at the set-up and the library, part by part; a broken part never hides another. Throws `aborted`. */
export async function diagnose(context: CommandContext): Promise<Diagnosis[]> {
  const workspace = locateWorkspace(context.workspace, context.environment);
  const parts: [string, () => Promise<Diagnosis[]>][] = [
    ['workspace', () => checkPlace(context, workspace)],
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
    await hearSignals(context.signal, 'looking at everything');
  }
  return found;
}

const IN_WORKSPACE: ReadonlySet<string> = new Set(['configuration', 'git', 'library', 'roots', 'search']);

async function checkPlace(context: CommandContext, workspace: Workspace): Promise<Diagnosis[]> {
  checkWorkspace(workspace);
  if (!isInWorkspace(workspace.skills)) {
    if (isInWorkspace(join(workspace.dir, 'knack.json')))
      return [
        {
          what: 'workspace',
          state: 'ok',
          message: `${workspace.dir}: its knack.json is in use, and it has no skills of its own yet`,
          remedy: `What learns or takes over a skill makes their folder, or: ${initWords(context)}`,
        },
      ];
    return [
      {
        what: 'workspace',
        state: 'warning',
        message: `there is none in ${workspace.dir} yet`,
        remedy: `The first command that writes makes it, or: ${initWords(context)}. Another: --workspace or KNACK_WORKSPACE.`,
      },
    ];
  }
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
    diagnosed(context),
  ).catch((error: unknown) => {
    if (!(error instanceof KnackError && EMBEDDING_CODES.has(error.code))) throw error;
    const remedy = 'Until then search goes by words alone.';
    return [{ what: 'search', state: 'warning', message: error.message, remedy }];
  });
}

const EMBEDDING_CODES: ReadonlySet<string> = new Set(['model-failed', 'model-missing']);
