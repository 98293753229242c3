import { activate } from '../disclosure/activation.ts';
import { groupEntry, groupTwins } from '../disclosure/entry.ts';
import { listResources, MOST_LISTED, readResource } from '../disclosure/resources.ts';
import { isLoadedAsIs, type SessionDisclosure } from '../disclosure/session-disclosure.ts';
import type { Library } from '../library/library.ts';
import { createSearch, type SkillSearch } from '../library/search/skill-search.ts';
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
  /** Called when the model has got a skill's instructions, before the tool answers; `name` finds this skill alone. */
  readonly onLoad: (skill: Skill, name: string) => Promise<void>;
}

const text = { type: 'string', minLength: 1 };
const skillName = { ...text, description: 'name of the skill' };
const object = (required: readonly string[], properties: Record<string, unknown>) => ({
  type: 'object',
  additionalProperties: false,
  required,
  properties,
});

/**
 * The five tools through which a model uses skills, in the order that it sees them. They never throw. Each answers from
 * what is on disk when it is called, so that none of them knows of a skill what another one does not.
 */
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
      await library.refresh();
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
      for (const { skill, twins } of found)
        for (const each of [skill, ...twins]) session.shown.add(library.nameOf(each));
      const lines = found.map((group) => groupEntry(group, library.nameOf(group.skill)));
      return done(`${lines.join('\n')}\nLoad one with load_skill.`);
    },
  };
}

/** Instructions arrive verbatim, however long they are within reason. */
const BODY_LIMIT = 200_000;

function loadSkill(parts: SkillToolParts): Tool {
  const { library, session, onLoad } = parts;
  return {
    name: 'load_skill',
    description:
      'Get the full instructions of a skill, with its files and tools. Do this before a task that a skill is for.',
    effect: 'read',
    parameters: object(['name'], { name: skillName }),
    resultLimit: BODY_LIMIT,
    async run(args) {
      await library.refresh();
      const asked = String(args['name']);
      const refused = refusalOf(parts, asked);
      if (refused !== undefined) return refused;
      const activation = await activate(library, asked, { session });
      if (activation.kind === 'loaded') await onLoad(activation.skill, activation.name);
      return activation.kind === 'missing' ? failed(activation.text) : done(activation.text);
    },
  };
}

function readSkillFile(parts: SkillToolParts): Tool {
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
      const path = String(args['path']);
      const found = await present(parts, String(args['skill']));
      if (found.kind === 'refused') return found.result;
      const { skill, changed } = found;
      const note = changed === undefined ? '' : `[${changed}]\n`;
      const offset = Number(args['offset'] ?? 0);
      const resource = await readResource(skill, path, { offset });
      switch (resource.kind) {
        case 'text': {
          const { nextOffset, total } = resource;
          if (offset === 0 && nextOffset === undefined) return done(note + resource.text);
          const more = nextOffset === undefined ? 'this is the end' : `next offset ${nextOffset}`;
          return done(
            `${note}[${path}: from ${Math.min(offset, total)} of ${total} characters; ${more}]\n${resource.text}`,
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

function listSkillFiles(parts: SkillToolParts): Tool {
  return {
    name: 'list_skill_files',
    description: 'List the files of a skill with their sizes.',
    effect: 'read',
    parameters: object(['skill'], { skill: skillName }),
    async run(args) {
      const found = await present(parts, String(args['skill']));
      if (found.kind === 'refused') return found.result;
      const { skill } = found;
      const lines = (await listResources(skill)).map(({ path, size }) => `${path}  ${size}`);
      if (lines.length >= MOST_LISTED)
        lines.push(`There may be more: a list ends after ${MOST_LISTED} files.`);
      return done(`${skill.dir}\n${lines.length === 0 ? 'no files beside SKILL.md' : lines.join('\n')}`);
    },
  };
}

function runTool(parts: SkillToolParts): Tool {
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
      const found = await present(parts, name, others);
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

type Present =
  | {
      readonly kind: 'present';
      readonly skill: Skill;
      /** What to tell a model that has it in an older version. */
      readonly changed?: string;
    }
  | { readonly kind: 'refused'; readonly result: ToolResult };

/** The skill as it is on disk, the `others` too, or what a model gets in its place. */
async function present(
  parts: SkillToolParts,
  asked: string,
  others: readonly string[] = [],
): Promise<Present> {
  const { library, session } = parts;
  await library.refresh([asked, ...others]);
  const [skill, refused] = [library.find(asked), refusalOf(parts, asked)];
  if (skill === undefined || refused !== undefined)
    return { kind: 'refused', result: refused ?? missing(parts, asked) };
  const name = library.nameOf(skill);
  if (!session.loaded.has(name) || isLoadedAsIs(session, name, skill)) return { kind: 'present', skill };
  const changed = `${name} has changed since it was loaded; load it again`;
  return { kind: 'present', skill, changed };
}

/** Why a model does not get at a skill: it is not there, or for the user to load, who has not done it. */
function refusalOf(parts: SkillToolParts, asked: string): ToolResult | undefined {
  const { library, session } = parts;
  const skill = library.find(asked);
  if (skill === undefined) return missing(parts, asked);
  const isOpen = !skill.userOnly || session.loaded.has(library.nameOf(skill));
  return isOpen ? undefined : failed(`${asked} is for the user to load: ask for it with /${asked}`);
}

function done(answer: string): ToolResult {
  return { text: answer, isError: false };
}

function failed(answer: string): ToolResult {
  return { text: answer, isError: true };
}

function missing({ library, session }: SkillToolParts, name: string): ToolResult {
  if (session.loaded.has(name))
    return failed(
      `"${name}" is no longer in the library: it was removed or renamed since it was loaded. Go on without it, or find another one with search_skills.`,
    );
  const near = library.suggest(name).filter((each) => library.find(each)?.userOnly !== true);
  return failed(
    `there is no skill "${name}"${near.length === 0 ? '' : `; did you mean ${near.join(' or ')}?`} search_skills finds one for a task`,
  );
}
