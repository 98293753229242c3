import { beforeEach, describe, expect, test } from 'vitest';
import { type LibraryFolder, libraryFolder, type SkillFields } from '../support/library-folder.ts';

let root: LibraryFolder;

/** A library of everyday skills, so that a query has something to miss. */
const SKILLS: Record<string, SkillFields> = {
  'csv-import': {
    description: 'Loads comma separated tables into a database. Use when a spreadsheet has to be imported.',
    body: '# Import\n\nCheck the header, then the encoding.\n',
  },
  'kubernetes-rollout': {
    description: 'Rolls out a deployment on a cluster. Use when pods have to be replaced.',
    body: '# Rollout\n\nWatch the pods with kubectl.\n',
  },
  'pdf-forms': {
    description: 'Fills in the fields of PDF forms. Use when a form has to be completed.',
    body: '# Forms\n\nRead the fields first. Convert to images to check. Encrypt nothing.\n',
  },
  'release-notes': {
    description: 'Writes release notes from commits. Use when a version is published.',
    more: 'tags: changelog, git',
    body: '# Notes\n\nGroup the commits by kind.\n',
  },
  'team-standup': {
    description: 'Summarises what a team did yesterday.',
    more: 'when_not_to_use: "Not for payroll invoices or salary tables."',
    body: '# Standup\n\nAsk each person.\n',
  },
};

beforeEach(() => {
  root = libraryFolder();
  for (const [name, fields] of Object.entries(SKILLS)) root.skill(name, fields);
});

async function found(query: string, limit = 10) {
  return (await root.open()).search(query, { limit }).map(({ name }) => name);
}

const FIRST: [query: string, name: string][] = [
  ['csv-import', 'csv-import'],
  ['CSV Import', 'csv-import'],
  ['workspace:pdf-forms', 'pdf-forms'],
  ['import a spreadsheet into the database', 'csv-import'],
  ['importing spreadsheets', 'csv-import'],
  ['replace the pods of a deployment', 'kubernetes-rollout'],
  ['complete this form', 'pdf-forms'],
  ['changelog', 'release-notes'],
  ['PDFs', 'pdf-forms'],
  ['releaseNotes for the next version', 'release-notes'],
];

test.each(FIRST)('%j brings up %s first', async (query, name) => {
  expect((await found(query))[0]).toBe(name);
});

describe('a name', () => {
  test('that is asked for to the letter is first, whatever others say about it', async () => {
    root.skill('deploy', { description: 'x y' });
    root.skill('deploy-all', {
      description: 'Deploy, deploy and deploy. Use to deploy what is to be deployed.',
      more: 'tags: deploy',
      body: `${'deploy '.repeat(200)}\n`,
    });
    expect(await found('deploy', 2)).toEqual(['deploy', 'deploy-all']);
  });

  test('counts more than a body', async () => {
    root.skill('invoice-printing', { description: 'Prints what is due.' });
    root.skill('office', {
      description: 'Runs an office.',
      body: 'Print every invoice. invoice invoice invoice\n',
    });
    expect((await found('print the invoice'))[0]).toBe('invoice-printing');
  });

  test.each(['invoice', 'print the invoice'])(
    'counts more than a body also in a library of two: %s',
    async (query) => {
      const two = libraryFolder();
      two.skill('invoice-printing', { description: 'Prints what is due.' });
      two.skill('office', {
        description: 'Runs an office.',
        body: 'Print every invoice. invoice invoice invoice\n',
      });
      expect((await two.open()).search(query, { all: true })[0]?.name).toBe('invoice-printing');
    },
  );

  test('of an alias or as it was declared counts as the name', async () => {
    root.skill('odt', { name: 'Open Document', more: 'aliases: writer-files' });
    expect((await found('writer files'))[0]).toBe('open-document');
    expect((await found('Open Document'))[0]).toBe('open-document');
  });

  test.each(['constructor', '__proto__', 'prototype', 'toString', 'hasOwnProperty'])(
    'that is a member of objects is a name like others: %s',
    async (name) => {
      root.skill(`odd/${name}`, { description: `About ${name} of things.`, body: `${name} ${name}\n` });
      const library = await root.open();
      const [hit] = library.search(name);
      expect(hit?.path).toBe(root.path(`odd/${name}/SKILL.md`));
      expect(library.search(`what about ${name} here`).map(({ path }) => path)).toContain(hit?.path);
      for (const other of ['constructor', '__proto__', 'valueOf']) {
        expect(library.search(`${other} zebra`).every(({ path }) => path === hit?.path)).toBe(true);
      }
    },
  );
});

