import type { Command } from 'commander';
import { KnackError } from '../../errors.ts';
import { counted } from '../../text/counted.ts';
import type { Exported } from '../../transfer/export.ts';
import { targetFolder } from '../../transfer/target-folder.ts';
import type { Act } from '../command.ts';
import type { Output } from '../output.ts';
import { inOneLine } from '../project-notes.ts';
import { withLookingRuntime } from '../with-runtime.ts';

interface Options {
  readonly to: string;
  readonly all?: boolean;
  readonly evals: boolean;
  readonly dryRun?: boolean;
}

export function configure(command: Command, act: Act): void {
  command
    .argument('[names...]', 'skills')
    .requiredOption('--to <dir>', 'the folder that they go into, made where it is missing')
    .option('--all', 'every skill of the workspace')
    .option('--no-evals', 'without their evals/')
    .option('--dry-run', 'show what would be written and write nothing')
    .action(
      act(async (context, names: string[], options: Options) => {
        if ((names.length === 0) !== (options.all === true))
          throw new KnackError('usage', 'say which skills: give their names, or --all');
        const to = targetFolder(options.to, context.cwd);
        return withLookingRuntime(context, async (runtime) => {
          const { exportSkill } = await import('../../transfer/export.ts');
          const library = await runtime.library();
          const skills =
            options.all === true ? library.skills.filter((skill) => library.rootOf(skill).writable) : [];
          for (const name of new Set(names)) skills.push(await runtime.skill(name));
          const parts = { workspace: runtime.workspace, history: await runtime.history() };
          const exported: Exported[] = [];
          for (const [index, skill] of skills.entries()) {
            if (context.signal.aborted)
              throw new KnackError('aborted', `stopped after ${index} of ${counted(skills.length, 'skill')}`);
            context.output.progress(`exporting ${index + 1} of ${skills.length}: ${skill.name}`);
            exported.push(
              await exportSkill(parts, skill, { to, evals: options.evals, dryRun: options.dryRun === true }),
            );
          }
          context.output.result({ to, skills: exported }, () =>
            exported.length === 0
              ? `nothing to export: the workspace has no skill of its own, in ${runtime.workspace.skills}`
              : exported.flatMap((each) => linesOf(each, context.output)).join('\n'),
          );
          return exported.some(({ outcome }) => outcome === 'refused') ? 1 : 0;
        });
      }),
    );
}

function linesOf({ name, dir, outcome, reason, mended, problems }: Exported, { style }: Output): string[] {
  const isWritten = outcome === 'exported' || outcome === 'would-export';
  const put = outcome === 'exported' ? 'put' : 'would be put';
  const colour = outcome === 'refused' ? 'red' : outcome === 'unchanged' ? 'dim' : 'green';
  return [
    `${style(colour, outcome)} ${name}${outcome === 'refused' ? `: ${inOneLine(reason ?? '')}` : `  ${inOneLine(dir)}`}`,
    ...(isWritten && mended.length > 0
      ? [`    ${put} into the strict form on the way (rules: ${[...new Set(mended)].join(', ')})`]
      : []),
    ...problems.map(
      ({ rule, message, line }) =>
        `    left for you: ${rule}${line === undefined ? '' : ` (line ${line})`}: ${inOneLine(message)}`,
    ),
  ];
}
