import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import { KnackError } from '../../errors.ts';
import type { Finding, GateResult } from '../../gate/gate.ts';
import { discoverSkills } from '../../library/reading/discover.ts';
import type { Act, CommandContext } from '../command.ts';
import { collect, overridesOf } from '../options.ts';
import { inOneLine } from '../project-notes.ts';
import { withLookingRuntime, withOwnWorkspace } from '../with-runtime.ts';

interface Options {
  readonly base?: string;
  readonly draft?: string;
  readonly evidence: string[];
  readonly judge: boolean;
  readonly replay?: boolean;
  readonly unsandboxed?: boolean;
  readonly allow: string[];
  readonly why: string[];
}

export function configure(command: Command, act: Act): void {
  command
    .argument('<dir>', 'a skill folder: a change of yours, a pull request, an import')
    .option(
      '--base <dir>',
      'what it changes: a folder, or "none" (default: the skill of that name in the library)',
    )
    .option('--draft <file>', 'the draft.json that it came from')
    .option('--evidence <transcript>', 'a transcript that the draft cites; may be repeated', collect, [])
    .option('--no-judge', 'static checks and tests alone')
    .option('--replay', 'have the task of a transcript done again, with and without the change; costs tokens')
    .option('--unsandboxed', 'run tests without bubblewrap')
    .option('--allow <rule>', 'override a rule, with --why; may be repeated', collect, [])
    .option(
      '--why <text>',
      'why the rules are overridden: once for all, or once for each --allow',
      collect,
      [],
    )
    .action(
      act(async (context, dir: string, options: Options) => {
        const allow = overridesOf(options);
        refuseMany(resolve(context.cwd, dir));
        const base = options.base === 'none' ? undefined : options.base;
        if (base !== undefined && !existsSync(resolve(context.cwd, base)))
          throw new KnackError(
            'not-found',
            `the base ${resolve(context.cwd, base)} does not exist; expected a folder, or "none" for a new skill`,
          );
        // An override is written down.
        const open = allow.length > 0 ? withOwnWorkspace : withLookingRuntime;
        return open(context, async (runtime) => {
          const decided = await runtime.gateFolder({
            dir: resolve(context.cwd, dir),
            ...(options.base === undefined
              ? {}
              : { base: options.base === 'none' ? ('none' as const) : resolve(context.cwd, options.base) }),
            ...(options.draft === undefined ? {} : { draft: resolve(context.cwd, options.draft) }),
            evidence: options.evidence.map((file) => resolve(context.cwd, file)),
            judge: options.judge,
            replay: options.replay === true,
            unsandboxed: options.unsandboxed === true,
            allow,
            signal: context.signal,
          });
          const result = options.judge ? decided : { ...decided, notRun: decided.notRun.map(judgeNotAsked) };
          context.output.result(publicResult(result), () => renderGate(result, context.output));
          return result.verdict === 'pass' ? 0 : 1;
        });
      }),
    );
}

const FEW = { depth: 4, folders: 500, skills: 100, loose: 0 };

/** A folder of skills is no skill, and each file in it would be one that belongs to none. */
function refuseMany(dir: string): void {
  if (statSync(dir, { throwIfNoEntry: false })?.isDirectory() !== true) return;
  const [first, ...others] = discoverSkills(dir, FEW).files;
  if (first === undefined || dirname(first.path) === dir) return;
  throw new KnackError(
    'usage',
    `${dir} is a folder of skills and no skill itself: the gate checks one at a time, such as ${dirname(first.path)}${others.length === 0 ? '' : ` (there are ${others.length === FEW.skills - 1 ? 'many' : others.length + 1})`}`,
  );
}

function judgeNotAsked(each: GateResult['notRun'][number]): GateResult['notRun'][number] {
  return each.check === 'judge' ? { ...each, why: 'not asked for (--no-judge)' } : each;
}

function publicResult({ verdict, findings, notRun, usage }: GateResult) {
  return { verdict, findings, notRun, tokens: usage.promptTokens + usage.completionTokens };
}

/** A verdict with its findings as a person reads them. */
export function renderGate(result: GateResult, { style }: CommandContext['output']): string {
  const colour = { pass: 'green', reject: 'red', ask: 'yellow' } as const;
  return [
    ...result.findings.map(
      (finding) =>
        `  ${mark(finding)} ${finding.check}/${finding.rule}${inOneLine(`${place(finding)}: ${finding.message}${finding.allowed === undefined ? '' : `; let pass: ${finding.allowed}`}`)}`,
    ),
    ...result.notRun.map(({ check, why }) => style('dim', `  not run: ${check} (${inOneLine(why)})`)),
    `verdict: ${style(colour[result.verdict], result.verdict)}`,
  ].join('\n');
}

function mark(finding: Finding): string {
  if (finding.old) return 'old   ';
  if (finding.allowed !== undefined) return 'allowed';
  return finding.severity.padEnd(6);
}

function place(finding: Finding): string {
  if (finding.file === undefined) return '';
  return ` ${finding.file}${finding.line === undefined ? '' : `:${finding.line}`}`;
}
