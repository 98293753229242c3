import { join } from 'node:path';
import { KnackError, messageOf } from '../errors.ts';
import { UNNUMBERED } from '../history/records.ts';
import type { Override } from '../history/revision.ts';
import { createPause } from '../pause.ts';
import { choose } from './choose.ts';
import { type Decision, decide } from './decide.ts';
import { type OpenSource, withSource } from './fetch.ts';
import { type FoundSkill, findInSource, type SourceContent, type SourceFault } from './find.ts';
import { judgedFields, passLine, usedOverrides, type Verdict } from './import-gate.ts';
import { type JudgeRequest, judgeDecisions } from './judge-decisions.ts';
import type { JudgeSummary } from './judging.ts';
import { keepOverrides } from './keep-overrides.ts';
import { numberIn } from './merge-versions.ts';
import { isMilestone, type TransferParts } from './parts.ts';
import { type Source, sourceName, sourceText } from './source.ts';
import { isThereNow, whyNot } from './why-not.ts';
import { freeId, writeNewImport } from './write-import.ts';

export interface AddRequest {
  readonly source: Source;
  /** A folder of the source; all of it by default. */
  readonly within?: string | undefined;
  /** Names of skills of the source; all of them if empty. */
  readonly only: readonly string[];
  /** Another name for the one skill that is added. */
  readonly as?: string | undefined;
  readonly readOnly: boolean;
  readonly dryRun: boolean;
  readonly allow: readonly Override[];
  readonly judge: JudgeRequest['mode'];
  readonly wantsAllJudged: JudgeRequest['wantsAllJudged'];
  /** Whether all of several skills are wanted where none is named. Asked before anything is judged. */
  readonly wantsAll: (skills: readonly FoundSkill[]) => Promise<boolean>;
  /** Told of every decision before anything is written. */
  readonly onDecided: (
    decisions: readonly Decision[],
    content: Pick<SourceContent, 'faults' | 'skipped'>,
  ) => void;
}

/** What became of a skill that was to be added. */
export interface Added extends Verdict {
  readonly name: string;
  readonly path: string;
  readonly outcome: 'added' | 'would-add' | 'unchanged' | 'refused' | 'failed';
  readonly version?: string;
  readonly sha?: string;
  readonly reason?: string;
  readonly leftOut: readonly string[];
  readonly decision: Decision;
}

export interface AddReport {
  readonly source: string;
  readonly commit?: string;
  /** Folder that a read-only import went to. */
  readonly root?: string;
  readonly skills: readonly Added[];
  readonly judging: JudgeSummary;
  readonly faults: readonly SourceFault[];
}

/** What a source holds, without touching the library. */
export async function listSource(
  parts: TransferParts,
  { source, within }: Pick<AddRequest, 'source' | 'within'>,
): Promise<SourceContent & { readonly commit?: string }> {
  return withSource(source, parts, async (open) => ({
    ...(await findInSource(open, { name: sourceName(source), within, signal: parts.signal })),
    ...(open.commit === undefined ? {} : { commit: open.commit }),
  }));
}

/**
 * Adds skills of a source to the library: each that passes the gate's static checks, and its judge, as one commit, or all
 * that do as a read-only import. Everything is decided before anything is written. Throws `not-found` for a source without skills and
 * for names that it has not, `usage` where it is not said which of several are wanted.
 */
export async function addSkills(parts: TransferParts, request: AddRequest): Promise<AddReport> {
  const { source } = request;
  return withSource(source, parts, async (open) => {
    const content = await findInSource(open, {
      name: sourceName(source),
      within: request.within,
      signal: parts.signal,
    });
    const { chosen, faults } = await choose(content, request);
    const id = request.readOnly ? await freeId(parts.workspace.imports, source) : '';
    const committed = await parts.history.committedNames();
    const checked: Decision[] = [];
    const pause = createPause(parts.signal, 'checking the skills of the source');
    for (const [index, found] of chosen.entries()) {
      await pause();
      parts.onProgress(`checking ${index + 1} of ${chosen.length}: ${found.name}`, isMilestone(index + 1));
      checked.push(
        await decide(parts, found, {
          source,
          commit: open.commit,
          dir: open.dir,
          readOnly: request.readOnly,
          as: request.as,
          allow: request.allow,
          committed,
        }),
      );
    }
    const { decisions, judging } = await judgeDecisions(parts, checked, {
      mode: request.judge,
      allow: request.allow,
      wantsAllJudged: request.wantsAllJudged,
    });
    request.onDecided(decisions, { faults, skipped: content.skipped });
    const { skills, root }: { skills: Added[]; root?: string } = request.readOnly
      ? await addReadOnly(parts, request, { open, decisions, id })
      : { skills: await addEach(parts, request, decisions) };
    return {
      source: sourceText(source),
      ...(open.commit === undefined ? {} : { commit: open.commit }),
      ...(root === undefined ? {} : { root }),
      skills,
      judging,
      faults,
    };
  });
}

