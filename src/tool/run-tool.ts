import { KnackError, messageOf } from '../errors.ts';
import type { ToolCall } from '../model/model.ts';
import { parseForeignJson } from '../text/json.ts';
import { schemaFaults } from '../text/json-schema.ts';
import type { Approval } from './approval.ts';
import type { Tool, ToolContext, ToolResult } from './tool.ts';

/** Characters of one result that reach the model; a longer one keeps its beginning and its end. */
export const RESULT_LIMIT = 48_000;

/** The arguments of a call as an object, or what is wrong with them. */
export type CallArguments =
  | { readonly ok: true; readonly args: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly fault: string };

/**
 * Reads the raw JSON text of a call. Blank text stands for no arguments, as many models write it; anything else that
 * is not a JSON object is a fault and never becomes `{}`.
 */
export function readArguments(call: ToolCall): CallArguments {
  if (call.arguments.trim() === '') return { ok: true, args: {} };
  try {
    const value = parseForeignJson(call.arguments);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return { ok: true, args: value as Record<string, unknown> };
    return {
      ok: false,
      fault: `they are ${value === null ? 'null' : Array.isArray(value) ? 'a list' : `a ${typeof value}`}, not an object`,
    };
  } catch (error) {
    if (error instanceof SyntaxError) return { ok: false, fault: error.message };
    throw error;
  }
}

/**
 * Runs one call: finds the tool, reads and validates the arguments, asks the approval policy, runs, and caps the
 * size of the answer. Never throws: whatever fails is a result that the model can act on.
 */
export async function runTool(
  tools: readonly Tool[],
  call: ToolCall,
  context: ToolContext,
  approval: Approval,
): Promise<ToolResult> {
  const tool = tools.find((candidate) => candidate.name === call.name);
  if (!tool)
    return notRun(
      'unknown-tool',
      `there is no tool "${call.name}"; there are ${tools.map(({ name }) => name).join(', ')}`,
    );
  const read = readArguments(call);
  if (!read.ok)
    return notRun(
      'malformed',
      `the arguments of ${tool.name} are not valid: ${read.fault}. ${expected(tool)}`,
    );
  let isAllowed = false;
  try {
    const faults = schemaFaults(tool.parameters, read.args);
    if (faults.length > 0) return notRun('invalid', `${tool.name}: ${faults.join('; ')}. ${expected(tool)}`);
    if (context.signal.aborted) return notRun('aborted', STOPPED);
    const decision = await approval(tool, read.args, context);
    if (!decision.allowed) return notRun('denied', decision.why);
    isAllowed = true;
    const result = await tool.run(read.args, context);
    return { ...result, text: capped(result.text, tool.resultLimit) };
  } catch (error) {
    if (context.signal.aborted)
      return isAllowed ? { text: `${STOPPED} while it ran`, isError: true } : notRun('aborted', STOPPED);
    const code = error instanceof KnackError ? ` (${error.code})` : '';
    return { text: capped(`${tool.name} failed${code}: ${messageOf(error)}`), isError: true };
  }
}

const STOPPED = 'stopped by the user';

/** A result that says that the call did not run, and why. */
export function notRun(reason: NonNullable<ToolResult['notRun']>, why: string): ToolResult {
  return { text: capped(`Not run: ${why}`), isError: true, notRun: reason };
}

function expected(tool: Tool): string {
  return `Expected a JSON object of this form: ${JSON.stringify(tool.parameters)}`;
}

function capped(text: string, limit = RESULT_LIMIT): string {
  if (text.length <= limit) return text;
  const head = text.slice(0, limit * 0.75).replace(/[\uD800-\uDBFF]$/, '');
  const tail = text.slice(-limit / 4).replace(/^[\uDC00-\uDFFF]/, '');
  const left = text.length - head.length - tail.length;
  return `${head}\n[… ${left} of ${text.length} characters left out here; ask for less at once …]\n${tail}`;
}
