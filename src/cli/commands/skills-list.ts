import type { Command } from 'commander';
import type { LibraryEntry } from '../../library/library.ts';
import type { Act } from '../command.ts';
import { onlyRoot } from '../options.ts';
import { table } from '../output.ts';
import { withRuntime } from '../with-runtime.ts';

export function configure(command: Command, act: Act): void {
  command
    .option('--all', 'also skills that are shadowed or refused, and why')
    .option('--root <dir>', 'look at this folder alone')
    .action(
      act(async (context, options: { all?: boolean; root?: string }) =>
        withRuntime(
          context,
          async (runtime) => {
            const library = await runtime.library();
            const rows = library.entries
              .filter((entry) => options.all || entry.state === 'listed')
              .map(describe);
            context.output.result({ skills: rows, problems: library.problems }, () =>
              rows.length === 0
                ? 'no skills; put one into the workspace or add a root to knack.json'
                : table(
                    rows.map((row) => [
                      row.name,
                      row.version ?? '-',
                      row.root,
                      options.all ? `${row.state}${row.why ? `: ${row.why}` : ''}` : row.description,
                    ]),
                  ),
            );
            for (const problem of library.problems)
              context.output.note(`${problem.severity}: ${problem.message}`);
            return 0;
          },
          onlyRoot(options.root, context.cwd),
        ),
      ),
    );
}

function describe(entry: LibraryEntry) {
  if (entry.state === 'refused') {
    return {
      name: '-',
      version: undefined,
      state: entry.state,
      root: entry.root.name,
      path: entry.path,
      description: '',
      why: `${entry.path}: ${entry.problems.map((problem) => problem.message).join('; ')}`,
    };
  }
  const { name, path, description, version, tags, strict } = entry.skill;
  const why = entry.state === 'shadowed' ? `by ${entry.by}` : entry.problem?.message;
  return {
    name,
    state: entry.state,
    root: entry.root.name,
    path,
    description,
    tags,
    strict,
    ...(version ? { version } : {}),
    ...(why ? { why } : {}),
  };
}
