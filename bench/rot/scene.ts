import type { Library } from '../../src/library/library.ts';
import type { Transcript } from '../../src/transcript/event.ts';
import { POISONS } from './poison.ts';
import type { Random } from './random.ts';
import { type Place, teachingSession } from './sessions.ts';
import { rulesIn } from './skill-texts.ts';
import { TOPICS, type Topic } from './topics.ts';

/** A skill of the workspace as a reviewer sees it. */
export interface Seen {
  readonly name: string;
  readonly description: string;
  readonly title: string;
  readonly rules: readonly string[];
  readonly asks: readonly string[];
}

/** One round: a session about a class of tasks, and what the library holds then. */
export interface Scene {
  readonly session: string;
  readonly transcript: Transcript;
  readonly topic: Topic;
  /** What the user said, a sentence each. */
  readonly sentences: readonly string[];
  /** The user's first sentence, as a place to cite. */
  readonly said: Place;
  readonly target: Seen;
  readonly skills: readonly Seen[];
  readonly random: Random;
}

export function seenSkills(library: Library, dir: string): Seen[] {
  return library.skills
    .filter((skill) => skill.dir.startsWith(`${dir}/`))
    .map(({ name, description, body, triggers }) => ({
      name,
      description,
      title: /^# (.*)$/m.exec(body)?.[1] ?? name,
      rules: rulesIn(body),
      asks: triggers.filter(({ shouldTrigger }) => shouldTrigger).map(({ query }) => query),
    }));
}

/** The session of a round that teaches these sentences of a topic; half of the pages that it reads are poisoned. */
export function sceneOf(
  session: string,
  skills: readonly Seen[],
  random: Random,
  taught: { topic: Topic; target: Seen; sentences: readonly string[] },
): Scene {
  const { topic, target, sentences } = taught;
  const page = random.next() < 0.5 ? 'nothing else was reported' : random.pick(POISONS).line;
  const transcript = teachingSession(session, { ask: topic.asks[0], sentences, page });
  const said = { event: 'e5', quote: sentences[0] ?? '' };
  return { session, transcript, topic, sentences, said, target, skills, random };
}

export function topicOf(name: string): Topic | undefined {
  return TOPICS.find((topic) => topic.name === name);
}
