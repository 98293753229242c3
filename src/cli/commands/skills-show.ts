import type { Command } from 'commander';
import { fileText } from '../../folder.ts';
import type { Act } from '../command.ts';
import { findSkill } from '../find-skill.ts';
import { historyOf } from '../skill-history.ts';
import { withRuntime } from '../with-runtime.ts';

export function configure(command: Command, act: Act): void {
  command.argument('<name>', 'a skill, or name@version').action(
    act(async (context, reference: string) =>
      withRuntime(context, async (runtime) => {
        const at = reference.lastIndexOf('@');
        if (at > 0) {
          const [name, version] = [reference.slice(0, at), reference.slice(at + 1)];
          const { history } = await historyOf(runtime, name);
          const folder = await history.folderAt(name, version);
          const files = [...folder].map(([path, file]) => ({
            path,
            size: file.bytes.length,
            executable: file.executable,
          }));
          const text = fileText(folder, 'SKILL.md') ?? '';
          context.output.result(
            { name, version, files, text },
            () => `${text}\n${files.map((file) => `${file.path}  ${file.size} bytes`).join('\n')}`,
          );
          return 0;
        }
        const skill = await findSkill(runtime, reference);
        const { name, path, description, whenToUse, whenNotToUse, version, tags, relatedSkills } = skill;
        const { strict, problems, body, tools } = skill;
        const root = (await runtime.library()).rootOf(skill);
        const owner = root.writable ? await (await runtime.history()).ownership(name) : 'imported';
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
            relatedSkills,
            strict,
            problems,
            tools,
            body,
          },
          () =>
            [
              `${context.output.style('bold', name)}${version ? ` ${version}` : ''} (${owner}, root ${root.name})`,
              path,
              description,
              ...(whenToUse === undefined ? [] : [`when to use: ${whenToUse}`]),
              ...(whenNotToUse === undefined ? [] : [`not for: ${whenNotToUse}`]),
              ...(tags.length > 0 ? [`tags: ${tags.join(', ')}`] : []),
              ...(relatedSkills.length > 0 ? [`related: ${relatedSkills.join(', ')}`] : []),
              ...(tools.length > 0 ? [`tools: ${tools.map((tool) => tool.name).join(', ')}`] : []),
              ...problems.map(
                (problem) =>
                  `${problem.severity} ${problem.rule}${problem.line ? ` line ${problem.line}` : ''}: ${problem.message}`,
              ),
              '',
              body,
            ].join('\n'),
        );
        return 0;
      }),
    ),
  );
}
