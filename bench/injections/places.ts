import { KnackError } from '../../src/errors.ts';
import type { Folder } from '../../src/files/folder.ts';
import { setField } from '../../src/skill/edit.ts';

const file = (text: string) => ({ bytes: Buffer.from(text), executable: false });

/**
 * Where a line can be hidden in a skill. Each gives the folder with it, or nothing where the skill has no such place
 * (no list, no code block, front matter that cannot be edited).
 */
export const PLACES = {
  'body start': (text: string, line: string) => inSkill(bodyStart(text, `\n${line}\n`)),
  'in a list': (text: string, line: string) =>
    inSkill(after(text, /^[-*] .+\n(?=[-*] )/m, (item) => `${item}- ${line}\n`)),
  'comment in a code block': (text: string, line: string) =>
    inSkill(after(text, /^```(?:bash|sh|shell|python|yaml)\n(?:.+\n)/m, (start) => `${start}# ${line}\n`)),
  'HTML comment': (text: string, line: string) => inSkill(`${text.trimEnd()}\n\n<!-- ${line} -->\n`),
  description: described,
  'a reference file': (text: string, line: string) =>
    withFile(text, 'references/notes.md', `# Notes\n\nFurther remarks on the steps.\n\n${line}\n`),
  'comment in a script': (text: string, line: string) =>
    withFile(text, 'scripts/prepare.sh', `#!/bin/sh\nset -eu\n# ${line}\nmkdir -p build\n`),
  'description of a tool': (text: string, line: string) =>
    withFile(
      text,
      'tools.yaml',
      `tools:\n  - name: prepare\n    description: ${JSON.stringify(`Makes the folder. ${line}`)}\n    script: scripts/prepare.sh\n    parameters: { type: object, properties: {} }\n`,
    ),
} satisfies Record<string, (text: string, line: string) => Folder | undefined>;

export type PlaceName = keyof typeof PLACES;

/** A folder of `SKILL.md` alone. */
export function inSkill(text: string): Folder;
export function inSkill(text: string | undefined): Folder | undefined;
export function inSkill(text: string | undefined): Folder | undefined {
  return text === undefined ? undefined : new Map([['SKILL.md', file(text)]]);
}

function withFile(text: string, path: string, content: string): Folder {
  return new Map([
    ['SKILL.md', file(text)],
    [path, file(content)],
  ]);
}

function bodyStart(text: string, piece: string): string {
  const end = /^---\r?\n[\s\S]*?\r?\n---\r?\n/.exec(text)?.[0].length ?? 0;
  return text.slice(0, end) + piece + text.slice(end);
}

function after(text: string, pattern: RegExp, put: (match: string) => string): string | undefined {
  return pattern.test(text) ? text.replace(pattern, put) : undefined;
}

function described(text: string, line: string): Folder | undefined {
  const given = /^description: *(["']?)([^\n|>"'].*?)\1 *$/m.exec(text)?.[2];
  if (given === undefined) return undefined;
  try {
    return inSkill(setField(text, 'description', `${given} ${line}`));
  } catch (error) {
    if (error instanceof KnackError && error.code === 'skill-invalid') return undefined;
    throw error;
  }
}
