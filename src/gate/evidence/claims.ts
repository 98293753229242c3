import type { CheckFinding } from '../check.ts';
import type { Claim, DraftOperation } from '../draft.ts';
import { type Cited, isSpeech } from './cited.ts';
import { doubtAbout } from './success.ts';

/** Wording that says of something that it does not work. */
const NEGATIVE =
  /\b(?:(?:does|do|did|will|would) ?(?:not|n't) work|never works?|(?:is|are) (?:broken|not supported|unsupported|not available|unavailable|impossible)|cannot be used|can't be used|always fails|(?:do not|don't|never) (?:use|try|call|rely on)|avoid (?:using )?)|\bfunktioniert nicht\b|\bno funciona\b|不能用|不工作|動きません/i;

/** What the cited events must be for what an operation claims (DESIGN 8). Without a claim the strictest fitting one counts. */
export function claimFindings(operation: DraftOperation, cited: readonly Cited[]): CheckFinding[] {
  if (cited.length === 0) return [];
  const claim = claimOf(operation);
  const fault = RULES[claim](cited);
  if (fault === undefined) return [];
  return [
    {
      rule: fault.rule,
      severity: 'refuse',
      message: `${nameOf(operation)}: ${fault.message}`,
      file: operation.file,
    },
  ];
}

/** The operation by its first words, so that it can be told from others of the same file. */
export function nameOf({ op, anchor, text = '' }: DraftOperation): string {
  const words = (op === 'delete' ? (anchor ?? '') : text).replace(/\s+/g, ' ').trim();
  const shown = JSON.stringify(words.length > 80 ? `${words.slice(0, 77)}...` : words);
  return op === 'write_file' ? 'the new file' : op === 'set' ? `${anchor} ${shown}` : shown;
}

function claimOf({ claim, text = '' }: DraftOperation): Claim {
  if ((claim === undefined || claim === 'fact') && NEGATIVE.test(text))
    return claim === 'fact' && text.length > 600 ? 'fact' : 'negative';
  return claim ?? 'procedure';
}

interface Fault {
  readonly rule: string;
  readonly message: string;
}

const RULES: Readonly<Record<Claim, (cited: readonly Cited[]) => Fault | undefined>> = {
  procedure(cited) {
    const doubts = cited.map(doubtAbout);
    const corrected = doubts.some((doubt) => doubt?.startsWith('the user corrected'));
    const hasOutcome = cited.some(({ transcript }) => transcript.session.outcome === 'success');
    if (doubts.includes(undefined) || (hasOutcome && !corrected)) return undefined;
    return {
      rule: 'procedure-without-success',
      message: `nothing in the session shows that it works. A procedure needs a call that had failed before or that checks something (a test, a build), without error, after the last edit and not corrected by the user; here ${doubts.join('; ')}`,
    };
  },
  negative(cited) {
    if (cited.some(({ event, pair }) => isSpeech(event) || hasWorked(pair))) return undefined;
    return cited.some(({ pair }) => pair?.status === 'failure')
      ? {
          rule: 'negative-from-failure',
          message:
            'that something does not work rests on a failed call alone: cite the other way that worked as well, or the words of the user',
        }
      : {
          rule: 'negative-without-proof',
          message: 'that something does not work rests on no call and no words of the user',
        };
  },
  preference(cited) {
    if (cited.some(({ event }) => isSpeech(event))) return undefined;
    return {
      rule: 'preference-without-user',
      message: `a preference needs the user's own words, and ${cited.map(({ event }) => describe(event)).join(', ')}`,
    };
  },
  fact(cited) {
    if (cited.some(({ event, pair }) => isSpeech(event) || hasWorked(pair))) return undefined;
    return cited.some(({ pair }) => pair?.status === 'failure')
      ? {
          rule: 'fact-from-failure',
          message: 'a fact rests on a failed call alone: cite what shows it when it works',
        }
      : {
          rule: 'fact-without-source',
          message: 'a fact rests on what the assistant said: cite output or words of the user that show it',
        };
  },
};

function hasWorked(pair: Cited['pair']): boolean {
  return pair?.result !== undefined && pair.status !== 'failure';
}

function describe({ id, kind, role, injected }: Cited['event']): string {
  if (injected !== undefined) return `${id} was put there by a program (${injected})`;
  return `${id} is ${kind === 'text' ? `text of the ${role}` : `a ${kind}`}`;
}
