import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

const SRC = resolve(import.meta.dirname, '../src');

/** The layer of every folder and top-level module of `src/`; a module imports from its own folder or a lower layer. */
const LAYERS: Record<string, number> = {
  'errors.ts': 0,
  'config.ts': 0,
  'config-schema.ts': 0,
  'workspace.ts': 0,
  'pause.ts': 0,
  'process-alive.ts': 0,
  'known-roots.ts': 0,
  files: 0,
  text: 0,
  skill: 1,
  model: 1,
  transcript: 1,
  library: 2,
  history: 2,
  scripts: 2,
  disclosure: 3,
  gate: 3,
  tool: 4,
  agent: 5,
  review: 5,
  transfer: 5,
  mcp: 5,
  runtime: 6,
  cli: 7,
  'index.ts': 7,
};

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
const part = (file: string) => file.split('/')[0] ?? file;
const importsOf = (file: string) =>
  [...readFileSync(join(SRC, file), 'utf8').matchAll(/(?<!['\w-])(?:from|import)\s*\(?\s*'([^']+)'/g)].map(
    (match) => String(match[1]),
  );

test('every module has a layer', () => {
  expect(files.filter((file) => LAYERS[part(file)] === undefined)).toEqual([]);
});

test('a module imports from its own folder or a lower layer, those of layer 0 also from each other', () => {
  const wrong = files.flatMap((file) =>
    importsOf(file)
      .filter((path) => path.startsWith('.'))
      .map((path) => relative(SRC, resolve(SRC, dirname(file), path)))
      .filter((target) => {
        const from = LAYERS[part(file)] ?? 0;
        const to = LAYERS[part(target)] ?? 99;
        return part(file) !== part(target) && !(to < from || (from === 0 && to === 0));
      })
      .map((target) => `${file} -> ${target}`),
  );
  expect(wrong).toEqual([]);
});

/** Two packages are the business of a whole folder. */
const SHARED: Record<string, string> = { yaml: 'skill', commander: 'cli' };

test('each package is imported by one file, yaml by skill/ and commander by cli/', () => {
  const users = new Map<string, Set<string>>();
  for (const file of files) {
    for (const path of importsOf(file)) {
      if (path.startsWith('.') || path.startsWith('node:')) continue;
      const name = path.startsWith('@') ? path.split('/').slice(0, 2).join('/') : String(path.split('/')[0]);
      users.set(name, (users.get(name) ?? new Set()).add(SHARED[name] === part(file) ? part(file) : file));
    }
  }
  expect([...users].filter(([, by]) => by.size > 1).map(([name, by]) => [name, ...by])).toEqual([]);
});

test('only config.ts reads the environment and only cli/ prints or exits', () => {
  const text = (file: string) => readFileSync(join(SRC, file), 'utf8');
  expect(files.filter((file) => file !== 'config.ts' && /process\.env/.test(text(file)))).toEqual([]);
  expect(
    files.filter(
      (file) => part(file) !== 'cli' && /console\.|process\.(stdout|stderr|exit)/.test(text(file)),
    ),
  ).toEqual([]);
});
