import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { freshKnack } from '../support/command-line.ts';
import { startEmbeddingServer } from '../support/embedding-server.ts';
import { skillText, temporary } from '../support/skills.ts';

interface Check {
  readonly what: string;
  readonly state: string;
  readonly message: string;
}

/** What doctor says of a workspace with these files, beside what is well. */
async function doctor(files: Readonly<Record<string, string>>, env: Record<string, string> = {}) {
  const { knack, workspace } = await freshKnack('doctor');
  await knack(['init']);
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(workspace, path, '..'), { recursive: true });
    await writeFile(join(workspace, path), text);
  }
  const { code, stdout } = await knack(['doctor', '--json'], env);
  const { checks } = JSON.parse(stdout) as { checks: Check[] };
  const told = (state: string) =>
    checks.flatMap((check) =>
      check.state === state && check.what !== 'sandbox'
        ? [`${check.what}: ${check.message.replaceAll(workspace, 'DIR')}`]
        : [],
    );
  return { code, faults: told('fault'), warnings: told('warning'), well: told('ok') };
}

test('broken files beside a skill that is listed are faults with their place', async () => {
  const { code, faults } = await doctor({
    'skills/adds/SKILL.md': skillText('adds', '- add'),
    'skills/adds/tools.yaml': 'tools: [',
    'skills/adds/tests.yaml': 'cases: 3\n',
  });
  expect([code, faults]).toEqual([
    1,
    [
      expect.stringMatching(/^skill: DIR\/skills\/adds\/tools\.yaml:\d+: /),
      'skill: DIR/skills/adds/tests.yaml: cases must be array',
    ],
  ]);
});

test('what a skill holds under a name that is not UTF-8 is named, and its cost measured all the same', async () => {
  const { knack, workspace } = await freshKnack('doctor');
  await knack(['init']);
  const dir = join(workspace, 'skills/tea');
  await mkdir(dir);
  await writeFile(join(dir, 'SKILL.md'), skillText('tea', '- brew'));
  await mkdir(Buffer.concat([Buffer.from(join(dir, 'caf')), Buffer.from([0xe9])]));
  expect((await knack(['doctor'])).stdout).toContain(
    `a part of 1 skill is passed over: ${dir}/caf\\xe9 has a name that is not UTF-8`,
  );
  expect(await knack(['skills', 'stats'])).toMatchObject({ code: 0, stdout: expect.stringContaining('tea') });
});

test('a fault of knack.json is told once', async () => {
  const { code, faults } = await doctor({ 'knack.json': '{"x":1}' });
  expect([code, faults]).toEqual([
    1,
    [expect.stringMatching(/^configuration: DIR\/knack\.json: unknown key "x"/)],
  ]);
});

test('a pinned name that is no skill is a warning', async () => {
  const { code, warnings } = await doctor({
    'knack.json': '{"disclosure":{"pinned":["git-commit","git-comit"]}}',
  });
  expect([code, warnings]).toEqual([
    0,
    [
      expect.stringMatching(/^model: none/),
      'configuration: disclosure.pinned names "git-comit", which is no skill; did you mean git-commit?',
    ],
  ]);
});

