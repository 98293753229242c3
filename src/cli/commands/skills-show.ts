import type { Command } from 'commander';
import { KnackError } from '../../errors.ts';
import { fileText } from '../../files/folder.ts';
import { tagIndexOf } from '../../library/tags/tag-index.ts';
import type { DerivedTag } from '../../library/tags/tags.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { normaliseName } from '../../skill/name.ts';
import type { Skill } from '../../skill/skill.ts';
import { counted } from '../../text/counted.ts';
import type { Act } from '../command.ts';
import { overrideLines } from '../commit-view.ts';
import { findSkill } from '../find-skill.ts';
import { clip, type Output } from '../output.ts';
import { ownerOfRoot } from '../owner-of-root.ts';
import { inOneLine } from '../project-notes.ts';
import { showVersion } from '../shown-version.ts';
import { historyOf } from '../skill-history.ts';
import { withLookingRuntime } from '../with-runtime.ts';

export function configure(command: Command, act: Act): void {
  command.argument('<name>', 'a skill, or name@version').action(
    act(async (context, reference: string) =>
      withLookingRuntime(context, async (runtime) => {
        const at = reference.lastIndexOf('@');
        if (at > 0) {
          const [name, version] = [reference.slice(0, at), reference.slice(at + 1)];
          if (version === '')
            throw new KnackError(
              'usage',
              `name a version after the @; \`knack skills log ${name}\` lists them`,
            );
          const { folder, overrides, notes } = await showVersion(
            await historyOf(runtime, name),
            name,
            version,
          );
          const files = [...folder].map(([path, file]) => ({
            path,
            size: file.bytes.length,
            executable: file.executable,
          }));
          const text = fileText(folder, 'SKILL.md') ?? '';
          context.output.result(
            { name, version, files, text, ...(overrides.length === 0 ? {} : { overrides }) },
            () =>
              [
                text,
                ...files.map((file) => `${inOneLine(file.path)}  ${counted(file.size, 'byte')}`),
                ...overrideLines(overrides),
              ].join('\n'),
          );
          for (const note of notes) context.output.note(`note: ${note}`);
          return 0;
        }
        const skill = await findSkill(runtime, reference);
        const { name, path, description, whenToUse, whenNotToUse, version, tags, relatedSkills } = skill;
        const { strict, problems, body, tools } = skill;
        await noteAlias(context.output, runtime, { reference, skill });
        const library = await runtime.library();
        const root = library.rootOf(skill);
        const { derived: derivedTags } = tagIndexOf(library).tagsOf(skill);
        const owner = root.writable ? await (await runtime.history()).ownership(name) : ownerOfRoot(root);
        context.output.result(
          {
            name,
            path,
            root: root.name,
            owner,
            description,
            whenToUse,
            whenNotToUse,
            version,
            tags,
            derivedTags,
            relatedSkills,
            strict,
            problems,
            tools,
            body,
          },
          () =>
            [
              `${context.output.style('bold', name)}${version ? ` ${version}` : ''} (${owner}, root ${inOneLine(root.name)})`,
              ...[
                path,
                asParagraph(description),
                ...(whenToUse === undefined ? [] : [`when to use: ${asParagraph(whenToUse)}`]),
                ...(whenNotToUse === undefined ? [] : [`not for: ${asParagraph(whenNotToUse)}`]),
                ...(tags.length > 0 ? [`tags: ${tags.join(', ')}`] : []),
                ...(derivedTags.length > 0 ? [`derived tags: ${derivedList(derivedTags)}`] : []),
                ...(relatedSkills.length > 0 ? [`related: ${relatedSkills.join(', ')}`] : []),
                ...(tools.length > 0 ? [`tools: ${tools.map((tool) => tool.name).join(', ')}`] : []),
                ...problems.map(
                  (problem) =>
                    `${problem.severity} ${problem.rule}${problem.line ? ` line ${problem.line}` : ''}: ${problem.message}`,
                ),
              ].map(inOneLine),
              '',
              body,
            ].join('\n'),
        );
        return 0;
      }),
    ),
  );
}

/** Prose that was written in several lines, in one, as a model is given it. */
function asParagraph(text: string): string {
  return clip(text, Number.POSITIVE_INFINITY);
}

/** Tags of one source together, with what they were taken from. */
function derivedList(derived: readonly DerivedTag[]): string {
  const sources = [...new Set(derived.map(({ from }) => from))];
  return sources
    .map((source) => {
      const tags = derived.filter(({ from }) => from === source).map(({ tag }) => tag);
      return `${tags.join(', ')} (from its ${source})`;
    })
    .join(', ');
}

/** That a name stands for another skill is not to be overlooked, least of all where it had one of its own. */
async function noteAlias(
  output: Output,
  runtime: Runtime,
  { reference, skill }: { readonly reference: string; readonly skill: Skill },
): Promise<void> {
  const alias = normaliseName(reference);
  if (!skill.aliases.map(normaliseName).includes(alias) || alias === skill.name) return;
  const [latest] = await runtime
    .history()
    .then((history) => history.log(alias))
    .catch((error: unknown) => {
      if (error instanceof KnackError && ['not-found', 'git-missing'].includes(error.code)) return [];
      throw error;
    });
  const gone =
    latest?.version === 'none'
      ? `; ${alias} was retired on ${latest.date.slice(0, 10)}, and \`knack skills restore ${alias}\` brings it back`
      : '';
  output.note(`note: ${alias} is an alias of ${skill.name}${gone}`);
}
