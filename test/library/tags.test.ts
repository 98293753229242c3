import { describe, expect, test } from 'vitest';
import { tagIndexOf } from '../../src/library/tags/tag-index.ts';
import { givenLibrary, libraryFolder, type SkillFields } from '../support/library-folder.ts';

const indexOf = async (skills: Readonly<Record<string, SkillFields>>) => {
  const library = await givenLibrary(skills);
  const index = tagIndexOf(library);
  return {
    tagsOf(name: string) {
      const skill = library.find(name);
      if (skill === undefined) throw new Error(name);
      return index.tagsOf(skill);
    },
    holders: (tag: string) => [...index.skillsWith(tag)].map(([{ name }, source]) => `${name}: ${source}`),
    near: index.near,
  };
};

describe('the tags of a skill', () => {
  test('are those it declares; derived are keywords, its folder, telling words of its name, and what it says it is about', async () => {
    const { tagsOf } = await indexOf({
      'office/pdf-forms-helper': {
        description: 'Fills in forms, with OCR where a page was scanned.',
        more: 'tags: [Documents, PDFs]\nkeywords: [authority, documents]',
      },
      'page-reading': { more: 'tags: [OCR]' },
    });
    expect(tagsOf('pdf-forms-helper')).toEqual({
      declared: ['Documents', 'PDFs'],
      derived: [
        { tag: 'authority', from: 'keywords' },
        { tag: 'office', from: 'folder' },
        { tag: 'forms', from: 'name' },
        { tag: 'OCR', from: 'description' },
      ],
    });
  });

  test('are taken from a description where somebody declares them, or three names share them, and from no other words', async () => {
    const { tagsOf } = await indexOf({
      'soup-cooking': { description: 'Cooks soup.' },
      'bread-baking': { description: 'Bakes bread.' },
      'bread-slicing': { description: 'Slices it.' },
      'bread-toasting': { description: 'Toasts it.' },
      dumplings: { description: 'Cooks dumplings for a soup with bread.' },
    });
    expect(tagsOf('dumplings').derived).toEqual([
      { tag: 'dumplings', from: 'name' },
      { tag: 'bread', from: 'description' },
    ]);
  });

  test.each([
    ['Helps with parsing. Do not use for security reviews.', ['parsing']],
    ['Helps with parsing; NOT for security, speed or cost (use cost-cutting).', ['parsing']],
    ['Helps with parsing, not for security but for speed.', ['parsing', 'speed']],
    ['Helps with parsing. Do NOT trigger when: security is meant.', ['parsing']],
    ['Measures speed instead of cost. Use when security matters.', ['speed', 'security']],
    ['Not for parsing alone: never use it for cost. Security, and parsing.', ['security', 'parsing']],
    ['Does not wait for security, not even for speed.', ['security', 'speed']],
    ['Not for parsing\n\nKeywords: security, cost', ['security', 'cost']],
    ['Says what is not there.', []],
    ['Keeps pages in Notion.', ['notion']],
  ])(
    'are not taken from what a skill says it is not for, nor from words that say nothing: %s',
    async (description, tags) => {
      const { tagsOf } = await indexOf({
        topics: { more: 'tags: [parsing, security, speed, cost, notion]' },
        x1: { description },
      });
      const described = tagsOf('x1').derived.filter(({ from }) => from === 'description');
      expect(described.map(({ tag }) => tag)).toEqual(tags);
    },
  );

  test('are taken from a description however they are written there, in several words too', async () => {
    const { tagsOf } = await indexOf({
      a1: { more: 'tags: [Machine Learning, web-app]' },
      b1: { description: 'For machine-learning in webApps.' },
    });
    expect(tagsOf('b1').derived).toEqual([
      { tag: 'b1', from: 'name' },
      { tag: 'Machine Learning', from: 'description' },
      { tag: 'web-app', from: 'description' },
    ]);
  });

  test('that come from descriptions are written as most skills write them', async () => {
    const { tagsOf, holders } = await indexOf({
      'tool-loops': { more: 'tags: [ReAct, MultiPL-E]' },
      'react-forms': { description: 'Builds forms.' },
      'react-tables': { description: 'Builds tables with React, for multiple pages.' },
      a1: { description: 'Draws React pages.' },
      b1: { description: 'Speeds up React on multiple pages.' },
      c1: { description: 'React tests.' },
    });
    const described = (name: string) =>
      tagsOf(name).derived.flatMap(({ tag, from }) => (from === 'description' ? tag : []));
    expect([described('b1'), described('a1')]).toEqual([['React', 'multiple'], ['React']]);
    expect(holders('react')).toHaveLength(6);
  });

  test('are one folder above it: the first that is no collection, no container and does not hold nearly all', async () => {
    const folders = Array.from({ length: 24 }, (_, index) => [
      `owner__many/skills/${index < 12 ? 'garden' : 'Kitchen'}/x${index}`,
      `other__repo/plugins/${index < 12 ? 'cellar' : 'roof'}/skills/y${index}`,
    ]).flat();
    const { tagsOf, holders } = await indexOf(Object.fromEntries(folders.map((folder) => [folder, {}])));
    expect(['x1', 'x23', 'y1'].map((name) => tagsOf(name).derived[0])).toEqual(
      ['garden', 'kitchen', 'cellar'].map((tag) => ({ tag, from: 'folder' })),
    );
    expect(['garden', 'kitchen', 'cellar', 'skills', 'plugins'].map((tag) => holders(tag).length)).toEqual([
      12, 12, 12, 0, 0,
    ]);
  });

  test('of one that is shadowed are those of its own place', async () => {
    const root = libraryFolder();
    root.skill('first/tea', { more: 'tags: [hot]' });
    root.skill('second/kitchen/tea', { description: 'Is hot.' });
    const roots = ['first', 'second'].map((name) => ({ name, dir: root.path(name), writable: false }));
    const library = await root.open({ roots });
    const shadowed = library.find('second:tea');
    expect(shadowed && tagIndexOf(library).tagsOf(shadowed).derived).toEqual([
      { tag: 'kitchen', from: 'folder' },
      { tag: 'tea', from: 'name' },
      { tag: 'hot', from: 'description' },
    ]);
  });
});

