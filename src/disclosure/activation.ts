import type { Library } from '../library/library.ts';
import type { SkillTrial, ToRepair } from '../library/use/trials.ts';
import type { Skill, SkillToolSpec } from '../skill/skill.ts';
import { catalogEntry, escapeAttribute, escapeMarkup } from './entry.ts';
import { listResources, MOST_LISTED, type Resource } from './resources.ts';
import type { SessionDisclosure } from './session-disclosure.ts';

export type Activation =
  | {
      readonly kind: 'loaded';
      readonly skill: Skill;
      readonly text: string;
      readonly related: readonly Skill[];
    }
  /** This version is in the conversation already. */
  | { readonly kind: 'already'; readonly skill: Skill; readonly text: string }
  | { readonly kind: 'missing'; readonly text: string };

const MOST_RELATED = 5;
const MOST_FILES = 60;
/** Files for those who keep the skill, not for those who follow it; its tools are described with their schemas. */
const KEEPERS_FILES = /^(?:evals\/|(?:tests|tools)\.ya?ml$)/;

/**
 * Brings one skill's instructions into a conversation: the body to the letter, the folder that its paths are relative
 * to, its files with sizes, its own tools with their schemas, and name and description of what is related. A second time
 * the same version is one line. Of one that is to be repaired a line says so.
 */
export async function activate(
  library: Library,
  name: string,
  { session, toRepair }: { readonly session: SessionDisclosure; readonly toRepair?: ToRepair | undefined },
): Promise<Activation> {
  const skill = library.find(name);
  if (skill === undefined) {
    const near = library.suggest(name);
    return {
      kind: 'missing',
      text: `There is no skill "${name}".${near.length === 0 ? ' Find one with search_skills.' : ` Did you mean ${near.join(', ')}?`}`,
    };
  }
  const version = skill.version ?? skill.contentHash.slice(0, 8);
  const tools = skill.tools.map(toolLine);
  const isSame =
    session.loaded.get(skill.name) === skill.contentHash &&
    (session.tools.get(skill.name) ?? tools.join('\n')) === tools.join('\n');
  if (isSame) {
    return {
      kind: 'already',
      skill,
      text: `${skill.name} ${version} is loaded already; its instructions stand above.`,
    };
  }
  session.loaded.set(skill.name, skill.contentHash);
  session.tools.set(skill.name, tools.join('\n'));
  session.shown.add(skill.name);
  const related = library
    .related(skill.name)
    .filter((other) => !other.userOnly)
    .slice(0, MOST_RELATED);
  const resources = await listResources(skill);
  const parts = [
    `<skill_content name="${skill.name}" version="${escapeAttribute(version)}" dir="${escapeAttribute(skill.dir)}">`,
    // To the letter: what was loaded can be compared with what is on disk.
    `${skill.body}${skill.body.endsWith('\n') ? '' : '\n'}</skill_content>`,
    failedLine(toRepair?.(skill) ?? []),
    `Paths in these instructions are relative to ${skill.dir}; read them with read_skill_file.`,
    filesLine(resources),
    ...tools,
    related.length === 0 ? '' : `Related skills, not loaded:\n${related.map(catalogEntry).join('\n')}`,
  ];
  return { kind: 'loaded', skill, related, text: parts.filter((part) => part !== '').join('\n') };
}

/** Beside the instructions, never in them. */
function failedLine(failures: readonly SkillTrial[]): string {
  return failures.length === 0
    ? ''
    : `These instructions failed in ${failures.length} recent sessions: check each step against what you see, and tell the user where they are wrong.`;
}

function toolLine({ name, description, parameters }: SkillToolSpec): string {
  return `Tool ${name} (call it with run_skill_tool): ${escapeMarkup(description)} Parameters: ${JSON.stringify(parameters)}`;
}

function filesLine(resources: readonly Resource[]): string {
  const useful = resources.filter(({ path }) => !KEEPERS_FILES.test(path));
  if (useful.length === 0) return '';
  const listed = useful.slice(0, MOST_FILES).map(({ path, size }) => `${path} (${size} bytes)`);
  const more = useful.length - listed.length;
  const atLeast = resources.length < MOST_LISTED ? '' : 'at least ';
  return `Files: ${listed.join(', ')}${more > 0 ? ` and ${atLeast}${more} more, which list_skill_files shows` : ''}`;
}
