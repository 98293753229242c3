import { isAccident, isMissingProgram } from './accidents.ts';
import { eventText, type Signal, type TranscriptEvent } from './event.ts';
import { type CallEvent, callClass, callText, isSlip, type ToolPair } from './results.ts';

/** A working call later than this after the failing one is not its remedy. */
const REMEDY_WITHIN = 12;
const RETRIES = 3;
const LONGEST_QUOTE = 400;
/** Failures after a load that may be those of its commands. */
const COMMANDS_AFTER = 500;

/**
 * A failure and the first later call of its class that works: `related` is the failing call, the working one and
 * its result. Several failures before one success are one finding, at the last of them. Accidents of the
 * surroundings (a missing program, the network) and slips are none.
 */
export function fromErrors(pairs: readonly ToolPair[]): Signal[] {
  const byRemedy = new Map<string, Signal>();
  for (const [index, failed] of pairs.entries()) {
    const { call, result, status } = failed;
    if (status !== 'failure' || result === undefined) continue;
    if (isAccident(result.text) || isSlip(call, result.text)) continue;
    const kind = callClass(call);
    const remedy = pairs
      .slice(index + 1, index + 1 + REMEDY_WITHIN)
      .find(
        (pair) => callClass(pair.call) === kind && pair.status !== 'failure' && pair.result !== undefined,
      );
    if (remedy?.result === undefined || callText(remedy.call) === '') continue;
    byRemedy.set(remedy.call.id, {
      kind: 'error-then-success',
      event: result.id,
      quote: failureIn(result.text),
      related: [call.id, remedy.call.id, remedy.result.id],
    });
  }
  return [...byRemedy.values()];
}

const SETUP =
  /\b(?:install|add|ci|sync|bootstrap|corepack enable|apk add|apt(?:-get)?|brew|pip3?|uv|cargo|go get|gem)\b/i;

/**
 * Something that was not there, a call that set it up, and then the first call again that works: the way to set it up
 * is worth keeping where the accident itself is not.
 */
export function fromSetups(pairs: readonly ToolPair[]): Signal[] {
  return pairs.flatMap((failed, index) => {
    const { call, result, status } = failed;
    if (status !== 'failure' || result === undefined || !isMissingProgram(result.text)) return [];
    if (!isAccident(result.text)) return [];
    const later = pairs.slice(index + 1, index + 1 + REMEDY_WITHIN);
    const again = later.findIndex(
      (pair) => callClass(pair.call) === callClass(call) && pair.status !== 'failure' && pair.result,
    );
    const remedy = later[again];
    const setup = later
      .slice(0, Math.max(again, 0))
      .findLast((pair) => pair.status !== 'failure' && SETUP.test(callText(pair.call)));
    if (remedy?.result === undefined || setup === undefined) return [];
    const related = [call.id, setup.call.id, remedy.call.id, remedy.result.id];
    return [
      { kind: 'error-then-success', event: result.id, quote: failureIn(result.text), related } as const,
    ];
  });
}

/** Three calls or more that try the same thing in vain: alike to the letter, or of one class and all failed. */
export function fromRetries(pairs: readonly ToolPair[]): Signal[] {
  const runs = [
    ...runsOf(
      pairs,
      ({ call }) => `${call.toolName} ${callText(call)}`,
      ({ status }) => status !== 'success',
    ),
    ...runsOf(
      pairs.filter(({ result }) => result === undefined || !isAccident(result.text)),
      ({ call }) => callClass(call),
      ({ status }) => status === 'failure',
    ),
  ];
  const seen = new Set<string>();
  const longestFirst = runs.sort((left, right) => right.length - left.length);
  return longestFirst.flatMap((run) => {
    const [first] = run;
    if (first === undefined || run.some((call) => seen.has(call.id))) return [];
    for (const call of run) seen.add(call.id);
    const quote = eventText(first).slice(0, LONGEST_QUOTE);
    return [{ kind: 'retry', event: first.id, quote, related: run.slice(1).map((call) => call.id) } as const];
  });
}

/** Calls that look, reckon or think: they stand between two attempts without being another way. */
const LOOKS = /think|calculat|read|view|open|grep|glob|search|list|^ls|get_|find|fetch/i;

