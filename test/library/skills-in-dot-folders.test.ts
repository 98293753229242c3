import { expect, test } from 'vitest';
import { dotFolderProblem, skillsInDotFolders } from '../../src/library/reading/skills-in-dot-folders.ts';
import { libraryFolder } from '../support/library-folder.ts';

function given() {
  const root = libraryFolder();
  for (const folder of [
    'plain',
    '.agents/skills/one',
    '.agents/skills/two',
    '.agents/skills/two/inner',
    'tools/.hidden/three',
    '.solo',
    '.a/x/.b/deep',
  ])
    root.skill(folder);
  return root;
}

test('skills below folders with a dot are counted by the folder that would find them as a root', () => {
  const root = given();
  const { paths, folders, isWhole } = skillsInDotFolders(root.dir);
  expect([isWhole, paths.length]).toEqual([true, 5]);
  expect(folders).toEqual([
    { path: '.agents/skills', count: 2 },
    { path: '.a/x/.b', count: 1 },
    { path: '.solo', count: 1 },
    { path: 'tools/.hidden', count: 1 },
  ]);
});

test('git, node_modules, links and what lies in a skill are not looked into', () => {
  const root = libraryFolder();
  const outside = libraryFolder();
  outside.skill('far');
  for (const folder of ['.git/x', '.cache/node_modules/x', '.cache/.git/x', 'skill/.extra/x'])
    root.skill(folder);
  root.skill('skill');
  root.link('.linked', outside.dir);
  root.link('.cache/linked', outside.path('far'));
  expect(skillsInDotFolders(root.dir).paths).toEqual([]);
});

test('a look has an end, the nearest folders come first, and the remark says that there may be more', () => {
  const root = libraryFolder();
  for (let at = 0; at < 20; at += 1) root.file(`.cache/a${at}/b/c/x.txt`, 'x');
  root.skill('.near');
  const found = skillsInDotFolders(root.dir, undefined, { folders: 10 });
  expect([found.isWhole, found.paths]).toEqual([false, [root.path('.near/SKILL.md')]]);
  expect(dotFolderProblem(root.dir, found)?.message).toMatch(/^at least 1 skill lies in folders of /);
});

test('a root that is not there, and one without such skills, have none', () => {
  const root = libraryFolder();
  root.skill('plain');
  for (const dir of [root.dir, root.path('gone')])
    expect(dotFolderProblem(dir, skillsInDotFolders(dir))).toBeUndefined();
});
