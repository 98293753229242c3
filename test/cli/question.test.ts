import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { freshKnack, onTerminal } from '../support/command-line.ts';
import { startScriptedModel } from '../support/scripted-model.ts';
import { skillText, temporary } from '../support/skills.ts';

const CTRL_C = '\u0003';
const CTRL_D = '\u0004';

const { knack, workspace } = await freshKnack('question');
const usage = join(workspace, 'logs/usage.jsonl');
const checkout = await temporary('checkout');
const source = await temporary('source');
const many = await temporary('source-of-many');

function write(dir: string, name: string): void {
  mkdirSync(join(dir, name), { recursive: true });
  writeFileSync(join(dir, name, 'SKILL.md'), skillText(name, `# ${name}\n\n- Look at ${name} first.`));
}

beforeAll(async () => {
  await knack(['init']);
  mkdirSync(join(workspace, 'logs'), { recursive: true });
  writeFileSync(
    usage,
    `${JSON.stringify({ at: '2026-01-01T00:00:00Z', session: 's', skill: 'git-commit', source: 'tool' })}\n`,
  );
  write(join(checkout, '.claude/skills'), 'pdf');
  for (const name of ['tables', 'words']) write(source, name);
  for (let index = 0; index < 12; index += 1) write(many, `skill-${String.fromCharCode(97 + index)}`);
});

/** What would be there, or gone, if the answer had been yes. */
const changed = () => [
  readFileSync(usage, 'utf8') === '',
  existsSync(join(workspace, 'logs/trust')),
  ...['tables', 'words', 'skill-a'].map((name) => existsSync(join(workspace, 'skills', name))),
];

interface Asked {
  readonly args: readonly string[];
  readonly question: string;
  /** After Ctrl-C and after Ctrl-D. */
  readonly stopped: string;
  readonly refused: string;
}

const ASKED: readonly Asked[] = [
  {
    args: ['skills', 'forget', '--all'],
    question: 'Forget everything learned from use of every skill? [y]es, [n]o ',
    stopped: 'knack: stopped; nothing was changed',
    refused: 'nothing is forgotten',
  },
  {
    args: ['skills', 'forget', 'git-commit'],
    question: 'Forget everything learned from use of git-commit? [y]es, [n]o ',
    stopped: 'knack: stopped; nothing was changed',
    refused: 'nothing is forgotten',
  },
  {
    args: ['trust'],
    question: 'Trust it? [y]es, [n]o ',
    stopped: 'knack: stopped; nothing was changed',
    refused: 'not trusted; nothing of it is used',
  },
  {
    args: ['skills', 'add', source],
    question: 'Take all 2? [y]es, [n]o ',
    stopped: 'knack: stopped; nothing was taken',
    refused: 'knack: nothing was taken; --skill NAME takes one',
  },
];

// `script` of util-linux makes the terminal.
describe.runIf(process.platform === 'linux')('a question on a terminal', () => {
  const asked = async (args: readonly string[], question: string, key: string) => {
    const { code, screen } = await onTerminal(args, [[question, key]], { workspace, cwd: checkout });
    const rest = screen.slice(screen.indexOf(question) + question.length);
    // Without what moves the cursor.
    const lines = rest.replace(/\u001b\[[\d;?]*[A-Za-z]/g, '').split(/\r*\n/);
    // The rest of the question's own line comes first, and the end of the last line comes last.
    return { code, lines: lines.slice(1, -1), changed: changed() };
  };
  const NOTHING = [false, false, false, false, false];

  test.each(ASKED)('Ctrl-C ends $args with 130 and nothing done', async ({ args, question, stopped }) => {
    expect(await asked(args, question, CTRL_C)).toEqual({ code: 130, lines: [stopped], changed: NOTHING });
  });

  test.each(ASKED)('Ctrl-D is a no to $args', async ({ args, question, refused }) => {
    expect(await asked(args, question, CTRL_D)).toEqual({ code: 1, lines: [refused], changed: NOTHING });
  });

  test('after what is no answer it asks again, and Ctrl-C ends that too', async () => {
    const typing = [
      ['Trust it?', 'perhaps\n'],
      ['Please answer y or n.', CTRL_C],
    ] as const;
    expect(await onTerminal(['trust'], typing, { workspace, cwd: checkout })).toEqual({
      code: 130,
      screen: expect.stringContaining('knack: stopped; nothing was changed'),
    });
  });

  test('Ctrl-C at the question whether all are judged takes nothing', async () => {
    const model = await startScriptedModel([]);
    const env = { OPENAI_BASE_URL: model.url, KNACK_MODEL: 'scripted' };
    const { code, screen } = await onTerminal(
      ['skills', 'add', many],
      [
        ['Take all 12?', 'y\n'],
        ['Judge all?', CTRL_C],
      ],
      { workspace, env },
    );
    await model.close();
    expect([code, screen, changed()]).toEqual([
      130,
      expect.stringContaining('knack: stopped; nothing was taken'),
      NOTHING,
    ]);
  });
});
