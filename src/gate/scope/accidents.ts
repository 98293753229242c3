import { ENVIRONMENT_ACCIDENT, TRANSIENT_ACCIDENT } from '../../transcript/accidents.ts';
import type { CheckFinding } from '../check.ts';
import { type MarkdownLine, sentencesOf } from '../markdown.ts';

/** What goes wrong with one machine, and how prose says it beside the words of programs. */
const ACCIDENT = [
  ENVIRONMENT_ACCIDENT,
  /no such file or directory|\bENOENT\b|sudo (?:is |was )?(?:not available|unavailable)|(?:is|are|was|were) (?:not|n't) (?:installed|available)|isn't (?:installed|available)|(?:is|are|was|were) (?:missing|unavailable)\b|not in (?:the )?PATH\b|keine berechtigung|nicht installiert|permiso denegado|no está instalado|権限がありません|未安装|没有安装/i,
];
/** What goes wrong at one moment. */
const TRANSIENT = [
  TRANSIENT_ACCIDENT,
  /\brate[- ]limited\b|(?:hit|hits|reached|exceeded|ran into|because of) (?:a |the |its |their )?rate[- ]limits?\b|\b(?:429|502|503|504)\b(?= |\.|,|$)(?!\s*(?:lines|tokens|files|rows|pages|px|items|ms))|network (?:is |was )?(?:down|unreachable)|(?:there (?:is|was)|has|had|have|got) no (?:network|internet)(?: access| connection)?|service (?:is |was )?(?:down|unavailable)|server (?:is |was )?(?:down|overloaded)|(?:is|are|was|were) flaky\b/i,
];
/** Said of this machine, not of machines. */
const HERE =
  /\b(?:on|in|of) (?:this|our|my|the current) (?:machine|environment|sandbox|container|host|laptop|workstation|server|vm|box)\b|\b(?:this|our|my|the current) (?:machine|environment|sandbox|container|host|laptop|workstation|vm|box) (?:has|have|had|lacks?|cannot|can't|does|is|blocks?|forbids?)\b|\bauf diesem (?:rechner|system)\b|\ben esta máquina\b|在(?:这台|本)机/i;
const LACK =
  /\b(?:no|not|n't|never|lacks?|without|cannot|can't|missing|broken|blocks?|forbids?|only|kein\w*|nicht)\b|没有|不/i;
/** A rule that says what to do if it happens is of use to others. */
const CONDITION =
  /\b(?:if|when|whenever|unless|in case|after|before|until|check|verify|make sure|ensure|means|indicates|cause[sd]?|returns?|raises?|throws?|exits?|reports?|errors?:|retr(?:y|ies|ied|ying)|back(?:s|ing)?[ -]?off|handl(?:e|es|ing)|wait(?:s|ing)?|on \d{3}|(?:a|an|any|each|every) [\w-]+ that|what(?:ever)? (?:is|are|was|were)|so that|to (?:avoid|prevent)|otherwise|wenn|falls|sobald|bei|si|cuando|lorsque|quand)\b|如果|当|若|場合|とき|만약|\||→|->/i;
const REJECTION =
  /\b(?:do not|don't|never|avoid|stop|cannot|can't)\b.{0,80}?\b(?:because|since|as|due to)\b/i;
const CLAIM_OF_FAILURE =
  /\b(?:does not|doesn't|do not|don't|did not|didn't|never) work(?:s)?\b|\b(?:always|never) fails?\b|\bis broken\b|\bfails with\b/i;

/**
 * Accidents of the surroundings that are put down as rules: what one machine lacked, what a network did once.
 * `generated` text is held to more than what a person wrote: an accident without a condition is no rule.
 */
export function accidentFindings(
  file: string,
  lines: readonly MarkdownLine[],
  generated: boolean,
): CheckFinding[] {
  return lines
    .filter(({ code, front }) => !code && !front)
    .flatMap((line) =>
      sentencesOf(line.text).flatMap(({ text }) => {
        const kind = kindOf(text);
        if (
          kind === undefined ||
          /troubleshoot|when it fails|errors?\b|problems?|faq|fehler/i.test(line.section)
        )
          return [];
        const isRule = REJECTION.test(text) || CLAIM_OF_FAILURE.test(text) || HERE.test(text);
        const finding: CheckFinding = {
          rule: kind,
          severity: isRule || generated ? 'refuse' : 'warn',
          message: `makes a rule of what happened to one machine or at one moment: ${JSON.stringify(text.trim().slice(0, 140))}`,
          file,
          line: line.number,
          subject: text.trim(),
        };
        return [finding];
      }),
    );
}

function kindOf(sentence: string): 'environment-accident' | 'transient-error' | undefined {
  if (HERE.test(sentence) && LACK.test(sentence) && !/\bif\b/i.test(sentence)) return 'environment-accident';
  const rejected = REJECTION.test(sentence);
  if (!rejected && CONDITION.test(sentence)) return undefined;
  if (ACCIDENT.some((pattern) => pattern.test(sentence))) return 'environment-accident';
  if (TRANSIENT.some((pattern) => pattern.test(sentence))) return 'transient-error';
  return undefined;
}
