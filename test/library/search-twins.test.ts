import { beforeEach, describe, expect, test } from 'vitest';
import { type LibraryFolder, libraryFolder } from '../support/library-folder.ts';

let root: LibraryFolder;

const STEPS = `Layer the backend: routes call services, services call repositories. Keep controllers thin, validate
input at the edge, retry idempotent requests, cache what is read often and log every failure with its request.
Measure queries before adding an index, paginate lists, close connections, and version the endpoints.`;

beforeEach(() => {
  root = libraryFolder();
  for (const name of ['backend-patterns', 'backend-patterns-2', 'server-habits'])
    root.skill(name, { description: 'Patterns for backend services and their endpoints.', body: STEPS });
  root.skill('backend-testing', {
    description: 'Tests backend endpoints.',
    body: 'Start the server on a free port, send requests and compare answers.',
  });
});

async function search(query: string, limit = 10) {
  return (await root.open()).search(query, { limit });
}

describe('skills that say nearly the same', () => {
  test('stand behind those that say something else, and both say so', async () => {
    const hits = await search('patterns for backend endpoints');
    expect(hits.map(({ name }) => name)).toEqual([
      'backend-patterns',
      'backend-testing',
      'backend-patterns-2',
      'server-habits',
    ]);
    expect(hits[0]?.why.at(-1)).toBe('nearly the same: backend-patterns-2, server-habits');
    expect(hits[2]?.why[0]).toBe('nearly the same as backend-patterns');
  });

  test('are first all the same when asked for by name', async () => {
    const hits = await search('backend-patterns-2', 2);
    expect(hits.map(({ name }) => name)).toEqual(['backend-patterns-2', 'backend-testing']);
  });

  test('are told apart where texts are short: a word may be all the difference', async () => {
    for (const colour of ['red', 'blue'])
      root.skill(`paint-${colour}`, { description: `Paints walls ${colour}.` });
    const hits = await search('paint walls');
    expect(hits.flatMap(({ why }) => why).filter((reason) => reason.startsWith('nearly'))).toEqual([]);
  });
});
