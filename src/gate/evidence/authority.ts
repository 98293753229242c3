import { eventText, type Transcript, type TranscriptEvent } from '../../transcript/event.ts';
import { toolPairs } from '../../transcript/results.ts';
import type { CheckFinding } from '../check.ts';
import type { DraftOperation } from '../draft.ts';
import { statementsOf } from '../kept-rules.ts';
import { markdownLines, sentencesOf, wordsOf } from '../markdown.ts';
import { isSpeech } from './cited.ts';

const IMPERATIVE =
  /\b(?:always|never|must|should|do not|don't|from now on|make sure|ensure|remember to|be sure to|required to|have to|need to|immer|niemals|muss|siempre|nunca|debe)\b|必须|必ず|一定要|不要|总是/i;
/** A sentence that begins with what to do, also after a condition or a label, but not after "it says". */
const ORDER =
  /(?:^|(?:[,;–—]|(?<!\b(?:says|said|reads|prints|shows|means)):)\s*|\b(?:then|please|and|first|finally|afterwards)\s+)[*_`"'(\s]*(?:add|append|archive|attach|back up|call|change|clone|commit|configure|connect|copy|create|curl|delete|deploy|disable|download|drop|email|e-mail|enable|enter|execute|export|fetch|follow|forward|get|give|grant|import|include|install|invoke|log in|mail|merge|move|notify|open|overwrite|paste|post|publish|pull|push|put|read|register|remove|replace|report|reset|restart|return|run|save|send|set|share|sign|skip|start|stop|store|submit|switch|sync|tell|turn|update|upgrade|upload|use|visit|wget|write)\b/i;
/** How a description says when a skill is wanted, which orders nothing. */
const WANTED = /^["'\s]*use (?:this skill |it )?(?:when|whenever|if|for)\b/i;
/** A place in the network. */
const ADDRESS =
  /\b[a-z][a-z0-9+.-]*:\/\/[^\s)>\]"'`]+|\b(?:[a-z0-9-]+\.)+[a-z]{2,}(?::\d+)?\/[^\s)>\]"'`]*/gi;
const NOWHERE = /^[a-z]+:\/\/(?:localhost|127\.0\.0\.1|\[::1\]|(?:[\w-]+\.)?example\.(?:com|org|net))\b/i;
/** Words in a row that are no coincidence. */
const RUN = 6;
/** Tools that show skills, under MCP with the server's name before. */
const SKILL_TOOL = /(?:^|_)(?:load_skill|read_skill_file|search_skills|list_skill_files)$/;

/**
 * Orders that were copied from tool or web output: what a page tells its reader to do has no authority, however
 * sensible it sounds, so a person decides. That is an order in the output's words, or one that leads to an address that
 * only the output names. Orders that the user gave in the same words pass, and addresses that the user named.
 */
export function authorityFindings(
  operation: DraftOperation,
  transcripts: readonly Transcript[],
  baseText: string,
): CheckFinding[] {
  if (operation.text === undefined) return [];
  const events = transcripts.flatMap((transcript) => transcript.events);
  const fromSkills = new Set<TranscriptEvent | undefined>(
    transcripts.flatMap((transcript) =>
      toolPairs(transcript).flatMap(({ call, result }) => (SKILL_TOOL.test(call.toolName) ? [result] : [])),
    ),
  );
  const said = events
    .filter((event) => event.kind === 'tool-result' && !fromSkills.has(event))
    .map(eventText);
  if (said.length === 0) return [];
  const granted = [...events.filter(isSpeech).map(eventText), baseText];
  const [output, allowed] = [runsIn(said), runsIn(granted)];
  const [named, known] = [addressesIn(said), addressesIn(granted)];
  return sentencesIn(operation.text).flatMap((sentence) => {
    const addresses = [...addressesIn([sentence])].filter((each) => named.has(each) && !known.has(each));
    const isOrder = IMPERATIVE.test(sentence) || ORDER.test(sentence.trim().replace(WANTED, ''));
    if (!isOrder && addresses.length === 0) return [];
    const copied =
      runsOf(wordsOf(sentence)).find((run) => output.has(run) && !allowed.has(run)) ??
      (isOrder ? addresses[0] : undefined);
    if (copied === undefined) return [];
    return [
      {
        rule: 'tool-authority',
        severity: 'ask' as const,
        message: `${JSON.stringify(sentence.trim().slice(0, 140))} repeats the output of a tool ("${copied}"): what a page or a program demands is no rule unless a person says so`,
        file: operation.file,
        subject: sentence.trim(),
      },
    ];
  });
}

/** The sentences of what an operation writes, also those that run over lines; code and fields line by line. */
function sentencesIn(text: string): string[] {
  const single = markdownLines(text).filter(({ front, code }) => front || code);
  return [...statementsOf(text), ...single].flatMap((part) =>
    sentencesOf(part.text).map((each) => each.text),
  );
}

function addressesIn(texts: readonly string[]): Set<string> {
  return new Set(
    texts.flatMap((text) =>
      [...text.matchAll(ADDRESS)]
        .map(([address]) => address.replace(/[.,;:!?]+$/, '').toLowerCase())
        .filter((address) => !NOWHERE.test(address)),
    ),
  );
}

function runsIn(texts: readonly string[]): Set<string> {
  return new Set(texts.flatMap((text) => runsOf(wordsOf(text))));
}

function runsOf(words: readonly string[]): string[] {
  return words.slice(RUN - 1).map((_, at) => words.slice(at, at + RUN).join(' '));
}