describe('the endpoint of the model', () => {
  const told = async (answer: RequestListener) => {
    const server = createServer(answer);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    const { well, warnings } = await doctor({}, { OPENAI_BASE_URL: url, KNACK_MODEL: 'm' });
    server.closeAllConnections();
    server.close();
    const of = (lines: readonly string[]) =>
      lines.filter((line) => line.startsWith('model: ')).map((line) => line.replaceAll(url, 'URL'));
    return { well: of(well), warnings: of(warnings) };
  };

  test.each([200, 404, 405])('answers, also with status %s', async (status) => {
    const paths: unknown[] = [];
    const { well } = await told((request, response) => {
      paths.push([request.method, request.url]);
      response.writeHead(status, { 'content-type': 'application/json' }).end('{"data":[]}');
    });
    expect([well, paths]).toEqual([['model: m at URL, which answers'], [['GET', '/v1/models']]]);
  });

  test.each([
    [401, /Set OPENAI_API_KEY: it is not set/],
    [503, /the model "m" at URL failed/],
  ])('is no fault and not well with status %s', async (status, words) => {
    const { well, warnings } = await told((_, response) => response.writeHead(status).end('{}'));
    expect([well, warnings]).toEqual([[], [expect.stringMatching(words)]]);
  });

  test('that says nothing is not waited for', async () => {
    expect(await told(() => undefined)).toEqual({
      well: [],
      warnings: [expect.stringContaining('no answer in 3 s')],
    });
  });

  test('that is not there is named', async () => {
    const { well, warnings } = await doctor(
      {},
      { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1', KNACK_MODEL: 'm' },
    );
    expect(well.filter((line) => line.startsWith('model'))).toEqual([]);
    expect(warnings[0]).toMatch(/^model: the model "m" at http:\/\/127\.0\.0\.1:9\/v1 failed/);
  });
});

test('links that lead nowhere from their file and from the root, dangling names and loose files are warnings', async () => {
  const links = '[a](references/a.md) [b](b.md) [c](references/A.md) [d](references/none.md)';
  const { code, warnings } = await doctor({
    'skills/links/SKILL.md': skillText('links', '[a](references/a.md)'),
    'skills/links/references/a.md': links,
    'skills/links/references/b.md': 'x',
    'skills/flat.md': skillText('flat', 'x'),
    'skills/referrer/SKILL.md':
      '---\nname: referrer\ndescription: "Refers. Use when x."\nmetadata:\n  related_skills: "links, gone"\n---\n\nx\n',
  });
  expect([code, warnings]).toEqual([
    0,
    [
      expect.stringMatching(/^model: none/),
      'library: DIR/skills/flat.md is not used: a skill is a folder; move it to DIR/skills/flat/SKILL.md',
      'link: 2 links lead nowhere in 1 skill of DIR/skills',
      'graph: referrer names gone (related), which does not exist',
    ],
  ]);
});

test('links that lead nowhere are counted for each root, and --verbose and --json name them', async () => {
  const { knack, workspace } = await freshKnack('links');
  const root = await temporary('read-only');
  for (const dir of [root, join(workspace, 'skills')])
    for (const name of [`${basename(dir)}-one`, `${basename(dir)}-two`]) {
      await mkdir(join(dir, name), { recursive: true });
      await writeFile(join(dir, name, 'SKILL.md'), skillText(name, '[a](none.md)'));
    }
  await writeFile(join(workspace, 'knack.json'), JSON.stringify({ roots: [root] }));
  const { checks } = JSON.parse((await knack(['doctor', '--json'])).stdout) as {
    checks: (Check & { details?: string[] })[];
  };
  const links = checks.filter(({ what }) => what === 'link');
  expect(links.map(({ message, details }) => [message, details?.length])).toEqual([
    [`2 links lead nowhere in 2 skills of ${join(workspace, 'skills')}`, 2],
    [`2 links lead nowhere in 2 skills of ${root}`, 2],
  ]);
  const [plain, verbose] = [await knack(['doctor']), await knack(['doctor', '--verbose'])];
  expect([plain, verbose].map(({ stdout }) => stdout.match(/the link to none\.md/g)?.length)).toEqual([
    undefined,
    4,
  ]);
});

test('what is broken in a root that is only read is a warning', async () => {
  const root = await temporary('read-only');
  await mkdir(join(root, 'broken'), { recursive: true });
  await writeFile(join(root, 'broken/SKILL.md'), 'no front matter');
  await mkdir(join(root, 'tools'), { recursive: true });
  await writeFile(join(root, 'tools/SKILL.md'), skillText('tools', '- x'));
  await writeFile(join(root, 'tools/tools.yaml'), 'tools: [');
  const { code, faults, warnings } = await doctor({ 'knack.json': JSON.stringify({ roots: [root] }) });
  expect([code, faults, warnings.filter((line) => line.startsWith('skill: '))]).toEqual([
    0,
    [],
    [
      expect.stringContaining(`${root}/broken/SKILL.md is not used`),
      expect.stringContaining(`${root}/tools/tools.yaml`),
    ],
  ]);
});

test('skills of other agents in the home folder are named once, and `init --roots` adds them', async () => {
  const { knack, workspace } = await freshKnack('homes');
  const home = await temporary('home');
  for (const path of ['.claude/skills/pdf', '.config/opencode/skills/csv', '.codex/empty']) {
    await mkdir(join(home, path), { recursive: true });
    await writeFile(join(home, path, 'SKILL.md'), skillText(basename(path), '- x'));
  }
  await symlink(join(home, '.claude/skills'), join(home, '.codex/skills'));
  await mkdir(workspace, { recursive: true });
  await writeFile(join(workspace, 'knack.json'), '{"review":{"autonomy":"off"},"roots":["/srv/none"]}');
  const run = (...args: string[]) => knack(args, { HOME: home });
  const told = '~/.claude/skills (1 skill), ~/.config/opencode/skills (1 skill)';
  const init = `knack init ${workspace} --roots`;
  expect((await run('init')).stdout).toContain(`not used yet: ${told}. To use them: ${init}`);
  expect((await run('doctor')).stdout).toContain(`not used: ${told}`);
  expect((await run('skills', 'show', 'csv')).code).toBe(1);
  await run('init', '--roots');
  expect(JSON.parse(await readFile(join(workspace, 'knack.json'), 'utf8'))).toEqual({
    review: { autonomy: 'off' },
    roots: ['/srv/none', '~/.claude/skills', '~/.config/opencode/skills'],
  });
  expect(JSON.parse((await run('skills', 'show', 'opencode:csv', '--json')).stdout)).toMatchObject({
    path: join(home, '.config/opencode/skills/csv/SKILL.md'),
  });
  expect((await run('init', '--roots')).stdout).toContain('none to add');
  expect((await run('doctor')).stdout).not.toContain('not used: ~');
});

test('search by meaning is asked whether it answers; without an answer search goes on, so it is a warning', async () => {
  const set = (embeddings: unknown) => ({ 'knack.json': JSON.stringify({ search: { embeddings } }) });
  expect((await doctor({})).well).toContain('search: by words (search.embeddings is not set)');
  const server = await startEmbeddingServer();
  try {
    const settings = { model: 'double', baseUrl: server.url };
    const { well } = await doctor(set(settings));
    expect(well).toContainEqual(
      expect.stringMatching(
        /^search: by words and by meaning: double answers with 256 numbers; 0 of \d+ skills have a vector$/,
      ),
    );
    expect(server.sent()).toEqual(['knack']);
    server.answerWith(() => ({ status: 401, body: { error: 'no such key' } }));
    const { code, warnings } = await doctor(set(settings));
    expect([code, warnings]).toEqual([
      0,
      expect.arrayContaining([expect.stringMatching(/^search: .*no such key\. Set OPENAI_API_KEY/)]),
    ]);
  } finally {
    await server.close();
  }
  const { code, faults } = await doctor(set({ model: 'double', baseUrl: 'nowhere' }));
  expect([code, faults]).toEqual([1, [expect.stringMatching(/^search: the base URL "nowhere"/)]]);
});

test('a pin that stands for a skill in the shadow of another one says so, and one that is written otherwise is no fault', async () => {
  const { warnings } = await doctor({
    'knack.json': '{"disclosure":{"pinned":["workspace:old/bread","Bread"]}}',
    'skills/bread/SKILL.md': skillText('bread', '- knead', { description: 'Bakes bread.' }),
    'skills/old/bread/SKILL.md': skillText('bread', '- rest', { description: 'Bakes old bread.' }),
  });
  expect(warnings.filter((line) => line.startsWith('catalog'))).toEqual([
    'catalog: workspace:old/bread is pinned, and another skill is listed as bread',
  ]);
});

test('what a session begins with is told; that descriptions are cut is a warning that the exit code says too', async () => {
  const long = `Bakes bread. ${'It takes flour, water, salt and time. '.repeat(40)}`;
  const { code, warnings, well } = await doctor({
    'knack.json': '{"disclosure":{"catalogTokens":150,"pinned":["bread"]}}',
    'skills/bread/SKILL.md': skillText('bread', '- knead', { description: long }),
  });
  expect(code).toBe(1);
  expect(warnings).toContain('catalog: bread is pinned, and there is no room for its description');
  expect(warnings).toContainEqual(
    expect.stringMatching(/^catalog: \d descriptions are cut from it; a model finds/),
  );
  expect(well).toContainEqual(
    expect.stringMatching(/^catalog: \d of 8 skills with their descriptions, 1[0-4]\d of 150 tokens$/),
  );
});
