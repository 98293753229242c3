/** Who can be behind a learned line, most trusted first. `foreign`: text that somebody else wrote, such as a page. */
export const TRUSTS = ['user', 'assistant', 'tool', 'foreign'] as const;

export type Trust = (typeof TRUSTS)[number];

/** What a line is to be trusted as that rests on all of these; undefined for none. */
export function leastTrusted(trusts: readonly Trust[]): Trust | undefined {
  return TRUSTS.findLast((trust) => trusts.includes(trust));
}

/** Whether a value that a commit holds is one; another program may have written the commit. */
export function isTrust(value: unknown): value is Trust {
  return (TRUSTS as readonly unknown[]).includes(value);
}
