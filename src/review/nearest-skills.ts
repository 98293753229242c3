import { fileText, readFolder } from '../files/folder.ts';
import type { Library } from '../library/library.ts';
import type { ToRepair } from '../library/use/trials.ts';
import { countTokens } from '../model/tokens.ts';
import type { Skill } from '../skill/skill.ts';
import type { Signal, Transcript } from '../transcript/event.ts';
import type { ShownSkill } from './drafter.ts';

/** The skill that guides the drafter: it comes from the package and is never a target of review. */
export const GUIDING_SKILL = 'skill-authoring';

const NEAREST = 3;
const FAILING_WITHIN = 10;
const MOST_SHOWN = 6;
const MOST_TOKENS = 24_000;
const QUERY_LENGTH = 4000;

/**
 * The skills that a lesson of this session could belong to, as they are on disk: those that the session loaded, then
 * the nearest to the user's words and the signals. Those that do not fit into the budget are left out.
 */
export async function nearestSkills(
  library: Library,
  transcript: Transcript,
  signals: readonly Signal[],
  toRepair?: ToRepair,
): Promise<ShownSkill[]> {
  const loaded = transcript.events.flatMap((event) => (event.kind === 'skill-load' ? [event.skill] : []));
  const words = wordsOf(transcript, signals).slice(0, QUERY_LENGTH);
  const hits = library.search(words, { limit: NEAREST });
  // What failed of late is shown from farther away: the lesson may be how to mend it.
  const failing = library.skills.some((skill) => toRepair !== undefined && toRepair(skill).length > 0)
    ? library.search(words, { limit: FAILING_WITHIN }).filter(({ name }) => {
        const skill = library.find(name);
        return skill !== undefined && toRepair !== undefined && toRepair(skill).length > 0;
      })
    : [];
  const names = [...new Set([...loaded, ...[...hits, ...failing].map((hit) => hit.name)])];
  const skills = names.flatMap((name) => targetSkill(library, name) ?? []);
  const shown: ShownSkill[] = [];
  let tokens = 0;
  for (const skill of new Set(skills)) {
    const text = await skillText(skill);
    if (text === undefined || shown.length >= MOST_SHOWN) continue;
    tokens += countTokens(text);
    if (tokens > MOST_TOKENS) break;
    shown.push({ name: skill.name, text });
  }
  return shown;
}

/** The skill of that name, if review may change it. */
export function targetSkill(library: Library, name: string): Skill | undefined {
  const skill = library.find(name);
  return skill === undefined || skill.name === GUIDING_SKILL ? undefined : skill;
}

/** `SKILL.md` of a skill as it is on disk. */
export async function skillText(skill: Skill): Promise<string | undefined> {
  return fileText(await readFolder(skill.dir, { reads: (path) => path === 'SKILL.md' }), 'SKILL.md');
}

/** What a session is about without asking a model: its signals, then the user's words. */
export function wordsOf(transcript: Transcript, signals: readonly Signal[]): string {
  const words = transcript.events.flatMap((event) =>
    event.kind === 'text' && event.role === 'user' && event.injected === undefined ? [event.text] : [],
  );
  return [...signals.map((signal) => signal.quote), ...words].join('\n');
}
