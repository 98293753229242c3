import { dirname } from 'node:path';
import type { Command } from 'commander';
import { KnackError } from '../../errors.ts';
import { vetoing } from '../../gate/verdict.ts';
import { counted, noun } from '../../text/counted.ts';
import type { Added, AddReport } from '../../transfer/add.ts';
import type { Decision } from '../../transfer/decide.ts';
import type { FoundSkill, SourceContent } from '../../transfer/find.ts';
import { isJudgeFailure } from '../../transfer/import-gate.ts';
import { fineLines, unfitLines } from '../added-lines.ts';
import type { Act, CommandContext } from '../command.ts';
import { findingLines } from '../finding-lines.ts';
import { judgeMode, judgingLines, wantsAllJudged } from '../judging-view.ts';
import { collect, overridesOf, unusedOverrides } from '../options.ts';
import { clip, type Output } from '../output.ts';
import { asWord, inOneLine } from '../project-notes.ts';
import { withNewWorkspace } from '../with-runtime.ts';

interface Options {
  readonly skill: string[];
  readonly path?: string;
  readonly as?: string;
  readonly list?: boolean;
  readonly yes?: boolean;
  readonly readOnly?: boolean;
  readonly dryRun?: boolean;
  readonly judge?: boolean;
  readonly allow: string[];
  readonly why: string[];
}

export function configure(command: Command, act: Act): void {
  command
    .argument(
      '<source>',
      'a folder, or the URL of a git repository with an optional #branch, #tag or #commit',
    )
    .option('--skill <name>', 'take this one; may be repeated', collect, [])
    .option('--path <folder>', 'look in this folder of the source alone')
    .option('--as <name>', 'another name for the one skill that is taken')
    .option('--list', 'show what is there and take nothing')
    .option('--yes', 'take all where there are several')
    .option('--read-only', 'keep them as a root of their own that is only read, not in the workspace')
    .option('--dry-run', 'decide and write nothing')
    .option('--judge', 'have a model judge all of them, however many tokens that takes')
    .option('--no-judge', 'the static checks alone')
    .option('--allow <rule>', 'override a rule of the gate, with --why; may be repeated', collect, [])
    .option(
      '--why <text>',
      'why the rules are overridden: once for all, or once for each --allow',
      collect,
      [],
    )
    .action(
      act(async (context, given: string, options: Options) => {
        const allow = overridesOf(options);
        const judge = judgeMode(options);
        const { parseSource } = await import('../../transfer/source.ts');
        const source = parseSource(given, context.cwd);
        return withNewWorkspace(
          context,
          async (runtime) => {
            const { addSkills, listSource } = await import('../../transfer/add.ts');
            const parts = await runtime.transfer({
              signal: context.signal,
              onProgress: (line, isMilestone) => context.output.progress(line, isMilestone),
            });
            if (options.list === true) {
              const content = await listSource(parts, { source, within: options.path });
              const skills = content.skills.map(({ name, description, path }) => ({
                name,
                description,
                path,
              }));
              context.output.result({ ...content, skills }, () => renderList(content));
              return skills.length > 0 ? 0 : 1;
            }
            const report = await addSkills(parts, {
              source,
              within: options.path,
              only: options.skill,
              as: options.as,
              readOnly: options.readOnly === true,
              dryRun: options.dryRun === true,
              allow,
              judge,
              wantsAllJudged: (plan) => wantsAllJudged(context, plan, options.yes !== true),
              wantsAll: (skills) =>
                wantsAll(context, skills, options.yes === true || options.dryRun === true),
              onDecided: (decisions, content) => showDecisions(decisions, content, context.output),
            });
            const findings = report.skills.flatMap(({ decision }) =>
              'gate' in decision ? (decision.gate?.findings ?? []) : [],
            );
            for (const line of unusedOverrides(allow, findings)) context.output.note(line);
            context.output.result(publicReport(report), () =>
              renderReport(report, { given, options }, context.output),
            );
            return report.faults.length > 0 ||
              report.skills.some(({ outcome }) => outcome === 'refused' || outcome === 'failed')
              ? 1
              : 0;
          },
          { looksOnly: options.list === true || options.dryRun === true, signal: context.signal },
        );
      }),
    );
}

async function wantsAll(
  context: CommandContext,
  skills: readonly FoundSkill[],
  yes: boolean,
): Promise<boolean> {
  if (yes || !context.output.interactive) return yes;
  context.output.print(renderList({ skills, faults: [], skipped: [] }));
  const { askYesNo } = await import('../question.ts');
  if (await askYesNo(`Take all ${skills.length}?`, 'nothing was taken', context)) return true;
  throw new KnackError('refused', 'nothing was taken; --skill NAME takes one');
}

