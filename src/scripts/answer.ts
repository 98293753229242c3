import type { SkillToolSpec } from '../skill/skill.ts';
import { schemaFaults } from '../text/json-schema.ts';

const ERRORS = ['invalid_params', 'runtime_error', 'timeout', 'not_found', 'denied'] as const;

export type SkillToolError = (typeof ERRORS)[number];

/** The answer of a skill's tool; `status` stands first, so that a model can mend its own call. */
export type SkillToolAnswer =
  | { readonly status: 'success'; readonly data: unknown }
  | { readonly status: 'error'; readonly error_type: SkillToolError; readonly message: string };

export function failure(error_type: SkillToolError, message: string): SkillToolAnswer {
  return { status: 'error', error_type, message };
}

/** The data as an answer, unless it is not what the tool promises under `returns`. */
export function success(data: unknown, spec: SkillToolSpec): SkillToolAnswer {
  const faults = spec.returns === undefined ? [] : schemaFaults(spec.returns, data);
  if (faults.length === 0) return { status: 'success', data };
  const what = faults.join('; ');
  return failure('runtime_error', `the answer is not what tools.yaml promises under returns: ${what}`);
}

/** A value that is an answer of this form, as one and nothing else; an error of a kind that is not known is a `runtime_error`. */
export function asAnswer(value: unknown): SkillToolAnswer | undefined {
  if (typeof value !== 'object' || value === null || !('status' in value)) return undefined;
  if (value.status === 'success')
    return 'data' in value ? { status: 'success', data: value.data } : undefined;
  const { status, message, error_type } = value as Partial<Record<string, unknown>>;
  if (status !== 'error' || typeof message !== 'string' || error_type === undefined) return undefined;
  const known = ERRORS.find((error) => error === error_type);
  return failure(
    known ?? 'runtime_error',
    known === undefined ? `${String(error_type)}: ${message}` : message,
  );
}
