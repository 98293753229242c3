import { activate } from '../disclosure/activation.ts';
import { escapeMarkup, groupEntry, groupTwins } from '../disclosure/entry.ts';
import { listResources, MOST_LISTED } from '../disclosure/list-resources.ts';
import { readResource } from '../disclosure/resources.ts';
import { withSlashes } from '../files/folder.ts';
import { type Narrowing, readQueryWithTags, tagNames, type UnknownTag } from '../library/search/narrowing.ts';
import { nearestByWord } from '../library/search/nearest-words.ts';
import { createSearch } from '../library/search/skill-search.ts';
import type { Skill } from '../skill/skill.ts';
import { counted } from '../text/counted.ts';
import { createRunSkillTool } from './run-skill-tool.ts';
import { done, failed, refusalOf, type SkillToolParts, skillNow } from './skill-access.ts';
import { object, offset, skillName, text } from './skill-parameters.ts';
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
      offset,
    }),
    async run(args, { signal }) {
      await library.refresh();
      const limit = Number(args['limit'] ?? 5);
      const from = Number(args['offset'] ?? 0);
      const end = from + limit;
      const { text, narrowing } = readQueryWithTags(library, String(args['query']));
      // Copies of one skill are one answer.
      const hits = await search.search(text, {
        limit: end * COPIES,
        signal,
        ...(narrowing && { narrowing }),
      });
      const skills = hits.flatMap((hit) => {
        const skill = library.find(hit.name);
        return skill === undefined || skill.userOnly ? [] : [skill];
      });
      const copies = library.skills.filter((skill) => !skill.userOnly);
      const groups = groupTwins(skills, copies);
      const found = groups.slice(from, end);
      const notes = [
        ...(narrowing?.unknown ?? []).map(unknownTag),
        ...(narrowing !== undefined && text === '' ? [listedTags(narrowing)] : []),
      ].join('');
      if (found.length === 0) {
        const near =
          from > 0
            ? []
            : await nearestByWord(library, search, text, { ...(narrowing && { narrowing }), signal });
        return done(`${notes}${noFit(from, near)}`);
      }
      for (const { skill, twins } of found)
        for (const each of [skill, ...twins]) session.shown.add(library.nameOf(each));
      const lines = found.map((group) => {
        const isOutside = narrowing?.tags.length && !narrowing.holds(group.skill);
        const mark = isOutside ? ` (${escapeMarkup(narrowing.outside(group.skill))})` : '';
        return `${groupEntry(group, library.nameOf(group.skill))}${mark}`;
      });
      const isMore = groups.length > end || hits.length === end * COPIES;
      const more = isMore ? ` More with offset ${end}.` : '';
      return done(`${notes}${lines.join('\n')}\nLoad one with load_skill.${more}`);
    },
  };
}

function noFit(from: number, near: readonly string[]): string {
  if (near.length === 0)
    return `No ${from > 0 ? 'more skills fit' : 'skill fits'}. Work without one, or search in other words.`;
  return `No skill fits by itself. Nearest by a word of the query: ${near.join(', ')}. Search for what you mean in other words, or work without one.`;
}

/** Tags come from the query and from skills: they are text, and stand on one line. */
function unknownTag({ tag, near }: UnknownTag): string {
  const like = near.length === 0 ? '' : `; near: ${near.join(', ')}`;
  return `${escapeMarkup(`No skill has the tag ${tag}${like}`)}. Searched without it.\n`;
}

function listedTags({ skills, tags }: Narrowing): string {
  const open = skills.filter((skill) => !skill.userOnly);
  return `${escapeMarkup(`${counted(open.length, 'skill')} with ${tagNames(tags)}`)}:\n`;
}

/** Instructions arrive verbatim, however long they are within reason. */
const BODY_LIMIT = 200_000;

function loadSkill(parts: SkillToolParts): Tool {
  const { library, session, toRepair, onLoad } = parts;
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
      const activation = await activate(library, asked, { session, toRepair });
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
      offset,
    }),
    async run(args) {
      const path = String(args['path']);
      const found = await skillNow(parts, String(args['skill']));
      if (found.kind === 'refused') return found.result;
      const { skill, changed } = found;
      const note = changed === undefined ? '' : `[${changed}]\n`;
      const from = Number(args['offset'] ?? 0);
      const resource = await readResource(skill, path, { offset: from });
      switch (resource.kind) {
        case 'text': {
          const { nextOffset, total } = resource;
          if (from === 0 && nextOffset === undefined) return done(note + resource.text);
          const more = nextOffset === undefined ? 'this is the end' : `next offset ${nextOffset}`;
          return done(
            `${note}[${path}: from ${Math.min(from, total)} of ${total} characters; ${more}]\n${resource.text}`,
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
    parameters: object(['skill'], { skill: skillName, offset }),
    async run(args) {
      const found = await skillNow(parts, String(args['skill']));
      if (found.kind === 'refused') return found.result;
      const { skill } = found;
      return done(`${withSlashes(skill.dir)}\n${await filePage(skill, Number(args['offset'] ?? 0))}`);
    },
  };
}

/** Characters of a page, about. */
const LIST_PAGE = 20_000;

/** A page of the list of files, with where the next one begins. */
async function filePage(skill: Skill, from: number): Promise<string> {
  const lines = (await listResources(skill, from)).map(({ path, size }) => `${path}  ${size}`);
  if (lines.length === 0) return from > 0 ? 'no more files' : 'no files beside SKILL.md';
  let end = 0;
  for (let length = 0; end < lines.length && length < LIST_PAGE; end += 1)
    length += (lines[end]?.length ?? 0) + 1;
  const isEnd = end === lines.length && lines.length < MOST_LISTED;
  return [...lines.slice(0, end), ...(isEnd ? [] : [`more with offset ${from + end}`])].join('\n');
}
