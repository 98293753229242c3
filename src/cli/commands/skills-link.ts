import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { KnackError } from '../../errors.ts';
import { nearNames } from '../../library/near-names.ts';
import type { PlaceState, Project } from '../../library/project/project.ts';
import { AGENT_FOLDERS, isAgent } from '../../transfer/agents.ts';
import type { Linked } from '../../transfer/link.ts';
import { targetFolder } from '../../transfer/target-folder.ts';
import type { Act, CommandContext } from '../command.ts';
import { collect } from '../options.ts';
import type { Output } from '../output.ts';
import { inOneLine } from '../project-notes.ts';
import { withLookingRuntime, withOwnWorkspace } from '../with-runtime.ts';

interface Options {
  readonly to?: string;
  readonly agents: string[];
  readonly project?: boolean;
  readonly copy?: boolean;
  readonly symlink?: boolean;
  readonly remove?: boolean;
  readonly dryRun?: boolean;
}

export function configure(command: Command, act: Act): void {
  command
    .argument('[names...]', 'skills (default: every skill of the workspace)')
    .option('--to <dir>', 'the folder in which an agent looks for skills')
    .option(
      '--agents <name>',
      `for this agent: ${Object.keys(AGENT_FOLDERS).join(', ')}; may be repeated (default: those that have a folder)`,
      collect,
      [],
    )
    .option('--project', 'in the present folder, not in the home folder, as copies')
    .option('--copy', 'copies in place of links')
    .option('--symlink', 'links also with --project')
    .option('--remove', 'take away again what this command made')
    .option('--dry-run', 'show what would be done and write nothing')
    .action(
      act(async (context, names: string[], options: Options) => {
        if (options.copy === true && options.symlink === true)
          throw new KnackError('usage', '--copy and --symlink exclude each other');
        const folders = foldersOf(context, options);
        // A link that leads out of a project is nothing to whoever clones it, and ends the trust in its skills.
        const copy = options.copy === true || (options.project === true && options.symlink !== true);
        return (options.dryRun === true ? withLookingRuntime : withOwnWorkspace)(context, async (runtime) => {
          const { linkSkills } = await import('../../transfer/link.ts');
          const library = await runtime.library();
          const skills =
            names.length === 0 ? library.skills.filter((skill) => library.rootOf(skill).writable) : [];
          if (options.remove !== true)
            for (const name of new Set(names)) skills.push(await runtime.skill(name));
          const { links, dir } = runtime.workspace;
          const writes = options.dryRun !== true && (skills.length > 0 || existsSync(dir));
          if (writes) await runtime.makeWorkspace();
          const linked = await linkSkills(links, {
            folders,
            skills,
            copy,
            own: [
              runtime.workspace.skills,
              runtime.workspace.imports,
              ...library.skills.map(({ dir }) => dir),
            ],
            ...(options.remove === true ? { remove: names } : {}),
            dryRun: !writes,
          });
          context.output.result({ folders, written: options.dryRun !== true, skills: linked }, () =>
            render(linked, { folders, options, output: context.output }),
          );
          if (options.project === true && options.dryRun !== true)
            noteProject(linked, stateIn(runtime.project(), context.cwd), context.output);
          return linked.some(({ outcome }) => outcome === 'refused') ? 1 : 0;
        });
      }),
    );
}

/** Throws `usage` for agents that are not known, `not-found` where none has a folder and none is named. */
function foldersOf({ cwd, environment }: CommandContext, { to, agents, project }: Options): string[] {
  if (to !== undefined) {
    if (agents.length > 0 || project === true)
      throw new KnackError('usage', '--to names the folder itself: leave out --agents and --project');
    return [targetFolder(to, cwd)];
  }
  const base = project === true ? cwd : environment.home;
  const known = Object.keys(AGENT_FOLDERS).filter(isAgent);
  const wanted = agents.flatMap((text) => text.split(',')).map((name) => name.trim());
  const unknown = wanted.find((name) => !isAgent(name));
  if (unknown !== undefined) {
    const near = nearNames(unknown, known);
    throw new KnackError(
      'usage',
      `no agent "${unknown}" is known${near.length > 0 ? `; did you mean ${near.join(', ')}?` : `; there are ${known.join(', ')}`} (--to DIR names any folder)`,
    );
  }
  const chosen =
    wanted.length > 0
      ? wanted.filter(isAgent)
      : known.filter((name) => existsSync(dirname(join(base, AGENT_FOLDERS[name]))));
  if (chosen.length === 0)
    throw new KnackError(
      'not-found',
      `no agent has a folder in ${base} (${known.map((name) => dirname(AGENT_FOLDERS[name])).join(', ')}), so nothing was made; --agents NAME makes it, --to DIR names another`,
    );
  return [...new Set(chosen)].map((name) => join(base, AGENT_FOLDERS[name]));
}

function render(
  linked: readonly Linked[],
  { folders, options, output }: { folders: readonly string[]; options: Options; output: Output },
): string {
  const where = folders.join(', ');
  if (linked.length === 0)
    return options.remove === true
      ? `nothing to take away: this command made nothing in ${where}`
      : `nothing to link: the workspace has no skill of its own; give names, or bring some in with knack skills add`;
  const unchanged = linked.filter(({ outcome }) => outcome === 'unchanged').length;
  return [
    ...linked
      .filter(({ outcome }) => outcome !== 'unchanged')
      .map(
        ({ name, path, outcome, reason }) =>
          `${output.style(outcome === 'refused' ? 'red' : 'green', outcome)} ${name}${reason === undefined ? `  ${inOneLine(path)}` : `: ${inOneLine(reason)}`}`,
      ),
    ...(unchanged > 0 ? [`${unchanged} there already, in ${where}`] : []),
    ...(options.dryRun === true ? ['nothing was written'] : []),
  ].join('\n');
}

/** Of the folder itself, as it is now; undefined where it holds nothing for an agent. */
function stateIn({ places }: Project, dir: string): PlaceState['state'] | undefined {
  const real = realpathSync(dir);
  return places.find(({ place }) => place.dir === real)?.state;
}

/** What changed in a project concerns its repository and the trust in it. */
function noteProject(
  linked: readonly Linked[],
  state: PlaceState['state'] | undefined,
  output: Output,
): void {
  const has = (wanted: Linked['outcome']) => linked.some(({ outcome }) => outcome === wanted);
  if (has('linked'))
    output.note(
      'links lead out of this project: git status shows them, they are nothing to whoever clones it, and knack trusts no project that has some; without --symlink you get copies',
    );
  if (has('copied'))
    output.note(
      'copies are files of this project: git status shows them until they are committed or ignored',
    );
  if (!has('linked') && !has('copied') && !has('removed')) return;
  if (state === 'changed')
    output.note(
      `the skills of this project are no longer what you trusted, so knack uses none of them: ${has('linked') ? 'take the links away with --remove, and then ' : ''}run knack trust again`,
    );
  if (state === 'untrusted' && !has('linked'))
    output.note(
      'this project was never trusted, so knack itself uses no skill of it: knack trust shows and takes them',
    );
}
