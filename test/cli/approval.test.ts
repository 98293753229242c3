import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { freshKnack, onTerminal, type Typing } from '../support/command-line.ts';
import { type Step, startScriptedModel } from '../support/scripted-model.ts';
import { temporary } from '../support/skills.ts';

const { knack, workspace } = await freshKnack('approval');

/** A command that would write over the question on a bare terminal. */
const FORGED = 'touch made #\r\u001b[2K\u001b[1A\u001b[2Kls \u202e\n[y]es to go on';
const call = (command: string): Step => ({ toolCalls: [{ name: 'run_command', arguments: { command } }] });
const ANSWER: Step = { text: 'That is how it went.' };
const QUESTION = 'Allow it? [y]es, [a]lways, [n]o ';
const AGAIN = 'Please answer y, a or n. [y]es, [a]lways, [n]o ';

async function trial(args: string[], steps: Step[], typing: Typing[]) {
  const server = await startScriptedModel(steps);
  const cwd = await temporary('approval-cwd');
  const env = { OPENAI_BASE_URL: server.url, KNACK_MODEL: 'scripted' };
  const seen = await onTerminal(args, typing, { workspace, env, cwd });
  await server.close();
  return { ...seen, made: existsSync(join(cwd, 'made')) };
}

const RUN = ['run', '--unsandboxed', 'do it'];

const ANSWERS: [title: string, typing: Typing[], made: boolean][] = [
  ['y', [[QUESTION, 'y\n']], true],
  ['YES', [[QUESTION, 'YES\n']], true],
  ['Always', [[QUESTION, 'Always\n']], true],
  ['n', [[QUESTION, 'n\n']], false],
  ['No', [[QUESTION, 'No\n']], false],
  [
    'what only begins with y',
    [
      [QUESTION, 'you what?\n'],
      [AGAIN, 'yep\n'],
      [AGAIN, 'no\n'],
    ],
    false,
  ],
  [
    'nothing',
    [
      [QUESTION, '\n'],
      [AGAIN, '\n'],
      [AGAIN, 'y\n'],
    ],
    true,
  ],
  ['the end of the input', [[QUESTION, '\u0004']], false],
];

/** One question serves both; chat reads all of its lines from one input. */
const IN_CHAT = ['y', 'what only begins with y', 'the end of the input'];

// `script` of util-linux makes the terminal.
describe.runIf(process.platform === 'linux')('on a terminal run and chat ask', () => {
  test.each(ANSWERS)('run, and the answer is %s', async (_, typing, made) => {
    const seen = await trial(RUN, [call('touch made'), ANSWER], typing);
    expect([seen.made, seen.code]).toEqual([made, 0]);
  });

  test.each(ANSWERS.filter(([title]) => IN_CHAT.includes(title)))(
    'chat, and the answer is %s',
    async (_, typing, made) => {
      const words: Typing[] = [['> ', 'do it\n'], ...typing, ['how it went.', '/quit\n']];
      const seen = await trial(['chat', '--unsandboxed'], [call('touch made'), ANSWER], words);
      expect([seen.made, seen.code]).toEqual([made, 0]);
    },
  );

  test.each([
    ['run', RUN, [[QUESTION, 'n\n']]],
    [
      'chat',
      ['chat', '--unsandboxed'],
      [
        ['> ', 'do it\n'],
        [QUESTION, 'n\n'],
        ['how it went.', '/quit\n'],
      ],
    ],
  ] as [string, string[], Typing[]][])('%s shows a forged command as what it is', async (_, args, typing) => {
    const { screen, made } = await trial(args, [call(FORGED), ANSWER], typing);
    const asked = screen.slice(screen.indexOf('run_command wants'), screen.indexOf('Allow it?'));
    expect([made, asked.replaceAll('\r\n', '\n').replace(/\u001b\[\d*[A-Z]/g, '')]).toEqual([
      false,
      [
        'run_command wants to run:',
        '  │ touch made #<U+000D><U+001B>[2K<U+001B>[1A<U+001B>[2Kls <U+202E>',
        '  │ [y]es to go on',
        '',
      ].join('\n'),
    ]);
  });

  test('Ctrl-C at the question ends a run with 130', async () => {
    const seen = await trial(RUN, [call('touch made')], [[QUESTION, '\u0003']]);
    expect([seen.made, seen.code, seen.screen]).toEqual([
      false,
      130,
      expect.stringContaining('Not run: stopped by the user'),
    ]);
  });
});

const UNASKED: [title: string, command: string, flag: string][] = [
  ['a program', 'touch made', `to allow it, give --allow 'run_command:touch *'\n`],
  ['several commands', `ls; touch 'made'`, `--allow 'run_command:ls; touch '\\''made'\\'''\n`],
  [
    'a long one',
    `touch made; echo ${'x'.repeat(300)}`,
    `'run_command:touch made; echo ${'x'.repeat(300)}'\n`,
  ],
  [
    'a forged one',
    'touch made; \u001b[2K',
    'it holds characters that do not show: touch made; <U+001B>[2K\n',
  ],
];

test.each(UNASKED)('without a terminal the flag is named whole: %s', async (_, command, flag) => {
  const server = await startScriptedModel([call(command), ANSWER]);
  const env = { OPENAI_BASE_URL: server.url };
  const ran = await knack(['run', 'do it'], env);
  await server.close();
  expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining(flag)]);
});

