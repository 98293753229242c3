import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { KnackError, messageOf } from '../../errors.ts';
import { recordedNamesOf } from '../../library/use/recorded-names.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { counted } from '../../text/counted.ts';
import type { Act, CommandContext } from '../command.ts';
import { renderDot } from '../graph/dot.ts';
import type { GraphData } from '../graph/graph.ts';
import { graphOf } from '../graph/graph-data.ts';
import { renderGraph } from '../graph/text.ts';
import { nearDuplicatesOf } from '../near-duplicates-of.ts';
import { onlyRoot, wholeNumber } from '../options.ts';
import { inOneLine } from '../project-notes.ts';
import { withLookingRuntime } from '../with-runtime.ts';

interface GraphOptions {
  readonly depth?: number;
  readonly dot?: true;
  readonly html?: string;
  readonly similar: boolean;
  readonly root?: string;
}

export function configure(command: Command, act: Act): void {
  command
    .argument('[name]', 'a skill: its neighbourhood alone')
    .option('--depth <n>', 'edges that the neighbourhood reaches (default: 1)', wholeNumber)
    .addOption(new Option('--dot', 'in the language of Graphviz').conflicts(['html', 'json']))
    .option('--html <file>', 'as a page to look at, which needs no network')
    .option('--no-similar', 'without the edges between skills that say the same')
    .option('--root <dir>', 'of this folder alone')
    .action(
      act(async (context, name: string | undefined, options: GraphOptions) => {
        if (options.depth !== undefined && name === undefined)
          throw new KnackError('usage', '--depth needs the name of a skill');
        return withLookingRuntime(
          context,
          async (runtime) => {
            const graph = await gather(context, runtime, name, options);
            if (options.html !== undefined) await writePage(context, graph, options.html);
            else if (options.dot) context.output.print(renderDot(graph).trimEnd());
            else context.output.result(graph, (value) => renderGraph(value, context.output));
            return 0;
          },
          onlyRoot(options.root, context.cwd),
        );
      }),
    );
}

async function gather(
  context: CommandContext,
  runtime: Runtime,
  name: string | undefined,
  options: GraphOptions,
): Promise<GraphData> {
  const library = await runtime.library();
  const skill = name === undefined ? undefined : await runtime.skill(name);
  const usage = options.root === undefined ? await runtime.usage() : undefined;
  const similar = options.similar ? await nearDuplicatesOf(context, runtime, options.root === undefined) : [];
  return graphOf(library, {
    loadsOf: (each) => usage?.loadsOf(...recordedNamesOf(each, library)) ?? 0,
    similar,
    ...(skill === undefined ? {} : { around: { name: skill.name, depth: options.depth ?? 1 } }),
  });
}

async function writePage({ cwd, output }: CommandContext, graph: GraphData, file: string): Promise<void> {
  const { renderHtml } = await import('../graph/html.ts');
  const path = resolve(cwd, file);
  const page = await renderHtml(graph);
  try {
    await writeFile(path, page);
  } catch (error) {
    throw new KnackError('io', `cannot write ${path}: ${messageOf(error)}`, { cause: error });
  }
  const { nodes, edges } = graph;
  output.result(
    { file: path, nodes: nodes.length, edges: edges.length },
    () =>
      `${inOneLine(path)}: ${counted(nodes.length, 'skill')}, ${counted(edges.length, 'edge')}; open it in a browser`,
  );
}
