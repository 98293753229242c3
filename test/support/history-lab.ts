import { execFileSync } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Folder } from '../../src/files/folder.ts';
import { createHistory, type History } from '../../src/history/history.ts';
import type { Change } from '../../src/history/revision.ts';
import { folderOf, skillText, temporary } from './skills.ts';

const PATH = process.env['PATH'] ?? '';

/** A root of skills with a person's git beside it. */
export interface HistoryLab {
  readonly root: string;
  readonly history: History;
  git(...args: string[]): string;
  /** Commits all that stands, as a person does. */
  commitAll(message: string): void;
  /** A history whose git runs `script`, lines of a `case`, before each command that they name. */
  withGit(script: string): Promise<History>;
}

export async function openLab(name: string): Promise<HistoryLab> {
  const home = await temporary(name);
  const root = join(home, 'skills');
  const environment = { home, path: PATH };
  const history = createHistory({ root, environment });
  await history.open();
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', root, '-c', 'user.name=p', '-c', 'user.email=p@localhost', ...args], {
      encoding: 'utf8',
      env: { PATH, HOME: home, GIT_CONFIG_NOSYSTEM: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim();
  return {
    root,
    history,
    git,
    commitAll(message) {
      git('add', '-A');
      git('commit', '-qm', message);
    },
    async withGit(script) {
      const bin = await temporary('bin');
      await mkdir(bin, { recursive: true });
      await writeFile(
        join(bin, 'git'),
        `#!/bin/sh\ncase "$*" in ${script} esac\nPATH='${PATH}' exec git "$@"\n`,
      );
      await chmod(join(bin, 'git'), 0o755);
      return createHistory({ root, environment: { home, path: `${bin}:${PATH}` } });
    },
  };
}

/** A version of the skill `csv`. */
export function csv(version: string, body: string, more: Readonly<Record<string, string>> = {}): Folder {
  return folderOf({ 'SKILL.md': skillText('csv', body, { version }), ...more });
}

/** A change of it by the reviewer. */
export function changeOf(base: Folder | undefined, target: Folder, to: string): Change {
  return {
    skill: 'csv',
    base,
    target,
    to,
    what: `change to ${to}`,
    why: 'because',
    actor: 'reviewer',
    sessions: [],
    operations: [],
  };
}
