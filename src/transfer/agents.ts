/** Folders that agents read skills from, below a project or the home folder. */
export const AGENT_FOLDERS = {
  agents: '.agents/skills',
  claude: '.claude/skills',
  codex: '.codex/skills',
  cursor: '.cursor/skills',
  gemini: '.gemini/skills',
  opencode: '.opencode/skills',
} as const;

export type Agent = keyof typeof AGENT_FOLDERS;

export function isAgent(name: string): name is Agent {
  return Object.hasOwn(AGENT_FOLDERS, name);
}
