/** What went wrong, for programs; `usage` alone exits with 2, every other code with 1. */
export type ErrorCode =
  | 'aborted'
  | 'config-invalid'
  | 'conflict'
  | 'git-failed'
  | 'git-missing'
  | 'io'
  | 'lock-held'
  | 'model-failed'
  | 'model-missing'
  | 'not-found'
  | 'prompt-invalid'
  | 'refused'
  | 'sandbox-missing'
  | 'skill-invalid'
  | 'transcript-unreadable'
  | 'usage';

/**
 * The only error that knack throws on purpose. The message says what happened, the value, what was expected
 * and what to do; `cli/main.ts` prints it as one line.
 */
export class KnackError extends Error {
  override readonly name = 'KnackError';

  constructor(
    readonly code: ErrorCode,
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}

/** A finding about content: a value, never thrown. Lines start at 1 and count in the file as it is on disk. */
export interface Problem {
  readonly rule: string;
  /** `error` refuses, `warning` means that behaviour may differ elsewhere, `info` is cosmetic. */
  readonly severity: 'error' | 'warning' | 'info';
  readonly message: string;
  readonly line?: number;
}

/** What to do about a system error that is nobody's fault in the code. */
const REMEDIES: Readonly<Record<string, string>> = {
  ENOSPC: 'free some space and run it again',
  EDQUOT: 'free some space and run it again',
  EROFS: 'make it writable',
  EACCES: 'ask its owner for access',
};

/** The message of anything that can be thrown; of a full or read-only disk also what to do, of a folder that is no file that. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isNoFile = 'syscall' in error && ['read', 'open'].includes(String(error.syscall));
  if (isNoFile && hasSystemCode(error, 'EISDIR')) return 'it is a folder, and a file was expected';
  const remedy = 'code' in error ? REMEDIES[String(error.code)] : undefined;
  return remedy === undefined ? error.message : `${error.message}; ${remedy}`;
}

/** Whether this is a Node system error with one of these codes (`ENOENT`, `EACCES`, …). */
export function hasSystemCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}

/** Whether the system refused a call with this, rather than knack's own code having a fault. */
export function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && 'syscall' in error;
}
