import type { Command } from 'commander';
import { noun } from '../../counted.ts';
import { KnackError } from '../../errors.ts';
import type { CommitOutcome } from '../../history/history.ts';
import { addAlias } from '../../history/ownership.ts';
import type { Library, SkillRoot } from '../../library/library.ts';
import type { Runtime } from '../../runtime.ts';
import type { Act } from '../command.ts';
import { whyNotCommitted } from '../commit-view.ts';
import { inOneLine } from '../project-notes.ts';
import { committedHistoryOf, historyOf, readOnlySkill } from '../skill-history.ts';
import { withRuntime } from '../with-runtime.ts';

interface Options {
  readonly into?: string;
  readonly force?: boolean;
  readonly why: string;
}

export function configure(command: Command, act: Act): void {
  command
    .argument('<name>', 'a skill of the workspace')
    .option('--into <name>', 'the skill that answers to its name from now on')
    .option('--force', 'also when other skills name it as related and nothing answers to its name')
    .option('--why <text>', 'kept in the commit', 'asked for by the user')
    .action(
      act(async (context, name: string, options: Options) =>
        withRuntime(context, async (runtime) => {
          const read = await readOnlySkill(runtime, name);
          if (read !== undefined) throw notOurs(name, read.root);
          const { history, revisions } = await committedHistoryOf(runtime, name);
          if (revisions[0]?.version === 'none')
            throw new KnackError(
              'refused',
              `${name} is retired already, since ${revisions[0].date.slice(0, 10)}; \`knack skills restore ${name}\` brings it back`,
            );
          const library = await runtime.library();
          const { into } = options;
          if (into === undefined && !options.force) refuseDangling(library, name);
          const why = options.why;
          const before = into === undefined ? undefined : await alias(runtime, library, { name, into, why });
          const outcome =
            before !== undefined && whyNotCommitted(String(into), before) !== undefined
              ? before
              : await history.rollback(name, 'none', why);
          await library.refresh();
          const behind = outcome.kind === 'committed' ? await readOnlySkill(runtime, name) : undefined;
          context.output.result(
            {
              skill: name,
              ...(into ? { into } : {}),
              ...(before?.kind === 'committed' ? { intoVersion: before.revision.version } : {}),
              outcome,
            },
            () =>
              whyNotCommitted(outcome === before ? String(into) : name, outcome) ??
              `${name} is retired${into ? `, ${into} answers to its name${numberOf(before)}` : ''}; \`knack skills restore ${name}\` brings it back`,
          );
          if (behind !== undefined)
            context.output.note(
              `note: that of the root ${inOneLine(behind.root.name)} stands in its place now. ${hiding(name, behind.root)}`,
            );
          return outcome.kind === 'committed' || outcome.kind === 'unchanged' ? 0 : 1;
        }),
      ),
    );
}

/** The version that the alias made; none where it was there before. */
function numberOf(outcome: CommitOutcome | undefined): string {
  return outcome?.kind === 'committed' ? ` and is ${outcome.revision.version} now` : '';
}

function notOurs(name: string, root: SkillRoot): KnackError {
  return new KnackError(
    'refused',
    `${name} is in the root "${inOneLine(root.name)}", which is only read, so it cannot be retired. ${hiding(name, root)}`,
  );
}

/** A copy that is retired lets what stands behind it come back, so that is no way. */
function hiding(name: string, root: SkillRoot): string {
  const copy = `keep it from every model with \`knack skills own ${name}\` and \`disable-model-invocation: true\` in the copy`;
  return root.name === 'bundled'
    ? `To be rid of it, ${copy}`
    : `To be rid of it, take it out of ${inOneLine(root.dir)}, or ${copy}`;
}

async function alias(
  runtime: Runtime,
  library: Library,
  { name, into, why }: { readonly name: string; readonly into: string; readonly why: string },
) {
  const { history } = await historyOf(runtime, into);
  if (into === name) throw new KnackError('usage', `${name} cannot answer to its own name when it is gone`);
  return addAlias(history, into, { alias: name, aliases: library.find(into)?.aliases ?? [], why });
}

function refuseDangling(library: Library, name: string): void {
  const referrers = library
    .edges()
    .filter((edge) => edge.to === name && (edge.kind === 'related' || edge.kind === 'calls'))
    .map((edge) => edge.from);
  if (referrers.length === 0) return;
  throw new KnackError(
    'refused',
    `${[...new Set(referrers)].slice(0, 5).join(', ')} ${noun(referrers.length, 'names', 'name')} ${name}; say with --into which skill answers to that name, or --force`,
  );
}
