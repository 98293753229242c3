import type { Skill, SkillToolSpec } from '../skill/skill.ts';
import { escapeMarkup } from './entry.ts';

/** What a model is told of each tool of a skill. */
export function toolLines({ tools }: Pick<Skill, 'tools'>): string[] {
  return tools.map(toolLine);
}

function toolLine({ name, description, parameters }: SkillToolSpec): string {
  return `Tool ${name} (call it with run_skill_tool): ${escapeMarkup(description)} Parameters: ${JSON.stringify(parameters)}`;
}
