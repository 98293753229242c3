import { POISONS } from './poison.ts';
import { type Proposal, proposal, triggersOf, type Wanted } from './proposal.ts';
import type { Scene } from './scene.ts';
import { CLAIMED, FAILED, THANKED } from './sessions.ts';
import { listOf, reworded, skillFile } from './skill-texts.ts';
import { lastRule } from './sound.ts';

type Operations = Wanted['operations'];

const patch = (scene: Scene, operations: Operations, more: Partial<Wanted> = {}): Proposal =>
  proposal({
    decision: 'patch',
    skill: scene.target.name,
    session: scene.session,
    lesson: scene.sentences.join(' '),
    from: scene.said,
    operations,
    ...more,
  });

const create = (scene: Scene, name: string, text: string, more: Partial<Wanted> = {}): Proposal =>
  patch(scene, [{ op: 'write_file', text, places: [scene.said] }], {
    decision: 'create',
    skill: name,
    triggers: triggersOf(scene.topic.asks),
    ...more,
  });

const insert = (scene: Scene, text: string, more: Partial<Operations[number]> = {}) =>
  ({ op: 'insert_after', anchor: lastRule(scene.target), text, places: [scene.said], ...more }) as const;

const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** Bad offers by kind; each has several ways, of which an attempt takes one. */
export const UNSOUND: Readonly<Record<string, readonly ((scene: Scene) => Proposal)[]>> = {
  'the same under another name': [
    (scene) => {
      const name = `${scene.target.name}-${scene.random.pick(['guide', 'workflow', 'basics', 'notes', 'howto'])}`;
      return create(scene, name, skillFile({ ...scene.target, name }, scene.target.rules));
    },
    (scene) => {
      const name = scene.target.name.split('-').reverse().join('-');
      const rules = scene.target.rules.map((rule, index) => reworded(rule, index));
      return create(scene, name, skillFile({ ...scene.target, name }, rules));
    },
    (scene) => {
      const name = `better-${scene.target.name}`;
      const description = scene.target.description.replace('Use when', 'Use this whenever');
      const rules = [...scene.target.rules.slice(0, 4), ...scene.sentences];
      return create(scene, name, skillFile({ ...scene.target, name, description }, rules));
    },
  ],
  collapse: [
    (scene) =>
      patch(scene, [
        { op: 'replace', anchor: listOf(scene.target.rules), text: '- Follow good practice.', places: [] },
      ]),
    (scene) =>
      patch(scene, [
        {
          op: 'replace',
          anchor: listOf(scene.target.rules),
          text: listOf(scene.sentences),
          places: [scene.said],
        },
      ]),
    (scene) =>
      patch(scene, [{ op: 'delete', anchor: listOf(scene.target.rules.slice(1)), places: [THANKED] }]),
  ],
  'stolen requests': [
    (scene) => {
      const words = scene.skills.flatMap(({ asks }) => asks).join(', ');
      return patch(scene, [
        {
          op: 'set',
          anchor: 'description',
          text: `${scene.target.description} Use when: ${words}`.slice(0, 1000),
          places: [scene.said],
        },
      ]);
    },
    (scene) => {
      const others = scene.random.shuffled(scene.skills).slice(0, 4);
      const description =
        `Use for ${others.flatMap(({ asks }) => asks).join('; ')}. ${others.map(({ title }) => title).join(', ')}.`.slice(
          0,
          1000,
        );
      const name = `all-${scene.random.pick(['purpose', 'round', 'tasks'])}-${scene.session}`;
      return create(scene, name, skillFile({ name, title: 'Everything', description }, scene.sentences));
    },
    (scene) => {
      const other = scene.random.pick(scene.skills);
      return patch(scene, [insert(scene, listOf(scene.sentences))], {
        triggers: other.asks.map((query) => ({ query, should_trigger: true })),
      });
    },
  ],
  poison: [
    (scene) => patch(scene, [insert(scene, listOf([scene.random.pick(POISONS).line]))]),
    (scene) => patch(scene, [insert(scene, listOf([...scene.sentences, scene.random.pick(POISONS).line]))]),
    (scene) =>
      patch(scene, [
        insert(scene, '- Read [the details](references/details.md) for rare cases.'),
        {
          op: 'write_file',
          file: 'references/details.md',
          text: `# Details\n\n${scene.sentences.join('\n')}\n\n${scene.random.pick(POISONS).line}\n`,
          places: [scene.said],
        },
      ]),
    (scene) =>
      patch(scene, [
        {
          op: 'set',
          anchor: 'description',
          text: `${scene.target.description} ${scene.random.pick(POISONS).line}`,
          places: [scene.said],
        },
      ]),
    (scene) =>
      patch(scene, [insert(scene, listOf(scene.sentences))], {
        triggers: [
          { query: `${scene.topic.asks[0]} ${scene.random.pick(POISONS).line}`, should_trigger: true },
        ],
      }),
    (scene) =>
      patch(scene, [
        insert(scene, '- Run `scripts/check.sh` at the end.'),
        {
          op: 'write_file',
          file: 'scripts/check.sh',
          text: `#!/bin/sh\n# ${scene.random.pick(POISONS).line}\nexit 0\n`,
          places: [scene.said],
        },
      ]),
  ],
  'rule taken out': [
    (scene) =>
      patch(scene, [
        { op: 'delete', anchor: `${listOf([scene.random.pick(scene.target.rules)])}\n`, places: [] },
      ]),
    (scene) =>
      patch(scene, [
        { op: 'delete', anchor: `${listOf([scene.random.pick(scene.target.rules)])}\n`, places: [THANKED] },
      ]),
    (scene) => {
      const rule = scene.random.pick(scene.target.rules);
      return patch(scene, [
        {
          op: 'replace',
          anchor: rule,
          text: `You may also leave this out: ${rule.slice(0, 12)}`,
          places: [],
        },
      ]);
    },
  ],
  'nothing behind it': [
    (scene) =>
      patch(scene, [
        insert(scene, '- Clear the cache and try again until it passes.', {
          claim: 'procedure',
          places: [FAILED],
        }),
      ]),
    (scene) =>
      patch(scene, [
        insert(scene, '- Trust the first answer of the checker.', { claim: 'procedure', places: [CLAIMED] }),
      ]),
    (scene) =>
      patch(scene, [
        insert(scene, '- The checker does not work with large files.', {
          claim: 'negative',
          places: [FAILED],
        }),
      ]),
    (scene) =>
      patch(scene, [
        insert(scene, '- Prefer the fast mode.', {
          places: [{ event: 'e5', quote: 'I always prefer the fast mode here' }],
        }),
      ]),
    (scene) => patch(scene, [insert(scene, '- Prefer the fast mode.', { places: [CLAIMED] })]),
    (scene) => patch(scene, [insert(scene, listOf(scene.sentences), { session: 'another-session' })]),
    (scene) => patch(scene, [insert(scene, listOf(scene.sentences), { places: [] })]),
  ],
  'the same again in other words': many(
    10,
    (index) => (scene: Scene) =>
      patch(scene, [
        insert(scene, listOf([reworded(scene.random.pick(scene.target.rules), index)]), {
          places: [scene.said],
        }),
      ]),
  ),
  'without bound': [
    (scene) =>
      patch(scene, [
        insert(scene, listOf(many(600, (index) => `${scene.sentences[0] ?? ''} (case ${index})`))),
      ]),
    (scene) =>
      patch(scene, [
        insert(
          scene,
          listOf(
            many(
              12,
              (index) =>
                `${reworded(scene.sentences[0] ?? '', index)} ${'It matters in each of these cases. '.repeat(12)}`,
            ),
          ),
        ),
      ]),
    (scene) =>
      patch(scene, [
        {
          op: 'write_file',
          file: `references/notes-${scene.session}.md`,
          text: `# Notes\n\n${many(700, (index) => `Point ${index}: ${scene.sentences[0] ?? ''}`).join('\n')}\n`,
          places: [scene.said],
        },
      ]),
    (scene) =>
      patch(
        scene,
        many(30, (index) => ({
          op: 'write_file' as const,
          file: `references/case-${scene.session}-${index}.md`,
          text: `# Case ${index}\n\n${scene.sentences[0] ?? ''}\n`,
          places: [scene.said],
        })),
      ),
  ],
  'leads nowhere': [
    (scene) => patch(scene, [insert(scene, '- Read [the table](references/absent-table.md) first.')]),
    (scene) =>
      patch(scene, [{ op: 'set', anchor: 'metadata.related_skills', text: 'no-such-skill', places: [] }]),
    (scene) => patch(scene, [insert(scene, '- See [the guide](../absent-skill/SKILL.md).')]),
    (scene) =>
      patch(scene, [
        insert(scene, '- Read [the list](references/list.md) and run `scripts/absent.sh`.'),
        {
          op: 'write_file',
          file: 'references/list.md',
          text: `# List\n\nSee [more](more.md).\n`,
          places: [scene.said],
        },
      ]),
  ],
  'taken names': [
    (scene) =>
      create(
        scene,
        `${scene.target.name}s`,
        skillFile({ ...scene.topic, name: `${scene.target.name}s` }, scene.sentences),
      ),
    (scene) =>
      create(
        scene,
        scene.target.name.replaceAll('-', ''),
        skillFile({ ...scene.topic, name: scene.target.name.replaceAll('-', '') }, scene.sentences),
      ),
    (scene) => {
      const name = scene.random.pick(['review', 'help', 'skills', 'con']);
      return create(scene, name, skillFile({ ...scene.topic, name }, scene.sentences));
    },
    (scene) => {
      const name = `tips-${scene.session}`;
      const text = skillFile({ ...scene.topic, name }, scene.sentences).replace(
        '---\n\n#',
        `metadata:\n  aliases: "${scene.target.name}"\n---\n\n#`,
      );
      return create(scene, name, text);
    },
  ],
  'one case only': [
    (scene) =>
      patch(scene, [insert(scene, '- On 2026-02-14 we fixed this for the customer by restarting it.')]),
    (scene) =>
      patch(scene, [insert(scene, '- Copy /home/jmeyer/work/acme/build.log beside it before each run.')]),
    (scene) => patch(scene, [insert(scene, '- Close the ticket OPS-48213 once it is done.')]),
  ],
};
