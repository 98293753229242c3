import { asFields, contentText } from '../fields.ts';

/** The output of a call, and what it came to where that can be told. */
export interface CodexOutput {
  readonly text: string;
  readonly exitCode?: number;
  readonly isError?: boolean;
}

/** Lines by which the shell tools head their output; the last number is the exit code. */
const EXIT_CODE = /^(?:Process exited with code|Exit code:|exit code:) (-?\d+)\s*$/m;

/**
 * Output of a call in any of its shapes: text, text that is JSON of `{output, metadata: {exit_code}}`, blocks,
 * `{content, success}`. The format has no mark for failed calls, so it is derived from these.
 */
export function readOutput(output: unknown): CodexOutput {
  const wrapped = asFields(output) ?? jsonOf(output);
  const inner = wrapped?.['output'] ?? wrapped?.['content'] ?? wrapped?.['text'];
  const text = inner === undefined ? contentText(output) : contentText(inner);
  const code = asFields(wrapped?.['metadata'])?.['exit_code'] ?? wrapped?.['exit_code'];
  // Only the heading of the tool counts, not what a program printed further down.
  const heading = EXIT_CODE.exec(firstLines(text, 6))?.[1];
  const exitCode = typeof code === 'number' ? code : heading === undefined ? undefined : Number(heading);
  const success = wrapped?.['success'];
  return {
    text,
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(typeof success === 'boolean' ? { isError: !success } : {}),
  };
}

/** Without a list of all lines: an output may have a million. */
function firstLines(text: string, count: number): string {
  let end = -1;
  for (let line = 0; line < count; line += 1) {
    end = text.indexOf('\n', end + 1);
    if (end < 0) return text;
  }
  return text.slice(0, end);
}

/** The value of a text that is a JSON object of the shell tools; a file with JSON in it is not one. */
function jsonOf(output: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof output !== 'string' || !/^\s*\{\s*"(?:output|metadata)"/.test(output)) return undefined;
  try {
    const value = asFields(JSON.parse(output));
    return value && ('output' in value || 'metadata' in value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
