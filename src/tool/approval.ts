import type { ApprovalRule } from '../config.ts';
import type { ApprovalSubject, Tool, ToolContext } from './tool.ts';
import { matchesWildcard } from './wildcard.ts';

type ApprovalDecision = { readonly allowed: true } | { readonly allowed: false; readonly why: string };

/** Decides about one call before it runs; `why` is told to the model. */
export type Approval = (
  tool: Tool,
  args: Readonly<Record<string, unknown>>,
  context: ToolContext,
) => Promise<ApprovalDecision>;

/** What a person is asked. */
export interface ApprovalRequest {
  readonly tool: string;
  /** The command, the path or the skill's tool; empty where the tool's name says all. */
  readonly subject: string;
  /** A pattern that would allow calls of this kind, for `--allow`. */
  readonly pattern: string;
  readonly signal: AbortSignal;
}

/** `always` holds for the same call until the process ends; `nobody` could be asked, which is no. */
export type ApprovalAnswer = 'once' | 'always' | 'no' | 'nobody';

/** Characters with which one shell text holds more than one command or writes somewhere else. */
const JOINS_COMMANDS = /[;&|<>`\n\r]|\$\(/;

/**
 * The approval policy: the first rule whose pattern fits `tool` or `tool:subject` decides; without one, `read` is
 * allowed and the rest asks. In a command, a `*` of an `allow` rule never takes in a second command or a redirection,
 * while `deny` and `ask` rules also look at each part of it. Without `ask` nobody can be asked, so it is denied.
 */
export function createApproval(
  rules: readonly ApprovalRule[],
  options: { ask?: (request: ApprovalRequest) => Promise<ApprovalAnswer> } = {},
): Approval {
  const granted = new Set<string>();
  // One question at a time, however many calls wait.
  let asking: Promise<unknown> = Promise.resolve();

  return async (tool, args, context) => {
    const subject = tool.subject?.(args, context);
    const rule = rules.find((candidate) => fits(candidate, tool.name, subject));
    const decision = rule?.decision ?? (tool.effect === 'read' ? 'allow' : 'ask');
    if (decision === 'allow') return { allowed: true };
    if (decision === 'deny') return denied(`the rule "${rule?.pattern ?? tool.name}" denies it`);

    const pattern = patternFor(tool.name, subject);
    const { ask } = options;
    const unasked = denied(
      `${tool.name} needs approval and nobody can be asked here. Whoever started this can allow it with --allow ${JSON.stringify(pattern)}`,
    );
    if (!ask) return unasked;
    const key = `${tool.name}\0${subject?.text ?? JSON.stringify(args)}`;
    if (granted.has(key)) return { allowed: true };
    const question = asking.then(() =>
      context.signal.aborted
        ? 'no'
        : ask({ tool: tool.name, subject: subject?.text ?? '', pattern, signal: context.signal }),
    );
    // A question that fails fails for its own call alone.
    asking = question.catch(() => undefined);
    const answer = await question;
    if (answer === 'always') granted.add(key);
    if (answer === 'nobody') return unasked;
    return answer === 'no' ? denied('the user said no; do not try it in another way') : { allowed: true };
  };
}

function denied(why: string): ApprovalDecision {
  return { allowed: false, why };
}

function fits(rule: ApprovalRule, tool: string, subject: ApprovalSubject | undefined): boolean {
  const { pattern } = rule;
  if (matchesWildcard(pattern, tool)) return true;
  if (!subject) return false;
  const whole = `${tool}:${subject.text}`;
  if (subject.kind !== 'command') {
    const reached = rule.decision === 'allow' ? [] : (subject.reached ?? []);
    return [subject.text, ...reached].some((text) => matchesWildcard(pattern, `${tool}:${text}`));
  }
  if (rule.decision === 'allow')
    return pattern === whole || pattern === `${tool}:*`
      ? true
      : !JOINS_COMMANDS.test(subject.text) && matchesWildcard(pattern, whole);
  return [subject.text, ...subject.text.split(/[;&|<>`()\n\r]+/)].some((part) =>
    matchesWildcard(pattern, `${tool}:${part.trim()}`),
  );
}

function patternFor(tool: string, subject: ApprovalSubject | undefined): string {
  if (!subject) return tool;
  if (subject.kind !== 'command' || JOINS_COMMANDS.test(subject.text)) return `${tool}:${subject.text}`;
  const [program = '', ...rest] = subject.text.trim().split(/\s+/);
  return `${tool}:${program}${rest.length > 0 ? ' *' : ''}`;
}
