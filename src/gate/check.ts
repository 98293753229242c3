import type { Folder } from '../files/folder.ts';
import type { Library } from '../library/library.ts';
import type { Model, Usage } from '../model/model.ts';
import type { SkillTestOutcome } from '../scripts/skill-tests.ts';
import type { Skill, SkillReading } from '../skill/skill.ts';
import type { Transcript } from '../transcript/event.ts';
import type { Draft } from './draft.ts';

/** The checks in the order in which they run and report. */
export const CHECK_IDS = [
  'format',
  'bounds',
  'evidence',
  'scope',
  'safety',
  'novelty',
  'retrieval',
  'tests',
  'judge',
  'replay',
] as const;

export type CheckId = (typeof CHECK_IDS)[number];

/** `refuse` and `ask` veto, `warn` is worth a look, `note` says why something that looks bad was let through. */
export type Severity = 'refuse' | 'ask' | 'warn' | 'note';

/** One thing that a check found. Messages never hold a secret. */
export interface Finding {
  readonly check: CheckId;
  readonly rule: string;
  readonly severity: Severity;
  readonly message: string;
  /** Relative to the skill's folder. */
  readonly file?: string;
  /** 1-based, in the file as it would be on disk. */
  readonly line?: number;
  /** The base has it already: it vetoes nothing. */
  readonly old?: true;
  /** Why a person overrides it: it vetoes nothing. */
  readonly allowed?: string;
}

/** A finding as a check reports it. */
export interface CheckFinding extends Omit<Finding, 'check' | 'old' | 'allowed'> {
  /**
   * What the finding is about, such as the offending words. Two findings of one rule, file and subject are the
   * same finding, which is how an old one is known again when lines moved. Default: the message. Never shown.
   */
  readonly subject?: string;
}

/** What a check came to. `notRun` says what it could not look at; it vetoes nothing. */
export interface CheckOutcome {
  readonly findings: readonly CheckFinding[];
  readonly notRun?: readonly string[];
  readonly usage?: Usage;
}

/** Renders a packaged prompt (`prompts/<name>.md`). */
export interface JudgePrompts {
  render(name: string, variables: Record<string, string>): Promise<string>;
}

/** What a session set out to do, and the command by which it then knew that it was done. All of it is data. */
export interface CheckableTask {
  readonly session: string;
  /** The user's own words, redacted. */
  readonly task: string;
  /** The shell command that failed first and passed in the end, redacted. */
  readonly command: string;
  /** The session's working folder as the transcript names it; `~` is the home folder. */
  readonly folder: string;
  /** ISO 8601. */
  readonly began: string;
}

/** A task that an agent is to do again, from the state that the session began with. */
export interface ReplayRequest extends CheckableTask {
  /** The skill that the agent has, at the folder where it would stand; without one it has none. */
  readonly skill?: { readonly dir: string; readonly folder: Folder };
  readonly signal?: AbortSignal;
}

/** Whether the session's own command passes after the agent has done; `impossible` says nothing about the skill. */
export interface ReplayRun {
  readonly kind: 'passed' | 'failed' | 'impossible';
  readonly why: string;
  readonly usage: Usage;
}

/** Has an agent do a session's task again, apart from the rest of the machine. Rejects only with `aborted`. */
export type Replay = (request: ReplayRequest) => Promise<ReplayRun>;

/** What the gate is asked to decide on. */
export interface GateInput {
  readonly name: string;
  /** Absolute folder where the skill stands or would stand. */
  readonly dir: string;
  /** What the library has under that name; absent for a new skill. */
  readonly base?: Folder;
  /** Of a draft that retires the skill, the base. */
  readonly candidate: Folder;
  readonly draft?: Draft;
  /** In a merge, the files of the skill that goes. @default its text in the library */
  readonly retires?: Folder;
  /** The subject line that the change would have in the history. */
  readonly title?: string;
  /** The transcripts that the draft cites. */
  readonly evidence?: readonly Transcript[];
  /** The digest of the sessions, redacted, for the judge. */
  readonly digest?: string;
  readonly library: Library;
  readonly judge?: { readonly model: Model; readonly prompts: JudgePrompts };
  /** Runs `tests.yaml` of a folder in the sandbox; undefined where there is none. */
  readonly runTests?: (dir: string, folder: Folder) => Promise<SkillTestOutcome[]> | undefined;
  /** Undefined where tasks are not to be done again (`review.replay`). */
  readonly replay?: Replay;
  /** The checks that run. @default all */
  readonly only?: readonly CheckId[];
  /** Brought in from elsewhere: the format check only warns, and the judge of what is a matter of worth. */
  readonly imported?: boolean;
  /** Rules (`rule` or `check/rule`) that a person overrides, with the reason. */
  readonly allow?: readonly { readonly rule: string; readonly why: string }[];
  /** Texts of knack's own prompts, which must never come back as a lesson. */
  readonly ownPrompts?: readonly string[];
  /** `PATH` in which the interpreters that check scripts are sought. @default '/usr/local/bin:/usr/bin:/bin' */
  readonly path?: string;
  readonly signal?: AbortSignal;
  readonly onCheck?: (id: CheckId, state: 'start' | 'end' | 'not-run') => void;
}

/** What a check sees: the input and both folders as skills. */
export interface CheckContext extends GateInput {
  readonly reading: SkillReading;
  /** Whether a draft made the change; the base is then held to what is asked of generated text as well. */
  readonly generated: boolean;
  /** The candidate, unless it could not be read at all. */
  readonly skill?: Skill;
  readonly baseSkill?: Skill;
}

/**
 * One check of the gate. `run` reports and never decides; what it throws becomes a refusal. A check with
 * `knowsOld` is also run on the base alone, so that what was there before can be told apart.
 */
export interface Check {
  readonly id: CheckId;
  readonly kind: 'static' | 'costly';
  readonly knowsOld: boolean;
  run(context: CheckContext): Promise<CheckOutcome>;
}

/** The verdict with everything that led to it. */
export interface GateResult {
  readonly verdict: 'pass' | 'reject' | 'ask';
  readonly findings: readonly Finding[];
  readonly notRun: readonly { readonly check: CheckId; readonly why: string }[];
  /** The checks that ran, in order. */
  readonly checks: readonly CheckId[];
  readonly usage: Usage;
}
