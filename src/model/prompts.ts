import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasSystemCode, KnackError } from '../errors.ts';

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

export function createPrompts(options: PromptsOptions): Prompts {
  const texts = new Map<string, Promise<string>>();
  const source = (name: string) => {
    const text = texts.get(name) ?? readPrompt(options, name);
    texts.set(name, text);
    return text;
  };
  return {
    source,
    async render(name, variables) {
      const text = await source(name);
      const wanted = new Set([...text.matchAll(VARIABLE)].map((match) => String(match[1])));
      const missing = [...wanted].filter((key) => variables[key] === undefined);
      const unused = Object.keys(variables).filter((key) => !wanted.has(key));
      if (missing.length > 0)
        throw new KnackError(
          'prompt-invalid',
          `the prompt ${name} wants {{${missing.join('}}, {{')}}}, which it is not given`,
        );
      if (unused.length > 0)
        throw new KnackError(
          'prompt-invalid',
          `the prompt ${name} has no {{${unused.join('}}, {{')}}}; add it or take the prompt of the package`,
        );
      return text.replace(VARIABLE, (_, key: string) => String(variables[key]));
    },
  };
}

async function readPrompt(options: PromptsOptions, name: string): Promise<string> {
  const dirs = [
    ...(options.overrideDir !== undefined && options.overridable.includes(name) ? [options.overrideDir] : []),
    options.packageDir,
  ];
  for (const dir of dirs) {
    try {
      return (await readFile(join(dir, `${name}.md`), 'utf8')).replace(/\r\n/g, '\n').trim();
    } catch (error) {
      if (!hasSystemCode(error, 'ENOENT')) throw error;
    }
  }
  throw new KnackError('prompt-invalid', `there is no prompt ${name}.md in ${dirs.join(' or ')}`);
}
