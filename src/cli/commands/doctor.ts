import type { Command } from 'commander';
import type { Act } from '../command.ts';
import { diagnose } from '../doctor.ts';
import { inOneLine } from '../project-notes.ts';

export function configure(command: Command, act: Act): void {
  command.action(
    act(async (context) => {
      const checks = await diagnose(context);
      const failed = checks.filter((check) => check.state === 'fault').length;
      const colour = { ok: 'green', warning: 'yellow', fault: 'red' } as const;
      context.output.result({ checks, faults: failed }, () =>
        checks
          .map(
            (check) =>
              `${context.output.style(colour[check.state], check.state.padEnd(8))} ${check.what}: ${inOneLine(check.message)}${check.remedy ? `\n         ${inOneLine(check.remedy)}` : ''}`,
          )
          .join('\n'),
      );
      return failed === 0 ? 0 : 1;
    }),
  );
}
