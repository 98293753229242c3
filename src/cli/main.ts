#!/usr/bin/env node
import { knackPackage } from '../workspace.ts';
import { watchOutput } from './output-faults.ts';

/**
 * The entry of the bin. `--version` is answered before anything else is loaded; every command is loaded only
 * when it is the one that was asked for.
 */
const argv = process.argv.slice(2);
if (argv.length === 1 && ['--version', '-V', '-v', 'version'].includes(argv[0] ?? '')) {
  const broken = watchOutput(() => undefined);
  process.stdout.write(`${knackPackage.version}\n`);
  process.exitCode = (await broken.exitCode()) ?? 0;
} else {
  const { runCommandLine } = await import('./command-line.ts');
  process.exitCode = await runCommandLine(argv);
}
