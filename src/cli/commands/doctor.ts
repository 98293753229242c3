import type { Command } from 'commander';
import type { Act } from '../command.ts';
import { diagnose } from '../doctor.ts';
import { inOneLine } from '../project-notes.ts';

const EXIT = '\nExit code 1: a fault, or descriptions that are cut from the catalog; any other warning is 0.';

export function configure(command: Command, act: Act): void {
  command
    .addHelpText('after', EXIT)
    .option('--verbose', 'each thing that a line counts')
    .action(
      act(async (context, options: { verbose?: boolean }) => {
        const checks = await diagnose(context);
        const failed = checks.filter((check) => check.state === 'fault').length;
        const colour = { ok: 'green', warning: 'yellow', fault: 'red' } as const;
        context.output.result({ checks, faults: failed }, () =>
          checks
            .map((check) =>
              [
                `${context.output.style(colour[check.state], check.state.padEnd(8))} ${check.what}: ${inOneLine(check.message)}`,
                ...(options.verbose === true && check.details !== undefined
                  ? check.details
                  : check.remedy
                    ? [check.remedy]
                    : []
                ).map((line) => `         ${inOneLine(line)}`),
              ].join('\n'),
            )
            .join('\n'),
        );
        return failed === 0 && !checks.some((check) => check.needsLook) ? 0 : 1;
      }),
    );
}
