import type { JsonSchema } from '../json-schema.ts';

/** What a tool call came to, as the model sees it. A tool never throws into the loop. */
export interface ToolResult {
  readonly text: string;
  readonly isError: boolean;
}

export interface ToolContext {
  readonly signal: AbortSignal;
  /** Absolute folder that relative paths of file tools resolve against and may not leave. */
  readonly cwd: string;
}

/** One thing that a model may call. `parameters` is validated before `run`; `run` must not throw. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
  /** `read` may run in parallel and needs no approval; `write` and `execute` go through the approval policy. */
  readonly effect: 'read' | 'write' | 'execute';
  run(args: Readonly<Record<string, unknown>>, context: ToolContext): Promise<ToolResult>;
}
