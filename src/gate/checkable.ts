import { isAccident } from '../transcript/accidents.ts';
import { isCorrection } from '../transcript/cues.ts';
import { eventText, type Transcript } from '../transcript/event.ts';
import { createRedactor } from '../transcript/redact.ts';
import { type CallEvent, type ToolPair, toolPairs } from '../transcript/results.ts';
import type { CheckableTask } from './check.ts';
import { isSpeech } from './evidence/cited.ts';
import { doubtAbout, onlyChecks } from './evidence/success.ts';

/** A task that could be done again, or why the session holds none. */
export type FoundTask = CheckableTask | { readonly why: string };

/** Characters of the longest task; with more it is a document, and no agent is asked to read it twice. */
const LONGEST_TASK = 20_000;
const LONGEST_COMMAND = 2000;
const NONE = 'no session with a checkable outcome, which is a command that failed before it passed';

/**
 * The task of a session with a checkable outcome: a shell command that checks something and edits nothing, failed
 * first, passed after the last edit and was not corrected by the user later. Of several the last one counts, before
 * all others one that is `cited`, which may be `needed`. The task is what the user had said before the command failed first.
 */
export function findCheckableTask(
  transcript: Transcript,
  { cited, needed = false }: { readonly cited: ReadonlySet<string>; readonly needed?: boolean },
): FoundTask {
  const { events, session } = transcript;
  const pairs = toolPairs(transcript).filter(isOwn);
  const passes = pairs.flatMap((pair) => {
    const failure = passedAtLast(transcript, pairs, pair);
    return failure === undefined ? [] : [{ pair, failure }];
  });
  const isCited = ({ call, result }: ToolPair) =>
    cited.has(call.id) || (result !== undefined && cited.has(result.id));
  const found = passes.findLast(({ pair, failure }) => isCited(pair) || isCited(failure)) ?? passes.at(-1);
  if (needed && found !== undefined && !isCited(found.pair) && !isCited(found.failure))
    return { why: `the change does not rest on what the session ${session.id} checked` };
  const command = found && shellCommand(found.pair.call);
  if (found === undefined || command === undefined) return { why: NONE };
  const { cwd: folder } = session;
  if (folder === undefined)
    return { why: `the session ${session.id} does not say in which folder it worked` };
  const began = earliest([session.started, ...events.map(({ ts }) => ts)]);
  if (began === undefined) return { why: `the session ${session.id} does not say when it began` };
  if (hasMoved(transcript, pairs, found.pair, folder))
    return { why: `the session ${session.id} ran its check in another folder than the one it began in` };
  const task = redactor
    .text(
      events
        .slice(0, events.indexOf(found.failure.call))
        .filter(isSpeech)
        .map((event) => eventText(event).trim())
        .join('\n\n'),
    )
    .trim();
  if (task === '')
    return { why: `the user of the session ${session.id} had asked for nothing before its check` };
  const shown = redactor.text(command);
  if (/\[REDACTED:/.test(shown + task))
    return { why: `a secret stands in the task of the session ${session.id} or in its check` };
  if (task.length > LONGEST_TASK || shown.length > LONGEST_COMMAND)
    return { why: `the task of the session ${session.id} or its check is too long to be done again` };
  return { session: session.id, task, command: shown, folder, began };
}

const redactor = createRedactor();

function earliest(times: readonly (string | undefined)[]): string | undefined {
  const known = times.map((time) => Date.parse(time ?? '')).filter((time) => !Number.isNaN(time));
  const first = known.reduce((before, time) => Math.min(before, time), Number.POSITIVE_INFINITY);
  return Number.isFinite(first) ? new Date(first).toISOString() : undefined;
}

function isOwn({ call }: ToolPair): boolean {
  return (
    call.sidechain !== true &&
    call.injected === undefined &&
    call.branch !== 'abandoned' &&
    call.branch !== 'archived'
  );
}

/** The first failure of the same command, if this is the success that the session ended with. */
function passedAtLast(
  transcript: Transcript,
  pairs: readonly ToolPair[],
  pair: ToolPair,
): ToolPair | undefined {
  const { call, result, status } = pair;
  const command = shellCommand(call);
  if (command === undefined || result === undefined || status !== 'success' || !onlyChecks(pair))
    return undefined;
  const failure = pairs
    .slice(0, pairs.indexOf(pair))
    .find((other) => other.status === 'failure' && shellCommand(other.call) === command);
  // What failed by an accident of the surroundings does not fail again elsewhere.
  if (failure?.result === undefined || isAccident(failure.result.text)) return undefined;
  if (doubtAbout({ transcript, pair, event: result }) !== undefined) return undefined;
  const later = transcript.events.slice(transcript.events.indexOf(result) + 1).filter(isSpeech);
  return later.some((event) => isCorrection(eventText(event))) ? undefined : failure;
}

const SHELL = /bash|shell|command|exec|terminal/i;

/** The text that a shell was given; undefined for another tool, and for a list of words that no `sh -c` reads. */
function shellCommand({ toolName, args }: CallEvent): string | undefined {
  if (!SHELL.test(toolName)) return undefined;
  const given =
    typeof args === 'object' && args !== null
      ? ((args as Record<string, unknown>)['command'] ?? (args as Record<string, unknown>)['cmd'])
      : args;
  if (typeof given === 'string') return given.trim() || undefined;
  if (!Array.isArray(given)) return undefined;
  const [shell, flag, text, ...rest] = given as unknown[];
  const isScript = /(?:^|\/)(?:ba|z)?sh$/.test(String(shell)) && /^-l?c$/.test(String(flag));
  return isScript && typeof text === 'string' && rest.length === 0 ? text.trim() || undefined : undefined;
}

/** These start each command in the session's folder, unless the call says otherwise. */
const STARTS_ANEW = new Set(['knack', 'codex', 'pi']);

function hasMoved(
  { session }: Transcript,
  pairs: readonly ToolPair[],
  pair: ToolPair,
  folder: string,
): boolean {
  const { args } = pair.call;
  const fields = typeof args === 'object' && args !== null ? (args as Record<string, unknown>) : {};
  const at = fields['workdir'] ?? fields['cwd'];
  if (at !== undefined && at !== folder) return true;
  if (STARTS_ANEW.has(session.format)) return false;
  return pairs
    .slice(0, pairs.indexOf(pair))
    .flatMap(({ call }) => [
      ...(shellCommand(call) ?? '').matchAll(/(?:^|[;&|\n])\s*cd\s+(["']?)([^\s;&|"']+)\1/g),
    ])
    .some(([, , target]) => target?.replace(/(?<=.)\/$/, '') !== folder);
}