describe('skills with a tag', () => {
  test.each([
    ['Machine Learning', ['machine-learning', 'machineLearning', 'MACHINE LEARNING', 'ml']],
    ['k8s', ['kubernetes', 'K8s']],
    ['PDF', ['pdfs', 'PDFs', 'pdf']],
    ['web-app', ['webApp', 'web apps', 'webapps']],
    ['fine-tuning', ['finetuning', 'Fine Tuning']],
    ['colour', ['color', 'colors']],
    ['c++', ['C++', 'cpp']],
    ['R', ['r']],
    ['how-to', ['howTo', 'how to']],
    ['数据库', ['数据库']],
    ['🚀', ['🚀']],
  ])('declared as %s are found by %j', async (tag, spellings) => {
    const { holders } = await indexOf({ a1: { more: `tags: ["${tag}"]` }, b1: {} });
    for (const spelling of spellings) expect(holders(spelling)).toEqual(['a1: declared']);
  });

  test('come by who declares it, then by name, with what it was taken from', async () => {
    const { holders } = await indexOf({
      'csv-tools': {},
      zebra: { more: 'tags: [csv]' },
      abacus: { description: 'Counts CSV files.' },
    });
    expect(holders('csv')).toEqual(['zebra: declared', 'abacus: description', 'csv-tools: name']);
  });

  test('are none for a tag that nobody has, and near ones are named', async () => {
    const { holders, near } = await indexOf({ a1: { more: 'tags: [kubernetes, Web Design]' } });
    expect([holders('kubernetis'), near('kubernetis'), near('web-desing'), near('x')]).toEqual([
      [],
      ['kubernetes'],
      ['web-design'],
      [],
    ]);
  });

  test('are found anew when one changes', async () => {
    const root = libraryFolder();
    root.skill('tea');
    const library = await root.open();
    expect(tagIndexOf(library).skillsWith('hot').size).toBe(0);
    root.skill('tea', { more: 'tags: [hot]' });
    await library.refresh();
    expect(tagIndexOf(library).skillsWith('hot').size).toBe(1);
  });
});
