import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { openRuntime } from '../../src/runtime/runtime.ts';
import { type AddReport, type AddRequest, addSkills } from '../../src/transfer/add.ts';
import type { TransferParts } from '../../src/transfer/parts.ts';
import { parseSource } from '../../src/transfer/source.ts';
import { type Updated, type UpdateRequest, updateSkills } from '../../src/transfer/update.ts';
import { temporary } from '../support/skills.ts';

/** A folder whose files are written from texts: `name*` is executable, `name@` a link. */
export interface Place {
  readonly dir: string;
  write(files: Readonly<Record<string, string>>): Promise<void>;
  read(path: string): Promise<string>;
  remove(path: string): Promise<void>;
  /** Commits everything; makes it a repository first where it is none. */
  commit(): string;
  readonly url: string;
}

export async function place(name = 'source'): Promise<Place> {
  const dir = await temporary(name);
  return placeAt(dir);
}

export function placeAt(dir: string): Place {
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...words], {
      cwd: dir,
    }).toString();
  return {
    dir,
    url: `file://${dir}`,
    async write(files) {
      for (const [key, text] of Object.entries(files)) {
        const path = join(dir, key.replace(/[*@]$/, ''));
        await mkdir(dirname(path), { recursive: true });
        if (key.endsWith('@')) await symlink(text, path);
        else await writeFile(path, text);
        if (key.endsWith('*')) await chmod(path, 0o755);
      }
    },
    read: (path) => readFile(join(dir, path), 'utf8'),
    remove: (path) => rm(join(dir, path), { recursive: true }),
    commit() {
      git('init', '--quiet', '--initial-branch=main');
      git('add', '--all');
      git('commit', '--quiet', '--allow-empty', '--message=change');
      return git('rev-parse', 'HEAD').trim();
    },
  };
}

const ALLOWED = {
  names: [],
  dryRun: false,
  prefer: undefined,
  allow: [],
  judge: 'capped',
} satisfies UpdateRequest;

/** A fresh workspace with everything that brings skills in; with an endpoint there is a model to judge. */
export async function transferLab({ baseUrl }: { readonly baseUrl?: string } = {}) {
  const home = await temporary('home');
  const workspace = join(home, 'workspace');
  const controller = new AbortController();
  const open = async () => {
    const environment = {
      workspace: undefined,
      apiKey: undefined,
      baseUrl,
      model: undefined,
      debug: false,
      home,
      path: process.env['PATH'] ?? '',
      secrets: [],
    };
    return openRuntime({ workspace, environment, log: () => undefined });
  };
  const parts = async (): Promise<TransferParts> =>
    (await open()).transfer({ signal: controller.signal, onProgress: () => undefined });
  return {
    home,
    controller,
    workspace: placeAt(workspace),
    skills: placeAt(join(workspace, 'skills')),
    open,
    parts,
    async add(
      source: string,
      options: Partial<Omit<AddRequest, 'source'>> = {},
      change: (given: TransferParts) => Partial<TransferParts> = () => ({}),
    ): Promise<AddReport> {
      const given = await parts();
      return addSkills(
        { ...given, ...change(given) },
        {
          source: parseSource(source, '/'),
          only: [],
          readOnly: false,
          dryRun: false,
          allow: [],
          judge: 'capped',
          wantsAllJudged: () => Promise.resolve(false),
          wantsAll: () => Promise.resolve(true),
          onDecided: () => undefined,
          ...options,
        },
      );
    },
    async update(
      options: Partial<UpdateRequest> = {},
      change: (given: TransferParts) => Partial<TransferParts> = () => ({}),
    ): Promise<Updated[]> {
      const given = await parts();
      const request = { ...ALLOWED, ...options };
      return [...(await updateSkills({ ...given, ...change(given) }, request)).skills];
    },
  };
}

/** What became of each skill, by name. */
export function outcomes(
  results: readonly { readonly name: string; readonly outcome: string }[],
): Record<string, string> {
  return Object.fromEntries(results.map(({ name, outcome }) => [name, outcome]));
}

/** The text of a skill with a few lines that tests change. */
export function numbered(name: string, { first = 'one', last = 'five', version = '' } = {}): string {
  const metadata = version === '' ? '' : `metadata:\n  version: "${version}"\n`;
  return `---\nname: ${name}\ndescription: "Handles ${name}. Use when ${name} is asked for."\n${metadata}---\n\n# ${name}\n\nStep ${first}\n\nStep two\n\nStep three\n\nStep four\n\nStep ${last}\n`;
}
