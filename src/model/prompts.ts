import { join } from 'node:path';
import { hasSystemCode, KnackError, messageOf } from '../errors.ts';
import { readOwnFile } from '../files/own-file.ts';

export interface PromptsOptions {
  /** The package's `prompts/`. */
  readonly packageDir: string;
  /** The workspace's, for the names in `overridable` alone. */
  readonly overrideDir?: string;
  readonly overridable: readonly string[];
}

/** Prompts by name, from `prompts/NAME.md`. */
export interface Prompts {
  /**
   * The prompt with each `{{variable}}` replaced. Values are never looked into again. A variable that is missing, or
   * given and not used, throws `prompt-invalid`.
   */
  render(name: string, variables: Readonly<Record<string, string>>): Promise<string>;
  /** The prompt as it is written. */
  source(name: string): Promise<string>;
}

const VARIABLE = /\{\{([a-z][a-zA-Z]*)\}\}/g;
/** What was meant as a variable and would be sent as it stands. */
const MISSPELT = /\{\{(?![a-z][a-zA-Z]*\}\})\s*[\w-]+\s*\}\}/;

/** Prompts are read once; a change of a file shows with the next process. */
export function createPrompts(options: PromptsOptions): Prompts {
  const prompts = new Map<string, Promise<PromptFile>>();
  const promptOf = (name: string) => {
    const prompt = prompts.get(name) ?? readPrompt(options, name);
    prompts.set(name, prompt);
    return prompt;
  };
  return {
    source: async (name) => (await promptOf(name)).text,
    render: async (name, variables) => renderPrompt(await promptOf(name), variables),
  };
}

interface PromptFile {
  readonly file: string;
  readonly text: string;
}

function renderPrompt({ file, text }: PromptFile, variables: Readonly<Record<string, string>>): string {
  const given = new Map(Object.entries(variables));
  const wanted = new Set([...text.matchAll(VARIABLE)].map((match) => String(match[1])));
  const fail = (fault: string) => {
    throw new KnackError('prompt-invalid', `the prompt ${file} ${fault}`);
  };
  const misspelt = MISSPELT.exec(text);
  if (misspelt !== null) fail(`has ${misspelt[0]}; write variables as {{name}}, without spaces`);
  const missing = [...wanted].filter((name) => !given.has(name));
  if (missing.length > 0)
    fail(`wants ${listed(missing)}, which it is not given; it may use ${listed([...given.keys()])}`);
  const unused = [...given.keys()].filter((name) => !wanted.has(name));
  if (unused.length > 0) fail(`does not use ${listed(unused)}; put it where its text belongs`);
  return text.replace(VARIABLE, (whole, name: string) => given.get(name) ?? whole);
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.map((name) => `{{${name}}}`).join(', ');
}

async function readPrompt(options: PromptsOptions, name: string): Promise<PromptFile> {
  const { overrideDir, overridable, packageDir } = options;
  const dirs = [
    ...(overrideDir !== undefined && overridable.includes(name) ? [overrideDir] : []),
    packageDir,
  ];
  for (const dir of dirs) {
    const file = join(dir, `${name}.md`);
    try {
      const text = await readOwnFile(file);
      return {
        file,
        text: text
          .replace(/^\uFEFF/, '')
          .replace(/\r\n/g, '\n')
          .trim(),
      };
    } catch (error) {
      if (hasSystemCode(error, 'ENOENT')) continue;
      throw new KnackError('prompt-invalid', `cannot read the prompt ${file}: ${messageOf(error)}`, {
        cause: error,
      });
    }
  }
  throw new KnackError('prompt-invalid', `there is no prompt ${name}.md in ${dirs.join(' or ')}`);
}
