import type { Command } from 'commander';
import { KnackError } from '../../errors.ts';
import { askOnTerminal, tellFlag } from '../approval-question.ts';
import type { Act } from '../command.ts';
import { collect } from '../options.ts';
import { noteProject } from '../project-notes.ts';
import { createTurnView } from '../turn-view.ts';
import { withNewWorkspace } from '../with-runtime.ts';

interface Options {
  readonly allow: string[];
  readonly unsandboxed?: boolean;
  readonly skill?: string;
}

export function configure(command: Command, act: Act): void {
  command
    .argument('<task...>', 'what is to be done')
    .option(
      '--allow <pattern>',
      'allow tool calls that fit, such as "run_command:npm *"; may be repeated',
      collect,
      [],
    )
    .option('--skill <name>', 'load this skill first')
    .option('--unsandboxed', 'run commands and scripts without bubblewrap')
    .action(
      act(async (context, words: string[], options: Options) => {
        const task = words.join(' ').trim();
        if (task === '') throw new KnackError('usage', 'the task is empty: say what is to be done');
        return withNewWorkspace(context, async (runtime) => {
          const { output } = context;
          noteProject(runtime.project(), output);
          // Before anything is sent, and with the names that are near.
          if (options.skill !== undefined) await runtime.skill(options.skill);
          const conversation = await runtime.conversation({
            cwd: context.cwd,
            allow: options.allow,
            unsandboxed: options.unsandboxed === true,
            ask: async (request) =>
              output.interactive ? askOnTerminal(request, output) : tellFlag(request, output),
          });
          if (options.skill !== undefined) await conversation.loadSkill(options.skill);
          const view = createTurnView(output, runtime.config.model.assistant);
          const turn = await conversation
            .send(task, { signal: context.signal, onEvent: view.show })
            .finally(view.stop);
          await conversation.end();
          await runtime.enqueueReview(conversation.id, conversation.file);
          output.result(
            {
              session: conversation.id,
              file: conversation.file,
              stop: turn.stop,
              text: turn.text,
              ...(turn.problem === undefined ? {} : { problem: turn.problem }),
              usage: turn.usage,
            },
            () => view.end(turn),
          );
          output.note(
            runtime.config.review.autonomy === 'off'
              ? `session ${conversation.id}; it is not reviewed, since review.autonomy is "off"`
              : `session ${conversation.id}; its review waits: \`knack review\` does it now, the next \`knack chat\` in the background`,
          );
          return turn.stop === 'answer' ? 0 : 1;
        });
      }),
    );
}
