import { existsSync, realpathSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import type { Command } from 'commander';
import { loadConfig } from '../../config.ts';
import { KnackError } from '../../errors.ts';
import { placesAround, stateOf } from '../../library/project/project.ts';
import { readProjectContent } from '../../library/project/project-content.ts';
import { openTrustStore, type TrustRecord, type TrustStore } from '../../library/project/trust.ts';
import { locateWorkspace, makeWorkspace } from '../../workspace.ts';
import type { Act, CommandContext, ExitCode } from '../command.ts';
import { initWords } from '../init-words.ts';
import type { Output } from '../output.ts';
import { inOneLine } from '../project-notes.ts';
import { askYesNo } from '../question.ts';
import { seenChangeLines, seenChanges } from '../trust-changes.ts';
import { trustLines, trustViewOf } from '../trust-view.ts';
import { needWorkspace } from '../with-runtime.ts';

interface Options {
  readonly yes?: boolean;
  readonly list?: boolean;
  readonly remove?: boolean;
}

/** Bytes of a file whose text is kept, so that a later change of it can be shown. */
const LONGEST_TEXT = 256 * 1024;

export function configure(command: Command, act: Act): void {
  command
    .argument('[dir]', 'a folder of the checkout (default: this one)')
    .option('--yes', 'without asking')
    .option('--list', 'what is trusted')
    .option('--remove', 'trust it no longer')
    .action(
      act(async (context, dir: string | undefined, options: Options) => {
        if (options.list === true && (options.yes === true || options.remove === true || dir !== undefined))
          throw new KnackError('usage', '--list stands alone');
        const workspace = locateWorkspace(context.workspace, context.environment);
        const store = openTrustStore(workspace.trust);
        if (options.list === true) return list(store, context);
        const place = resolve(context.cwd, dir ?? '.');
        if (options.remove === true) return remove(store, place, context);
        if (!existsSync(place)) throw new KnackError('not-found', `${place} does not exist`);
        if (context.workspace !== undefined) needWorkspace(context);
        if (await makeWorkspace(workspace)) context.output.note(`new workspace ${workspace.dir}`);
        return trust(store, place, options.yes === true, context);
      }),
    );
}

async function trust(
  store: TrustStore,
  dir: string,
  yes: boolean,
  context: CommandContext,
): Promise<ExitCode> {
  const { output, environment } = context;
  const workspace = locateWorkspace(context.workspace, environment);
  const config = await loadConfig(workspace.dir, environment);
  const found = placesAround(dir, {
    home: environment.home,
    workspace: workspace.skills,
    roots: config.roots,
  });
  if (found.length === 0 && realpathSync(dir) === realpathSync(environment.home))
    throw new KnackError(
      'refused',
      `${dir} is your home folder, which is never a checkout: what lies there is yours; \`${initWords(context, '--roots')}\` uses the skills of other agents in it`,
    );
  if (found.length === 0)
    throw new KnackError(
      'not-found',
      `${dir} holds nothing for agents: no .knack.json, .mcp.json, .claude/skills or the like, up to the top of its repository`,
    );
  const places = found.map((place) => {
    const content = readProjectContent(place, { textBytes: LONGEST_TEXT });
    const record = store.find(place.dir);
    const changes = record && seenChanges(record, store.textsOf(record), content);
    return { place, content, changes, view: trustViewOf(place, content) };
  });
  for (const { view, changes } of places) {
    for (const line of trustLines(view)) output.print(line);
    for (const line of seenChangeLines(changes ?? [])) output.print(line);
  }
  const answer = (trusted: boolean): ExitCode => {
    output.emit({
      places: places.map(({ view, changes }) => ({ ...view, changes: changes ?? null })),
      trusted,
    });
    return trusted ? 0 : 1;
  };
  const faulty = places.filter(({ content }) => content.faults.length > 0);
  if (faulty.length > 0) {
    output.note(
      `not trusted: ${faulty.map(({ place }) => inOneLine(place.dir)).join(', ')} cannot be as it is; see the faults above`,
    );
    return answer(false);
  }
  if (places.every(({ changes }) => changes?.length === 0)) {
    output.print('trusted already, and nothing has changed since');
    return answer(true);
  }
  if (!yes && !output.interactive) {
    output.note('not trusted: nobody can be asked here; read the above, and give --yes to trust it');
    return answer(false);
  }
  if (!yes && !(await askYesNo('Trust it?', 'nothing was changed', context))) {
    output.print('not trusted; nothing of it is used');
    return answer(false);
  }
  // What was shown, whatever has become of it since.
  const at = new Date().toISOString();
  for (const { place, content } of places) store.add(place.dir, content, at);
  output.print('trusted, as long as nothing of it changes; what it says goes before the roots of knack.json');
  return answer(true);
}

function list(store: TrustStore, { output, environment }: CommandContext): ExitCode {
  const rows = store
    .list()
    .map((record) => ({ dir: record.dir, at: record.at, state: presentState(record) }));
  output.result({ trusted: rows }, () =>
    rows.length === 0
      ? 'no checkout is trusted'
      : rows.map(({ dir, at, state }) => `${at}  ${state.padEnd(7)}  ${inOneLine(dir)}`).join('\n'),
  );
  return 0;

  function presentState({ dir }: TrustRecord): 'trusted' | 'changed' | 'gone' {
    if (!existsSync(dir)) return 'gone';
    const place = placesAround(dir, { home: environment.home }).find((each) => each.dir === dir);
    if (place === undefined) return 'gone';
    return stateOf(place, store).state === 'trusted' ? 'trusted' : 'changed';
  }
}

/** The place itself and those below it, whether they are still there or not. */
function remove(store: TrustStore, dir: string, { output }: { output: Output }): ExitCode {
  const real = existsSync(dir) ? realpathSync(dir) : dir;
  const removed = store
    .list()
    .filter((record) => record.dir === real || record.dir.startsWith(real.endsWith(sep) ? real : real + sep))
    .map((record) => record.dir);
  if (removed.length === 0)
    throw new KnackError('not-found', `${real} is not trusted; \`knack trust --list\` shows what is`);
  for (const each of removed) store.remove(each);
  output.result({ removed }, () => removed.map((each) => `no longer trusted: ${inOneLine(each)}`).join('\n'));
  return 0;
}
