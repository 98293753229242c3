import { KnackError } from '../errors.ts';
import { counted, noun } from '../text/counted.ts';
import { type JudgeMode, type JudgePlan, type JudgeSummary, MOST_UNASKED } from '../transfer/judging.ts';
import type { CommandContext } from './command.ts';
import { clip } from './output.ts';

export interface JudgeOptions {
  readonly judge?: boolean;
  readonly dryRun?: boolean;
}

/** `--judge` and `--no-judge`. Throws `usage` for a dry run with a judge, which costs as much as the real one. */
export function judgeMode({ judge, dryRun }: JudgeOptions): JudgeMode {
  if (judge === true && dryRun === true)
    throw new KnackError('usage', '--dry-run asks no judge, it says what judging takes; leave --judge out');
  if (judge !== undefined) return judge ? 'all' : 'none';
  return dryRun === true ? 'estimate' : 'capped';
}

/** Says beforehand that not all would be judged, and asks on a terminal; without one the cap holds. */
export async function wantsAllJudged(
  context: CommandContext,
  { within, of, tokens, ceiling }: JudgePlan,
  asks: boolean,
): Promise<boolean> {
  const words = `${within} of ${counted(of, 'skill')} ${noun(within, 'is', 'are')} judged unasked (at most ${MOST_UNASKED}, and ${counted(ceiling, 'token')}); judging all takes about ${counted(tokens, 'token')}`;
  if (!asks || !context.output.interactive) {
    context.output.note(`${words}: --judge does, --no-judge judges none`);
    return false;
  }
  const { askYesNo } = await import('./question.ts');
  return askYesNo(`${words}. Judge all?`, 'nothing was taken', context);
}

/** What judging cost, and which skills were not judged. */
export function judgingLines({ judged, tokens, left }: JudgeSummary, isDryRun: boolean): string[] {
  const names = clip(left.map(({ name }) => name).join(', '), 1000);
  const about = `about ${counted(
    left.reduce((sum, each) => sum + each.tokens, 0),
    'token',
  )}`;
  return [
    ...(judged === 0 && tokens === 0
      ? []
      : [`judged ${counted(judged, 'skill')}, ${counted(tokens, 'token')}`]),
    ...(left.length === 0
      ? []
      : [
          isDryRun
            ? `not judged in a dry run, and ${about} to judge: ${names}`
            : `not judged, as they are more than is judged unasked (${about}): ${names}; \`knack gate DIR --base none\` judges one where it stands`,
        ]),
  ];
}
