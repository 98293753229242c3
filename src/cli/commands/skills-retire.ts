import type { Command } from 'commander';
import { KnackError } from '../../errors.ts';
import { aliasesOf, namesOut } from '../../history/aliases.ts';
import type { CommitOutcome, History, Standing } from '../../history/history.ts';
import { giveNames } from '../../history/other-names.ts';
import type { Library, SkillRoot } from '../../library/library.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { noun } from '../../text/counted.ts';
import type { Act } from '../command.ts';
import { obstacleOf, whyNotCommitted } from '../commit-view.ts';
import { inOneLine } from '../project-notes.ts';
import { committedHistoryOf, historyOf, readOnlySkill } from '../skill-history.ts';
import { withWorkspace } from '../with-runtime.ts';

interface Options {
  readonly into?: string;
  readonly force?: boolean;
  readonly why: string;
}

export function configure(command: Command, act: Act): void {
  command
    .argument('<name>', 'a skill of the workspace')
    .option('--into <name>', 'the skill that answers to its name from now on')
    .option('--force', 'also when other skills name it or call its tools, and nothing answers for it')
    .option('--why <text>', 'kept in the commit', 'asked for by the user')
    .action(
      act(async (context, name: string, options: Options) =>
        withWorkspace(context, async (runtime) => {
          const read = await readOnlySkill(runtime, name);
          if (read !== undefined) throw notOurs(name, read.root);
          const { history, revisions } = await committedHistoryOf(runtime, name);
          if (revisions[0]?.version === 'none')
            throw new KnackError(
              'refused',
              `${name} is retired already, since ${revisions[0].date.slice(0, 10)}; \`knack skills restore ${name}\` brings it back`,
            );
          const library = await runtime.library();
          const { into, why } = options;
          const standing = await history.standing(name);
          // A folder that is gone already is what is asked for.
          const obstacle = standing.deleted === undefined ? obstacleOf(standing) : UNOBSTRUCTED;
          if (!options.force) await refuseDangling({ library, history }, name, into);
          // Before the other skill gets a name that then stays taken.
          const before =
            into === undefined || obstacle.kind !== 'unchanged'
              ? undefined
              : await handNamesOver(runtime, library, { name, into, why });
          const outcome: CommitOutcome =
            obstacle.kind !== 'unchanged'
              ? obstacle
              : before !== undefined && whyNotCommitted(String(into), before) !== undefined
                ? before
                : await takeOut(history, name, { standing, why });
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

const UNOBSTRUCTED: CommitOutcome = { kind: 'unchanged' };

/** What somebody deleted by hand is brought back first: only what stands as it was committed is taken out by a commit. */
async function takeOut(
  history: History,
  name: string,
  { standing, why }: { readonly standing: Standing; readonly why: string },
): Promise<CommitOutcome> {
  if (standing.deleted !== undefined) await history.putBack(name);
  return history.rollback(name, 'none', why);
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

async function handNamesOver(
  runtime: Runtime,
  library: Library,
  { name, into, why }: { readonly name: string; readonly into: string; readonly why: string },
) {
  const { history } = await historyOf(runtime, into);
  if (into === name) throw new KnackError('usage', `${name} cannot answer to its own name when it is gone`);
  return giveNames(history, into, { names: [name, ...(await namesOf({ library, history }, name))], why });
}

interface Parts {
  readonly library: Library;
  readonly history: History;
}

/** The names that a skill answers to beside its own; one that another has too is that one's. */
async function namesOf({ library, history }: Parts, name: string): Promise<readonly string[]> {
  return aliasesOf(name, (await history.present(name)) ?? (await history.committed(name))).filter(
    (alias) => library.find(alias)?.name === name,
  );
}

/** No alias answers for a tool that is not there; without `into` none answers for the name and those that came to it. */
async function refuseDangling(parts: Parts, name: string, into: string | undefined): Promise<void> {
  const { library, history } = parts;
  const has = new Set(into === undefined ? [] : library.find(into)?.tools.map((tool) => tool.name));
  const callers = library.skills.filter(
    (skill) =>
      skill.name !== name &&
      skill.tools.some(({ calls }) =>
        calls.some((call) => {
          const [owner = '', tool = ''] = call.split('/');
          return library.find(owner)?.name === name && !has.has(tool);
        }),
      ),
  );
  if (into !== undefined) {
    if (callers.length === 0) return;
    throw new KnackError(
      'refused',
      `${listed(callers)} ${noun(callers.length, 'calls', 'call')} tools of ${name} that ${into} does not have; give it tools of these names, or --force`,
    );
  }
  const referrers = library
    .edges()
    .filter((edge) => edge.to === name && (edge.kind === 'related' || edge.kind === 'calls'))
    .map((edge) => ({ name: edge.from }));
  if (referrers.length > 0)
    throw new KnackError(
      'refused',
      `${listed(referrers)} ${noun(referrers.length, 'names', 'name')} ${name}; say with --into which skill answers to that name, or --force`,
    );
  const gone = await namesOut(history, await namesOf(parts, name));
  if (gone.length > 0)
    throw new KnackError(
      'refused',
      `${name} answers to ${gone.join(', ')} too, which would be gone with it; say with --into which skill answers to ${noun(gone.length, 'that name', 'those names')}, restore ${noun(gone.length, 'it', 'them')} first, or --force`,
    );
}

function listed(skills: readonly { readonly name: string }[]): string {
  return [...new Set(skills.map(({ name }) => name))].slice(0, 5).join(', ');
}
