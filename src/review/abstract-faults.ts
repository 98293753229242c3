import type { Abstract } from './abstract.ts';

/** What an abstract is held against. */
export interface AbstractFacts {
  /** Ids of the session's events. */
  readonly events: ReadonlySet<string>;
  /**
   * The skill of that name or alias, and whether review may change it. `isOwn`: it can be taken out, as it stands in
   * the writable root and hides none of another.
   */
  readonly find: (
    name: string,
  ) => { readonly name: string; readonly isTarget: boolean; readonly isOwn: boolean } | undefined;
}

/** What is wrong with the skills that a lesson names, among all lessons of its session. */
export function targetFaults(
  abstract: Abstract,
  lessons: readonly Abstract[],
  { find }: AbstractFacts,
): string[] {
  const { decision, skill, retires = '' } = abstract;
  const found = find(skill);
  if (decision === 'create') {
    if (found !== undefined)
      return [
        `decision is "create" but there is a skill "${found.name}" already; patch it or take another name`,
      ];
    if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(skill))
      return [`skill is "${skill}": a new name has lower-case letters, digits and single hyphens`];
    return lessons.some((other) => other !== abstract && other.skill === skill)
      ? [`two lessons make the skill "${skill}": put them into one`]
      : [];
  }
  if (found?.isTarget !== true)
    return [`decision is "${decision}" but there is no skill "${skill}" that may be changed`];
  const [gone, field] = decision === 'retire' ? [found, 'skill'] : [find(retires), 'retires'];
  if (decision === 'patch') return [];
  if (gone?.isTarget !== true)
    return [`decision is "merge" but retires is "${retires}", which is no skill that may be changed`];
  if (decision === 'merge' && gone.name === found.name)
    return [`decision is "merge" but skill and retires are both "${found.name}"`];
  return gone.isOwn
    ? []
    : [
        `${field} is "${gone.name}", which cannot go: it, or another of its name, is in a root that is only read`,
      ];
}

/** What a lesson lacks, or rests on that is not there. */
export function groundFaults(
  { decision, title, lesson, evidence }: Abstract,
  facts: AbstractFacts,
): string[] {
  const unknown = evidence.filter(({ event }) => !facts.events.has(event)).map(({ event }) => event);
  return [
    ...(lesson.trim() === '' ? [`decision is "${decision}" but lesson is empty`] : []),
    ...(title.trim() === '' ? [`decision is "${decision}" but title is empty`] : []),
    ...(evidence.length === 0 ? [`decision is "${decision}" but evidence is empty`] : []),
    ...(unknown.length > 0 ? [`the session has no event ${unknown.join(', ')}`] : []),
  ];
}
