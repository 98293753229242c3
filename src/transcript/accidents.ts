/**
 * What goes wrong with one machine or at one moment, as programs and people say it: a missing program, a permission,
 * the disk, memory. No skill can mend it, and a rule made of it is wrong on the next machine.
 */
export const ENVIRONMENT_ACCIDENT =
  /command not found|executable file not found|permission denied|operation not permitted|access is denied|read-only file system|no space left|disk (?:is |was )?full|disk quota exceeded|out of memory|cannot allocate memory|\bEACCES\b|\bEPERM\b|\bENOSPC\b|\bEROFS\b/i;

/** The same of networks, services and quotas, which are back in a while. */
export const TRANSIENT_ACCIDENT =
  /too many requests|connection (?:refused|reset|timed out)|\bECONN(?:REFUSED|RESET)\b|\bETIMEDOUT\b|\bENOTFOUND\b|\bEAI_AGAIN\b|network is unreachable|could not resolve host|temporary failure in name resolution|temporarily unavailable|service unavailable|timed out\b/i;

/** Signs of both that only the output of a program gives; in prose they stand for much else. */
const IN_OUTPUT =
  /rate.?limit|\b429\b|\b503\b|usage limit|quota exceeded|exceeded your .{0,30}quota|insufficient_quota|overloaded_error|401 Unauthorized|403 Forbidden|certificate has expired|\bSIGKILL\b|\bOOMKilled\b|is not recognized as an internal or external command/i;

/** Whether a failed call's output tells of an accident of the surroundings, which teaches nothing by itself. */
export function isAccident(output: string): boolean {
  // What failed is said at the beginning or the end; the middle may be anything, a source file for one.
  const told = output.length > 1600 ? `${output.slice(0, 800)}\n${output.slice(-800)}` : output;
  return [ENVIRONMENT_ACCIDENT, TRANSIENT_ACCIDENT, IN_OUTPUT].some((pattern) => pattern.test(told));
}

/** Whether it tells of a program or package that was not there, which setting it up may mend for good. */
export function isMissingProgram(output: string): boolean {
  return /command not found|executable file not found|is not recognized as an internal|No module named|Cannot find (?:module|package)|not installed/i.test(
    output,
  );
}
