import type { Command } from 'commander';
import { copiedFrom } from '../../history/copied.ts';
import { whyDeleted } from '../../history/deleted.ts';
import { leastTrusted } from '../../history/trust.ts';
import { counted } from '../../text/counted.ts';
import type { Act } from '../command.ts';
import { overrideLines } from '../commit-view.ts';
import { wholeNumber } from '../options.ts';
import { inOneLine } from '../project-notes.ts';
import { historyOf } from '../skill-history.ts';
import { withLookingRuntime } from '../with-runtime.ts';

export function configure(command: Command, act: Act): void {
  command
    .argument('[name]', 'a skill; without it, all of the workspace')
    .option('--limit <n>', 'most revisions', wholeNumber, 100)
    .action(
      act(async (context, name: string | undefined, options: { limit: number }) =>
        withLookingRuntime(context, async (runtime) => {
          const history = await runtime.history();
          const all =
            name === undefined ? await history.logAll() : (await historyOf(runtime, name)).revisions;
          const revisions = all.slice(0, options.limit);
          const cut = await history.cut(name);
          const about = { ...(name === undefined ? {} : { name }), ...(cut === undefined ? {} : { cut }) };
          context.output.result({ ...about, revisions }, () =>
            revisions.length === 0
              ? 'no revisions yet'
              : revisions
                  .map((revision) => {
                    const { style } = context.output;
                    const sessions = revision.sessions.map(
                      (session) => `${session.id} (${session.events.join(', ')})`,
                    );
                    const trust = leastTrusted(revision.operations.flatMap((each) => each.trust ?? []));
                    return [
                      `${style('bold', inOneLine(`${revision.skill} ${revision.version}`))}  ${revision.sha.slice(0, 10)}  ${revision.date}  ${copiedFrom([revision]) === 'bundled' ? 'bundled' : revision.actor}`,
                      `    ${inOneLine(revision.what)}`,
                      ...(revision.why ? [`    why: ${revision.why.replaceAll('\n', '\n         ')}`] : []),
                      ...(revision.gate ? [`    gate: ${revision.gate}`] : []),
                      ...overrideLines(revision.overrides).map((line) => `    ${line}`),
                      ...(sessions.length > 0 ? [`    taught by ${inOneLine(sessions.join('; '))}`] : []),
                      ...(trust === undefined ? [] : [`    least trusted voice in it: ${trust}`]),
                    ].join('\n');
                  })
                  .concat(
                    all.length > revisions.length
                      ? [`${counted(all.length - revisions.length, 'older one')}: --limit ${all.length}`]
                      : [],
                  )
                  .join('\n'),
          );
          if (cut !== undefined) context.output.note(`note: ${cut}`);
          const deleted = name === undefined ? undefined : await whyDeleted(history, name);
          if (deleted !== undefined) context.output.note(`note: ${deleted}`);
          return 0;
        }),
      ),
    );
}