/** Runs of calls with one key that all count, `RETRIES` long at least; a look in between does not end a run. */
function runsOf(
  pairs: readonly ToolPair[],
  keyOf: (pair: ToolPair) => string,
  counts: (pair: ToolPair) => boolean,
): CallEvent[][] {
  const runs: CallEvent[][] = [];
  let key = '';
  for (const pair of pairs) {
    const isSame = keyOf(pair) === key;
    if (!isSame && LOOKS.test(pair.call.toolName) && pair.status !== 'failure') continue;
    key = keyOf(pair);
    if (!isSame) runs.push([]);
    if (counts(pair)) runs.at(-1)?.push(pair.call);
    else runs.push([]);
  }
  return runs.filter((run) => run.length >= RETRIES);
}

/** A search of the skills that found none. */
export function fromEmptySearches(pairs: readonly ToolPair[]): Signal[] {
  return pairs.flatMap(({ call, result }) => {
    const isEmpty =
      /(?:^|_)search_skills$/.test(call.toolName) &&
      result !== undefined &&
      /^\s*No skill fits|"hits"\s*:\s*\[\s*\]/.test(result.text);
    if (!isEmpty) return [];
    return [
      {
        kind: 'empty-search',
        event: call.id,
        quote: eventText(call).slice(0, LONGEST_QUOTE),
        related: [result.id],
      } as const,
    ];
  });
}

/** A command that a loaded skill gives, word for word, and that failed all the same. */
export function fromFailedSkillCommands(
  events: readonly TranscriptEvent[],
  pairs: readonly ToolPair[],
): Signal[] {
  const places = new Map(events.map((event, index) => [event, index]));
  const byEvent = new Map<TranscriptEvent, ToolPair>();
  for (const pair of pairs.filter(({ call }) => /load_skill$/.test(call.toolName)))
    for (const event of [pair.call, pair.result]) if (event) byEvent.set(event, pair);
  const failures = pairs.flatMap((pair) => {
    const { call, result, status } = pair;
    const command = callText(call).trim();
    const counts = status === 'failure' && result !== undefined && command.length >= 6;
    return counts && !isAccident(result.text)
      ? [{ call, result, command, place: places.get(call) ?? -1 }]
      : [];
  });
  let after = 0;
  return events.flatMap((load, index) => {
    if (load.kind !== 'skill-load') return [];
    const near = events.slice(Math.max(0, index - 2), index + 3);
    const loading = near.flatMap((event) => byEvent.get(event) ?? [])[0];
    const body = near.find((event) => event.kind === 'text' && event.injected === 'skill');
    const text = loading?.result?.text ?? (body && eventText(body));
    if (text === undefined) return [];
    while ((failures[after]?.place ?? Number.POSITIVE_INFINITY) <= index) after += 1;
    const failed = failures
      .slice(after, after + COMMANDS_AFTER)
      .find(({ command }) => text.includes(command));
    if (failed === undefined) return [];
    return [
      {
        kind: 'contradicted-skill',
        event: failed.result.id,
        quote: failureIn(failed.result.text),
        related: [load.id, failed.call.id],
      } as const,
    ];
  });
}

const LONGEST_LINE = 800;
const NAMES_ERROR = [
  /^(?:[\w./() -]+: )?(?:fatal|error|[A-Za-z_.]*(?:Error|Exception))(?:\[[\w-]+\]| TS\d+)?: |\berror TS\d+:|^E\s{2,}|^- E\d+ /im,
  /error|fail|not found|no such|cannot|invalid|could not/i,
];

/** The lines of an output that say what failed: from the one that names an error most clearly, else the end. */
function failureIn(text: string): string {
  const lines = text
    .trim()
    .split('\n')
    .filter((line) => line.length <= LONGEST_LINE);
  const isTrace = /^Traceback/.test(lines[0] ?? '');
  const found = NAMES_ERROR.map((pattern) => lines.findIndex((line) => pattern.test(line)));
  const at = isTrace ? lines.length - 2 : (found.find((place) => place >= 0) ?? -1);
  const piece = at < 0 ? lines.slice(-4) : lines.slice(Math.max(0, at), at + 4);
  const quote = piece.join('\n').trim().slice(0, LONGEST_QUOTE);
  return quote !== '' && text.includes(quote) ? quote : text.trim().slice(0, LONGEST_QUOTE);
}
