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

describe('copies', () => {
  test('take no other skill its place among the candidates', async () => {
    for (let index = 0; index < 150; index += 1)
      root.skill(`queue-${index}`, { description: 'Queues messages of a broker for consumers.' });
    root.skill('letters', { description: 'Sends messages by post.' });
    const hits = await search('queue messages of the broker for consumers', 2);
    expect(hits.map(({ name }) => name)).toEqual(['queue-0', 'letters']);
  });

  test('are none of each other where one was asked for', async () => {
    for (const name of ['queue-a', 'queue-b'])
      root.skill(name, { description: 'Queues messages of a broker for consumers.' });
    const queriesOf = (name: string) => (name === 'queue-b' ? ['line up what waits for the workers'] : []);
    const library = await root.open({ recorded: { queriesOf, coUse: () => [] } });
    const first = (withoutRecorded: boolean) =>
      library.search('line up messages of the broker for workers', { withoutRecorded })[0]?.name;
    expect([first(false), first(true)]).toEqual(['queue-b', 'queue-a']);
  });

  test('stand behind as many different skills as are asked for', async () => {
    for (let index = 0; index < 12; index += 1)
      for (let copy = 0; copy < 4; copy += 1)
        root.skill(`report-${'abcdefghijkl'[index]}-copy${copy}`, {
          description: `Writes the report ${'abcdefghijkl'[index]}${index} of the plant.`,
        });
    const hits = await search('write the report of the plant', 10);
    expect(new Set(hits.map(({ name }) => name.split('-')[1])).size).toBe(10);
  });
});
