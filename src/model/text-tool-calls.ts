import type { ToolCall, ToolDefinition } from './model.ts';

/** What to tell a model that has no native tool calls. */
export function describeTextCalls(tools: readonly ToolDefinition[]): string {
  return [
    'You can call tools. To call one, write a line that holds nothing but',
    'tool: name({"parameter": "value"})',
    'with the arguments as one JSON object, and stop after the calls. You will get the results in the next message.',
    ...tools.map(
      (tool) => `- ${tool.name}: ${tool.description} Parameters: ${JSON.stringify(tool.parameters)}`,
    ),
  ].join('\n');
}

/** The calls that stand in a text, each on a line of its own, and the text without them. */
export function readTextCalls(
  text: string,
  tools: readonly ToolDefinition[],
): { readonly text: string; readonly calls: readonly ToolCall[] } {
  const names = new Set(tools.map((tool) => tool.name));
  const calls: ToolCall[] = [];
  const kept = text.split('\n').filter((line) => {
    const match = /^\s*tool:\s*([A-Za-z0-9_-]+)\s*\((.*)\)\s*$/.exec(line);
    const [, name = '', args = ''] = match ?? [];
    if (match === null || !names.has(name)) return true;
    calls.push({ id: `text_${calls.length + 1}`, name, arguments: args.trim() === '' ? '{}' : args });
    return false;
  });
  return { text: kept.join('\n').trim(), calls };
}

/** Whether a model printed a call instead of making it, in one of the forms that servers leave behind. */
export function looksLikePrintedCall(text: string, tools: readonly ToolDefinition[]): boolean {
  if (tools.length === 0) return false;
  if (/<tool_call>|<function=|<\|tool_call|\[TOOL_CALLS\]|<\|channel\|>commentary/.test(text)) return true;
  const object =
    /^\s*(?:```(?:json)?\s*)?\{[\s\S]*"name"\s*:\s*"([^"]+)"[\s\S]*"(?:arguments|parameters)"\s*:/.exec(text);
  return object !== null && tools.some((tool) => tool.name === object[1]);
}
