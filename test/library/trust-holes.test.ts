import { createHash } from 'node:crypto';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readEnvironment } from '../../src/config.ts';
import { openLibrary } from '../../src/library/library.ts';
import { readProjectContent } from '../../src/library/project/project-content.ts';
import { findProjectPlaces } from '../../src/library/project/project-places.ts';
import { changesSince, openTrustStore } from '../../src/library/project/trust.ts';
import { locateWorkspace } from '../../src/workspace.ts';
import { skillText, temporary } from '../support/skills.ts';

async function checkout(files: Readonly<Record<string, string>>): Promise<string> {
  const dir = await temporary('checkout');
  for (const [path, text] of Object.entries({ '.git/HEAD': 'ref: refs/heads/main\n', ...files })) {
    mkdirSync(join(dir, path, '..'), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
  return dir;
}

test('a file whose name only folds to SKILL.md is no skill, for trust and for the library alike', async () => {
  const dir = await checkout({
    '.claude/skills/nice/SKILL.md': skillText('nice', '- x'),
    '.claude/skills/evil/S\u212AILL.md': skillText('evil', '- y'),
  });
  const library = await openLibrary({
    roots: [{ name: 'r', dir: join(dir, '.claude/skills'), writable: false }],
  });
  expect(library.skills.map(({ name }) => name)).toEqual(['nice']);
});

test.each([
  ['a root in .git', { '.knack.json': '{"roots":[".git"]}' }, undefined],
  ['a link into .git', { '.claude/skills/nice/SKILL.md': skillText('nice', '- x') }, '.claude/skills/hidden'],
])('%s cannot be trusted: nobody looks there', async (_, files, link) => {
  const dir = await checkout({
    ...(files as Record<string, string>),
    '.git/evil/SKILL.md': skillText('evil', '- y'),
  });
  if (link !== undefined) symlinkSync(join(dir, '.git/evil'), join(dir, link));
  const [place] = findProjectPlaces(dir, { home: '/nobody' });
  if (place === undefined) throw new Error('no place');
  expect(readProjectContent(place).faults).toEqual([expect.stringContaining('.git')]);
});

test('a workspace in a checkout keeps its trust in the home folder, where no commit reaches', async () => {
  const dir = await checkout({});
  const environment = { ...readEnvironment({}), home: await temporary('home') };
  expect(locateWorkspace(join(dir, 'kn'), environment).trust).toBe(join(environment.home, '.knack/trust'));
  const apart = await temporary('apart');
  expect(locateWorkspace(apart, environment).trust).toBe(join(apart, 'logs/trust'));
});

test('a file named as the content of a link is kept does not hide that what the link leads to changed', async () => {
  const dir = await checkout({ 'sub/.knack.json →': '{}', 'sub/.keep': '', 'cfg.json': '{}' });
  symlinkSync('../cfg.json', join(dir, 'sub/.knack.json'));
  // The decoy is read after the link where a root holds both.
  writeFileSync(join(dir, 'cfg.json'), '{"roots":["."]}');
  const contentNow = () => {
    const place = findProjectPlaces(join(dir, 'sub'), { home: '/nobody' })[0];
    if (place === undefined) throw new Error('no place');
    return readProjectContent(place);
  };
  const trusted = contentNow();
  writeFileSync(join(dir, 'cfg.json'), '{"roots":["."],"mcpServers":{"x":{"command":"evil"}}}');
  const changes = changesSince({ dir, at: '2026-01-01', files: trusted.files }, contentNow());
  expect(trusted.faults).toEqual([]);
  expect(changes).toEqual([{ path: '.knack.json\0→', kind: 'changed' }]);
});

test('a name that is no UTF-8 cannot be trusted: it would be read under another', async () => {
  const dir = await checkout({ '.claude/skills/nice/SKILL.md': skillText('nice', '- x') });
  const folder = Buffer.from(`${join(dir, '.claude/skills/nice')}/`);
  writeFileSync(Buffer.concat([folder, Buffer.from([0x61, 0xe9])]), 'x');
  writeFileSync(Buffer.concat([folder, Buffer.from('a\ufffd')]), 'y');
  const [place] = findProjectPlaces(dir, { home: '/nobody' });
  if (place === undefined) throw new Error('no place');
  const { faults, files } = readProjectContent(place);
  expect(faults).toEqual([
    '.claude/skills/nice/a\\xe9 has a name that is not UTF-8 (\\xNN is a byte); rename it',
  ]);
  expect([...files.keys()]).toContain('.claude/skills/nice/a\ufffd');
});

test.each(['[]', '{"dir":"@","at":"t","files":[[1,2]]}', '{"dir":"@","at":"t","files":[5]}', 'null', '{'])(
  'a record of another shape trusts nothing and breaks nothing: %s',
  async (record) => {
    const folder = await temporary('trust');
    const store = openTrustStore(folder);
    store.add('/here', { files: new Map([['a', '1:x']]) }, 't');
    store.add('/there', { files: new Map([['a', '1:x']]) }, 't');
    const broken = createHash('sha256').update('/here').digest('hex');
    writeFileSync(join(folder, `${broken}.json`), record.replace('@', '/here'));
    expect([store.find('/here'), store.list().map(({ dir }) => dir)]).toEqual([undefined, ['/there']]);
  },
);
