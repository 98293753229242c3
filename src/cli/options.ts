import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { KnackError } from '../errors.ts';
import type { Finding } from '../gate/gate.ts';
import { ruleFault } from '../gate/rule-names.ts';

/** A whole number from 1, as an option gives it. */
export function wholeNumber(text: string): number {
  const value = /^\d+$/.test(text) ? Number(text) : 0;
  if (value < 1 || !Number.isSafeInteger(value))
    throw new InvalidArgumentError('expected a whole number from 1');
  return value;
}

/** A day or a moment as ISO 8601 has it; a day begins at midnight UTC. */
export function date(text: string): Date {
  const value = /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:\d{2})?)?$/.test(text)
    ? new Date(text)
    : undefined;
  if (value === undefined || Number.isNaN(value.getTime()))
    throw new InvalidArgumentError('expected a date such as 2026-03-01, or 2026-03-01T10:00:00Z');
  return value;
}

/** For an option that may be repeated: all of its values, in order. */
export function collect(value: string, values: readonly string[]): string[] {
  return [...values, value];
}

/** `--root`: that folder alone. Throws `not-found` where there is none, which is no empty library. */
export function onlyRoot(root: string | undefined, cwd: string): { readonly onlyRoot?: string } {
  if (root === undefined) return {};
  const dir = resolve(cwd, root);
  if (!statSync(dir, { throwIfNoEntry: false })?.isDirectory())
    throw new KnackError('not-found', `the root ${dir} is no folder; expected a folder of skills`);
  return { onlyRoot: dir };
}

/** Makes an empty value a usage fault for every option and argument of a command: nothing is named by it. */
export function refuseEmptyValues(command: Command): void {
  for (const option of command.options) {
    // A flag has no value.
    if (!option.required && !option.optional) continue;
    const parse = option.parseArg;
    option.argParser((value: string, previous: unknown) => {
      refuseEmpty(value);
      return parse === undefined ? value : parse(value, previous);
    });
  }
  for (const argument of command.registeredArguments)
    argument.argParser((value: string, previous: unknown) => {
      refuseEmpty(value);
      return argument.variadic ? collect(value, Array.isArray(previous) ? previous : []) : value;
    });
}

function refuseEmpty(value: string): void {
  if (value.trim() === '') throw new InvalidArgumentError('expected a value that is not empty');
}

/**
 * `--allow` and `--why`: one reason for all rules, or one for each, in their order. Throws `usage` for an override
 * without a reason or of a rule that there is not, and where it cannot be told which reason is whose.
 */
export function overridesOf({
  allow,
  why,
}: {
  readonly allow: readonly string[];
  readonly why: readonly string[];
}): { readonly rule: string; readonly why: string }[] {
  const fault = allow.map(ruleFault).find((each) => each !== undefined);
  if (fault !== undefined) throw new KnackError('usage', `--allow: ${fault}`);
  const [all] = why;
  if (allow.length > 0 && all === undefined)
    throw new KnackError('usage', '--allow needs --why TEXT: an override is kept with its reason');
  if (why.length > 1 && why.length !== allow.length)
    throw new KnackError(
      'usage',
      `--allow is there ${allow.length} times and --why ${why.length} times; give one reason for all rules, or one for each in their order`,
    );
  return allow.map((rule, index) => ({ rule, why: why[index] ?? all ?? '' }));
}

/** A line for each override that had nothing to override. */
export function unusedOverrides(
  allow: readonly { readonly rule: string }[],
  findings: readonly Finding[],
): string[] {
  return allow
    .filter(
      ({ rule }) =>
        !findings.some(
          (found) =>
            found.allowed !== undefined && [found.rule, `${found.check}/${found.rule}`].includes(rule),
        ),
    )
    .map(({ rule }) => `--allow ${rule} overrides nothing: no finding that counts is of that rule`);
}
