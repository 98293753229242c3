import { type Placeholder, splitAtPlaceholders } from '../skill/placeholder.ts';

/** What placeholders stand for. */
export interface Scope {
  readonly input: Readonly<Record<string, unknown>>;
  /** By number, from 1; each with its `data`. */
  readonly steps: Readonly<Record<string, { readonly data: unknown }>>;
  /** Names of inputs that a call may leave out. */
  readonly optional: ReadonlySet<string>;
}

export type FilledIn =
  | { readonly ok: true; readonly params: Record<string, unknown> }
  /** Why not, with the placeholder. */
  | { readonly ok: false; readonly fault: string };

/** Characters of parameters: what a chain of doublings would grow to has no bound. */
const LARGEST = 1024 * 1024;

/**
 * The parameters with what the placeholders stand for. One that is the whole of a text keeps its type; inside of a text a
 * list or map stands as JSON. A parameter that is one placeholder of an input that the call may and did leave out is left
 * out too. Anything else that stands for nothing is a fault.
 */
export function fillIn(params: Readonly<Record<string, unknown>>, scope: Scope): FilledIn {
  const filling: Filling = { scope, size: 0 };
  try {
    return { ok: true, params: fillMap(params, filling) };
  } catch (error) {
    if (error instanceof PlaceholderFault) return { ok: false, fault: error.message };
    throw error;
  }
}

/** Leaves the walk over the parameters; never this file. */
class PlaceholderFault extends Error {}

interface Filling {
  readonly scope: Scope;
  size: number;
}

function fillMap(map: object, filling: Filling): Record<string, unknown> {
  const entries = Object.entries(map).flatMap(([key, value]) => {
    return isLeftOut(value, filling.scope) ? [] : [[key, fill(value, filling)] as const];
  });
  return Object.fromEntries(entries);
}

function fill(value: unknown, filling: Filling): unknown {
  if (Array.isArray(value)) return value.map((item) => fill(item, filling));
  if (typeof value === 'object' && value !== null) return fillMap(value, filling);
  if (typeof value !== 'string') return value;
  const parts = splitAtPlaceholders(value);
  const [only] = parts;
  if (parts.length === 1 && typeof only === 'object') return valueAt(only, filling);
  return parts.map((part) => (typeof part === 'string' ? part : textOf(valueAt(part, filling)))).join('');
}

function valueAt(placeholder: Placeholder, filling: Filling): unknown {
  const value = find(placeholder.path, filling.scope);
  if (value === undefined) throw new PlaceholderFault(`${placeholder.text} stands for nothing`);
  filling.size += textOf(value).length;
  if (filling.size > LARGEST)
    throw new PlaceholderFault(`with ${placeholder.text} the parameters are larger than 1 MiB`);
  return value;
}

/** Own properties alone: `constructor` is none of what a script answered. */
function find(path: readonly string[], scope: Scope): unknown {
  return path.reduce<unknown>(
    (found, key) =>
      typeof found === 'object' && found !== null && Object.hasOwn(found, key)
        ? (found as Record<string, unknown>)[key]
        : undefined,
    { input: scope.input, steps: scope.steps },
  );
}

function isLeftOut(value: unknown, { input, optional }: Scope): boolean {
  if (typeof value !== 'string') return false;
  const [only, ...others] = splitAtPlaceholders(value);
  if (typeof only !== 'object' || others.length > 0) return false;
  const [root, name = '', ...rest] = only.path;
  return root === 'input' && rest.length === 0 && optional.has(name) && !Object.hasOwn(input, name);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
