import type { JsonSchema } from '../text/json-schema.ts';

/** What a tool call came to, as the model sees it. A tool never throws into the loop. */
export interface ToolResult {
  readonly text: string;
  readonly isError: boolean;
  /** Of the program that ran, where one did. */
  readonly exitCode?: number;
  /** Why the call never ran: arguments that are no JSON object, no such tool, not approved, stopped, failed before, cut. */
  readonly notRun?: 'malformed' | 'invalid' | 'unknown-tool' | 'denied' | 'aborted' | 'repeated' | 'cut';
}

export interface ToolContext {
  readonly signal: AbortSignal;
  /** Absolute folder that relative paths of file tools resolve against and may not leave. */
  readonly cwd: string;
}

/** What the patterns of the approval policy see of a call, after `tool:`. */
export interface ApprovalSubject {
  /** `command` is shell text, where a `*` must not let a second command in. */
  readonly kind: 'command' | 'path' | 'name';
  readonly text: string;
  /** Of the same kind: what the call comes to besides. Rules that deny or ask hold for each of them. */
  readonly reached?: readonly string[];
}

/** One thing that a model may call. `parameters` is validated before `run`; `run` must not throw. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
  /** `read` may run in parallel and needs no approval; `write` and `execute` go through the approval policy. */
  readonly effect: 'read' | 'write' | 'execute';
  /** Characters of its answer that reach the model, where the usual cap would spoil it. */
  readonly resultLimit?: number;
  /** The tool's name alone decides where this is absent. */
  subject?(args: Readonly<Record<string, unknown>>, context: ToolContext): ApprovalSubject;
  run(args: Readonly<Record<string, unknown>>, context: ToolContext): Promise<ToolResult>;
}
