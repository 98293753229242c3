import { beforeAll, expect, test } from 'vitest';
import type { Library } from '../../src/library/library.ts';
import { givenLibrary } from '../support/library-folder.ts';

let library: Library;
beforeAll(async () => {
  library = await givenLibrary({
    'web-design': { description: 'Makes a web page look good and modern.' },
    'flow-logs': { description: 'Analyses the flow logs of a network.' },
    'web-login': { description: 'Adds login with OAuth to web apps.' },
    'thank-you': { description: 'Writes a thank you note.' },
    'security-audit': { description: 'Finds vulnerabilities in code.' },
  });
});

test.each(['thanks, that looks good', 'Looks good to me!', 'great work', 'ok, this is fine'])(
  'praise of what was done asks for no skill: %s',
  (query) => {
    expect(library.search(query)).toEqual([]);
  },
);

test.each([
  ['make it look good', 'web-design'],
  ['let users log in with google', 'web-login'],
  ['sign in', 'web-login'],
  ['is my code vulnerable', 'security-audit'],
  ['write a thank you note', 'thank-you'],
])('what is meant is found alone: %s', (query, name) => {
  expect(library.search(query).map((hit) => hit.name)).toEqual([name]);
});
