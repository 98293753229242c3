import type { PlaceState, Project } from '../library/project/project.ts';
import type { TrustChange } from '../library/project/trust.ts';
import { type Output, shownWhole } from './output.ts';

const MOST_NAMED = 3;

/** A line for each place around the working folder that holds something and is not in force, with what to do. */
function projectNotes({ places }: Pick<Project, 'places'>): string[] {
  return places.flatMap((place) => {
    const why = whyInert(place);
    return why === undefined ? [] : [`note: ${why.message}. ${why.remedy}`];
  });
}

const told = new WeakMap<Output, Set<string>>();

/** Says what `projectNotes` finds, of a place in one state once for as long as the process runs. */
export function noteProject({ places }: Project, output: Output): void {
  const before = told.get(output) ?? new Set();
  told.set(output, before);
  const fresh = places.filter(({ place, state }) => !before.has(`${state} ${place.dir}`));
  for (const { place, state } of fresh) before.add(`${state} ${place.dir}`);
  for (const line of projectNotes({ places: fresh })) output.note(line);
}

/** Why nothing of a place is used; undefined where it is. */
export function whyInert(place: PlaceState): { message: string; remedy: string } | undefined {
  if (place.state === 'trusted') return undefined;
  const { dir, homes, settings } = place.place;
  const shown = inOneLine(dir);
  const remedy = `To see it and decide: knack trust ${asWord(shown)}`;
  if (place.state === 'untrusted')
    return {
      message: `${[...settings, ...homes].join(', ')} in ${shown}: not used, as the checkout is not trusted`,
      remedy,
    };
  const reasons = [...place.faults.slice(0, 1).map(inOneLine), ...changeLines(place.changes, MOST_NAMED)];
  return {
    message: `nothing of ${shown} is used, as it is not what you trusted any more: ${reasons.join(', ')}`,
    remedy,
  };
}

/** As one word of a shell. */
export function asWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The first changes, `changed a.md`, and how many more there are. */
function changeLines(changes: readonly TrustChange[], most: number): string[] {
  const named = changes.slice(0, most).map(({ kind, path }) => `${kind} ${inOneLine(path)}`);
  return changes.length > most ? [...named, `and ${changes.length - most} more`] : named;
}

/** A path or a message of a checkout on one line that cannot pass for two, with what does not show written out. */
export function inOneLine(text: string): string {
  return shownWhole(text).replace(/\n/g, '<U+000A>').replace(/\t/g, '<U+0009>');
}
