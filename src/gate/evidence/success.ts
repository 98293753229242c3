import { isCorrection } from '../../transcript/cues.ts';
import { eventText, type Transcript } from '../../transcript/event.ts';
import { callClass, callText, type ToolPair, toolPairs } from '../../transcript/results.ts';
import { type Cited, isSpeech } from './cited.ts';

/** Commands that tell whether something works. */
const CHECKS =
  /\b(?:tests?|pytest|unittest|tox|jest|vitest|mocha|rspec|phpunit|ctest|build|compile|tsc|lint|eslint|biome|ruff|flake8|pylint|mypy|pyright|clippy|check|validate|verify|assert|make|cmake|ninja|gradle\w*|mvn|cargo|dotnet|terraform|ansible-playbook|docker|kubectl|psql|sqlite3|curl|diff|reproduce\w*)\b|\b(?:go|npm|pnpm|yarn|bun|deno|uv|poetry|bundle|rake|mix|swift) \w|^(?:python[\d.]*|node|ruby|perl|php|java|bash|sh|tsx|ts-node|Rscript)\b|^\.{0,2}\/[\w./-]+/i;
/** Programs that show or move things, whatever the names of the files say. */
const SHOWS =
  /^(?:cat|head|tail|less|more|nl|wc|ls|tree|find|fd|grep|egrep|rg|ag|sed|awk|sort|uniq|cut|tr|jq|echo|printf|cd|pwd|export|set|mkdir|cp|mv|rm|touch|ln|chmod|chown|which|type|file|stat|du|df|ps|git|open|goto|scroll_\w+|search_\w+|find_file|view|read)$/;
const WRAPPER = /^(?:(?:sudo|env|time|nohup|xargs|npx|timeout(?: -\S+)* \S+|\w+=\S*) +)+/;
const CHECKING_TOOL = /test|build|lint|check|run_?skill_?tool/i;
const SHOWING_TOOL = /^(?:\w+[._])*(?:read|view|open|cat|grep|glob|find|ls|list|search|fetch|load_skill)/i;
const EDITING_TOOL =
  /^(?:\w+[._])?(?:edit|write|create|insert|append|apply_?patch|str_?replace\w*|multi_?edit|notebook_?edit|update_?file|replace)/i;
const EDITING_COMMAND =
  /\bsed (?:-\w+ )*-i|\bperl -\w*i|\bapply_patch\b|\bgit apply\b|\bpatch -p|\btee (?!\/dev)|(?:^|[^0-9&>])>{1,2}\s*(?!\/dev|&)[\w./~-]+/;

/** Why a cited event does not show that a procedure works; undefined if it does. */
export function doubtAbout({
  transcript,
  pair,
  event,
}: Pick<Cited, 'transcript' | 'pair' | 'event'>): string | undefined {
  if (pair === undefined) return `${event.id} is no call and no result of one`;
  const { call, result, status } = pair;
  if (result === undefined) return `${event.id} has no result`;
  if (status === 'failure') return `${event.id} failed`;
  if (call.branch === 'abandoned' || call.branch === 'archived')
    return `${event.id} is on a way that was given up`;
  const at = transcript.events.indexOf(result);
  const pairs = placed(transcript);
  const kind = callClass(call);
  const hadFailed = pairs.some(
    (other) => other.at < at && other.pair.status === 'failure' && callClass(other.pair.call) === kind,
  );
  if (!hadFailed && !checksItsEdit(pair) && (isEdit(pair) || !isCheck(pair)))
    return `${event.id} neither had failed before nor checks anything`;
  return editedAfter(transcript, pairs, at) ?? undoneAfter(transcript, pairs, pair, at);
}

interface Placed {
  readonly pair: ToolPair;
  /** Position of the result, else of the call. */
  readonly at: number;
}

function placed(transcript: Transcript): Placed[] {
  return toolPairs(transcript).map((pair) => ({
    pair,
    at: transcript.events.indexOf(pair.result ?? pair.call),
  }));
}

/** Whether a call only tells if something works, and changes nothing itself. */
export function onlyChecks(pair: ToolPair): boolean {
  return isCheck(pair) && !isEdit(pair);
}

function isCheck({ call }: ToolPair): boolean {
  const command = commandOf(call);
  if (command === undefined) return CHECKING_TOOL.test(call.toolName) && !SHOWING_TOOL.test(call.toolName);
  return command.split(/&&|\|\||[;|\n]/).some(checksSomething);
}

function checksSomething(part: string): boolean {
  const plain = part.trim().replace(WRAPPER, '');
  return !SHOWS.test(plain.split(/\s/)[0] ?? '') && CHECKS.test(plain);
}

/** A command that changes something and, only if that worked, checks it; what a here-document holds is no step. */
function checksItsEdit({ call }: ToolPair): boolean {
  const command = commandOf(call);
  if (command === undefined || EDITING_TOOL.test(call.toolName)) return false;
  const steps = command.replace(/<<-?\s*(["']?)(\w+)\1[\s\S]*?\n\s*\2(?=\n|$)/g, '').split('&&');
  const edit = steps.findLastIndex((step) => EDITING_COMMAND.test(step));
  return (
    edit >= 0 && steps.slice(edit + 1).some((step) => !/\|\||[;|\n]/.test(step) && checksSomething(step))
  );
}

/** The command line or code of a call; undefined for a tool with arguments of its own. */
function commandOf(call: ToolPair['call']): string | undefined {
  const text = callText(call);
  return typeof call.args === 'string' || text !== JSON.stringify(call.args) ? text : undefined;
}

function isEdit({ call }: ToolPair): boolean {
  return EDITING_TOOL.test(call.toolName) || EDITING_COMMAND.test(callText(call));
}

/** Work went on before the user spoke again, and nothing checked it any more. */
function editedAfter(transcript: Transcript, pairs: readonly Placed[], at: number): string | undefined {
  const end = transcript.events.findIndex((event, index) => index > at && isSpeech(event));
  const later = pairs.filter(
    (other) => other.at > at && (end < 0 || other.at < end) && other.pair.status !== 'failure',
  );
  const edit = later.findLast(({ pair }) => isEdit(pair));
  if (edit === undefined) return undefined;
  const checked = later.some(
    (other) =>
      other.at >= edit.at &&
      isCheck(other.pair) &&
      (other.at > edit.at || !EDITING_TOOL.test(other.pair.call.toolName)),
  );
  return checked
    ? undefined
    : `after it ${edit.pair.call.id} changed something that nothing checked any more`;
}

/** The user took it back, or the same call failed for good later. */
function undoneAfter(
  transcript: Transcript,
  pairs: readonly Placed[],
  { call }: ToolPair,
  at: number,
): string | undefined {
  const answer = transcript.events.find((event, index) => index > at && isSpeech(event));
  if (answer !== undefined && isCorrection(eventText(answer))) return `the user corrected it in ${answer.id}`;
  const again = pairs.findLast((other) => other.at > at && callText(other.pair.call) === callText(call));
  return again?.pair.status === 'failure' ? `the same call failed later in ${again.pair.call.id}` : undefined;
}
