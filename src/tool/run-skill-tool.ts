import { toolsReached } from '../scripts/chain.ts';
import { runSkillTool } from '../scripts/skill-tool.ts';
import { failed, type SkillToolParts, skillNow } from './skill-access.ts';
import { object, skillName, text } from './skill-parameters.ts';
import type { Tool } from './tool.ts';

/** The tool that runs a tool of a skill, as the skill is when it runs. */
export function createRunSkillTool(parts: SkillToolParts): Tool {
  const { library, sandbox } = parts;
  const reachedBy = (name: string, tool: string) => {
    const skill = library.find(name);
    return skill === undefined ? [] : toolsReached(skill, tool, library.find);
  };
  /** What a call was allowed to come to. */
  const allowed = new WeakMap<object, string>();
  return {
    name: 'run_skill_tool',
    description:
      'Run a tool of a skill, as load_skill describes it. The answer is JSON; with status "error" mend the params and call again.',
    effect: 'execute',
    parameters: object(['skill', 'tool'], {
      skill: skillName,
      tool: text,
      params: { type: 'object', description: "as the tool's own schema says" },
    }),
    subject: (args) => {
      const [name, wanted] = [String(args['skill']), String(args['tool'])];
      // An alias, or a chain, is no way around a rule for the tool that runs in the end.
      const reached = reachedBy(name, wanted);
      allowed.set(args, reached.join('\n'));
      return { kind: 'name', text: `${name}/${wanted}`, reached };
    },
    async run(args, { signal }) {
      const [name, tool] = [String(args['skill']), String(args['tool'])];
      const others = reachedBy(name, tool).map((each) => each.slice(0, each.lastIndexOf('/')));
      const found = await skillNow(parts, name, others);
      if (found.kind === 'refused') return found.result;
      if (allowed.has(args) && allowed.get(args) !== reachedBy(name, tool).join('\n'))
        return failed(`Not run: ${name} changed while this call was on its way. Make it again.`);
      const { skill, changed } = found;
      const params = args['params'] ?? {};
      const answer = await runSkillTool({ skill, tool, params, sandbox, find: library.find, signal });
      const noted = changed === undefined ? answer : { ...answer, note: changed };
      return { text: JSON.stringify(noted), isError: answer.status === 'error' };
    },
  };
}
