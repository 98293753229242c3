import { eventText, type Transcript, type TranscriptEvent } from '../../transcript/event.ts';
import { toolPairs } from '../../transcript/results.ts';
import type { CheckFinding } from '../check.ts';
import type { DraftOperation } from '../draft.ts';
import { sentencesOf, wordsOf } from '../markdown.ts';
import { isSpeech } from './cited.ts';

const IMPERATIVE =
  /\b(?:always|never|must|should|do not|don't|from now on|make sure|ensure|remember to|be sure to|required to|have to|need to|immer|niemals|muss|siempre|nunca|debe)\b|必须|必ず|一定要|不要|总是/i;
/** Words in a row that are no coincidence. */
const RUN = 6;
/** Tools that show skills, under MCP with the server's name before. */
const SKILL_TOOL = /(?:^|_)(?:load_skill|read_skill_file|search_skills|list_skill_files)$/;

/**
 * Orders that were copied from tool or web output: what a page tells its reader to do has no authority, however
 * sensible it sounds, so a person decides. Orders that the user gave in the same words pass.
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
  const output = runsIn(
    events.filter((event) => event.kind === 'tool-result' && !fromSkills.has(event)).map(eventText),
  );
  if (output.size === 0) return [];
  const allowed = runsIn([...events.filter(isSpeech).map(eventText), baseText]);
  return operation.text.split('\n').flatMap((line) =>
    sentencesOf(line).flatMap(({ text }) => {
      if (!IMPERATIVE.test(text)) return [];
      const copied = runsOf(wordsOf(text)).find((run) => output.has(run) && !allowed.has(run));
      if (copied === undefined) return [];
      return [
        {
          rule: 'tool-authority',
          severity: 'ask' as const,
          message: `${JSON.stringify(text.trim().slice(0, 140))} repeats the output of a tool ("${copied}"): what a page or a program demands is no rule unless a person says so`,
          file: operation.file,
          subject: text.trim(),
        },
      ];
    }),
  );
}

function runsIn(texts: readonly string[]): Set<string> {
  return new Set(texts.flatMap((text) => runsOf(wordsOf(text))));
}

function runsOf(words: readonly string[]): string[] {
  return words.slice(RUN - 1).map((_, at) => words.slice(at, at + RUN).join(' '));
}