async function addEach(
  parts: TransferParts,
  { dryRun, allow }: AddRequest,
  decisions: readonly Decision[],
): Promise<Added[]> {
  const added: Added[] = [];
  for (const [index, decision] of decisions.entries()) {
    if (dryRun || decision.kind !== 'take') {
      added.push(resultOf(decision, 'would-add'));
      continue;
    }
    // Those that were added stay; the rest can be added by the same words again.
    if (parts.signal.aborted)
      throw new KnackError(
        'aborted',
        `stopped after ${index} of ${decisions.length} skills; what was added stays`,
      );
    parts.onProgress(`adding ${index + 1} of ${decisions.length}: ${decision.name}`, isMilestone(index + 1));
    try {
      added.push(await addOne(parts, decision, allow));
    } catch (error) {
      if (!(error instanceof KnackError) || error.code === 'aborted') throw error;
      added.push({ ...resultOf(decision, 'failed'), reason: messageOf(error) });
    }
  }
  return added;
}

async function addOne(
  parts: TransferParts,
  decision: Decision & { kind: 'take' },
  allow: AddRequest['allow'],
): Promise<Added> {
  const { name, folder, origin, gate } = decision;
  const overrides = usedOverrides(gate, allow);
  const outcome = await parts.history.commit({
    skill: name,
    base: undefined,
    target: folder,
    to: versionOf(decision),
    what: `import from ${origin.source}${origin.ref === undefined ? '' : `#${origin.ref}`}`,
    why: 'asked for by the user',
    actor: 'import',
    sessions: [],
    operations: [],
    gate: passLine(gate),
    overrides,
    origin,
  });
  if (outcome.kind === 'committed') {
    const { version, sha } = outcome.revision;
    const unkept = await keepOverrides(parts, name, overrides);
    return { ...resultOf(decision, 'added'), version, sha, ...unkept };
  }
  if (outcome.kind === 'unchanged' || isThereNow(outcome, folder)) return resultOf(decision, 'unchanged');
  return { ...resultOf(decision, 'refused'), reason: whyNot(name, outcome) };
}

async function addReadOnly(
  parts: TransferParts,
  { source, within, dryRun, allow }: AddRequest,
  { open, decisions, id }: { open: OpenSource; decisions: readonly Decision[]; id: string },
): Promise<{ skills: Added[]; root: string }> {
  const { imports } = parts.workspace;
  const taken = decisions.flatMap((decision) => (decision.kind === 'take' ? [decision] : []));
  const report = (outcome: Added['outcome'], of: string) => ({
    skills: decisions.map((decision) => resultOf(decision, outcome)),
    root: join(imports, of, 'skills'),
  });
  if (dryRun || taken.length === 0) return report('would-add', id);
  const record = {
    source: sourceText(source),
    ...(source.kind === 'git' && source.ref !== undefined ? { ref: source.ref } : {}),
    ...(open.commit === undefined ? {} : { commit: open.commit }),
    ...(within === undefined ? {} : { within }),
  };
  await parts.makeWorkspace();
  const written = await writeNewImport(imports, source, {
    record,
    skills: taken.map(({ name, found, folder }) => ({ name, path: found.path, folder })),
  });
  if (written.isThere) return report('unchanged', written.id);
  const unkept = new Map<string, { reason?: string }>();
  for (const { name, gate } of taken)
    unkept.set(name, await keepOverrides(parts, name, usedOverrides(gate, allow)));
  const { skills, root } = report('added', written.id);
  return { skills: skills.map((skill) => ({ ...skill, ...unkept.get(skill.name) })), root };
}

function resultOf(decision: Decision, taken: Added['outcome']): Added {
  const { name, found, kind } = decision;
  const version = versionOf(decision);
  return {
    name,
    path: found.path,
    outcome: kind === 'take' ? taken : kind,
    ...(version === UNNUMBERED ? {} : { version }),
    ...(kind === 'refused' ? { reason: decision.reason } : {}),
    leftOut: found.leftOut,
    ...judgedFields('gate' in decision ? decision.gate : undefined),
    decision,
  };
}

function versionOf({ found }: Decision): string {
  return numberIn(found.folder) ?? UNNUMBERED;
}
