import { mkdir, realpath } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { KnackError } from '../errors.ts';
import { writeFolder } from '../files/folder.ts';
import { makeTemporaryFolder } from '../files/temporary-folder.ts';
import type { Replay, ReplayRequest, ReplayRun } from '../gate/check.ts';
import { commitBefore, copyCommit, type EarlierCommit, removeCopy } from '../history/commit-copy.ts';
import { openLibrary } from '../library/library.ts';
import type { Model, Usage } from '../model/model.ts';
import type { Prompts } from '../model/prompts.ts';
import type { ProcessOutcome } from '../scripts/process.ts';
import type { Sandbox } from '../scripts/sandbox.ts';
import { createApproval } from '../tool/approval.ts';
import { isAccident, isMissingProgram } from '../transcript/accidents.ts';
import { classifyResult } from '../transcript/results.ts';
import { createSessionLog } from '../transcript/session-log.ts';
import type { StopReason } from './agent-event.ts';
import { type ConversationParts, createConversation } from './conversation.ts';
import { linkInstalled } from './installed-packages.ts';

export interface ReplayParts {
  readonly model: Model;
  readonly prompts: Prompts;
  /** Nothing runs outside of it: without bubblewrap every replay is impossible. */
  readonly sandbox: Sandbox;
  readonly environment: { readonly path: string; readonly home: string };
  /** Of one agent. */
  readonly limits: ConversationParts['limits'];
  readonly disclosure: ConversationParts['disclosure'];
  readonly now: () => Date;
}

/** Seconds that the session's command may take. */
const CHECK_SECONDS = 120;
/** Ends of a turn that say nothing about the agent. */
const NO_FAULT_OF_ITS: readonly StopReason[] = ['model-error', 'context-limit', 'length'];
const NO_SANDBOX = 'a task is done again in the sandbox alone: install bubblewrap';
const NONE: Usage = { promptTokens: 0, completionTokens: 0 };

/**
 * Makes the function that does a session's task again: a copy of the last commit from before the session, an agent
 * with file tools and a shell in the sandbox, and then the session's own command, in the sandbox as well. What the
 * transcript says runs nowhere else, the repository is only read, and copy, skill and log are deleted afterwards.
 */
export function createReplay(parts: ReplayParts): Replay {
  return async (request) => {
    try {
      return await replay(parts, request);
    } catch (error) {
      if (!(error instanceof KnackError) || error.code === 'aborted') throw error;
      return impossible(error.code === 'sandbox-missing' ? NO_SANDBOX : error.message);
    }
  };
}

async function replay(parts: ReplayParts, request: ReplayRequest): Promise<ReplayRun> {
  if (parts.sandbox.mode !== 'bubblewrap') return impossible(NO_SANDBOX);
  const folder = request.folder.replace(/^~(?=\/|$)/, parts.environment.home);
  const folders = [request.folder, folder];
  const earlier = await commitBefore(folder, request.began, parts.environment);
  const aside = await realpath(await makeTemporaryFolder('knack-replay'));
  try {
    const untouched = await placeOf(earlier, join(aside, 'before'));
    const before = await check(parts, request, folders, untouched);
    if (passed(before))
      return impossible(`its check passes before anything was done (commit ${earlier.commit.slice(0, 10)})`);
    const hindrance = hindranceOf(before);
    if (hindrance !== undefined) return impossible(`its check cannot run in the sandbox: ${hindrance}`);
    // The check itself may have left something behind.
    const place = await placeOf(earlier, join(aside, 'work'));
    const { usage, stop } = await work(parts, request, folders, place, aside);
    if (NO_FAULT_OF_ITS.includes(stop.reason)) return { ...impossible(stop.why), usage };
    const after = await check(parts, request, folders, place);
    if (passed(after)) return { kind: 'passed', why: describe(after), usage };
    const lacking = hindranceOf(after);
    if (lacking !== undefined)
      return { ...impossible(`its check cannot run in the sandbox: ${lacking}`), usage };
    return {
      kind: 'failed',
      why: [describe(after), ...(stop.reason === 'answer' ? [] : [stop.why])].join(', '),
      usage,
    };
  } finally {
    await removeCopy(aside);
  }
}

/** A copy of the commit: the whole of it, the session's folder in it, and what it leads to outside. */
interface Place {
  readonly top: string;
  readonly cwd: string;
  readonly readable: readonly string[];
}