describe('Chinese, Japanese and Korean', () => {
  beforeEach(() => {
    root.skill('jwt-auth', { description: '认证系统使用JWT令牌。' });
    root.skill('db-tuning', { description: 'データベースの性能を改善する。' });
    root.skill('weather', { description: '서울의 날씨를 알려 준다.' });
    root.skill('解析', { description: '解析文档的结构。' });
  });

  test.each([
    ['认证', 'jwt-auth'],
    ['JWT令牌', 'jwt-auth'],
    ['使用令牌的认证', 'jwt-auth'],
    ['データベース', 'db-tuning'],
    ['データベースを改善', 'db-tuning'],
    ['날씨', 'weather'],
    ['서울 날씨 알려줘', 'weather'],
    ['解析', '解析'],
    ['填写pdf表单', 'pdf-forms'],
    ['ＰＤＦ forms', 'pdf-forms'],
  ])('%s brings up %s', async (query, name) => {
    expect((await found(query))[0]).toBe(name);
  });
});

describe('a slip of the pen', () => {
  test.each([
    ['left out', 'kubernets rollout', 'kubernetes-rollout'],
    ['doubled', 'spreaddsheet', 'csv-import'],
    ['replaced', 'spraadsheet import', 'csv-import'],
    ['swapped', 'kuberentes', 'kubernetes-rollout'],
    ['swapped at the end', 'a spreadshete', 'csv-import'],
    ['cut off', 'kubern', 'kubernetes-rollout'],
    ['accented', 'ímport spreadshéet', 'csv-import'],
    ['left out of an ending', 'a deploymnt', 'kubernetes-rollout'],
    ['swapped in a short word', 'pdos of a cluster', 'kubernetes-rollout'],
    ['wrong in each of two words', 'kuberentes deploymnt', 'kubernetes-rollout'],
    ['wrong in each of two words', 'spraedsheet imprt', 'csv-import'],
  ])('with a letter %s: %s', async (_, query, name) => {
    expect((await found(query))[0]).toBe(name);
  });

  test.each([
    ['a joke about cats', 'Acts on what was agreed. Use before an act.'],
    ['dreams of horses', 'Streams creams and breams.'],
  ])('is not taken for another word: %s', async (query, description) => {
    root.skill('other', { description });
    expect(await found(query)).toEqual([]);
  });
});

test('a slip that the body of one skill holds by chance is one, where many skills are for the word that it was', async () => {
  for (let index = 0; index < 10; index += 1)
    root.skill(`unit-${index}`, { description: `Writes unit checks for module ${index}.` });
  root.skill('odd', { description: 'Sorts leaves.', body: 'Take unti leaves.' });
  expect((await found('unti checks'))[0]).toMatch(/^unit-/);
});

