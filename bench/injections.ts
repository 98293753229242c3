/**
 * Real skills with and without one injected line, before the safety check: how many injected ones it lets through, and
 * how many of the others it flags. Run: `npx tsx bench/injections.ts DATA_DIR [--list] [--flags] [--lines FILE]`. The
 * folder holds `pool.jsonl.gz` ({path, text}). The lines stand in `injections/`: `open.jsonl` and `honest-open.jsonl`,
 * by which rules may be mended, `held.jsonl` and `honest-held.jsonl`, which are only reported; `--lines` takes another
 * file of such lines ({id, kind, language, text}) instead of them, `--honest` says that they are honest. Each skill
 * gets one line of each set, at a place that its number decides. `--list` names what was let through, or of honest
 * lines what was flagged; `--flags` what was flagged without a line.
 */
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import type { Folder } from '../src/files/folder.ts';
import type { CheckFinding } from '../src/gate/check.ts';
import { safety } from '../src/gate/checks/safety.ts';
import type { Library } from '../src/library/library.ts';
import { parseSkillFolder } from '../src/skill/parse.ts';
import { inSkill, PLACES, type PlaceName } from './injections/places.ts';

interface Injection {
  readonly id: string;
  readonly kind: string;
  readonly language: string;
  readonly text: string;
}

interface Attempt {
  readonly injection: Injection;
  readonly place: PlaceName;
  readonly path: string;
  /** Nothing more is found with the line than without it. */
  readonly accepted: boolean;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    list: { type: 'boolean', default: false },
    flags: { type: 'boolean', default: false },
    honest: { type: 'boolean', default: false },
    lines: { type: 'string' },
  },
});
const [dataDir] = positionals;
if (dataDir === undefined)
  throw new Error('usage: npx tsx bench/injections.ts DATA_DIR [--list] [--flags] [--lines FILE]');
const say = (line: string) => process.stdout.write(`${line}\n`);
const rowsOf = <Row>(text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row);
const linesOf = (file: string) => rowsOf<Injection>(readFileSync(file, 'utf8'));
const own = (name: string) => linesOf(join(import.meta.dirname, 'injections', `${name}.jsonl`));
const sets: Readonly<Record<string, Injection[]>> =
  values.lines === undefined
    ? Object.fromEntries(['open', 'held', 'honest-open', 'honest-held'].map((name) => [name, own(name)]))
    : { [values.honest ? 'honest' : 'given']: linesOf(values.lines) };
const isHonest = (name: string) => name.startsWith('honest');
const places = Object.keys(PLACES) as PlaceName[];
const skills = rowsOf<{ path: string; text: string }>(
  gunzipSync(readFileSync(join(dataDir, 'pool.jsonl.gz'))).toString('utf8'),
);

/** What would veto, as for a skill that is brought in. The check looks at no other skill. */
async function vetoes(path: string, candidate: Folder): Promise<readonly CheckFinding[]> {
  const name = basename(dirname(path));
  const dir = join('/skills', name);
  const reading = parseSkillFolder(dir, candidate);
  const { findings } = await safety.run({
    name,
    dir,
    candidate,
    reading,
    generated: false,
    imported: true,
    library: {} as Library,
    ...(reading.kind === 'loaded' ? { skill: reading.skill } : {}),
  });
  return findings.filter(({ severity }) => severity === 'refuse' || severity === 'ask');
}

/** A line and a place for a skill; further on where the skill has no such place. Pairs of both are spread evenly. */
function planted(text: string, index: number, lines: readonly Injection[]) {
  const injection = lines[index % lines.length] as Injection;
  const first = Math.floor(index / lines.length) + index;
  for (let step = 0; step < places.length; step += 1) {
    const place = places[(first + step) % places.length] as PlaceName;
    const candidate = PLACES[place](text, injection.text);
    if (candidate !== undefined) return { injection, place, candidate };
  }
  throw new Error('a skill has no place at all');
}

function tally<Item>(items: readonly Item[], name: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) groups.set(name(item), [...(groups.get(name(item)) ?? []), item]);
  return groups;
}

function saidIn(line: string, subject: string): boolean {
  return subject !== '' && line.normalize('NFKC').toLowerCase().includes(subject);
}

const attempts = new Map<string, Attempt[]>(Object.keys(sets).map((name) => [name, []]));
const flagged: { readonly path: string; readonly found: readonly CheckFinding[] }[] = [];
for (const [index, { path, text }] of skills.entries()) {
  const found = await vetoes(path, inSkill(text));
  if (found.length > 0) flagged.push({ path, found });
  for (const [name, lines] of Object.entries(sets)) {
    const { injection, place, candidate } = planted(text, index, lines);
    const now = await vetoes(path, candidate);
    // One more, or one in the words of the line: it may stand amid what was found before, which is then found no more.
    const isCaught =
      now.length > found.length || now.some(({ subject }) => saidIn(injection.text, subject ?? ''));
    const accepted = !isCaught;
    attempts.get(name)?.push({ injection, place, path, accepted });
  }
}

for (const [name, made] of attempts) {
  const counts = ({ accepted }: Attempt) => accepted !== isHonest(name);
  const counted = made.filter(counts);
  const ids = tally(counted, ({ injection }) => injection.id);
  const lines = new Set(made.map(({ injection }) => injection.id)).size;
  say(
    `${name}: ${counted.length} of ${made.length} ${isHonest(name) ? 'flagged' : 'accepted'}, of ${ids.size} of ${lines} lines`,
  );
  const ofAll = (by: (attempt: Attempt) => string) =>
    [...tally(made, by)].map(([key, all]) => `${key} ${all.filter(counts).length}/${all.length}`).join(', ');
  say(`  by kind: ${ofAll(({ injection }) => injection.kind)}`);
  say(`  by language: ${ofAll(({ injection }) => injection.language)}`);
  say(`  by place: ${ofAll(({ place }) => place)}`);
  if (values.list)
    for (const [id, some] of ids) {
      const of = made.filter(({ injection }) => injection.id === id).length;
      const where = [...tally(some, ({ place }) => place)].map(([place, { length }]) => `${place} ${length}`);
      say(`  ${id} ${some.length} of ${of} (${where.join(', ')}): ${some[0]?.injection.text}`);
      if (some.length < of) for (const { path, place } of some) say(`    ${place}: ${path}`);
    }
}
const refused = flagged.filter(({ found }) => found.some(({ severity }) => severity === 'refuse'));
const share = ((100 * flagged.length) / skills.length).toFixed(1);
say(`unmodified: ${flagged.length} of ${skills.length} flagged (${share} %), ${refused.length} refused`);
const rules = tally(
  flagged.flatMap(({ found }) => [...new Set(found.map(({ rule, severity }) => `${rule} ${severity}`))]),
  (rule) => rule,
);
say(`  skills by rule: ${[...rules].map(([rule, { length }]) => `${rule} ${length}`).join(', ')}`);
if (values.flags)
  for (const { path, found } of flagged)
    for (const { rule, severity, line, message, subject } of found)
      say(
        `  ${path}:${line ?? ''} ${rule} ${severity}: ${message} (${JSON.stringify(subject?.slice(0, 160))})`,
      );
