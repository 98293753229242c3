import type { SkillTrial } from '../library/use/trials.ts';
import { isAcceptance } from '../transcript/cues.ts';
import type { Signal, Transcript, TranscriptEvent } from '../transcript/event.ts';
import { callText, type ToolPair, toolPairs } from '../transcript/results.ts';

type Load = Extract<TranscriptEvent, { kind: 'skill-load' }>;

/** Answers of a skill's tool for which the skill is not to blame. */
const CALLERS_FAULT = /"error_type"\s*:\s*"(?:invalid_params|denied|not_found)"/;
/** How many things that the user says after a load may be about it. */
const SAID_AFTER = 2;

/**
 * How a session went with each skill that it loaded: `failed` where its steps were contradicted, or the last run of one
 * of its tools or scripts failed; else `worked` where a run of one worked, the user accepted what came of it, or the
 * session's recorded outcome is a success. Where nothing shows either there is no word of it. Only of knack's own
 * sessions, which know what exactly was loaded.
 */
export function skillTrials(transcript: Transcript, signals: readonly Signal[], now: Date): SkillTrial[] {
  const { session, events } = transcript;
  if (session.format !== 'knack') return [];
  const pairs = toolPairs(transcript);
  const byId = new Map(events.map((event) => [event.id, event]));
  const trials = events.flatMap((load, index): SkillTrial[] => {
    if (load.kind !== 'skill-load' || load.sidechain === true) return [];
    const runs = lastRuns(load, pairs, events.slice(index));
    const failed =
      signals.find(({ kind, related }) => kind === 'contradicted-skill' && related.includes(load.id))
        ?.event ??
      runs.find(({ status, result }) => status === 'failure' && !CALLERS_FAULT.test(result?.text ?? ''))
        ?.result?.id;
    const worked =
      runs.find(({ status }) => status === 'success')?.result?.id ??
      acceptance(events.slice(index))?.id ??
      (session.outcome === 'success' ? load.id : undefined);
    const event = failed ?? worked;
    if (event === undefined) return [];
    return [
      {
        skill: load.skill,
        hash: load.contentHash,
        session: session.id,
        event,
        outcome: failed === undefined ? 'worked' : 'failed',
        at: byId.get(event)?.ts ?? load.ts ?? session.started ?? now.toISOString(),
      },
    ];
  });
  // Loaded twice it is one trial; one failure is not made good by another load.
  const byVersion = new Map<string, SkillTrial>();
  for (const trial of trials) {
    const key = `${trial.skill}\0${trial.hash}`;
    if (byVersion.get(key)?.outcome !== 'failed') byVersion.set(key, trial);
  }
  return [...byVersion.values()];
}

/** The last run of each tool and script of a skill after it was loaded. */
function lastRuns(
  { skill }: Load,
  pairs: readonly ToolPair[],
  after: readonly TranscriptEvent[],
): ToolPair[] {
  const later = new Set(after);
  const runs = new Map<string, ToolPair>();
  for (const pair of pairs) {
    if (!later.has(pair.call) || pair.result === undefined) continue;
    const what = ranOf(skill, pair.call);
    if (what !== undefined) runs.set(what, pair);
  }
  return [...runs.values()];
}

/** Which tool or script of the skill a call runs. */
function ranOf(skill: string, call: ToolPair['call']): string | undefined {
  if (/(?:^|_)run_skill_tool$/.test(call.toolName)) {
    const args = call.args as Readonly<Record<string, unknown>> | null;
    return args?.['skill'] === skill ? `tool ${String(args['tool'])}` : undefined;
  }
  const script = callText(call).split(`/${skill}/scripts/`)[1];
  return script === undefined ? undefined : `script ${/^[\w./-]*/.exec(script)?.[0]}`;
}

/** The user's word that what was done after the load is right. */
function acceptance(after: readonly TranscriptEvent[]): TranscriptEvent | undefined {
  const work = after.findIndex(({ role, kind }) => role === 'assistant' && kind !== 'skill-load');
  if (work < 0) return undefined;
  return after
    .slice(work)
    .filter(({ role, kind, injected }) => role === 'user' && kind === 'text' && injected === undefined)
    .slice(0, SAID_AFTER)
    .find((event) => event.kind === 'text' && isAcceptance(event.text));
}
