import { withSlashes } from '../files/folder.ts';
import type { Library } from '../library/library.ts';
import type { SkillTrial, ToRepair } from '../library/use/trials.ts';
import type { Skill } from '../skill/skill.ts';
import { catalogEntry, escapeAttribute, escapeMarkup } from './entry.ts';
import { fileStamps, MOST_FILES } from './file-changes.ts';
import { isKeepersFile, listResources, MOST_LISTED, type Resource } from './list-resources.ts';
import { isLoadedAsIs, noteLoaded, type SessionDisclosure } from './session-disclosure.ts';
import { toolLines } from './tool-lines.ts';

export type Activation =
  | {
      readonly kind: 'loaded';
      readonly skill: Skill;
      /** What finds this skill alone. */
      readonly name: string;
      readonly text: string;
      readonly related: readonly Skill[];
    }
  /** This version is in the conversation already. */
  | { readonly kind: 'already'; readonly skill: Skill; readonly name: string; readonly text: string }
  | { readonly kind: 'missing'; readonly text: string };

const MOST_RELATED = 5;

/**
 * Brings one skill's instructions into a conversation: the body to the letter, the folder that its paths are relative
 * to, its files with sizes, its own tools with their schemas, and name and description of what is related. A second time
 * the same version is one line. Of one that is to be repaired a line says so.
 */
export async function activate(
  library: Library,
  asked: string,
  { session, toRepair }: { readonly session: SessionDisclosure; readonly toRepair?: ToRepair | undefined },
): Promise<Activation> {
  const skill = library.find(asked);
  if (skill === undefined) {
    const near = library.suggest(asked);
    return {
      kind: 'missing',
      text: `There is no skill "${asked}".${near.length === 0 ? ' Find one with search_skills.' : ` Did you mean ${near.join(', ')}?`}`,
    };
  }
  const version = skill.version ?? skill.contentHash.slice(0, 8);
  const name = library.nameOf(skill);
  if (isLoadedAsIs(session, name, skill)) {
    return {
      kind: 'already',
      skill,
      name,
      text: `${name} ${escapeMarkup(version)} is loaded already; its instructions stand above.`,
    };
  }
  const stamps = await fileStamps(skill);
  noteLoaded(session, name, skill);
  session.files.set(name, stamps);
  session.shown.add(name);
  const related = library
    .related(skill.name)
    .filter((other) => !other.userOnly)
    .slice(0, MOST_RELATED);
  const resources = await listResources(skill);
  const dir = withSlashes(skill.dir);
  const parts = [
    `<skill_content name="${escapeAttribute(name)}" version="${escapeAttribute(version)}" dir="${escapeAttribute(dir)}">`,
    // To the letter: what was loaded can be compared with what is on disk.
    `${skill.body}${skill.body.endsWith('\n') ? '' : '\n'}</skill_content>`,
    failedLine(toRepair?.(skill) ?? []),
    `Paths in these instructions are relative to ${dir}; read them with read_skill_file.`,
    filesLine(resources),
    ...toolLines(skill),
    related.length === 0 ? '' : `Related skills, not loaded:\n${related.map(catalogEntry).join('\n')}`,
  ];
  return { kind: 'loaded', skill, name, related, text: parts.filter((part) => part !== '').join('\n') };
}

/** Beside the instructions, never in them. */
function failedLine(failures: readonly SkillTrial[]): string {
  return failures.length === 0
    ? ''
    : `These instructions failed in ${failures.length} recent sessions: check each step against what you see, and tell the user where they are wrong.`;
}

function filesLine(resources: readonly Resource[]): string {
  const useful = resources.filter(({ path }) => !isKeepersFile(path));
  if (useful.length === 0) return '';
  const listed = useful.slice(0, MOST_FILES).map(({ path, size }) => `${path} (${size} bytes)`);
  const more = useful.length - listed.length;
  const atLeast = resources.length < MOST_LISTED ? '' : 'at least ';
  return `Files: ${listed.join(', ')}${more > 0 ? ` and ${atLeast}${more} more, which list_skill_files shows` : ''}`;
}
