import type { Transcript, TranscriptEvent } from './event.ts';

export type CallEvent = Extract<TranscriptEvent, { kind: 'tool-call' }>;
export type ResultEvent = Extract<TranscriptEvent, { kind: 'tool-result' }>;
export type ResultStatus = 'success' | 'failure' | 'unknown';

/** A call with its result, if one was recorded. */
export interface ToolPair {
  readonly call: CallEvent;
  readonly result: ResultEvent | undefined;
  readonly status: ResultStatus;
}

/** Marks of a failure that hold even where the exit code was swallowed by a pipe. */
const FAILURE_IN_SPITE = [
  /^Traceback \(most recent call last\)/m,
  /\berror TS\d+:/,
  /^npm (?:ERR!|error)/m,
  /\b[1-9]\d* (?:failed|errors?)\b(?!.*\b0 failed)/,
  /^(?:FAILED|FAIL)\b/m,
  /^panic: |^Segmentation fault/m,
];
/** Marks of a failure in output where the format has none for it; at the start of a line, or as such tools print them. */
const FAILURE = [
  ...FAILURE_IN_SPITE,
  /^(?:[\w./-]+: )?(?:fatal|error|Error|ERROR)(?:\[[\w-]+\])?: /m,
  /^[A-Za-z_.]*(?:Error|Exception): /m,
  /\bcommand not found\b|: not found$|No such file or directory/m,
  /exited with code [1-9]|exit (?:code|status):? [1-9]|<returncode>[1-9]|Command failed/i,
  /^Your proposed edit has introduced new syntax error/m,
];
/** The same for output that shows other text, whose middle says nothing about the call. */
const FAILED_VIEW =
  /^\s*(?:error\b|invalid\b|(?:\w+: )?[\w./~-]+: No such file|Ran into \[Errno|(?:bash|sh): .*not found|File .{1,200} not found)/i;
const JSON_ERROR = /^\s*\{\s*"(?:status"\s*:\s*"error"|error"\s*:\s*(?!null|false|""))/;
const SUCCESS = [
  /\b[1-9]\d* (?:passed|passing)\b/,
  /^OK(?: \(|$)/m,
  /exit(?:ed with)? (?:code|status):? 0\b|<returncode>0/i,
  /^\s*(?:Build|BUILD) succe/m,
  /All (?:tests|checks) pass/i,
  /^\s*\{\s*"status"\s*:\s*"success"/,
];
/** Stopped or never begun: nobody knows what it would have come to. */
const NOT_RUN =
  /^\s*(?:Command aborted|Operation aborted|Skipped due to|Tool execution was (?:aborted|cancelled)|The user doesn't want to )/i;
/** A program that exits with 1 to say "nothing found" or "they differ". */
const ASKS_BY_EXIT_CODE = /^(?:\S*\/)?(?:grep|egrep|rg|ag|diff|cmp|test|which|pgrep)$|^\[$/;
const SHOWS_TEXT =
  /^(?:\S*\/)?(?:cat|head|tail|sed|awk|grep|egrep|rg|ag|ls|find|less|nl|wc|jq|open|goto|scroll_\w+|search_\w+|find_file)$/;
const SHOWING_TOOL =
  /^(?:\w+[._])?(?:read|view|open|cat|grep|glob|find|ls|list|search|fetch|load_skill)(?:_?\w*)?$/i;

/**
 * What a result came to: the format's own mark, else the exit code, else what the output says. With the `call`
 * it also knows searches that found nothing and texts that merely speak of errors.
 */
export function classifyResult(event: TranscriptEvent, call?: CallEvent): ResultStatus {
  if (event.kind !== 'tool-result') return 'unknown';
  const { text } = event;
  if (NOT_RUN.test(text)) return 'unknown';
  const program = call ? programOf(call) : undefined;
  const exitCode = event.exitCode ?? exitCodeIn(text);
  if (exitCode === 1 && program !== undefined && ASKS_BY_EXIT_CODE.test(program)) return 'unknown';
  if (event.isError === true) return 'failure';
  if (event.exitCode !== undefined && event.exitCode !== 0) return 'failure';
  const isView = call !== undefined && (SHOWING_TOOL.test(call.toolName) || showsText(call));
  const isMarked = event.isError === false || event.exitCode === 0;
  if (isMarked)
    return !isView && FAILURE_IN_SPITE.some((pattern) => pattern.test(text)) ? 'failure' : 'success';
  if (JSON_ERROR.test(text) || FAILED_VIEW.test(text)) return 'failure';
  if (!isView && FAILURE.some((pattern) => pattern.test(text))) return 'failure';
  return SUCCESS.some((pattern) => pattern.test(text)) ? 'success' : 'unknown';
}

/** Whether all that a call does is to show texts: a compiler whose errors are filtered out of a pipe does more. */
function showsText(call: CallEvent): boolean {
  const programs = programsOf(call);
  return programs.length > 0 && programs.every((program) => SHOWS_TEXT.test(program));
}

/** Said by editing tools that were given an outdated or inexact text. */
const MISSED_EDIT =
  /could not find the exact text|(?:old_string|string to replace|text to replace) (?:was )?not found|no changes (?:were )?made|old_string and new_string are|has not been read yet|has been (?:unexpectedly )?modified since|found \d+ (?:matches|occurrences) of the (?:string|text)/i;

/**
 * Whether a failure is a slip that every agent makes and mends in the next step: a text to edit that does not stand
 * there so, a file to look at that does not exist. Nothing is learnt from it.
 */
export function isSlip(call: CallEvent, output: string): boolean {
  if (MISSED_EDIT.test(output.slice(0, 600))) return true;
  const isView = SHOWING_TOOL.test(call.toolName) || showsText(call);
  return (
    isView && /no such file|does not exist|not found|ENOENT|is a directory|EISDIR/i.test(output.slice(0, 600))
  );
}

/** Every call in order, each with its result and what that came to. */
export function toolPairs(transcript: Pick<Transcript, 'events'>): ToolPair[] {
  const results = resultsOf(transcript.events);
  return transcript.events.flatMap((event) => {
    if (event.kind !== 'tool-call') return [];
    const result = results.get(event);
    return [
      { call: event, result, status: result === undefined ? 'unknown' : classifyResult(result, event) },
    ];
  });
}

/**
 * The result of each call that has one. Real sessions use the ids of calls again and leave calls without a result, so
 * the order decides: a result belongs to the earliest open call of its id, and a call of a later step takes the id
 * over from one that nobody answered.
 */
export function resultsOf(events: readonly TranscriptEvent[]): ReadonlyMap<CallEvent, ResultEvent> {
  const open = new Map<string, { step: number; calls: CallEvent[] }>();
  const results = new Map<CallEvent, ResultEvent>();
  let step = 0;
  for (const event of events) {
    if (event.kind === 'tool-call') {
      const waiting = open.get(event.callId);
      if (waiting?.step === step) waiting.calls.push(event);
      else open.set(event.callId, { step, calls: [event] });
    } else if (event.kind === 'tool-result') {
      const call = open.get(event.callId)?.calls.shift();
      if (call !== undefined) results.set(call, event);
      step += 1;
    } else if (event.role !== 'assistant') step += 1;
  }
  return results;
}

function exitCodeIn(text: string): number | undefined {
  const match = /(?:exited with code|exit (?:code|status):?) (\d{1,3})\b/i.exec(text.slice(-300));
  return match ? Number(match[1]) : undefined;
}

/** The program of a shell call that decides its exit code: of a pipe the last, of a sequence the last. */
function programOf(call: CallEvent): string | undefined {
  return programsOf(call).at(-1);
}

/** The programs of the last pipe of a shell call, in order, but for those that only shorten or order what they get. */
function programsOf(call: CallEvent): string[] {
  if (!isShell(call)) return typeof call.args === 'string' ? [call.toolName] : [];
  const pipes = callText(call)
    .replace(/"(?:[^"\\]|\\.)*"|'[^']*'/g, '""')
    .split(/&&|\|\||[;\n]/)
    .map((pipe) =>
      pipe
        .split('|')
        .map((part) => part.trim())
        .filter((part) => part !== '' && !/^(?:head|tail|wc|sort|uniq|echo)\b/.test(part)),
    );
  const last = pipes.findLast((parts) => parts.length > 0) ?? [];
  return last.flatMap(
    (part) => part.split(/\s+/).find((word) => !word.includes('=') && !WRAPPERS.has(word)) ?? [],
  );
}

/** The command of a shell call, or the arguments as JSON: what tells two calls of one tool apart. */
export function callText(call: CallEvent): string {
  const { args } = call;
  if (typeof args === 'string') return args;
  if (typeof args === 'object' && args !== null) {
    for (const key of ['command', 'cmd', 'script', 'code']) {
      const value = (args as Record<string, unknown>)[key];
      if (typeof value === 'string') return value;
      if (Array.isArray(value)) return value.join(' ');
    }
  }
  return args === undefined ? '' : JSON.stringify(args);
}

const WRAPPERS = new Set([
  'sudo',
  'env',
  'time',
  'timeout',
  'nohup',
  'npx',
  'bash',
  'sh',
  'cd',
  'then',
  'do',
  'set',
  'export',
  'source',
]);

function isShell(call: CallEvent): boolean {
  return /bash|shell|command|exec|terminal|run/i.test(call.toolName) || call.toolName === '';
}

/**
 * The class of a call: tool and, for a shell, the program and its subcommand (`bash git commit`). Calls of one class try
 * the same thing.
 */
export function callClass(call: CallEvent): string {
  const text = callText(call);
  if (!isShell(call)) {
    const path =
      typeof call.args === 'object' && call.args !== null
        ? ((call.args as Record<string, unknown>)['path'] ??
          (call.args as Record<string, unknown>)['file_path'])
        : undefined;
    return typeof path === 'string' ? `${call.toolName} ${path}` : call.toolName;
  }
  const last = text
    .split(/&&|;|\n|\|\|/)
    .map((part) => part.trim())
    .filter((part) => part !== '' && !/^(cd|export|set|source)\b/.test(part));
  const words = (last[0] ?? text)
    .split(/\s+/)
    .filter((word) => word !== '' && !word.includes('=') && !WRAPPERS.has(word));
  const [program = '', sub = ''] = words;
  return `${call.toolName} ${program}${/^[a-z][\w:-]*$/.test(sub) ? ` ${sub}` : ''}`;
}