describe('another way to write it', () => {
  const MORE: Record<string, SkillFields> = {
    'gha-cache': { description: 'Speeds up gha runs. Use when a run installs the same packages again.' },
    'k8s-secrets': { description: 'Rotates secrets. Use when a token has leaked.', body: '# Rotate\n' },
    'language-packs': { description: 'Internationalization of an app. Use when texts come in languages.' },
    'notebook-lint': { description: 'Lints a jupyter notebook.' },
    'timezone-dates': { description: 'Stores dates with a timezone. Use when clocks change.' },
    'token-purse': { description: 'Keeps a token of the arcade. Use when coins run out.' },
    'web-app-checks': { description: 'Checks a web app in a browser. Use when a page misbehaves.' },
  };

  beforeEach(() => {
    for (const [name, fields] of Object.entries(MORE)) root.skill(name, fields);
  });

  test.each([
    ['a short form', 'i18n', 'language-packs'],
    ['a short form among words', 'k8s rollout', 'kubernetes-rollout'],
    ['a long form of what has the short one', 'github actions', 'gha-cache'],
    ['British spelling', 'internationalisation', 'language-packs'],
    ['two words as one', 'webapp checks', 'web-app-checks'],
    ['a name without its hyphen', 'csvimport', 'csv-import'],
    ['one word as two', 'time zone', 'timezone-dates'],
    ['one word as two with a hyphen', 'note-book', 'notebook-lint'],
  ])('%s: %s', async (_, query, name) => {
    expect((await found(query))[0]).toBe(name);
  });

  test('what is written stands before what is also written for it', async () => {
    expect(await found('k8s')).toEqual(['k8s-secrets', 'kubernetes-rollout']);
    expect(await found('kubernetes')).toEqual(['kubernetes-rollout', 'k8s-secrets']);
  });

  test('a skill that holds a part of a long form is not meant', async () => {
    root.skill('tables', { description: 'Reads json of the web.' });
    expect(await found('jwt')).toEqual([]);
  });

  test('a longer query is taken as it is written', async () => {
    const library = await root.open();
    const [hit] = library.search('what do i18n files of this old game look like inside', { all: true });
    expect(hit?.name).not.toBe('language-packs');
  });

  test('the reasons have the words of the skill', async () => {
    const [hit] = (await root.open()).search('webapp');
    expect(hit?.why).toContain('name: web, app');
  });
});

describe('nothing is found', () => {
  test.each([
    ['nothing', ''],
    ['blanks', ' \n\t '],
    ['signs', '?!… --- ***'],
    ['numerals and pronouns', 'something else, or anything for two'],
    ['Chinese pronouns', '任何 其他 东西'],
    ['Japanese pronouns', '何か 別の'],
    ['stop words', 'what is it that you would do for me'],
    ['usual words', 'please help me to use this'],
    ['what no skill is for', 'quantum chromodynamics of neutron stars'],
    ['a word of one body alone', 'encrypt'],
    ['greetings', 'Hello, how are you today?'],
  ])('by %s', async (_, query) => {
    root.skill('common', {
      description: 'Does something or anything else for two: 任何, 其他, 东西, 何か, 別の.',
    });
    expect(await found(query)).toEqual([]);
  });

  test('in an empty library', async () => {
    expect((await libraryFolder().open()).search('anything at all')).toEqual([]);
  });

  test('above the threshold, but all the same when asked for', async () => {
    const library = await root.open();
    const query = 'a complete theory of neutron stars';
    expect(library.search(query)).toEqual([]);
    expect(library.search(query, { all: true }).map(({ name }) => name)).toEqual(['pdf-forms']);
  });
});

test('what fits less surely comes along with what fits, and not alone', async () => {
  root.skill('menus', {
    description: 'Plans a menu and its wine for many guests at long tables in large gardens.',
  });
  root.skill('roasting', { description: 'Roasts a duck in an oven with red cabbage and dumplings.' });
  expect(await found('roast duck with red cabbage and a wine that goes well')).toEqual(['roasting', 'menus']);
  root.remove('roasting');
  expect(await found('roast duck with red cabbage and a wine that goes well')).toEqual([]);
});

test('what fits is surer where the body holds the other words, if only once among many', async () => {
  const filling = Array.from({ length: 640 }, (_, index) => `filler${index % 320}`).join(' ');
  root.skill('stamps', { description: 'Sorts philatelic albums.', body: `${filling}\n` });
  root.skill('coins', { description: 'Sorts numismatic albums.', body: `${filling} hinges mounts\n` });
  const library = await root.open();
  const score = (query: string) => library.search(query, { all: true })[0]?.score ?? 0;
  const without = score('philatelic hinges and mounts of our grandfather');
  expect(score('numismatic hinges and mounts of our grandfather') / without).toBeGreaterThan(1.25);
});

test('what a skill is not for does not attract', async () => {
  expect(await found('payroll invoices and salary tables')).not.toContain('team-standup');
});

test('a skill that is found by its folder is below those that say so themselves', async () => {
  root.skill('gardening/pruning', { description: 'Cuts branches of trees.' });
  root.skill('roses', { description: 'Gardening with roses.' });
  expect(await found('gardening')).toEqual(['roses', 'pruning']);
});

