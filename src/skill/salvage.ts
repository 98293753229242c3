import type { Problem } from '../errors.ts';
import { literalText } from './literal.ts';
import { readMapping, type YamlMapping } from './yaml-mapping.ts';

/** The fields that a reader of lines finds in a block that is no YAML. */
export interface Salvaged {
  readonly value: YamlMapping;
  readonly lines: ReadonlyMap<string, number>;
  readonly problems: readonly Problem[];
}

const KEYS = ['name', 'description'];
/** Keeps a skill from the model, so it has to survive whatever else is lost. */
const USER_ONLY = /^\s*disable[-_]model[-_]invocation\s*:\s*["']?(?:true|yes|on)\b/i;

/**
 * A line reader for two texts, plain, as block scalars or continued on indented lines, and for what keeps the skill from
 * the model. Undefined without a description.
 */
export function salvageBlock(block: string, firstLine: number): Salvaged | undefined {
  const source = block.split('\n');
  const value = new Map<string, string>();
  const lines = new Map<string, number>();
  for (const key of KEYS) {
    const start = source.findIndex((line) => line.startsWith(`${key}:`));
    const text = start < 0 ? undefined : readValue(source.slice(start), key);
    if (text === undefined) continue;
    value.set(key, text);
    lines.set(key, firstLine + start);
  }
  const userOnly = source.findIndex((line) => USER_ONLY.test(line));
  if (userOnly >= 0) {
    value.set('disable-model-invocation', 'true');
    lines.set('disable-model-invocation', firstLine + userOnly);
  }
  if (!value.has('description')) return undefined;
  const message =
    'the YAML is broken; only name and description were read, so its scripts and tools do not run';
  return {
    value: Object.fromEntries(value),
    lines,
    problems: [{ rule: 'yaml-salvaged', severity: 'warning', message, line: firstLine }],
  };
}

function readValue([head = '', ...following]: readonly string[], key: string): string | undefined {
  const first = head.slice(key.length + 1).trim();
  const end = following.findIndex((line) => line.trim() !== '' && !/^\s/.test(line));
  const below = following.slice(0, end < 0 ? following.length : end);
  const alone = readMapping([head, ...below].join('\n'));
  const text = alone.kind === 'mapping' ? alone.value[key] : undefined;
  if (typeof text === 'string' && text.trim() !== '') return text;
  const rest = below.map((line) => line.trim());
  const isBlock = /^[|>][+-]?\d*$/.test(first);
  const parts = [isBlock ? '' : first, ...rest];
  return literalText(parts.join(first.startsWith('|') ? '\n' : ' '));
}
