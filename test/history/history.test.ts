import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { equalFolders, type Folder, fileText, readFolder, writeFolder } from '../../src/files/folder.ts';
import { createHistory, type History } from '../../src/history/history.ts';
import { formatMessage, readMessage } from '../../src/history/message.ts';
import { handOver } from '../../src/history/ownership.ts';
import type { Change } from '../../src/history/revision.ts';
import { folderOf, skillText, temporary } from '../support/skills.ts';

const PATH = process.env['PATH'] ?? '';
let root = '';
let history: History;
beforeEach(async () => {
  root = join(await temporary('history'), 'skills');
  history = open();
});

const open = (log?: (line: string) => void) =>
  createHistory({ root, environment: { home: root, path: PATH }, ...(log ? { log } : {}) });
const git = (...args: string[]) =>
  execFileSync('git', ['-C', root, ...args], {
    encoding: 'utf8',
    env: { PATH, HOME: root, GIT_CONFIG_NOSYSTEM: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim();

const folder = (name: string, version: string, body: string, more: Record<string, string> = {}): Folder =>
  folderOf({ 'SKILL.md': skillText(name, body, { version }), ...more });

function change(
  skill: string,
  base: Folder | undefined,
  target: Folder,
  to: string,
  more: Partial<Change> = {},
): Change {
  return {
    skill,
    base,
    target,
    to,
    what: `change to ${to}`,
    why: 'because',
    actor: 'reviewer',
    sessions: [],
    operations: [],
    ...more,
  };
}

async function commit(value: Change) {
  const outcome = await history.commit(value);
  if (outcome.kind !== 'committed') throw new Error(JSON.stringify(outcome));
  return outcome.revision;
}

/** Three versions of `csv`, the second with a script. */
async function threeVersions() {
  const one = folder('csv', '1.0.0', '- look first');
  const two = folder('csv', '1.1.0', '- look first\n- mind the comma', { 'scripts/run.sh*': '#!/bin/sh\n' });
  const three = folder('csv', '1.1.1', '- look first\n- mind the decimal comma');
  await commit(
    change('csv', undefined, one, '1.0.0', {
      operations: [
        {
          op: 'write_file',
          file: 'SKILL.md',
          lines: [1, 8],
          evidence: [{ session: 's1', event: 'e1', quote: 'q1' }],
        },
      ],
      sessions: [{ id: 's1', events: ['e1'] }],
    }),
  );
  await commit(change('csv', one, two, '1.1.0', { from: '1.0.0' }));
  await commit(
    change('csv', two, three, '1.1.1', {
      from: '1.1.0',
      operations: [
        {
          op: 'replace',
          file: 'SKILL.md',
          lines: [9, 9],
          claim: 'fact',
          evidence: [
            { session: 's2', event: 'e7', quote: 'decimal comma' },
            { session: 's2', event: 'e9', quote: 'x' },
          ],
        },
      ],
      sessions: [{ id: 's2', events: ['e7', 'e9'] }],
    }),
  );
  return { one, two, three };
}

test('a change becomes one commit of the skill’s paths and is read back whole', async () => {
  const target = folder('csv', '1.0.0', '- look first');
  const value = change('csv', undefined, target, '1.0.0', {
    review: 'r1',
    gate: 'pass',
    overrides: [{ rule: 'scope/date', why: 'y: and: z' }],
    sessions: [{ id: 's', events: ['e1', 'e2'] }],
  });
  const revision = await commit(value);
  const { sha, date, ...rest } = revision;
  expect({ rest, sha: sha === git('rev-parse', 'HEAD'), date: Number.isNaN(Date.parse(date)) }).toEqual({
    rest: {
      skill: 'csv',
      version: '1.0.0',
      actor: 'reviewer',
      what: 'change to 1.0.0',
      why: 'because',
      gate: 'pass',
      overrides: [{ rule: 'scope/date', why: 'y: and: z' }],
      review: 'r1',
      sessions: [{ id: 's', events: ['e1', 'e2'] }],
      operations: [],
    },
    sha: true,
    date: false,
  });
  expect(git('status', '--porcelain')).toBe('');
  expect(equalFolders(await readFolder(join(root, 'csv')), target)).toBe(true);
  expect(await history.log('csv')).toEqual([revision]);
});

test('the same content again is no commit', async () => {
  const { three } = await threeVersions();
  expect(await history.commit(change('csv', three, three, '1.1.2'))).toEqual({ kind: 'unchanged' });
});

test('a skill that is no longer what was decided against is not written', async () => {
  const { one, three } = await threeVersions();
  const outcome = await history.commit(change('csv', one, folder('csv', '2.0.0', 'x'), '2.0.0'));
  expect(outcome.kind === 'moved' && equalFolders(outcome.present, three)).toBe(true);
});

test('a person’s edits are never written over, and what they staged stays staged', async () => {
  const { three } = await threeVersions();
  await writeFile(join(root, 'csv', 'notes.md'), 'mine');
  expect(await history.commit(change('csv', three, folder('csv', '1.2.0', 'x'), '1.2.0'))).toEqual({
    kind: 'dirty',
    files: ['csv/notes.md'],
  });
  await rm(join(root, 'csv', 'notes.md'));
  await mkdir(join(root, 'mine'));
  await writeFile(join(root, 'mine', 'a'), 'staged');
  await writeFile(join(root, 'untracked'), 'u');
  git('add', 'mine/a');
  const revision = await commit(change('csv', three, folder('csv', '1.2.0', 'x'), '1.2.0'));
  expect(git('show', '--name-only', '--format=', revision.sha).split('\n')).toEqual(['csv/SKILL.md']);
  expect(git('status', '--porcelain').split('\n')).toEqual(['A  mine/a', '?? untracked']);
});

test('a file that a person renamed keeps both its names: staged elsewhere it stays so, in the skill both are theirs', async () => {
  const { three } = await threeVersions();
  await mkdir(join(root, 'mine'));
  await writeFile(join(root, 'mine', 'a'), 'a text of mine\n');
  git('add', 'mine/a');
  git('-c', 'user.name=p', '-c', 'user.email=p@localhost', 'commit', '-qm', 'mine');
  git('mv', 'mine/a', 'mine/b');
  const next = folder('csv', '1.2.0', 'x');
  const revision = await commit(change('csv', three, next, '1.2.0'));
  const touched = git('show', '--name-only', '--format=', revision.sha).split('\n');
  expect(touched.filter((path) => !path.startsWith('csv/'))).toEqual([]);
  expect(git('status', '--porcelain')).toBe('R  mine/a -> mine/b');
  git('mv', 'csv/SKILL.md', 'csv/NOTES.md');
  expect(await history.commit(change('csv', next, three, '1.2.1'))).toEqual({
    kind: 'dirty',
    files: ['csv/NOTES.md', 'csv/SKILL.md'],
  });
  expect(git('status', '--porcelain').split('\n')).toEqual([
    'R  csv/SKILL.md -> csv/NOTES.md',
    'R  mine/a -> mine/b',
  ]);
});

test('log, folderAt and diff know every version, and an unknown one lists those that exist', async () => {
  const { one, two } = await threeVersions();
  expect((await history.log('csv')).map((revision) => revision.version)).toEqual(['1.1.1', '1.1.0', '1.0.0']);
  expect([
    equalFolders(await history.folderAt('csv', '1.0.0'), one),
    equalFolders(await history.folderAt('csv', '1.1.0'), two),
  ]).toEqual([true, true]);
  const diff = await history.diff('csv', '1.0.0', '1.1.0');
  expect(diff.split('\n').filter((line) => /^[+-](?![+-]{2} )/.test(line))).toEqual([
    '-  version: "1.0.0"',
    '+  version: "1.1.0"',
    '+- mind the comma',
    '+#!/bin/sh',
  ]);
  await expect(history.folderAt('csv', '9.9.9')).rejects.toMatchObject({
    code: 'not-found',
    message: 'csv has no version 9.9.9; it has 1.1.1, 1.1.0, 1.0.0',
  });
  await expect(history.log('nothing')).rejects.toMatchObject({ code: 'not-found' });
});

test('blame names the version and the turns of each line', async () => {
  await threeVersions();
  const lines = await history.blame('csv');
  const short = lines.map(({ line, text, version, session, events }) => [
    line,
    text,
    version,
    session,
    events,
  ]);
  expect(short).toEqual([
    [1, '---', '1.0.0', 's1', ['e1']],
    [2, 'name: csv', '1.0.0', 's1', ['e1']],
    [3, 'description: "Does csv. Use when csv is wanted."', '1.0.0', 's1', ['e1']],
    [4, 'metadata:', '1.0.0', 's1', ['e1']],
    [5, '  version: "1.1.1"', '1.1.1', undefined, undefined],
    [6, '---', '1.0.0', 's1', ['e1']],
    [7, '', '1.0.0', 's1', ['e1']],
    [8, '- look first', '1.0.0', 's1', ['e1']],
    [9, '- mind the decimal comma', '1.1.1', 's2', ['e7', 'e9']],
  ]);
  await history.rollback('csv', '1.0.0', 'wrong');
  await history.rollback('csv', '1.1.1', 'right after all');
  expect(
    (await history.blame('csv')).map(({ line, text, version, session, events }) => [
      line,
      text,
      version,
      session,
      events,
    ]),
  ).toEqual(short);
});

test('a file that becomes a folder, and a folder that becomes a file, go back and forth', async () => {
  const file = folder('csv', '1.0.0', 'x', { d: 'x' });
  const dir = folder('csv', '1.1.0', 'x', { 'd/f': 'y' });
  await commit(change('csv', undefined, file, '1.0.0'));
  await commit(change('csv', file, dir, '1.1.0'));
  expect(equalFolders(await readFolder(join(root, 'csv')), dir)).toBe(true);
  for (const version of ['1.0.0', '1.1.0']) {
    expect(await history.rollback('csv', version, 'back')).toMatchObject({ kind: 'committed' });
    const wanted = version === '1.0.0' ? file : dir;
    expect(equalFolders(await readFolder(join(root, 'csv')), wanted)).toBe(true);
    expect(git('status', '--porcelain')).toBe('');
  }
});

test('a rollback is a new commit with the old tree, to the byte and mode, and shows the old number', async () => {
  const { two } = await threeVersions();
  await commit(change('other', undefined, folder('other', '1.0.0', 'x'), '1.0.0'));
  const tree = git('rev-parse', 'HEAD~2:csv');
  const outcome = await history.rollback('csv', undefined, 'it was wrong');
  expect(outcome).toMatchObject({
    kind: 'committed',
    revision: { version: '1.1.0', actor: 'rollback', why: 'it was wrong' },
  });
  expect([git('rev-parse', 'HEAD:csv'), git('ls-files', '-s', 'csv/scripts').slice(0, 6)]).toEqual([
    tree,
    '100755',
  ]);
  expect(equalFolders(await readFolder(join(root, 'csv')), two)).toBe(true);
  expect((await history.log('csv')).map((revision) => revision.version)).toEqual([
    '1.1.0',
    '1.1.1',
    '1.1.0',
    '1.0.0',
  ]);
  expect((await history.log('other')).length).toBe(1);
  expect(await history.nextVersion('csv', 'patch')).toBe('1.1.2');
  expect(await history.rollback('csv', undefined, 'further')).toMatchObject({
    kind: 'committed',
    revision: { version: '1.0.0' },
  });
});

test('the rollback of a first revision takes the skill out of the library, and its history brings it back', async () => {
  const first = folder('csv', '1.0.0', 'x', { 'scripts/run.sh*': '#!/bin/sh\n' });
  await commit(change('csv', undefined, first, '1.0.0'));
  expect(await history.rollback('csv', undefined, 'x')).toMatchObject({
    kind: 'committed',
    revision: { version: 'none', actor: 'rollback' },
  });
  expect([existsSync(join(root, 'csv')), git('ls-files'), git('status', '--porcelain')]).toEqual([
    false,
    '',
    '',
  ]);
  expect(await history.nextVersion('csv', 'patch')).toBe('1.0.1');
  await history.rollback('csv', '1.0.0', 'right after all');
  expect(equalFolders(await readFolder(join(root, 'csv')), first)).toBe(true);
  expect((await history.log('csv')).map((revision) => revision.version)).toEqual(['1.0.0', 'none', '1.0.0']);
  expect(await history.ownership('csv')).toBe('learned');
});

test('rollbacks end where the skill is out, also over hand-overs, which they pass by', async () => {
  const first = folder('csv', '1.0.0', 'x');
  const second = folder('csv', '1.1.0', 'y');
  await commit(change('csv', undefined, first, '1.0.0'));
  await commit(change('csv', first, second, '1.1.0'));
  await handOver(history, 'csv', { owner: 'written', why: 'mine' });
  await handOver(history, 'csv', { owner: 'learned', why: 'yours' });
  const target = await history.rolledBack('csv', undefined);
  expect(equalFolders(target, first)).toBe(true);
  expect(equalFolders(await readFolder(join(root, 'csv')), first)).toBe(false);
  await history.rollback('csv', undefined, 'x');
  expect(equalFolders(await readFolder(join(root, 'csv')), first)).toBe(true);
  await handOver(history, 'csv', { owner: 'written', why: 'mine' });
  expect(await history.rollback('csv', undefined, 'x')).toMatchObject({ revision: { version: 'none' } });
  await expect(history.rollback('csv', undefined, 'x')).rejects.toThrow(
    /csv is out of the library, .* `knack skills restore csv` brings it back/,
  );
  expect(existsSync(join(root, 'csv'))).toBe(false);
});

test('revisions of a skill without a number go by their commits, and none of them is taken for its absence', async () => {
  await history.open();
  for (const text of ['one', 'two']) {
    await rm(join(root, 'csv'), { recursive: true, force: true });
    await writeFolder(
      join(root, 'csv'),
      folderOf({ 'SKILL.md': `---\nname: csv\ndescription: Reads CSV. Use for CSV.\n---\n\n${text}\n` }),
    );
    git('add', '-A');
    git('-c', 'user.name=a', '-c', 'user.email=a@b.c', 'commit', '-qm', text);
  }
  expect((await history.log('csv')).map(({ version, what }) => [version, what])).toEqual([
    ['unnumbered', 'two'],
    ['unnumbered', 'one'],
  ]);
  const body = async () =>
    fileText(await readFolder(join(root, 'csv')), 'SKILL.md')
      ?.split('\n')
      .at(-2);
  expect(await history.rollback('csv', undefined, 'x')).toMatchObject({ kind: 'committed' });
  expect(await body()).toBe('one');
  expect(await history.rollback('csv', git('rev-parse', 'HEAD~1'), 'x')).toMatchObject({ kind: 'committed' });
  expect(await body()).toBe('two');
});

describe('who owns a skill', () => {
  test('learned while only the reviewer changed it, written once a person did', async () => {
    await threeVersions();
    expect(await history.ownership('csv')).toBe('learned');
    await history.rollback('csv', undefined, 'x');
    expect(await history.ownership('csv')).toBe('learned');
    await writeFile(join(root, 'csv', 'SKILL.md'), skillText('csv', 'mine', { version: '3.0.0' }));
    git('add', '.');
    git('-c', 'user.name=p', '-c', 'user.email=p@localhost', 'commit', '-qm', 'by hand');
    expect([
      await history.ownership('csv'),
      (await history.log('csv'))[0]?.version,
      (await history.log('csv'))[0]?.actor,
    ]).toEqual(['written', '3.0.0', 'user']);
  });

  test('written if it was never committed, imported if it came in', async () => {
    await history.open();
    expect(await history.ownership('unknown')).toBe('written');
    await commit(change('csv', undefined, folder('csv', '1.0.0', 'x'), '1.0.0', { actor: 'import' }));
    expect(await history.ownership('csv')).toBe('imported');
  });
});

describe('the repository', () => {
  test('inside another repository is one of its own', async () => {
    const outer = resolve(root, '..');
    execFileSync('git', ['-C', outer, 'init', '-q']);
    await commit(change('csv', undefined, folder('csv', '1.0.0', 'x'), '1.0.0'));
    expect(() => execFileSync('git', ['-C', outer, 'rev-parse', 'HEAD'], { stdio: 'pipe' })).toThrow();
    expect(git('rev-list', '--count', 'HEAD')).toBe('1');
  });

  test('is not redirected by inherited GIT_ variables', async () => {
    const other = await temporary('other');
    execFileSync('git', ['-C', other, 'init', '-q']);
    process.env['GIT_DIR'] = join(other, '.git');
    process.env['GIT_INDEX_FILE'] = join(other, '.git', 'index');
    try {
      await commit(change('csv', undefined, folder('csv', '1.0.0', 'x'), '1.0.0'));
    } finally {
      delete process.env['GIT_DIR'];
      delete process.env['GIT_INDEX_FILE'];
    }
    expect([
      git('rev-list', '--count', 'HEAD'),
      existsSync(join(other, '.git', 'index')),
      existsSync(join(other, '.git', 'refs', 'heads', 'main')),
    ]).toEqual(['1', false, false]);
  });

  test('runs no hook, asks for no signature and needs no identity', async () => {
    await history.open();
    await mkdir(join(root, '.git', 'hooks'), { recursive: true });
    for (const hook of ['pre-commit', 'commit-msg', 'post-commit', 'reference-transaction']) {
      await writeFile(join(root, '.git', 'hooks', hook), `#!/bin/sh\ntouch ${root}/hook-ran\nexit 1\n`);
      await chmod(join(root, '.git', 'hooks', hook), 0o755);
    }
    git('config', 'commit.gpgsign', 'true');
    git('config', 'core.fsmonitor', `touch ${root}/hook-ran; false`);
    await commit(change('csv', undefined, folder('csv', '1.0.0', 'x'), '1.0.0'));
    expect([existsSync(join(root, 'hook-ran')), git('log', '-1', '--format=%an')]).toEqual([false, 'knack']);
  });

  test('on a detached HEAD or during a merge makes no commit', async () => {
    const { three } = await threeVersions();
    const next = change('csv', three, folder('csv', '1.2.0', 'x'), '1.2.0');
    git('checkout', '-q', '--detach');
    expect(await history.commit(next)).toMatchObject({
      kind: 'unavailable',
      why: expect.stringContaining('detached') as string,
    });
    git('checkout', '-q', 'main');
    await writeFile(join(root, '.git', 'MERGE_HEAD'), `${git('rev-parse', 'HEAD')}\n`);
    expect(await history.commit(next)).toMatchObject({
      kind: 'unavailable',
      why: expect.stringContaining('a merge') as string,
    });
  });

  test('whose branch git cannot name makes no commit, and the error names the command', async () => {
    const { three } = await threeVersions();
    const bin = await temporary('bin');
    const real = execFileSync('which', ['git'], { encoding: 'utf8' }).trim();
    const broken = `#!/bin/sh\ncase "$*" in *' status '*) echo 'fatal: bad object' >&2; exit 128;; esac\nexec ${real} "$@"\n`;
    await writeFile(join(bin, 'git'), broken, { mode: 0o755 });
    const before = git('rev-parse', 'HEAD');
    const other = createHistory({ root, environment: { home: root, path: `${bin}:${PATH}` } });
    await expect(
      other.commit(change('csv', three, folder('csv', '1.2.0', 'x'), '1.2.0')),
    ).rejects.toMatchObject({
      code: 'git-failed',
      message: expect.stringMatching(/^git status failed in .*: fatal: bad object/) as string,
    });
    expect([git('rev-parse', 'HEAD'), git('status', '--porcelain')]).toEqual([before, '']);
  });

  test('whose git is killed without a word makes no commit, and the old version stands', async () => {
    const { three } = await threeVersions();
    const bin = await temporary('bin');
    const real = execFileSync('which', ['git'], { encoding: 'utf8' }).trim();
    const killed = `#!/bin/sh\ncase "$*" in *' fast-import '*) kill -9 $$;; esac\nexec ${real} "$@"\n`;
    await writeFile(join(bin, 'git'), killed, { mode: 0o755 });
    const other = createHistory({ root, environment: { home: root, path: `${bin}:${PATH}` } });
    await expect(
      other.commit(change('csv', three, folder('csv', '1.2.0', 'x'), '1.2.0')),
    ).rejects.toMatchObject({
      code: 'git-failed',
      message: expect.stringMatching(/^git fast-import failed in .*; the old version stands$/) as string,
    });
    expect([equalFolders(await readFolder(join(root, 'csv')), three), git('status', '--porcelain')]).toEqual([
      true,
      '',
    ]);
  });

  test('whose git is killed after the commit has the new version, and nothing is left staged', async () => {
    const { three } = await threeVersions();
    const bin = await temporary('bin');
    const real = execFileSync('which', ['git'], { encoding: 'utf8' }).trim();
    const killed = `#!/bin/sh\ncase "$*" in *' fast-import '*) ${real} "$@" > ${bin}/said; kill -9 $$;; esac\nexec ${real} "$@"\n`;
    await writeFile(join(bin, 'git'), killed, { mode: 0o755 });
    const other = createHistory({ root, environment: { home: root, path: `${bin}:${PATH}` } });
    const next = change('csv', three, folder('csv', '1.2.0', 'x'), '1.2.0');
    expect(await other.commit(next)).toMatchObject({
      kind: 'committed',
      revision: { version: '1.2.0', sha: git('rev-parse', 'HEAD') },
    });
    expect([equalFolders(await history.committed('csv'), next.target), git('status', '--porcelain')]).toEqual(
      [true, ''],
    );
  });

  test('that is damaged is an error, and a repository further up is not taken in its place', async () => {
    const { three } = await threeVersions();
    const outer = resolve(root, '..');
    execFileSync('git', ['-C', outer, 'init', '-q']);
    await writeFile(join(root, '.git', 'HEAD'), 'nonsense\n');
    await expect(
      open().commit(change('csv', three, folder('csv', '1.2.0', 'x'), '1.2.0')),
    ).rejects.toMatchObject({ code: 'git-failed' });
    expect(execFileSync('git', ['-C', outer, 'ls-files'], { encoding: 'utf8' })).toBe('');
    expect(equalFolders(await readFolder(join(root, 'csv')), three)).toBe(true);
  });

  test('without a commit yet is on its branch', async () => {
    await history.open();
    expect(git('for-each-ref')).toBe('');
    await commit(change('csv', undefined, folder('csv', '1.0.0', 'x'), '1.0.0'));
    expect(git('symbolic-ref', 'HEAD')).toBe('refs/heads/main');
  });

  test('with a foreign index lock waits, then names it, and the old version stands', async () => {
    const { three } = await threeVersions();
    await writeFile(join(root, '.git', 'index.lock'), '');
    await expect(
      history.commit(change('csv', three, folder('csv', '1.2.0', 'x'), '1.2.0')),
    ).rejects.toMatchObject({ code: 'lock-held', message: expect.stringContaining('index.lock') as string });
    await rm(join(root, '.git', 'index.lock'));
    expect([equalFolders(await readFolder(join(root, 'csv')), three), git('status', '--porcelain')]).toEqual([
      true,
      '',
    ]);
  });

  test('without git says what to install', async () => {
    const without = createHistory({ root, environment: { home: root, path: await temporary('empty') } });
    await expect(without.open()).rejects.toMatchObject({ code: 'git-missing' });
  });

  test('refuses a name that is no name, and a link in a skill that leads out of it', async () => {
    await expect(
      history.commit(change('../out', undefined, folder('out', '1.0.0', 'x'), '1.0.0')),
    ).rejects.toMatchObject({ code: 'refused' });
    const { three } = await threeVersions();
    await symlink('/etc', join(root, 'csv', 'out'));
    expect(await history.commit(change('csv', three, folder('csv', '1.2.0', 'x'), '1.2.0'))).toEqual({
      kind: 'dirty',
      files: ['csv/out'],
    });
  });
});

test('a message reads back as it was written, and no field can pass for another', () => {
  const text = fc.oneof(
    fc.string({ maxLength: 60 }),
    fc.constantFrom(
      'Knack-Actor: user',
      'a\n\nKnack-Version: 9.9.9',
      'Operations:\n{"op":"x","evidence":[]}',
      '{"a":1}',
      'x\r\ny',
      '\u202eevil',
    ),
  );
  fc.assert(
    fc.property(text, text, text, (what, why, quote) => {
      const value = change('csv', undefined, new Map(), '1.2.3', {
        what,
        why,
        gate: what,
        sessions: [{ id: quote, events: [what] }],
        operations: [
          { op: 'replace', file: why, lines: [1, 2], evidence: [{ session: what, event: why, quote }] },
        ],
      });
      const read = readMessage(formatMessage(value));
      expect([read?.skill, read?.version, read?.actor, read?.operations]).toEqual([
        'csv',
        '1.2.3',
        'reviewer',
        value.operations,
      ]);
      expect(read?.why.replace(/\s+/g, '')).toBe(
        why.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, ' ').replace(/\s+/g, ''),
      );
    }),
  );
});

test('a diff shows hidden characters', async () => {
  const one = folder('csv', '1.0.0', 'a');
  await commit(change('csv', undefined, one, '1.0.0'));
  await commit(change('csv', one, folder('csv', '1.0.1', 'a\u202eb\u{e0041}'), '1.0.1'));
  expect(await history.diff('csv', '1.0.0', '1.0.1')).toContain('a<U+202E>b<U+E0041>');
});

test('a full or read-only folder is an error that names it, and the old version stands', async () => {
  const { three } = await threeVersions();
  await mkdir(join(root, '.git', 'knack'), { recursive: true });
  await writeFile(join(root, '.git', 'knack', 'next'), 'in the way');
  await rm(join(root, '.git', 'knack'), { recursive: true });
  await writeFile(join(root, '.git', 'knack'), 'in the way');
  await expect(
    history.commit(change('csv', three, folder('csv', '1.2.0', 'x'), '1.2.0')),
  ).rejects.toMatchObject({ code: 'io' });
  expect([
    equalFolders(await readFolder(join(root, 'csv')), three),
    (await readFile(join(root, 'csv', 'SKILL.md'), 'utf8')).includes('1.1.1'),
  ]).toEqual([true, true]);
});

test('the history of all skills names the folders of files whose names git would quote', async () => {
  await threeVersions();
  const hash = 'a'.repeat(40);
  for (const name of ['a "quoted" name', 'two\nlines', `${hash}`, 'größe']) {
    await writeFile(join(root, 'csv', name), 'x');
    git('add', '-A');
    git('-c', 'user.name=p', '-c', 'user.email=p@localhost', 'commit', '-qm', 'by hand');
  }
  expect((await history.logAll()).map(({ skill, what }) => `${skill}: ${what}`)).toEqual([
    ...Array.from({ length: 4 }, () => 'csv: by hand'),
    ...['1.1.1', '1.1.0', '1.0.0'].map((to) => `csv: change to ${to}`),
  ]);
});

test('no setting of the person changes what is read of the history', async () => {
  await threeVersions();
  const plain = [await history.blame('csv'), await history.diff('csv', '1.0.0'), await history.log('csv')];
  await writeFile(
    join(root, '.gitconfig'),
    '[blame]\n\tignoreRevsFile = .none\n\tcoloring = highlightRecent\n[diff]\n\torderFile = /none\n\tnoprefix = true\n\tmnemonicPrefix = true\n[color]\n\tui = always\n[log]\n\tshowSignature = true\n\tdate = relative\n',
  );
  const other = open();
  expect([await other.blame('csv'), await other.diff('csv', '1.0.0'), await other.log('csv')]).toEqual(plain);
  expect(await other.rollback('csv', undefined, 'x')).toMatchObject({ kind: 'committed' });
});

describe('a skill with a committed link', () => {
  test.each(['a.md', '../references/a.md', '../evals', './../evals/'])(
    'to %s within it is read from git as from the disk, and neither written as a copy nor a failure',
    async (leadsTo) => {
      await threeVersions();
      for (const name of ['references', 'evals']) await mkdir(join(root, 'csv', name));
      await writeFile(join(root, 'csv', 'references', 'a.md'), 'a\n');
      await writeFile(join(root, 'csv', 'evals', 'e.md'), 'e\n');
      await symlink(leadsTo, join(root, 'csv', 'references', 'b'));
      git('add', '-A');
      git('-c', 'user.name=p', '-c', 'user.email=p@localhost', 'commit', '-qm', 'a link');
      const { folder: base, ...rest } = await history.standing('csv');
      expect([rest, await history.committed('csv')]).toEqual([{ dirty: [], owner: 'written' }, base]);
      expect(await history.nextVersion('csv', 'patch')).toBe('1.1.2');
      expect(await history.commit(change('csv', base, folder('csv', '1.1.2', 'x'), '1.1.2'))).toEqual({
        kind: 'unavailable',
        why: 'csv/references/b is a link, which knack would write as a copy; put a copy in its place, or make the change with git',
      });
      expect(git('status', '--porcelain')).toBe('');
    },
  );

  test('that leads out of it is refused', async () => {
    await threeVersions();
    await symlink('../../outside', join(root, 'csv', 'out'));
    git('add', '-A');
    git('-c', 'user.name=p', '-c', 'user.email=p@localhost', 'commit', '-qm', 'a link');
    await expect(history.committed('csv')).rejects.toMatchObject({ code: 'refused' });
    await expect(history.standing('csv')).rejects.toMatchObject({ code: 'refused' });
  });
});
