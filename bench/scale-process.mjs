/**
 * One process of `bench/scale.ts`: opens the library of a workspace with the built bundle, searches, and prints what it
 * took as JSON. Arguments: the workspace, a file with lists of queries by name, and either `apart` to measure what the first
 * search of all does one after the other: edges, index, and keeping it, or the base URL of an embedding endpoint to search
 * with both stages.
 */
import { readFileSync } from 'node:fs';

const [workspace, queriesFile, how] = process.argv.slice(2);
const apart = how === 'apart' ? how : undefined;
const endpoint = how === 'apart' ? undefined : how;
const { openRuntime, readEnvironment } = await import(new URL('../dist/index.mjs', import.meta.url).href);

const base = process.memoryUsage().rss;
const runtime = await openRuntime({
  workspace,
  environment: readEnvironment(process.env, process.cwd()),
  log: () => {},
});
const [library, open] = await timed(() => runtime.library());
// It shares what is prepared, and keeps nothing.
const first = apart === undefined ? library : library.with([]);
const [, graph] = apart === undefined ? [] : await timed(() => first.edges());
const [, index] = await timed(() => first.search('warm up the index'));
const [, keep] = apart === undefined ? [] : await timed(() => library.search('warm up the index'));
const both = endpoint === undefined ? undefined : await runtime.search();
await both?.prepare({ signal: new AbortController().signal });
const search = (query) => (both === undefined ? library.search(query) : both.search(query));
const searches = {};
for (const [name, queries] of Object.entries(JSON.parse(readFileSync(queriesFile, 'utf8')))) {
  // Once before it is measured, so that a slow first call is not taken for a slow search.
  for (const query of queries.slice(0, 20)) await search(query);
  searches[name] = [];
  for (const query of queries) searches[name].push((await timed(() => search(query)))[1]);
  if (endpoint === undefined) continue;
  searches[`endpoint, ${name}`] = [];
  for (const query of queries) searches[`endpoint, ${name}`].push((await timed(() => embed(query)))[1]);
}
const [, refresh] = await timed(() => library.refresh());
process.stdout.write(
  JSON.stringify({
    skills: library.skills.length,
    open,
    graph,
    index,
    keep,
    searches,
    refresh,
    base: base / 1e6,
    resident: process.memoryUsage().rss / 1e6,
    most: (process.resourceUsage().maxRSS * 1024) / 1e6,
  }),
);

/** The request of a query alone. */
async function embed(input) {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ model: 'bench', input: [input.slice(0, 2000)] });
  const response = await fetch(`${endpoint}/embeddings`, { method: 'POST', headers, body });
  return response.json();
}

/** Milliseconds on the clock and of the processor, all threads. */
async function timed(act) {
  const before = process.cpuUsage();
  const started = performance.now();
  const value = await act();
  const wall = performance.now() - started;
  const { user, system } = process.cpuUsage(before);
  return [value, { wall, cpu: (user + system) / 1000 }];
}
