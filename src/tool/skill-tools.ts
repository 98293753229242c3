import { activate } from '../disclosure/activation.ts';
import { groupEntry, groupTwins } from '../disclosure/entry.ts';
import { listResources, MOST_LISTED, readResource } from '../disclosure/resources.ts';
import { createSearch } from '../library/search/skill-search.ts';
import { createRunSkillTool } from './run-skill-tool.ts';
import { done, failed, refusalOf, type SkillToolParts, skillNow } from './skill-access.ts';
import { object, skillName, text } from './skill-parameters.ts';
import type { Tool } from './tool.ts';

/**
 * The five tools through which a model uses skills, in the order that it sees them. They never throw. Each answers from
 * what is on disk when it is called, so that none of them knows of a skill what another one does not.
 */
export function createSkillTools(parts: SkillToolParts): readonly Tool[] {
  return [
    searchSkills(parts),
    loadSkill(parts),
    readSkillFile(parts),
    listSkillFiles(parts),
    createRunSkillTool(parts),
  ];
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
      const found = await skillNow(parts, String(args['skill']));
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
      const found = await skillNow(parts, String(args['skill']));
      if (found.kind === 'refused') return found.result;
      const { skill } = found;
      const lines = (await listResources(skill)).map(({ path, size }) => `${path}  ${size}`);
      if (lines.length >= MOST_LISTED)
        lines.push(`There may be more: a list ends after ${MOST_LISTED} files.`);
      return done(`${skill.dir}\n${lines.length === 0 ? 'no files beside SKILL.md' : lines.join('\n')}`);
    },
  };
}
