import { isLoadedAsIs, type SessionDisclosure } from '../disclosure/session-disclosure.ts';
import type { Library } from '../library/library.ts';
import type { SkillSearch } from '../library/search/skill-search.ts';
import type { ToRepair } from '../library/use/trials.ts';
import type { Sandbox } from '../scripts/sandbox.ts';
import type { Skill } from '../skill/skill.ts';
import type { ToolResult } from './tool.ts';

/** What the skill tools of one conversation work with. */
export interface SkillToolParts {
  readonly library: Library;
  /** @default the library's own */
  readonly search?: SkillSearch;
  /** What this conversation has seen; the tools add to it. */
  readonly session: SessionDisclosure;
  readonly sandbox: Sandbox;
  /** Called when the model has got a skill's instructions, before the tool answers; `name` finds this skill alone. */
  readonly onLoad: (skill: Skill, name: string) => Promise<void>;
  readonly toRepair?: ToRepair | undefined;
}

/** A skill that the model may use, or the answer that it gets in its place. */
type SkillAccess =
  | {
      readonly kind: 'present';
      readonly skill: Skill;
      /** What to tell a model that has it in an older version. */
      readonly changed?: string;
    }
  | { readonly kind: 'refused'; readonly result: ToolResult };

/** The skill as it is on disk, the `others` too, or what a model gets in its place. */
export async function skillNow(
  parts: SkillToolParts,
  asked: string,
  others: readonly string[] = [],
): Promise<SkillAccess> {
  const { library, session } = parts;
  await library.refresh([asked, ...others]);
  const skill = library.find(asked);
  if (skill === undefined) return { kind: 'refused', result: missing(parts, asked) };
  const refused = refusalOf(parts, asked);
  if (refused !== undefined) return { kind: 'refused', result: refused };
  const name = library.nameOf(skill);
  if (!session.loaded.has(name) || isLoadedAsIs(session, name, skill)) return { kind: 'present', skill };
  const changed = `${name} has changed since it was loaded; load it again`;
  return { kind: 'present', skill, changed };
}

/** Why a model does not get at a skill: it is not there, or for the user to load, who has not done it. */
export function refusalOf(parts: SkillToolParts, asked: string): ToolResult | undefined {
  const { library, session } = parts;
  const skill = library.find(asked);
  if (skill === undefined) return missing(parts, asked);
  const isOpen = !skill.userOnly || session.loaded.has(library.nameOf(skill));
  return isOpen ? undefined : failed(`${asked} is for the user to load: ask for it with /${asked}`);
}

/** An answer. */
export function done(answer: string): ToolResult {
  return { text: answer, isError: false };
}

/** An answer that says why there is none. */
export function failed(answer: string): ToolResult {
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
