import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { freshKnack, onTerminal } from '../support/command-line.ts';
import { startScriptedModel } from '../support/scripted-model.ts';
import { temporary } from '../support/skills.ts';

const { knack, workspace } = await freshKnack('hostile');

/** Clears the screen, sets a title, goes back in the line, turns the text, colours it. */
const EVIL = 'x\u001b[2J\u001b]0;t\u0007\u009b2K\rfake\u202egnp\u2028\u001b[31m';
const IN_YAML = JSON.stringify(EVIL).replaceAll('\u009b', '\\u009b').replaceAll('\u202e', '\\u202e');
/** What must never reach a terminal raw. */
const RAW = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]|\p{Bidi_Control}/u;

const place = await temporary('hostile-files');
const transcript = join(place, 'evil\u001b[2J.jsonl');
const skill = join(workspace, 'skills/evil');
const odd = join(workspace, 'skills/od\u001b[2Jd');

beforeAll(async () => {
  await knack(['init']);
  await mkdir(skill, { recursive: true });
  await mkdir(odd);
  const front = `name: evil\ndescription: ${IN_YAML}\nmetadata:\n  version: ${IN_YAML}\n  tags: [${IN_YAML}]`;
  await writeFile(join(skill, 'SKILL.md'), `---\n${front}\n---\n\n- evil ${EVIL}\n`);
  await writeFile(join(odd, 'SKILL.md'), `---\nname: ${IN_YAML}\ndescription: [${IN_YAML}\n---\n${EVIL}\n`);
  const records = [
    {
      type: 'session',
      format: 'knack',
      version: 1,
      id: `s${EVIL}`,
      started: EVIL,
      cwd: EVIL,
      model: EVIL,
      purpose: 'chat',
    },
    { type: 'event', id: 'e1', kind: 'text', role: 'user', text: `evil ${EVIL}` },
    { type: 'event', id: 'e2', kind: 'tool-call', callId: '1', toolName: EVIL, args: { command: EVIL } },
    { type: 'event', id: 'e3', kind: 'tool-result', callId: '1', toolName: EVIL, text: EVIL, isError: true },
    {
      type: 'event',
      id: `e4${EVIL}`,
      kind: 'text',
      role: 'user',
      text: `No, that is wrong: ${EVIL}. From now on always ${EVIL}`,
    },
  ];
  await writeFile(transcript, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  const git = (...args: string[]) =>
    execFileSync('git', [
      '-C',
      join(workspace, 'skills'),
      '-c',
      `user.name=a`,
      '-c',
      'user.email=a@b',
      ...args,
    ]);
  git('add', '-A');
  git('commit', '--quiet', '--message', `subject ${EVIL}\n\nbody ${EVIL}`);
  await writeFile(join(workspace, 'skills/evil/more.md'), EVIL);
});

const COMMANDS: string[][] = [
  ['skills', 'list'],
  ['skills', 'list', '--all'],
  ['skills', 'search', 'evil', '--why', '--all'],
  ['skills', 'search', EVIL],
  ['skills', 'catalog'],
  ['skills', 'show', 'evil'],
  ['skills', 'show', EVIL],
  ['skills', 'validate'],
  ['skills', 'validate', odd],
  ['skills', 'log'],
  ['skills', 'log', 'evil'],
  ['skills', 'blame', 'evil'],
  ['skills', 'diff', 'evil'],
  ['skills', 'rollback', EVIL],
  ['skills', 'approve', EVIL],
  ['gate', skill],
  ['gate', odd],
  ['gate', skill, '--base', EVIL],
  ['transcript', transcript],
  ['transcript', transcript, '--events'],
  ['transcript', EVIL],
  ['review', transcript],
  ['review', EVIL],
  ['doctor'],
  ['chat', '--resume', EVIL],
  ['doctor', '--workspace', join(place, EVIL)],
  ['skills', 'list', `--${EVIL}`],
  [EVIL],
];

test.each(COMMANDS.map((args) => [JSON.stringify(args.join(' ').replaceAll(place, '')), args] as const))(
  'nothing hostile reaches a terminal raw: %s',
  async (_, args) => {
    const person = await knack(args);
    expect([person.stdout.match(RAW), person.stderr.match(RAW)]).toEqual([null, null]);
    const program = await knack([...args, '--json', '--debug']);
    expect([program.stdout.match(RAW), program.stderr.match(RAW)]).toEqual([null, null]);
    for (const line of program.stdout.split('\n').filter(Boolean)) JSON.parse(line);
  },
);

const ANSWERS = [
  ['an answer', { text: `hello ${EVIL}` }],
  ['a tool that does not exist', { toolCalls: [{ name: EVIL, arguments: { a: EVIL } }] }],
  ['a fault of the server', { status: 400, error: { error: { message: EVIL } } }],
] as const;

test.each(ANSWERS)('nor what a model says: %s', async (_, step) => {
  const rest = 'toolCalls' in step ? [{ text: 'It failed.' }] : [];
  const server = await startScriptedModel([step, ...rest]);
  const { stdout, stderr } = await knack(['run', 'x'], { OPENAI_BASE_URL: server.url });
  await server.close();
  expect([stdout.match(RAW), stderr.match(RAW)]).toEqual([null, null]);
});

test.runIf(process.platform === 'linux')('on a terminal only our own colours are left', async () => {
  const { screen } = await onTerminal(['skills', 'show', 'evil'], [], {
    workspace,
    env: { TERM: 'xterm-256color' },
  });
  const codes = screen.replaceAll('\r\n', '\n').match(/\u001b(?:\[\d*.)?/g);
  expect([codes, screen.replaceAll(/\r\n|\u001b\[(?:1|22)m/g, '').match(RAW)]).toEqual([
    ['\u001b[1m', '\u001b[22m'],
    null,
  ]);
});
