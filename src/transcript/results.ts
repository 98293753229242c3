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

/** Marks of a failure in output, where the format has none; at the start of a line, or as such tools print them. */
const FAILURE = [
  /^Traceback \(most recent call last\)/m,
  /^(?:[\w./-]+: )?(?:fatal|error|Error|ERROR)(?:\[[\w-]+\])?: /m,
  /^[A-Za-z_.]*(?:Error|Exception): /m,
  /\bcommand not found\b|: not found$|No such file or directory/m,
  /^npm (?:ERR!|error)/m,
  /\b(?:[1-9]\d*) (?:failed|errors?)\b(?!.*\b0 failed)/,
  /^(?:FAILED|FAIL)\b/m,
  /exited with code [1-9]|exit (?:code|status):? [1-9]|<returncode>[1-9]|Command failed/i,
  /^Your proposed edit has introduced new syntax error/m,
  /^Segmentation fault|^panic: /m,
];
const SUCCESS = [
  /\b[1-9]\d* (?:passed|passing)\b/,
  /^OK(?: \(|$)/m,
  /exit(?:ed with)? (?:code|status):? 0\b|<returncode>0/i,
  /^\s*(?:Build|BUILD) succe/m,
  /All (?:tests|checks) pass/i,
];

/** Something in the surroundings that no skill can mend: a missing program, permission, network, quota. */
const ACCIDENT =
  /command not found|permission denied|EACCES|rate.?limit|too many requests|\b429\b|ECONNREFUSED|ENOTFOUND|ETIMEDOUT|network is unreachable|could not resolve host|No space left on device|quota|timed? ?out\b|connection (?:reset|refused)|401 Unauthorized|403 Forbidden|service unavailable|\b503\b/i;

/** What a result came to: the format's own mark, else the exit code, else what the output says. */
export function classifyResult(event: TranscriptEvent): ResultStatus {
  if (event.kind !== 'tool-result') return 'unknown';
  if (event.isError === true) return 'failure';
  if (event.exitCode !== undefined) return event.exitCode === 0 ? 'success' : 'failure';
  if (FAILURE.some((pattern) => pattern.test(event.text))) return 'failure';
  if (event.isError === false || SUCCESS.some((pattern) => pattern.test(event.text))) return 'success';
  return 'unknown';
}

/** Whether a failure is an accident of the surroundings. */
export function isAccident(text: string): boolean {
  return ACCIDENT.test(text);
}

/** Every call in order, each with its result. */
export function toolPairs(transcript: Pick<Transcript, 'events'>): ToolPair[] {
  const results = new Map<string, ResultEvent>();
  for (const event of transcript.events)
    if (event.kind === 'tool-result' && !results.has(event.callId)) results.set(event.callId, event);
  return transcript.events.flatMap((event) => {
    if (event.kind !== 'tool-call') return [];
    const result = results.get(event.callId);
    return [{ call: event, result, status: result === undefined ? 'unknown' : classifyResult(result) }];
  });
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

/**
 * The class of a call: tool and, for a shell, the program and its subcommand (`bash git commit`). Calls of one class try
 * the same thing.
 */
export function callClass(call: CallEvent): string {
  const text = callText(call);
  const isShell = /bash|shell|command|exec|terminal|run/i.test(call.toolName) || call.toolName === '';
  if (!isShell) {
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
