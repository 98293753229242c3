import type { Library } from '../library/library.ts';
import type { ToRepair } from '../library/use/trials.ts';
import { counted } from '../text/counted.ts';

/** A skill that failed in so many sessions in a row that it has lost its place in the catalog. */
export interface SkillToRepair {
  readonly name: string;
  readonly path: string;
  /** Oldest first: each with the event that shows it. */
  readonly failures: readonly { readonly session: string; readonly event: string; readonly at: string }[];
}

/** The skills of a library that are to be repaired, in its order. */
export function skillsToRepair(library: Library, toRepair: ToRepair): SkillToRepair[] {
  return library.skills.flatMap((skill) => {
    const failures = toRepair(skill).map(({ session, event, at }) => ({ session, event, at }));
    return failures.length === 0 ? [] : [{ name: skill.name, path: skill.path, failures }];
  });
}

/** Where it failed, in a line. */
export function describeFailures({ failures }: SkillToRepair): string {
  const places = failures.map(({ session, event }) => `${session} (${event})`);
  return `failed in ${counted(failures.length, 'session')} since it last changed or worked: ${places.join(', ')}`;
}
