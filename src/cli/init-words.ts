import type { Environment } from '../config.ts';
import { locateWorkspace } from '../workspace.ts';
import type { CommandContext } from './command.ts';
import { asWord, inOneLine } from './project-notes.ts';

/** The command that makes this workspace, or with `--roots` adds to it; without its path where that is the usual one. */
export function initWords(
  { workspace, environment }: { readonly workspace: string | undefined; readonly environment: Environment },
  ...options: readonly string[]
): string {
  const { dir } = locateWorkspace(workspace, environment);
  const usual = locateWorkspace(undefined, { ...environment, workspace: undefined }).dir;
  return ['knack', 'init', ...(dir === usual ? [] : [asWord(inOneLine(dir))]), ...options].join(' ');
}

/** What to do about a workspace that is not there. */
export function whereToInit(context: CommandContext): string {
  const asked =
    context.workspace !== undefined
      ? '--workspace'
      : context.environment.workspace !== undefined
        ? 'KNACK_WORKSPACE'
        : undefined;
  return asked === undefined
    ? `\`${initWords(context)}\` makes one`
    : `see whether ${asked} is right; \`${initWords(context)}\` makes one there`;
}
