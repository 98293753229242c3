import type { ToolCall } from '../model/model.ts';
import type { Approval } from '../tool/approval.ts';
import { notRun, readArguments, runTool } from '../tool/run-tool.ts';
import type { Tool, ToolContext, ToolResult } from '../tool/tool.ts';
import type { AgentEvent } from './agent-event.ts';

export interface CallRunnerParts {
  readonly tools: readonly Tool[];
  readonly context: ToolContext;
  readonly approval: Approval;
  readonly emit: (event: AgentEvent) => Promise<void>;
}

/** Runs the calls of one message after another, and knows which calls failed before. */
export interface CallRunner {
  /**
   * Puts the result of each call into `results`, by id: all at once if every call only reads, else in order. Resolves
   * to `stuck` if a call came again that was already refused for failing again and again. Rejects only if `emit` does.
   */
  run(calls: readonly ToolCall[], results: Map<string, ToolResult>): Promise<'done' | 'stuck'>;
}

/** Failures of one same call, with nothing changed in between, after which it is not run again. */
const SAME_FAILURES = 2;

export function createCallRunner(parts: CallRunnerParts): CallRunner {
  const { tools, context, approval, emit } = parts;
  const failures = new Map<string, number>();
  const refused = new Set<string>();

  async function runOne(call: ToolCall, results: Map<string, ToolResult>): Promise<boolean> {
    const key = identity(call);
    const stuck = refused.has(key);
    await emit({ type: 'tool-start', call });
    const result =
      (failures.get(key) ?? 0) < SAME_FAILURES ? await runTool(tools, call, context, approval) : repeated();
    results.set(call.id, result);
    remember(call, key, result);
    await emit({ type: 'tool-end', call, result });
    return stuck;
  }

  function remember(call: ToolCall, key: string, result: ToolResult): void {
    if (!result.isError) {
      // What was changed may be just what the failing call was waiting for.
      if (effectOf(call) !== 'read') {
        failures.clear();
        refused.clear();
      }
    } else if (result.notRun === 'repeated') {
      refused.add(key);
    } else if (result.notRun !== 'aborted' && result.notRun !== 'malformed') {
      failures.set(key, (failures.get(key) ?? 0) + 1);
    }
  }

  const effectOf = (call: ToolCall) => tools.find((tool) => tool.name === call.name)?.effect ?? 'read';

  return {
    async run(calls, results) {
      const stuck: boolean[] = [];
      if (calls.every((call) => effectOf(call) === 'read')) {
        const settled = await Promise.allSettled(calls.map((call) => runOne(call, results)));
        for (const outcome of settled) {
          if (outcome.status === 'rejected') throw outcome.reason;
          stuck.push(outcome.value);
        }
      } else {
        for (const call of calls) stuck.push(await runOne(call, results));
      }
      return stuck.includes(true) ? 'stuck' : 'done';
    },
  };
}

function repeated(): ToolResult {
  return notRun(
    'repeated',
    `this same call failed ${SAME_FAILURES} times, and nothing was changed since. Do it another way, or tell the user what stands in the way`,
  );
}

function identity(call: ToolCall): string {
  const read = readArguments(call);
  return `${call.name} ${read.ok ? JSON.stringify(read.args) : call.arguments}`;
}
