import { activate } from '../disclosure/activation.ts';
import { groupEntry, groupTwins } from '../disclosure/entry.ts';
import { listResources, MOST_LISTED, readResource } from '../disclosure/resources.ts';
import type { SessionDisclosure } from '../disclosure/session-disclosure.ts';
import type { Library } from '../library/library.ts';
import { createSearch, type SkillSearch } from '../library/search/skill-search.ts';
import type { ToRepair } from '../library/use/trials.ts';
import { toolsReached } from '../scripts/chain.ts';
import type { Sandbox } from '../scripts/sandbox.ts';
import { runSkillTool } from '../scripts/skill-tool.ts';
import type { Skill } from '../skill/skill.ts';
import type { Tool, ToolResult } from './tool.ts';

export interface SkillToolParts {
  readonly library: Library;
  /** @default the library's own */
  readonly search?: SkillSearch;
  /** What this conversation has seen; the tools add to it. */
  readonly session: SessionDisclosure;
  readonly sandbox: Sandbox;
  /** Called when the model has got a skill's instructions, before the tool answers. */
  readonly onLoad: (skill: Skill) => Promise<void>;
  readonly toRepair?: ToRepair | undefined;
}

const text = { type: 'string', minLength: 1 };
const skillName = { ...text, description: 'name of the skill' };
const object = (required: readonly string[], properties: Record<string, unknown>) => ({
  type: 'object',
  additionalProperties: false,
  required,
  properties,
});

/** The five tools through which a model uses skills, in the order that it sees them. They never throw. */
export function createSkillTools(parts: SkillToolParts): readonly Tool[] {
  return [searchSkills(parts), loadSkill(parts), readSkillFile(parts), listSkillFiles(parts), runTool(parts)];
}

/** Hits that are looked at for each answer. */
const COPIES = 4;

function searchSkills({ library, session, search = createSearch(library) }: SkillToolParts): Tool {
  return {
    name: 'search_skills',
    description:
      'Find skills for a task. The list of skills you were given may be incomplete: search when a task may have been done before.',
    effect: 'read',
    parameters: object(['query'], {
      query: { ...text, description: 'the task in your own words' },
      limit: { type: 'integer', minimum: 1, maximum: 20 },
    }),
    async run(args, { signal }) {
      const limit = Number(args['limit'] ?? 5);
      // Copies of one skill are one answer.
      const hits = await search.search(String(args['query']), { limit: limit * COPIES, signal });
      const skills = hits.flatMap((hit) => {
        const skill = library.find(hit.name);
        return skill === undefined || skill.userOnly ? [] : [skill];
      });
      const copies = library.skills.filter((skill) => !skill.userOnly);
      const found = groupTwins(skills, copies).slice(0, limit);
      if (found.length === 0) return done('No skill fits. Work without one, or search in other words.');
      for (const { skill, twins } of found) for (const { name } of [skill, ...twins]) session.shown.add(name);
      return done(`${found.map(groupEntry).join('\n')}\nLoad one with load_skill.`);
    },
  };
}

/** Instructions arrive verbatim, however long they are within reason. */
const BODY_LIMIT = 200_000;

function loadSkill({ library, session, onLoad, toRepair }: SkillToolParts): Tool {
  return {
    name: 'load_skill',
    description:
      'Get the full instructions of a skill, with its files and tools. Do this before a task that a skill is for.',
    effect: 'read',
    parameters: object(['name'], { name: skillName }),
    resultLimit: BODY_LIMIT,
    async run(args) {
      const name = String(args['name']);
      // A skill added or edited a moment ago can be loaded at once.
      await library.refresh();
      if (library.find(name)?.userOnly === true)
        return failed(`${name} is for the user to load: ask for it with /${name}`);
      const activation = await activate(library, name, { session, toRepair });
      if (activation.kind === 'loaded') await onLoad(activation.skill);
      return activation.kind === 'missing' ? failed(activation.text) : done(activation.text);
    },
  };
}

function readSkillFile({ library }: SkillToolParts): Tool {
  return {
    name: 'read_skill_file',
    description:
      'Read a file of a skill. Long files come in pages: go on with the offset that the answer names.',
    effect: 'read',
    parameters: object(['skill', 'path'], {
      skill: skillName,
      path: { ...text, description: "relative to the skill's folder" },
      offset: { type: 'integer', minimum: 0 },
    }),
    async run(args) {
      const [name, path] = [String(args['skill']), String(args['path'])];
      const skill = library.find(name);
      if (skill === undefined) return missing(library, name);
      const offset = Number(args['offset'] ?? 0);
      const resource = await readResource(skill, path, { offset });
      switch (resource.kind) {
        case 'text': {
          const { nextOffset, total } = resource;
          if (offset === 0 && nextOffset === undefined) return done(resource.text);
          const more = nextOffset === undefined ? 'this is the end' : `next offset ${nextOffset}`;
          return done(
            `[${path}: from ${Math.min(offset, total)} of ${total} characters; ${more}]\n${resource.text}`,
          );
        }
        case 'binary':
          return done(`${path} is not text in UTF-8: ${resource.mime}, ${resource.size} bytes`);
        default:
          return failed(resource.message);
      }
    },
  };
}

function listSkillFiles({ library }: SkillToolParts): Tool {
  return {
    name: 'list_skill_files',
    description: 'List the files of a skill with their sizes.',
    effect: 'read',
    parameters: object(['skill'], { skill: skillName }),
    async run(args) {
      const name = String(args['skill']);
      const skill = library.find(name);
      if (skill === undefined) return missing(library, name);
      const lines = (await listResources(skill)).map(({ path, size }) => `${path}  ${size}`);
      if (lines.length >= MOST_LISTED)
        lines.push(`There may be more: a list ends after ${MOST_LISTED} files.`);
      return done(`${skill.dir}\n${lines.length === 0 ? 'no files beside SKILL.md' : lines.join('\n')}`);
    },
  };
}

function runTool({ library, sandbox }: SkillToolParts): Tool {
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
      const skill = library.find(name);
      // An alias, or a chain, is no way around a rule for the tool that runs in the end.
      const reached = skill === undefined ? [] : toolsReached(skill, wanted, library.find);
      return { kind: 'name', text: `${name}/${wanted}`, reached };
    },
    async run(args, { signal }) {
      const name = String(args['skill']);
      const skill = library.find(name);
      if (skill === undefined) return missing(library, name);
      const answer = await runSkillTool({
        skill,
        tool: String(args['tool']),
        params: args['params'] ?? {},
        sandbox,
        find: library.find,
        signal,
      });
      return { text: JSON.stringify(answer), isError: answer.status === 'error' };
    },
  };
}

function done(answer: string): ToolResult {
  return { text: answer, isError: false };
}

function failed(answer: string): ToolResult {
  return { text: answer, isError: true };
}

function missing(library: Library, name: string): ToolResult {
  const near = library.suggest(name);
  return failed(
    `there is no skill "${name}"${near.length === 0 ? '' : `; did you mean ${near.join(' or ')}?`} search_skills finds one for a task`,
  );
}
