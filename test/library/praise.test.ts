import { beforeAll, expect, test } from 'vitest';
import type { Library } from '../../src/library/library.ts';
import { givenLibrary } from '../support/library-folder.ts';

let library: Library;
beforeAll(async () => {
  library = await givenLibrary({
    'web-design': { description: 'Makes a web page look good and modern.' },
    'great-work': { description: 'Praises what colleagues did.' },
    'sign-in': { description: 'Keeps the accounts of an app.' },
    'web-login': { description: 'Adds login with OAuth to web apps.' },
    'security-audit': { description: 'Finds vulnerabilities in code.' },
  });
});

test.each(['thanks, that looks good', 'Looks good to me!', 'ok, this is fine', 'this is really great'])(
  'praise of what was done asks for no skill: %s',
  (query) => {
    expect(library.search(query)).toEqual([]);
  },
);

test.each([
  ['make it look good', 'web-design'],
  ['great work', 'great-work'],
  ['sign-in', 'sign-in'],
  ['sign in', 'sign-in'],
  ['log in', 'web-login'],
  ['is my code vulnerable', 'security-audit'],
])('what asks for something, and a name, is none: %s', (query, name) => {
  expect(library.search(query)[0]?.name).toBe(name);
});
