import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freshKnack, onTerminal } from '../support/command-line.ts';
import { startScriptedModel } from '../support/scripted-model.ts';
import { skillText } from '../support/skills.ts';

test.runIf(process.platform === 'linux')(
  'a skill that is broken while a chat is open is told of in a line and in /status, and stays in use',
  async () => {
    const { workspace } = await freshKnack('chat-status');
    const file = join(workspace, 'skills/tea/SKILL.md');
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, skillText('tea', '- warm the pot'));
    const server = await startScriptedModel([
      {
        answer: () => {
          writeFileSync(file, 'broken');
          return { text: 'It is broken.' };
        },
      },
    ]);
    const { screen, code } = await onTerminal(
      ['chat'],
      [
        ['> ', 'Break it.\n'],
        ['It is broken.', '/tea\n'],
        ['goes with your next message', '/status\n'],
        ['reviews: ', '/quit\n'],
      ],
      { workspace, env: { OPENAI_BASE_URL: server.url, KNACK_MODEL: 'scripted' } },
    );
    await server.close();
    expect(code).toBe(0);
    const plain = screen.replace(/\s+/g, ' ');
    expect(plain.split('tea/SKILL.md is broken now')).toHaveLength(3);
    expect(plain).toMatch(/candidates: \d+ of 6000 tokens beside messages of this session library: /);
    expect(plain).toMatch(/library: [^ ]*tea\/SKILL\.md is broken now .*the last good version stays in use/);
  },
);

test.runIf(process.platform === 'linux')(
  '/skills lists as many as a person reads, and with words those that fit',
  async () => {
    const { workspace } = await freshKnack('chat-skills');
    for (let number = 10; number < 70; number += 1) {
      const folder = join(workspace, `skills/tea-${number}`);
      mkdirSync(folder, { recursive: true });
      writeFileSync(
        join(folder, 'SKILL.md'),
        skillText(`tea-${number}`, '- warm the pot').replace(
          /^description:.*$/m,
          `description: Tea ${number}.`,
        ),
      );
    }
    const server = await startScriptedModel([]);
    const { screen, code } = await onTerminal(
      ['chat'],
      [
        ['> ', '/skills\n'],
        ['finds those that fit', '/skills tea-42\n'],
        ['fits     tea-42', '/skills zebra foal\n'],
        ['nothing fits', '/quit\n'],
      ],
      { workspace, env: { OPENAI_BASE_URL: server.url, KNACK_MODEL: 'scripted' } },
    );
    await server.close();
    expect(code).toBe(0);
    const [list = '', found = ''] = screen.split('/skills tea-42');
    expect(list.match(/^(?:tea-\d\d|[a-z-]+): /gm)).toHaveLength(40);
    expect(list).toMatch(/and 27 more; \/skills WORDS finds/);
    expect(found).toMatch(/1\. fits {5}tea-42: Tea 42\./);
    expect(found).toMatch(/nothing fits by itself; other words may find more/);
  },
);