test('hits say why, best first', async () => {
  const hits = (await root.open()).search('changelog of commits for the version');
  expect(hits[0]).toMatchObject({ name: 'release-notes', path: root.path('release-notes/SKILL.md') });
  expect(hits[0]?.why).toContain('tags: changelog');
  expect(hits[0]?.why.join()).toMatch(/description: .*commit/);
  expect((await root.open()).search('release-notes')[0]?.why).toEqual(['exact name']);
});

test('one rare word in common with a long request about something else is no reason', async () => {
  root.skill('contract-marker', { description: 'Marks words red in the text of a contract.' });
  expect(await found('which wine goes with roast duck and red cabbage')).toEqual([]);
  expect(await found('mark words red')).toEqual(['contract-marker']);
});

test('no more hits than asked for', async () => {
  for (let index = 0; index < 30; index += 1)
    root.skill(`soup-${index}`, { description: `Cooks soup number ${index}.` });
  expect(await found('cook a soup', 7)).toHaveLength(7);
  expect(await found('cook a soup', 100)).toHaveLength(30);
});

test('a long text is searched clause by clause: a task of several parts brings up a skill for each', async () => {
  const task = `We have a big day before us and there is a lot of text here that has nothing to do with anything much.
First import the spreadsheet of customers into the database. The weather is fine and the office is quiet today.
Then fill in the PDF form for the authority. Later on somebody will bring cake and coffee for the birthday.
In the end write the release notes from the commits since the last version. Everybody goes home after that.`;
  expect(new Set(await found(task, 3))).toEqual(new Set(['csv-import', 'pdf-forms', 'release-notes']));
});

describe('a long text', () => {
  const REVIEW = `The invoices of our suppliers lie in /data/invoices as scans. Read each scan, take from it the supplier, the number, the date and the amount, and write a table of all invoices to /data/out/table.csv.
Compare every amount with the order that the invoice names, and list those invoices whose amounts differ by more than two percent.
A supplier who sent the same invoice twice must be paid once. Keep a calendar of when each invoice falls due.
Use memory and threads with care, since the machine is small.`;

  test('is about what it says most of, not about the one sentence that a skill meets word for word', async () => {
    root.skill('memory-threads', {
      description: 'Memory, threads and machine care. Use with care where a machine is small.',
      body: '# Memory\n\nThreads share memory.\n',
    });
    root.skill('invoice-check', {
      description: 'Reads supplier invoices and checks each amount. Use when invoices arrive.',
      body: '# Invoices\n\nRead the scan, note supplier, number, date and amount. Compare with the order. Pay once.\n',
    });
    expect((await found(REVIEW, 3))[0]).toBe('invoice-check');
  });

  test('finds a skill whose body has its words although it speaks of itself in others', async () => {
    root.skill('ledger-routine', {
      description: 'The monthly routine of the bookkeeping. Use at the end of a month.',
      body: '# Routine\n\nScans of invoices lie in a folder. Read supplier, number, date and amount of each, write the table, compare with the orders, list what differs by some percent, pay a supplier once, keep the calendar of what falls due.\n',
    });
    for (const [index, thing] of ['scan', 'table', 'calendar', 'supplier', 'order', 'percent'].entries())
      root.skill(`note-${index}`, {
        description: `Notes on a ${thing}. Use for a ${thing}.`,
        body: 'Nothing.\n',
      });
    expect((await found(REVIEW, 3))[0]).toBe('ledger-routine');
  });
});

test('a text of a megabyte is searched as well', async () => {
  expect((await found(`import a spreadsheet. ${'lorem ipsum dolor '.repeat(60_000)}`))[0]).toBe('csv-import');
});

test('reasons show words as they stand in the query, and mended ones as they stand in the skill', async () => {
  root.skill('page-text', { description: 'Making React messages reachable. Use when a page is made.' });
  const reason = async (query: string) =>
    (await root.open()).search(query, { all: true })[0]?.why.find((why) => why.startsWith('description: '));
  expect([await reason('make a message reachable in React'), await reason('reachabel messages')]).toEqual([
    'description: make, message, reachable, React',
    'description: reachable, messages',
  ]);
});
