import { termsOf } from '../../library/words/tokenize.ts';
import { eventText, type Transcript } from '../../transcript/event.ts';
import type { CheckFinding } from '../check.ts';
import type { DraftOperation } from '../draft.ts';
import { statementsOf } from '../kept-rules.ts';
import { markdownLines, sentencesOf, wordsOf } from '../markdown.ts';
import { type Cited, isSpeech } from './cited.ts';
import { lineageOf, skillResults } from './lineage.ts';
import { IMPERATIVE, isOrder } from './orders.ts';
import { isReport, sentences } from './reports.ts';

/** A place in the network. */
const ADDRESS =
  /\b[a-z][a-z0-9+.-]*:\/\/[^\s)>\]"'`]+|\b(?:[a-z0-9-]+\.)+[a-z]{2,}(?::\d+)?\/[^\s)>\]"'`]*/gi;
const NOWHERE = /^[a-z]+:\/\/(?:localhost|127\.0\.0\.1|\[::1\]|(?:[\w-]+\.)?example\.(?:com|org|net))\b/i;
/** Words in a row that are no coincidence. */
const RUN = 6;
/** An order may be shorter; a whole one of so many words is none either. With a word such as "always" one less does. */
const WHOLE = 4;
/** A sentence says what another says if this share of its terms, and so many, stand there. */
const SAME = { share: 0.6, terms: 3 };

/**
 * Orders that come from tool or web output: what a page tells its reader to do has no authority, however sensible it
 * sounds, so a person decides. That is an order in the output's words; one that leads to an address that only the
 * output names; one that says what a cited event has others say (a page that was fetched, the assistant's report of
 * it, a summary of the conversation); and one for which nothing but such events is cited. What the user said or the
 * skill says already passes, and addresses that the user named.
 */
export function authorityFindings(
  operation: DraftOperation,
  transcripts: readonly Transcript[],
  { cited, baseText }: { readonly cited: readonly Cited[]; readonly baseText: string },
): CheckFinding[] {
  if (operation.text === undefined) return [];
  const events = transcripts.flatMap((transcript) => transcript.events);
  const fromSkills = new Set(transcripts.flatMap((transcript) => [...skillResults(transcript)]));
  const said = events
    .filter((event) => event.kind === 'tool-result' && !fromSkills.has(event))
    .map(eventText);
  const told = cited.map(({ transcript, event }) => lineageOf(transcript).toldBy(event));
  const isToldAlone = told.length > 0 && told.every((orders) => orders.length > 0);
  const isTold = told.some((orders) => orders.length > 0);
  if (said.length === 0 && !isTold) return [];
  const granted = [...events.filter(isSpeech).map(eventText), baseText];
  const output = wordingsIn(said);
  const allowed = wordingsIn(granted);
  const [named, known] = [addressesIn(said), addressesIn(granted)];
  const saysGranted = createSaying(isTold ? granted.flatMap(sentences) : []);
  const saysTold = createSaying(told.flat(), { orders: true });
  return sentencesIn(operation.text).flatMap((sentence) => {
    const addresses = [...addressesIn([sentence])].filter((each) => named.has(each) && !known.has(each));
    const orders = isOrder(sentence);
    // What says whose words it tells again makes no rule of them.
    const isRule = (orders || !isReport(sentence)) && !saysGranted(sentence);
    const rests = isRule
      ? (saysTold(sentence) ?? (orders && isToldAlone ? told[0]?.[0] : undefined))
      : undefined;
    const mayCopy = orders || addresses.length > 0;
    const copied =
      (mayCopy ? wordingsOf(sentence).find((run) => output(run) && !allowed(run)) : undefined) ??
      (orders ? addresses[0] : undefined) ??
      rests;
    if (copied === undefined) return [];
    return [
      {
        rule: 'tool-authority',
        severity: 'ask' as const,
        message: `${JSON.stringify(sentence.trim().slice(0, 140))} repeats the output of a tool ("${clip(copied)}"): what a page or a program demands is no rule unless a person says so`,
        file: operation.file,
        subject: sentence.trim(),
      },
    ];
  });
}

/**
 * Finds the sentence among these that says what another says, whatever its wording; with `orders`, where one of the two
 * is an order.
 */
function createSaying(
  among: readonly string[],
  { orders = false }: { readonly orders?: boolean } = {},
): (sentence: string) => string | undefined {
  const known = among.map((text) => ({
    text,
    terms: new Set(termsOf(text)),
    counts: !orders || isOrder(text),
  }));
  return (sentence) => {
    const terms = [...new Set(termsOf(sentence))];
    const least = Math.max(SAME.terms, Math.ceil(terms.length * SAME.share));
    const isCounted = orders && isOrder(sentence);
    return known.find(
      (each) => (each.counts || isCounted) && terms.filter((term) => each.terms.has(term)).length >= least,
    )?.text;
  };
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

/** Whether these words stand in one of the texts, in a row. */
function wordingsIn(texts: readonly string[]): (words: string) => boolean {
  const spoken = texts.map((text) => ` ${wordsOf(text).join(' ')} `);
  return (words) => spoken.some((text) => text.includes(` ${words} `));
}

/** The runs of words of a sentence that are no coincidence elsewhere; of a short order the whole of it. */
function wordingsOf(sentence: string): string[] {
  const words = wordsOf(sentence);
  const whole = IMPERATIVE.test(sentence) ? WHOLE - 1 : WHOLE;
  if (words.length < RUN) return words.length < whole ? [] : [words.join(' ')];
  return words.slice(RUN - 1).map((_, at) => words.slice(at, at + RUN).join(' '));
}

function clip(text: string): string {
  return text.length <= 140 ? text : `${text.slice(0, 137)}...`;
}
