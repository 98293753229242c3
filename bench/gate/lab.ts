import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readEnvironment } from '../../src/config.ts';
import { writeFolder } from '../../src/files/folder.ts';
import { applyDraft } from '../../src/gate/apply-draft.ts';
import type { GateResult } from '../../src/gate/check.ts';
import { nextVersionOf } from '../../src/history/versions.ts';
import type { Model } from '../../src/model/model.ts';
import { loadTokenizer } from '../../src/model/tokens.ts';
import { buildDigest } from '../../src/review/digest.ts';
import { gateDraft } from '../../src/review/gate-draft.ts';
import { ownPrompts } from '../../src/review/own-prompts.ts';
import { openParts } from '../../src/runtime/open-parts.ts';
import { findSignals } from '../../src/transcript/signals.ts';
import { type Corpus, type GateCase, sessionOf } from './corpus.ts';

/** The gate as the reviewer runs it, over a library of its own. */
export interface GateLab {
  /** What the gate says of a case: the draft applied, the session as evidence, its digest for the judge. */
  run(gateCase: GateCase): Promise<GateResult>;
  close(): Promise<void>;
}

/** Writes the skills of the corpus into a workspace beside the bundled ones; without a judge only what needs no model runs. */
export async function openGateLab(corpus: Corpus, judge?: Model): Promise<GateLab> {
  const dir = await mkdtemp(join(tmpdir(), 'knack-gate-'));
  const workspace = join(dir, 'workspace');
  for (const [name, folder] of corpus.skills) await writeFolder(join(workspace, 'skills', name), folder);
  const environment = { ...readEnvironment({ PATH: process.env['PATH'] ?? '' }), home: dir };
  const parts = await openParts({ workspace, environment, cwd: dir, log: () => undefined });
  await loadTokenizer();
  const library = await parts.library();
  const runTests = await parts.runTests(false);
  const surroundings = {
    library,
    ownPrompts: await ownPrompts(parts.prompts),
    path: environment.path,
    ...(judge === undefined ? {} : { judge: { model: judge, prompts: parts.prompts } }),
    ...(runTests === undefined ? {} : { runTests }),
  };
  return {
    async run(gateCase) {
      const { draft } = gateCase;
      const file = corpus.sessions.get(sessionOf(gateCase));
      if (file === undefined) throw new Error(`${gateCase.id} has no session`);
      const transcript = await parts.transcript(file);
      const { text } = buildDigest(transcript, findSignals(transcript), {
        tokens: parts.config.review.digestTokens,
      });
      const name = draft.skill ?? '';
      const base = draft.decision === 'create' ? undefined : corpus.skills.get(name);
      const version = nextVersionOf([], base, draft.change ?? 'patch');
      const target = {
        name,
        dir: library.find(name)?.dir ?? join(workspace, 'skills', name),
        base,
        place: 'own' as const,
        dirty: [],
      };
      const applied = applyDraft(draft, base, { name, version });
      const candidate = 'faults' in applied ? applied : { ...applied, version };
      return gateDraft(draft, target, candidate, { ...surroundings, evidence: [transcript], digest: text });
    },
    async close() {
      await parts.closeSearch();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
