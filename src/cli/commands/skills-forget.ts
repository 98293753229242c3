import { type Command, Option } from 'commander';
import { KnackError } from '../../errors.ts';
import type { Forgetting, Forgotten } from '../../library/use/usage.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { counted } from '../../text/counted.ts';
import type { Act, CommandContext } from '../command.ts';
import { shownWhole } from '../output.ts';
import { askYesNo } from '../question.ts';
import { withOwnWorkspace } from '../with-runtime.ts';

interface ForgetOptions {
  readonly queries?: true;
  readonly coUse?: true;
  readonly all?: true;
  readonly yes?: true;
}

export function configure(command: Command, act: Act): void {
  command
    .argument('[name]', 'a skill, also one that is no longer there')
    .addOption(new Option('--queries', 'only the recorded queries; loads and co-use stay').conflicts('coUse'))
    .option('--co-use', 'only what was used together with it; loads and queries stay')
    .option('--all', 'of every skill')
    .option('--yes', 'do not ask')
    .action(
      act(async (context, name: string | undefined, options: ForgetOptions) => {
        checkUsage(context, name, options);
        return withOwnWorkspace(context, async (runtime) => {
          const usage = await runtime.usage();
          const skills = name === undefined ? undefined : await recordedNames(runtime, name);
          const part = options.queries ? 'queries' : options.coUse ? 'co-use' : undefined;
          const of = shownWhole(name ?? 'every skill');
          const asks = context.output.interactive && !options.yes;
          if (asks && !(await askYesNo(questionOf(of, part), 'nothing was changed', context))) {
            context.output.note('nothing is forgotten');
            return 1;
          }
          await runtime.makeWorkspace();
          const dropped = await usage.forget({
            ...(skills === undefined ? {} : { skills }),
            ...(part === undefined ? {} : { part }),
          });
          context.output.result({ ...(name === undefined ? {} : { name }), ...dropped }, () =>
            sentence(name === undefined ? undefined : of, dropped),
          );
          return 0;
        });
      }),
    );
}

function checkUsage({ output }: CommandContext, name: string | undefined, options: ForgetOptions): void {
  if ((name === undefined) !== (options.all === true))
    throw new KnackError(
      'usage',
      'expected either the name of a skill or --all, which forgets what was learned of every skill',
    );
  if (options.all && !options.yes && !output.interactive)
    throw new KnackError('usage', '--all forgets what was learned of every skill: give --yes to confirm it');
}

/** The names that uses of a skill were recorded under: its own, and those that are its aliases now. */
async function recordedNames(runtime: Runtime, name: string): Promise<readonly string[]> {
  const [library, usage] = [await runtime.library(), await runtime.usage()];
  const skill = library.find(name);
  if (skill !== undefined)
    return [skill.name, ...usage.mostUsed().filter((used) => library.find(used) === skill)];
  // Of a skill that is gone the uses are still there. For any other name this says which are near.
  return usage.loadsOf(name) > 0 || usage.isTried(name) ? [name] : [(await runtime.skill(name)).name];
}

function questionOf(of: string, part: Forgetting['part']): string {
  const what = {
    queries: 'the recorded queries',
    'co-use': 'what was used together',
    uses: 'everything learned from use',
  };
  return `Forget ${what[part ?? 'uses']} of ${of}?`;
}

/** Without a name, of every skill. */
function sentence(name: string | undefined, { uses, queries, pairs, trials }: Forgotten): string {
  if (uses + queries + pairs + trials === 0)
    return `there was nothing to forget${name === undefined ? ': nothing was learned of any skill' : ` of ${name}`}`;
  const forgotten = [
    [uses, 'use', 'uses'],
    [queries, 'recorded query', 'recorded queries'],
    [pairs, 'pair that was used together', 'pairs that were used together'],
    [trials, 'session in which it failed or worked', 'sessions in which it failed or worked'],
  ] as const;
  const parts = forgotten.flatMap(([count, one, many]) => (count === 0 ? [] : [counted(count, one, many)]));
  return `forgotten of ${name ?? 'every skill'}: ${parts.join(', ')}; search no longer uses it`;
}
