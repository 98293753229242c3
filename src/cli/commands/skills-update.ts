import type { Command } from 'commander';
import { KnackError } from '../../errors.ts';
import { judgedFields } from '../../transfer/import-gate.ts';
import type { Updated } from '../../transfer/update.ts';
import type { Act } from '../command.ts';
import { conflictLines } from '../conflict-lines.ts';
import { findingLines } from '../finding-lines.ts';
import { judgeMode, judgingLines } from '../judging-view.ts';
import { collect, overridesOf, unusedOverrides } from '../options.ts';
import type { Output } from '../output.ts';
import { inOneLine } from '../project-notes.ts';
import { withWorkspace } from '../with-runtime.ts';

interface Options {
  readonly to?: string;
  readonly dryRun?: boolean;
  readonly judge?: boolean;
  readonly ours?: boolean;
  readonly theirs?: boolean;
  readonly allow: string[];
  readonly why: string[];
}

export function configure(command: Command, act: Act): void {
  command
    .argument(
      '[names...]',
      'skills, or folders of imports that are only read (default: all that were brought in)',
    )
    .option(
      '--to <ref>',
      'follow the source at this branch, tag or commit from now on; HEAD is its default branch',
    )
    .option('--dry-run', 'show what would be done and write nothing')
    .option('--ours', 'where the same lines changed here and at the source, and there alone, keep yours')
    .option('--theirs', 'where the same lines changed here and at the source, and there alone, take theirs')
    .option('--judge', 'have a model judge all that changed, however many tokens that takes')
    .option('--no-judge', 'the static checks alone')
    .option('--allow <rule>', 'override a rule of the gate, with --why; may be repeated', collect, [])
    .option(
      '--why <text>',
      'why the rules are overridden: once for all, or once for each --allow',
      collect,
      [],
    )
    .action(
      act(async (context, names: string[], options: Options) => {
        if (options.ours === true && options.theirs === true)
          throw new KnackError('usage', '--ours and --theirs exclude each other');
        if (options.to !== undefined && names.length === 0)
          throw new KnackError('usage', '--to needs the names of skills: not every source has the same tags');
        const allow = overridesOf(options);
        const judge = judgeMode(options);
        return withWorkspace(context, async (runtime) => {
          const { updateSkills } = await import('../../transfer/update.ts');
          const parts = await runtime.transfer({
            signal: context.signal,
            onProgress: (line, isMilestone) => context.output.progress(line, isMilestone),
          });
          const { skills: updated, judging } = await updateSkills(parts, {
            names,
            dryRun: options.dryRun === true,
            prefer: options.ours === true ? 'ours' : options.theirs === true ? 'theirs' : undefined,
            to: options.to,
            allow,
            judge,
          });
          const findings = updated.flatMap(({ gate }) => gate?.findings ?? []);
          for (const line of unusedOverrides(allow, findings)) context.output.note(line);
          const cut = names.length > 0 ? undefined : await parts.history.cut(undefined);
          context.output.result(
            { skills: updated.map(publicUpdate), judging, ...(cut === undefined ? {} : { cut }) },
            () =>
              [
                updated.length === 0 && cut !== undefined
                  ? `nothing to update: which skills were brought in cannot be told: ${cut}`
                  : render(updated, context.output),
                ...judgingLines(judging, options.dryRun === true),
              ].join('\n'),
          );
          if (updated.length > 0 && cut !== undefined)
            context.output.note(`note: skills that were brought in before are not among them: ${cut}`);
          return updated.some(({ outcome }) => ['conflict', 'dirty', 'refused', 'failed'].includes(outcome))
            ? 1
            : 0;
        });
      }),
    );
}

function publicUpdate({ gate, ...update }: Updated): object {
  return {
    ...update,
    ...judgedFields(gate),
    ...(gate === undefined ? {} : { findings: gate.findings }),
  };
}

const COLOUR = {
  updated: 'green',
  'would-update': 'green',
  kept: 'green',
  'would-keep': 'green',
  unchanged: 'dim',
  'removed-at-source': 'yellow',
  conflict: 'red',
  dirty: 'red',
  refused: 'red',
  failed: 'red',
} as const;

function render(updated: readonly Updated[], output: Output): string {
  if (updated.length === 0)
    return 'nothing to update: no skill here was brought in; knack skills add SOURCE brings one in';
  const changed = updated.filter(({ outcome, reason }) => outcome !== 'unchanged' || reason !== undefined);
  const count = updated.length - changed.length;
  return [
    ...changed.flatMap((update) => linesOf(update, output)),
    ...(changed.some(({ outcome }) => outcome === 'conflict')
      ? [
          'a skill with a conflict stays as it is. --ours or --theirs says which side wins in those lines alone, all else is merged. To merge by hand: write into your skill what it is to hold, commit it, then update it with --ours',
        ]
      : []),
    ...(changed.some(({ outcome }) => outcome === 'refused')
      ? [
          'a skill that the gate refuses stays as it is; --allow RULE --why TEXT takes it all the same, and the rule and the reason are kept',
        ]
      : []),
    ...(count > 0 ? [`${count} unchanged: nothing new at the source`] : []),
  ].join('\n');
}

function linesOf(update: Updated, output: Output): string[] {
  const { name, outcome, from, to, reason, files, conflicts, gate } = update;
  const numbers = to === undefined ? '' : ` ${from === undefined || from === to ? to : `${from} → ${to}`}`;
  const said = outcome === 'kept' ? 'kept yours' : outcome === 'would-keep' ? 'would keep yours' : outcome;
  const lines = conflicts?.flatMap((conflict) => conflictLines(conflict, output));
  return [
    `${output.style(COLOUR[outcome], said)} ${name}${inOneLine(numbers)}${reason === undefined ? '' : `: ${inOneLine(reason)}`}${files === undefined || files.length === 0 ? '' : ` (${inOneLine(files.join(', '))})`}`,
    ...(lines ?? []),
    ...(gate === undefined ? [] : findingLines(gate.findings, output)),
  ];
}