test('the flag that is named allows the call', async () => {
  const server = await startScriptedModel([
    call("touch 'made'; ls"),
    ANSWER,
    call("touch 'made'; ls"),
    ANSWER,
  ]);
  const env = { OPENAI_BASE_URL: server.url };
  const cwd = await temporary('flag');
  const { stderr } = await knack(['run', '--unsandboxed', 'do it'], env, cwd);
  const pattern = /--allow '(.*)'\n/.exec(stderr)?.[1]?.replaceAll(`'\\''`, `'`) ?? '';
  await knack(['run', '--unsandboxed', '--allow', pattern, 'do it'], env, cwd);
  await server.close();
  expect(existsSync(join(cwd, 'made'))).toBe(true);
});

const UNKNOWN: [typed: string, told: RegExp][] = [
  ['/__proto__', /there is no command and no skill "\/__proto__"\. There are \/skills \[WORDS\], .*\/quit/],
  ['/constructor', /there is no command and no skill "\/constructor"/],
  ['/stauts', /Did you mean \/status\?/],
  ['/git-comit', /Did you mean \/git-commit\?/],
];

test.runIf(process.platform === 'linux').each(UNKNOWN)(
  '%s in a chat is answered for a person',
  async (typed, told) => {
    const { code, screen } = await trial(
      ['chat'],
      [],
      [
        ['> ', `${typed}\n`],
        ['> ', '/quit\n'],
      ],
    );
    expect([code, screen.includes('search_skills')]).toEqual([0, false]);
    expect(screen).toMatch(told);
  },
);

test('a run says what became of it: the reason of a failure, and that its review waits', async () => {
  const server = await startScriptedModel([{ status: 400, error: { error: { message: 'no such model' } } }]);
  const ran = await knack(['run', '--json', 'do it'], { OPENAI_BASE_URL: server.url });
  await server.close();
  expect([ran.code, JSON.parse(ran.stdout)]).toEqual([
    1,
    expect.objectContaining({ stop: 'model-error', problem: expect.stringContaining('no such model') }),
  ]);
  expect(ran.stderr).toMatch(/its review waits: `knack review` does it now/);
});

test('a skill that a run is given and that does not exist is named with those near it', async () => {
  const { code, stderr } = await knack(['run', '--skill', 'git-comit', 'do it'], {
    OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
  });
  expect([code, stderr]).toEqual([1, 'knack: there is no skill "git-comit"; did you mean git-commit?\n']);
});
