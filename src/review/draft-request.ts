import { basename, dirname } from 'node:path';
import type { Library } from '../library/library.ts';
import type { Abstract } from './abstract.ts';
import type { AbstractFacts } from './abstract-faults.ts';
import type { ReviewRun } from './attempts.ts';
import type { DraftRequest, Refusal } from './drafter.ts';
import { earlierRefusals } from './earlier-refusals.ts';
import { createFence } from './fence.ts';
import { nearestSkills, skillText, targetSkill, wordsOf } from './nearest-skills.ts';

/** All that the drafter is given for one attempt: the library and what was refused as they are now. */
export async function draftRequest(
  run: ReviewRun,
  refusals: readonly Refusal[],
  settled: readonly Abstract[],
): Promise<DraftRequest> {
  const { parts, transcript, signals, digest } = run;
  const { library, history } = parts;
  const skills = await history.settled(() => nearestSkills(library, transcript, signals, parts.toRepair));
  const earlier = await earlierRefusals(parts, {
    session: transcript.session.id,
    words: wordsOf(transcript, signals),
    skills: skills.map(({ name }) => name),
  });
  return {
    model: run.reviewer,
    prompts: parts.prompts,
    guidance: parts.guidance,
    session: transcript.session,
    digest,
    facts: {
      events: new Set(transcript.events.map((event) => event.id)),
      find: finderIn(library, parts.workspace.skills),
    },
    skills,
    textOf: async (name) => {
      const skill = targetSkill(library, name);
      return skill === undefined ? undefined : history.settled(() => skillText(skill));
    },
    queriesOf: (name) =>
      (library.find(name)?.triggers ?? []).flatMap(({ query, shouldTrigger }) =>
        shouldTrigger ? [query] : [],
      ),
    refusals: [...earlier, ...refusals],
    settled,
    fence: createFence(parts.newId()),
    ...(run.signal === undefined ? {} : { signal: run.signal }),
  };
}

function finderIn(library: Library, skillsDir: string): AbstractFacts['find'] {
  return (name) => {
    const found = library.find(name);
    if (found === undefined) return undefined;
    const stands = dirname(found.dir) === skillsDir && basename(found.dir) === found.name;
    const hides = library.entries.some(
      (entry) => entry.state === 'shadowed' && entry.skill.name === found.name,
    );
    return {
      name: found.name,
      isTarget: targetSkill(library, name) !== undefined,
      isOwn: stands && !hides,
    };
  };
}
