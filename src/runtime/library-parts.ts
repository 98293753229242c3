import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { Config } from '../config.ts';
import { messageOf } from '../errors.ts';
import type { History } from '../history/history.ts';
import { mendBeforeReading } from '../history/open-intent.ts';
import { type Library, openLibrary } from '../library/library.ts';
import type { SemanticStage } from '../library/meaning/semantic-stage.ts';
import { orderRoots, type Project, readProject } from '../library/project/project.ts';
import { openTrustStore } from '../library/project/trust.ts';
import { createSearch, type SkillSearch } from '../library/search/skill-search.ts';
import type { Usage } from '../library/use/usage.ts';
import { createPause } from '../pause.ts';
import { createRedactor } from '../transcript/redact.ts';
import { importRoots } from '../transfer/read-only.ts';
import { isWorkspace, knackPackage, type Workspace } from '../workspace.ts';
import { once } from './once.ts';
import type { RuntimeOptions, RuntimeParts } from './open-parts.ts';

/** What the library of a workspace is opened with. */
export interface LibraryNeeds {
  readonly workspace: Workspace;
  readonly config: Config;
  /** Whether nothing is written, and a workspace that is missing holds nothing. */
  readonly looksOnly: () => boolean;
  readonly usage: () => Promise<Usage>;
  readonly history: () => Promise<History>;
}

/** The library of a workspace and the search in it, each opened when it is first asked for. */
export function createLibraryParts(
  options: RuntimeOptions,
  { workspace, config, looksOnly, usage, history }: LibraryNeeds,
): Pick<RuntimeParts, 'project' | 'library' | 'semanticStage' | 'search' | 'closeSearch'> {
  const { environment, log, logReload = log, onlyRoot, signal } = options;
  const stoppable = signal && { pause: createPause(signal, 'reading the library') };
  const project = (): Project =>
    readProject({
      cwd: options.cwd,
      home: environment.home,
      workspace: workspace.skills,
      roots: config.roots,
      trust: openTrustStore(workspace.trust),
    });
  const library = once(async (): Promise<Library> => {
    if (onlyRoot !== undefined) {
      const dir = resolve(onlyRoot);
      return openLibrary({
        roots: [{ name: basename(dir), dir, writable: false }],
        log: logReload,
        ...stoppable,
      });
    }
    await mendBeforeReading({ root: workspace.skills, ...config.history }, history, log);
    const isKept = !looksOnly() || isWorkspace(workspace);
    // The clock that the times of files come from, whatever `now` says.
    const cache = isKept && { cache: { file: join(workspace.logs, 'readings.bin'), now: Date.now() } };
    const roots = () => {
      const around = project();
      options.onProject?.(around);
      return rootsOf(workspace, config, around).filter(
        ({ writable, dir }) => !(looksOnly() && writable) || existsSync(dir),
      );
    };
    return openLibrary({ roots, log: logReload, recorded: await usage(), ...cache, ...stoppable });
  });
  let stage: SemanticStage | undefined;
  const semanticStage = once(async (): Promise<SemanticStage | undefined> => {
    const { embeddings } = config.search;
    if (embeddings === undefined || onlyRoot !== undefined) return undefined;
    const [{ createEmbeddingModel }, { createSemanticStage }] = await Promise.all([
      import('../model/embedding-model.ts'),
      import('../library/meaning/semantic-stage.ts'),
    ]);
    try {
      stage = createSemanticStage({
        embedder: createEmbeddingModel({ ...embeddings, apiKey: config.model.apiKey }),
        dir: workspace.logs,
        // One for each text, so that the same text comes out the same.
        redact: (text) => createRedactor(environment).text(text),
        note: log,
        now: Date.now,
      });
      return stage;
    } catch (error) {
      // Search by words has to work all the same; what is wrong is said, and told by `doctor`.
      log(`search goes by words alone: ${messageOf(error)}`);
      return undefined;
    }
  });
  const search = once(async (): Promise<SkillSearch> => createSearch(await library(), await semanticStage()));
  return { project, library, semanticStage, search, closeSearch: async () => stage?.close() };
}

function rootsOf(workspace: Workspace, config: Config, project: Project) {
  return orderRoots(
    { writable: workspace.skills, bundled: knackPackage.skills },
    [...config.roots, ...importRoots(workspace.imports).map(({ dir }) => dir)],
    project.roots,
  );
}
