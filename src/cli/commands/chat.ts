import type { Command } from 'commander';
import { runChat } from '../chat-session.ts';
import type { Act, CommandContext } from '../command.ts';
import { collect } from '../options.ts';
import { withNewWorkspace } from '../with-runtime.ts';

interface Options {
  readonly resume?: string;
  readonly allow: string[];
  readonly unsandboxed?: boolean;
}

export function configure(command: Command, act: Act): void {
  command
    .option('--resume <id>', 'go on with an earlier session')
    .option('--allow <pattern>', 'allow tool calls that fit; may be repeated', collect, [])
    .option('--unsandboxed', 'run commands and scripts without bubblewrap')
    .action(
      act(async (context: CommandContext, options: Options) =>
        withNewWorkspace(context, (runtime) => runChat(runtime, context, options), {
          logReload: (line) => context.output.note(line),
        }),
      ),
    );
}