async function placeOf(earlier: EarlierCommit, top: string): Promise<Place> {
  await copyCommit(earlier, top);
  const cwd = join(top, earlier.inside);
  await mkdir(cwd, { recursive: true });
  // What is a folder today may have been a link then.
  if ((await realpath(cwd)) !== cwd)
    throw new KnackError(
      'refused',
      `${earlier.inside} was a link in the commit ${earlier.commit.slice(0, 10)}`,
    );
  return { top, cwd, readable: await linkInstalled(earlier, top) };
}

/** Has the agent do the task. Its only library is the skill, and its log is gone with the copy. */
async function work(
  parts: ReplayParts,
  { task, skill, signal = new AbortController().signal }: ReplayRequest,
  folders: readonly string[],
  { top, cwd, readable }: Place,
  aside: string,
): Promise<{ usage: Usage; stop: { reason: StopReason; why: string } }> {
  const root = join(aside, 'skills');
  if (skill !== undefined) await writeFolder(join(root, basename(skill.dir)), skill.folder);
  const library = await openLibrary({
    roots: skill === undefined ? [] : [{ name: 'candidate', dir: root, writable: false }],
  });
  const header = { id: 'replay', started: parts.now().toISOString(), cwd, model: parts.model.id };
  const conversation = await createConversation({
    ...parts,
    library,
    // The rest of the repository can be seen and changed from a folder in it, as in the session.
    sandbox: {
      mode: parts.sandbox.mode,
      run: (command) =>
        parts.sandbox.run({
          ...command,
          readable: [...readable, ...(command.readable ?? [])],
          writable: [top, ...(command.writable ?? [])],
        }),
    },
    // What none of these can do outside of the copy needs no question.
    approval: createApproval(
      ['edit_file', 'run_command', 'run_skill_tool'].map((pattern) => ({ pattern, decision: 'allow' })),
    ),
    log: createSessionLog({ file: join(aside, 'session.jsonl'), header: { ...header, purpose: 'review' } }),
    cwd,
  });
  try {
    for (const { name } of library.skills) await conversation.loadSkill(name);
    const { stop, problem = stop } = await conversation.send(localised(task, folders, cwd), { signal });
    if (signal.aborted) throw new KnackError('aborted', 'the replay was stopped');
    return { usage: conversation.usage, stop: { reason: stop, why: problem } };
  } finally {
    await conversation.end();
  }
}

/** Runs the session's own command in a copy. */
function check(
  { sandbox }: ReplayParts,
  { command, signal }: ReplayRequest,
  folders: readonly string[],
  { top, cwd, readable }: Place,
): Promise<ProcessOutcome> {
  return sandbox.run({
    command: ['bash', '-c', localised(command, folders, cwd)],
    cwd,
    readable,
    writable: [top],
    timeoutSeconds: CHECK_SECONDS,
    ...(signal === undefined ? {} : { signal }),
  });
}

/** The text with the copy's path where it names the session's folder, in one of its spellings. */
function localised(text: string, folders: readonly string[], cwd: string): string {
  return folders.reduce(
    (result, folder) =>
      result.replaceAll(new RegExp(`(?<![\\w./~-])${escaped(folder)}(?![\\w.-])`, 'g'), () => cwd),
    text,
  );
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** By the same measure as the session's own results: a pipe may swallow the exit code of what failed. */
function passed({ exitCode, stdout, stderr }: ProcessOutcome): boolean {
  const result = { kind: 'tool-result', id: '', ref: '', role: 'tool', callId: '' } as const;
  const text = `${stdout}\n${stderr}`;
  return exitCode === 0 && classifyResult({ ...result, text, exitCode }) !== 'failure';
}

/** Why a failure says more about the sandbox than about the work. */
function hindranceOf({ exitCode, stdout, stderr, timedOut }: ProcessOutcome): string | undefined {
  if (timedOut) return `it takes longer than ${CHECK_SECONDS} seconds`;
  const output = `${stdout}\n${stderr}`;
  const isMissing = exitCode === 126 || exitCode === 127 || isMissingProgram(output);
  return isMissing || isAccident(output) ? JSON.stringify(lastLine(output)) : undefined;
}

function describe({ exitCode, stdout, stderr }: ProcessOutcome): string {
  const said = lastLine(`${stdout}\n${stderr}`);
  return `exit code ${exitCode ?? 'none'}${said === '' ? '' : `, ${JSON.stringify(said)}`}`;
}

function lastLine(output: string): string {
  return output.trim().split('\n').at(-1)?.slice(0, 200) ?? '';
}

function impossible(why: string): ReplayRun {
  return { kind: 'impossible', why, usage: NONE };
}
