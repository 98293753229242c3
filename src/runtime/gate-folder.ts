import { realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { KnackError, messageOf } from '../errors.ts';
import { type Folder, readFolder } from '../files/folder.ts';
import type { Draft } from '../gate/draft.ts';
import type { GateResult } from '../gate/gate.ts';
import type { Skill } from '../skill/skill.ts';
import type { Transcript } from '../transcript/event.ts';
import type { RuntimeParts } from './open-parts.ts';
import { openReplay } from './open-replay.ts';

export interface FolderGateRequest {
  /** Absolute. */
  readonly dir: string;
  /** Absolute, or `none`; the library's skill of that name by default. */
  readonly base?: string;
  /** Absolute files. */
  readonly draft?: string;
  readonly evidence: readonly string[];
  readonly judge: boolean;
  /** Whether sessions' tasks are done again; `review.replay` says so too, unless no model is wanted at all. */
  readonly replay?: boolean;
  readonly unsandboxed: boolean;
  readonly allow: readonly { readonly rule: string; readonly why: string }[];
  readonly signal: AbortSignal;
}

/** Has the gate decide on a folder: a change of a person, a pull request, an import. Overrides are kept in the ledger. */
export async function gateFolder(parts: RuntimeParts, request: FolderGateRequest): Promise<GateResult> {
  const { workspace, environment, prompts, now, log, library, ledger, model, runTests, transcript } = parts;
  const { runGate } = await import('../gate/gate.ts');
  const { ownPrompts } = await import('../review/own-prompts.ts');
  const { loadTokenizer } = await import('../model/tokens.ts');
  await loadTokenizer();
  const name = basename(request.dir);
  const candidate = await folderOf(parts, request.dir);
  const standing = (await library()).find(name);
  const base = await baseOf(parts, request, standing);
  const judge = request.judge ? await model('judge') : undefined;
  const replays = request.replay === true || (request.judge && parts.config.review.replay);
  const agent = replays && request.evidence.length > 0 ? await model('assistant') : undefined;
  const tests = await runTests(request.unsandboxed);
  const evidence: Transcript[] = [];
  for (const file of request.evidence) evidence.push(await transcript(file));
  const result = await runGate({
    name,
    dir: standing?.dir ?? join(workspace.skills, name),
    candidate,
    library: await library(),
    ownPrompts: await ownPrompts(prompts),
    path: environment.path,
    allow: request.allow,
    signal: request.signal,
    ...(base === undefined ? {} : { base }),
    ...(request.draft === undefined ? {} : { draft: await readDraftFile(request.draft) }),
    ...(evidence.length === 0 ? {} : { evidence }),
    ...(judge === undefined ? {} : { judge: { model: judge, prompts } }),
    ...(tests === undefined ? {} : { runTests: tests }),
    ...(agent === undefined ? {} : { replay: await openReplay(parts, agent) }),
  });
  for (const { rule, why } of request.allow) {
    const overrides = result.findings.some(
      (found) => found.allowed !== undefined && [found.rule, `${found.check}/${found.rule}`].includes(rule),
    );
    if (overrides) {
      await parts.makeWorkspace();
      await (await ledger()).append({ type: 'override', at: now().toISOString(), skill: name, rule, why });
    } else log(`--allow ${rule} overrides nothing: no finding that counts is of that rule`);
  }
  return result;
}

/**
 * What the folder is a change of. A skill that is gated where it stands is a change of what was last committed of it,
 * not of itself.
 */
async function baseOf(
  parts: RuntimeParts,
  { dir, base, draft }: FolderGateRequest,
  standing: Skill | undefined,
): Promise<Folder | undefined> {
  const { workspace, history } = parts;
  if (base === 'none') return undefined;
  if (base !== undefined) return folderOf(parts, base);
  if (standing === undefined) return undefined;
  if ((await realpath(standing.dir)) !== (await realpath(dir))) return folderOf(parts, standing.dir);
  const isOwn = dirname(standing.dir) === workspace.skills;
  const committed = isOwn ? await (await history()).committed(basename(standing.dir)) : undefined;
  // A draft for a skill that was never committed is one for what stands there.
  return committed ?? (draft === undefined ? undefined : folderOf(parts, dir));
}

/** A skill of the workspace without what git ignores, which is never committed; any other folder as a whole. */
async function folderOf({ workspace, history }: RuntimeParts, dir: string): Promise<Folder> {
  const isOwn = dirname(dir) === workspace.skills;
  return (isOwn ? await (await history()).present(basename(dir)) : undefined) ?? readFolder(dir);
}

async function readDraftFile(file: string): Promise<Draft> {
  const { readFile } = await import('node:fs/promises');
  const { parseDraft } = await import('../gate/draft.ts');
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new KnackError('not-found', `cannot read the draft ${file}: ${messageOf(error)}`, { cause: error });
  });
  const parsed = parseDraft(text);
  if ('faults' in parsed) throw new KnackError('usage', `${file} is no draft: ${parsed.faults.join('; ')}`);
  return parsed.draft;
}
