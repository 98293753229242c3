import type { ToolCall, ToolDefinition } from './model.ts';

/** What to tell a model that has no native tool calls. */
export function describeTextCalls(tools: readonly ToolDefinition[]): string {
  return [
    'You can call tools. To call one, write on a line of its own',
    'tool: name({"parameter": "value"})',
    'with the arguments as one JSON object, and stop after the calls. You will get the results in the next message.',
    ...tools.map(
      (tool) => `- ${tool.name}: ${tool.description} Parameters: ${JSON.stringify(tool.parameters)}`,
    ),
  ].join('\n');
}

const OPENING = /^[ \t]*tool:[ \t]*([A-Za-z0-9_-]+)[ \t]*\(/gm;

/**
 * The calls of known tools that stand in a text, and the text without them. A call begins a line and nothing but a full
 * stop follows it there; its arguments may run over several lines. Arguments that do not close are taken to the end of the
 * line and kept as they are: whoever runs the call will find them malformed and say so.
 */
export function readTextCalls(
  text: string,
  tools: readonly ToolDefinition[],
): { readonly text: string; readonly calls: readonly ToolCall[] } {
  const names = new Set(tools.map((tool) => tool.name));
  const calls: ToolCall[] = [];
  let kept = '';
  let position = 0;
  for (const opening of text.matchAll(OPENING)) {
    const name = String(opening[1]);
    const start = opening.index + opening[0].length;
    if (opening.index < position || !names.has(name)) continue;
    const found = argumentsAt(text, start);
    if (found === undefined) continue;
    const raw = text.slice(start, found.end).trim();
    calls.push({ id: `text_${calls.length + 1}`, name, arguments: raw === '' ? '{}' : raw });
    kept += text.slice(position, opening.index);
    position = found.next;
  }
  if (calls.length === 0) return { text, calls };
  // A call in a fence leaves the fence behind.
  const rest = (kept + text.slice(position)).replace(/^```\w*\s*^```[ \t]*$/gm, '');
  return { text: rest.trim(), calls };
}

/** Where the arguments end and where the text goes on; undefined if it goes on in the same line, as prose about a call. */
function argumentsAt(text: string, start: number): { end: number; next: number } | undefined {
  const lineEnd = text.indexOf('\n', start) < 0 ? text.length : text.indexOf('\n', start);
  const closed = closingParenthesis(text, start);
  if (closed !== undefined) {
    const after = /^[ \t]*[.;]?[ \t]*(?:\r?\n|$)/.exec(text.slice(closed + 1, closed + 40));
    return after === null ? undefined : { end: closed, next: closed + 1 + after[0].length };
  }
  const line = text.slice(start, lineEnd);
  const last = line.lastIndexOf(')');
  return { end: start + (last < 0 ? line.length : last), next: Math.min(lineEnd + 1, text.length) };
}

/** The parenthesis that closes the call, with JSON strings passed over. */
function closingParenthesis(text: string, start: number): number | undefined {
  let depth = 0;
  let inString = false;
  for (let index = start; index < text.length; index++) {
    const character = text[index];
    if (inString) {
      if (character === '\\') index++;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '{' || character === '[' || character === '(') depth++;
    else if (character === ')' && depth === 0) return index;
    else if (character === '}' || character === ']' || character === ')') depth--;
  }
  return undefined;
}

/** Whether a model printed a call instead of making it, in one of the forms that servers leave behind. */
export function looksLikePrintedCall(text: string, tools: readonly ToolDefinition[]): boolean {
  if (tools.length === 0) return false;
  if (/<tool_call>|<function=|<\|tool_call|\[TOOL_CALLS\]|<\|channel\|>commentary/.test(text)) return true;
  const isTool = (name: string | undefined) => tools.some((tool) => tool.name === name);
  if ([...text.matchAll(OPENING)].some((opening) => isTool(opening[1]))) return true;
  const object =
    /^\s*(?:```(?:json)?\s*)?\{[^{}]{0,200}?"name"\s*:\s*"([^"]+)"[\s\S]{0,200}?"(?:arguments|parameters)"\s*:/.exec(
      text,
    );
  return object !== null && isTool(object[1]);
}