function renderList({ skills, faults, skipped }: SourceContent): string {
  return [
    ...skills.map(
      ({ name, path, description }) => `${name}  ${inOneLine(path)}\n    ${clip(description, 200)}`,
    ),
    ...faults.map(
      ({ path, reason }) =>
        `cannot be taken: ${inOneLine(path || 'the source itself')}: ${inOneLine(reason)}`,
    ),
    ...skipped.map(inOneLine),
    `${skills.length} found${faults.length > 0 ? `, and ${faults.length} that cannot be taken` : ''}; each is checked before it is taken, and --dry-run says which would be`,
  ].join('\n');
}

/** From here on warnings are counted and not shown. */
const MOST_IN_FULL = 5;

/** All findings before anything is written. */
function showDecisions(
  decisions: readonly Decision[],
  { faults, skipped }: Pick<SourceContent, 'faults' | 'skipped'>,
  output: Output,
): void {
  for (const line of skipped) output.note(inOneLine(line));
  if (output.json) return;
  const isMany = decisions.length > MOST_IN_FULL;
  let unshown = 0;
  for (const decision of decisions) {
    const findings = decision.kind === 'unchanged' ? [] : (decision.gate?.findings ?? []);
    const shown = findings.filter(({ severity }) => !isMany || severity !== 'warn');
    unshown += findings.filter(({ severity }) => isMany && severity === 'warn').length;
    const lines = findingLines(shown, output);
    if (lines.length > 0) output.print([decision.name, ...lines].join('\n'));
  }
  if (unshown > 0)
    output.print(
      `${counted(unshown, 'warning is', 'warnings are')} not shown; --json has ${noun(unshown, 'it', 'them')}, and so has --skill NAME`,
    );
  for (const { path, reason } of faults)
    output.print(
      `${output.style('red', 'cannot be taken')}: ${inOneLine(path || 'the source itself')}: ${inOneLine(reason)}`,
    );
}

interface Asked {
  readonly given: string;
  readonly options: Options;
}

/** Of the refused ones; --json has all findings. */
const MOST_COMMANDS = 3;

/** The whole command that takes a skill all the same, for each that the gate refused. */
function overriding(skills: readonly Added[], { given, options }: Asked): string[] {
  const commands = skills.flatMap(({ decision }) => {
    if (decision.kind !== 'refused' || decision.gate === undefined) return [];
    const standing = vetoing(decision.gate);
    const failed = standing.some(isJudgeFailure);
    const rules = new Set([
      ...options.allow,
      ...standing.filter(({ check }) => !failed || check !== 'judge').map(({ rule }) => rule),
    ]);
    const words = [
      ['knack', 'skills', 'add', given, '--skill', decision.found.name],
      options.path === undefined ? [] : ['--path', options.path],
      options.as === undefined ? [] : ['--as', options.as],
      options.readOnly === true ? ['--read-only'] : [],
      failed ? ['--no-judge'] : options.judge === true ? ['--judge'] : [],
      [...rules].flatMap((rule) => ['--allow', rule]),
    ].flat();
    return [
      `    ${words.map((word) => asWord(inOneLine(word))).join(' ')}${rules.size > 0 ? ' --why TEXT' : ''}`,
    ];
  });
  if (commands.length === 0) return [];
  const more = commands.length > MOST_COMMANDS ? ['    and so with the others'] : [];
  return [
    'to take one all the same, once you have read those places (the rules and the reason are kept in the ledger and the commit):',
    ...commands.slice(0, MOST_COMMANDS),
    ...more,
  ];
}

function renderReport(
  { skills, judging, source, root, faults }: AddReport,
  asked: Asked,
  output: Output,
): string {
  const count = (outcome: Added['outcome']) => skills.filter((skill) => skill.outcome === outcome).length;
  const refused = count('refused') + faults.length;
  return [
    ...fineLines(skills, output),
    ...judgingLines(judging, asked.options.dryRun === true),
    ...unfitLines(skills, output),
    ...overriding(skills, asked),
    `${count('added') + count('would-add')} ${count('would-add') > 0 ? 'would be added' : 'added'}${count('unchanged') > 0 ? `, ${count('unchanged')} there already` : ''}${refused > 0 ? `, ${refused} refused` : ''}${count('failed') > 0 ? `, ${count('failed')} failed` : ''}, from ${inOneLine(source)}${root === undefined ? '' : ` to ${inOneLine(root)}`}`,
    ...(root !== undefined && count('added') > 0
      ? [`to be rid of them, remove ${asWord(inOneLine(dirname(root)))}`]
      : []),
  ].join('\n');
}

function publicReport(report: AddReport): object {
  return {
    ...report,
    skills: report.skills.map(({ decision, ...skill }) => ({
      ...skill,
      findings: 'gate' in decision ? (decision.gate?.findings ?? []) : [],
    })),
  };
}
