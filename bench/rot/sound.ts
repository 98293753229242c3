import { type Proposal, proposal, triggersOf } from './proposal.ts';
import type { Random } from './random.ts';
import { type Scene, type Seen, sceneOf, topicOf } from './scene.ts';
import { listOf, skillFile } from './skill-texts.ts';
import { TOPICS } from './topics.ts';

/** A round whose lesson is one. */
export interface SoundRound {
  readonly scene: Scene;
  readonly proposal: Proposal;
  /** Rules that it takes away, as its session wants. */
  readonly takes: readonly string[];
}

/** The next lesson that the library has not learned: a new skill, a rule more, a rule that is wrong by now. */
export function soundRound(session: string, skills: readonly Seen[], random: Random): SoundRound {
  const names = new Set(skills.map(({ name }) => name));
  const fresh = TOPICS.filter(({ name }) => !names.has(name));
  const open = skills.flatMap((target) => {
    const topic = topicOf(target.name);
    const rule = topic?.more.find((each) => !target.rules.includes(each));
    return topic === undefined || rule === undefined || target.rules.length === 0
      ? []
      : [{ target, topic, rule }];
  });
  const choice = random.next();
  const [topic] = fresh;
  const first = skills[0];
  if (first === undefined) throw new Error('the library is empty');
  if (topic !== undefined && (choice < 0.5 || open.length === 0)) {
    const scene = sceneOf(session, skills, random, { topic, target: first, sentences: topic.rules });
    const text = skillFile(topic, topic.rules);
    return {
      scene,
      takes: [],
      proposal: proposal({
        decision: 'create',
        skill: topic.name,
        session,
        lesson: topic.rules.join(' '),
        from: scene.said,
        operations: [
          { op: 'write_file', text, places: topic.rules.map((quote) => ({ event: 'e5', quote })) },
        ],
        triggers: triggersOf(topic.asks),
      }),
    };
  }
  if (choice < 0.85 && open.length > 0) {
    const { target, topic, rule } = random.pick(open);
    const scene = sceneOf(session, skills, random, { topic, target, sentences: [rule] });
    return { scene, takes: [], proposal: addition(scene, rule) };
  }
  const target = random.pick(skills.filter(({ rules }) => rules.length > 1));
  const old = random.pick(target.rules);
  const about = topicOf(target.name) ?? TOPICS[0];
  if (about === undefined) throw new Error('there is no topic');
  const sentence = `Drop this rule, it is wrong by now: ${old}`;
  const scene = sceneOf(session, skills, random, { topic: about, target, sentences: [sentence] });
  return {
    scene,
    takes: [old],
    proposal: proposal({
      decision: 'patch',
      skill: target.name,
      session,
      lesson: `A rule of the skill no longer holds: ${old}`,
      from: scene.said,
      operations: [{ op: 'delete', anchor: `${listOf([old])}\n`, places: [scene.said] }],
    }),
  };
}

/** A rule behind the last one of the target. */
export function addition(scene: Scene, rule: string): Proposal {
  return proposal({
    decision: 'patch',
    skill: scene.target.name,
    session: scene.session,
    lesson: rule,
    from: scene.said,
    operations: [
      { op: 'insert_after', anchor: lastRule(scene.target), text: listOf([rule]), places: [scene.said] },
    ],
  });
}

/** The last rule as it stands, to insert behind. */
export function lastRule({ rules, title }: Seen): string {
  const last = rules.at(-1);
  return last === undefined ? `# ${title}` : `- ${last}`;
}
