import type { JsonSchema } from '../text/json-schema.ts';
import { type Placeholder, placeholdersIn } from './placeholder.ts';

/** A tool as far as its chain can be judged without running it. */
export interface ChainedTool {
  readonly name: string;
  readonly chain?: readonly { readonly tool: string; readonly params?: Readonly<Record<string, unknown>> }[];
  readonly parameters?: JsonSchema;
}

const MOST_STEPS = 50;

/**
 * What is wrong with the chain of a tool among the tools of its file, as the end of a sentence that begins with the tool:
 * a step that cannot be, a placeholder that can stand for nothing, a circle. Undefined for a sound one and for a script.
 */
export function chainFault(tool: ChainedTool, tools: ReadonlyMap<string, ChainedTool>): string | undefined {
  const steps = tool.chain ?? [];
  if (steps.length > MOST_STEPS) return `has ${steps.length} steps; at most ${MOST_STEPS}`;
  for (const [index, step] of steps.entries()) {
    const fault =
      stepFault(step.tool, tools) ??
      bareBraces(step.params) ??
      placeholdersIn(step.params)
        .map((placeholder) => placeholderFault(placeholder, index, tool.parameters))
        .find((found) => found !== undefined);
    if (fault !== undefined) return `has a step ${index + 1} (${step.tool}) that ${fault}`;
  }
  const circle = circleFrom(tool, tools);
  return circle === undefined ? undefined : `runs itself in a circle: ${circle.join(' → ')}`;
}

function stepFault(wanted: string, tools: ReadonlyMap<string, ChainedTool>): string | undefined {
  if (wanted.includes('/')) return /^[^/]+\/[^/]+$/.test(wanted) ? undefined : 'is no SKILL/TOOL';
  return tools.has(wanted)
    ? undefined
    : 'is none of the tools in this file; one of another skill is SKILL/TOOL';
}

/** Without quotes `{{input.x}}` is a map of a map to YAML. */
function bareBraces(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const bare = Object.keys(value).find((key) => /^\{ ?(?:input|steps)\b.*\}$/s.test(key));
  if (bare !== undefined) return `has a placeholder without quotes: write "{${bare.replaceAll(' ', '')}}"`;
  return Object.values(value)
    .map(bareBraces)
    .find((found) => found !== undefined);
}

function placeholderFault(
  { text, path }: Placeholder,
  before: number,
  parameters: JsonSchema | undefined,
): string | undefined {
  const [root, first = '', part] = path;
  if (root === 'input') {
    const known = parameters?.['properties'];
    const isClosed = parameters?.['additionalProperties'] === false;
    const isKnown = typeof known === 'object' && known !== null && Object.hasOwn(known, first);
    return first !== '' && isClosed && !isKnown ? `uses ${text}, which is none of its parameters` : undefined;
  }
  if (root !== 'steps') return `uses ${text}; a placeholder begins with input or steps`;
  const step = /^[1-9]\d*$/.test(first) ? Number(first) : 0;
  if (step < 1 || step > before)
    return `uses ${text}; there is no such step before it (the first is steps.1)`;
  return part === 'data' ? undefined : `uses ${text}; what a step answered is under steps.${step}.data`;
}

/** The names along the circle that leads from a tool back to it, through the chains of its own file. */
function circleFrom(
  tool: ChainedTool,
  tools: ReadonlyMap<string, ChainedTool>,
): readonly string[] | undefined {
  const seen = new Set<string>();
  const ways: (readonly string[])[] = [[tool.name]];
  for (let way = ways.pop(); way !== undefined; way = ways.pop()) {
    const here = tools.get(way.at(-1) ?? '');
    for (const { tool: next } of here?.chain ?? []) {
      if (next === tool.name) return [...way, next];
      if (seen.has(next)) continue;
      seen.add(next);
      ways.push([...way, next]);
    }
  }
  return undefined;
}
