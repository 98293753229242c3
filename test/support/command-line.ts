import { execFile, spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { temporary } from './skills.ts';

export const ROOT = resolve(import.meta.dirname, '../..');
export const BIN = join(ROOT, 'dist/knack.mjs');

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command line: with a workspace as its home, no model, and the end of input at once. */
export type Knack = (args: readonly string[], env?: Record<string, string>, cwd?: string) => Promise<Ran>;

/** `knack` as a process of its own, in a fresh workspace. */
export async function freshKnack(name: string): Promise<{ knack: Knack; workspace: string }> {
  const workspace = join(await temporary(name), 'workspace');
  const knack: Knack = (args, env = {}, cwd = ROOT) =>
    runProgram(process.execPath, [BIN, ...args], { workspace, env, cwd });
  return { knack, workspace };
}

/** Runs a program in the environment of `knack`. */
export function runProgram(
  program: string,
  args: readonly string[],
  { workspace, env = {}, cwd = ROOT }: { workspace: string; env?: Record<string, string>; cwd?: string },
): Promise<Ran> {
  return new Promise((done) => {
    const child = execFile(
      program,
      [...args],
      { cwd, env: environmentIn(workspace, env), maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) =>
        done({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
    );
    child.stdin?.end();
  });
}

export function environmentIn(workspace: string, env: Record<string, string> = {}): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '', HOME: workspace, KNACK_WORKSPACE: workspace, ...env };
}

/** What a terminal showed, and how the program ended. */
export interface Seen {
  readonly code: number;
  readonly screen: string;
}

/** A key press, or words with a line end, as soon as the screen shows the text that it answers. */
export type Typing = readonly [whenSeen: string, keys: string];

/** Runs `knack` on a pseudo-terminal. Each answer waits for a text that comes after the one before. */
export function onTerminal(
  args: readonly string[],
  typing: readonly Typing[],
  { workspace, env = {}, cwd = ROOT }: { workspace: string; env?: Record<string, string>; cwd?: string },
): Promise<Seen> {
  const words = [process.execPath, BIN, ...args].map((word) => `'${word.replaceAll("'", `'\\''`)}'`);
  // In place of the shell, which would answer a Ctrl-C with a code of its own.
  const command = `exec ${words.join(' ')}`;
  return new Promise((done) => {
    const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
      cwd,
      env: environmentIn(workspace, { TERM: 'dumb', SHELL: '/bin/sh', ...env }),
    });
    const open = [...typing];
    let screen = '';
    let read = 0;
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      screen += text;
      // Several may come in one piece.
      for (let next = open[0]; next !== undefined; next = open[0]) {
        const [wanted, keys] = next;
        const at = screen.indexOf(wanted, read);
        if (at < 0) return;
        read = at + wanted.length;
        open.shift();
        child.stdin.write(keys);
      }
    });
    child.on('close', (code) => done({ code: code ?? 0, screen }));
  });
}
