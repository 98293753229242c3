import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createReplay, type ReplayParts } from '../../src/agent/replay.ts';
import type { Replay, ReplayRequest } from '../../src/gate/check.ts';
import { createOpenAiModel } from '../../src/model/openai-model.ts';
import { createPrompts } from '../../src/model/prompts.ts';
import { createSandbox } from '../../src/scripts/sandbox.ts';
import { knackPackage } from '../../src/workspace.ts';
import type { ChatBody, Step } from './scripted-model.ts';
import { temporary } from './skills.ts';

export const PATH = process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin';
/** When the commit of the lab's repository was made, and when its session began. */
export const COMMITTED = '2026-01-10T10:00:00Z';
export const BEGAN = '2026-01-10T12:00:00.000Z';
/** Passes once the file `state.txt` says `ready`. */
export const CHECK = 'bash check.sh';
const FILES = {
  'check.sh':
    'if [ "$(cat state.txt)" = ready ]; then echo fine; else echo "the state is wrong"; exit 1; fi\n',
  'state.txt': 'draft\n',
};

export interface LabRepository {
  readonly dir: string;
  git(...args: string[]): string;
  /** Writes these files and commits all that there is, at this time. */
  commit(files: Readonly<Record<string, string>>, at: string): Promise<void>;
}

/** A real git repository with one commit. */
export async function repositoryOf(
  files: Readonly<Record<string, string>> = FILES,
  at: string = COMMITTED,
): Promise<LabRepository> {
  const dir = await temporary('repository');
  const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    execFileSync('git', ['-C', dir, '-c', 'user.name=a', '-c', 'user.email=a@localhost', ...args], {
      encoding: 'utf8',
      env: { PATH, HOME: dir, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim();
  const commit: LabRepository['commit'] = async (texts, time) => {
    for (const [path, text] of Object.entries(texts)) {
      await mkdir(dirname(join(dir, path)), { recursive: true });
      await writeFile(join(dir, path), text);
    }
    run(['add', '--all']);
    run(['commit', '--quiet', '--message=work'], { GIT_COMMITTER_DATE: time, GIT_AUTHOR_DATE: time });
  };
  run(['init', '--quiet', '--initial-branch=main']);
  await commit(files, at);
  return { dir, git: (...args) => run(args), commit };
}

/** What does tasks again with a model behind this address. */
export function replayAt(url: string, more: Partial<ReplayParts> = {}): Replay {
  return createReplay({
    model: createOpenAiModel({ baseUrl: url, apiKey: 'none', model: 'scripted', retries: 0 }),
    prompts: createPrompts({ packageDir: knackPackage.prompts, overridable: [] }),
    sandbox: createSandbox({ mode: 'bubblewrap', path: PATH, timeoutSeconds: 20 }),
    environment: { path: PATH, home: '/nowhere' },
    limits: { maxTurns: 5, maxTokens: 100_000, contextTokens: 128_000 },
    disclosure: { catalogTokens: 2000, turnTokens: 600, sessionTokens: 6000, pinned: [] },
    now: () => new Date('2026-02-01T00:00:00Z'),
    ...more,
  });
}

export function requestOf(folder: string, more: Partial<ReplayRequest> = {}): ReplayRequest {
  return { session: 's1', task: 'Make the state right.', command: CHECK, folder, began: BEGAN, ...more };
}

export const hasSkill = (body: ChatBody) =>
  body.messages.some(({ content }) => content?.includes('<skill_content'));

/** An agent that runs these commands, one after another, and then says that it is done. */
export function working(commands: readonly string[], when: (body: ChatBody) => boolean = () => true): Step[] {
  return [
    ...commands.map(
      (command): Step => ({ when, toolCalls: [{ name: 'run_command', arguments: { command } }] }),
    ),
    { when, text: 'I have looked at it.' },
  ];
}
