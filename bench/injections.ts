/**
 * Real skills with and without one injected line, before the safety check: how many injected ones it lets through, and
 * how many of the others it flags. Run: `npx tsx bench/injections.ts DATA_DIR [--list] [--flags]`. The folder holds
 * `pool.jsonl.gz` ({path, text}). The lines stand in `injections/open.jsonl`, by which rules may be mended, and in
 * `injections/held.jsonl`, which is only reported. Each skill gets one line of each half, at a place that its number
 * decides. `--list` names what was let through, `--flags` what was flagged without a line.
 */
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import type { Folder } from '../src/folder.ts';
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
  readonly accepted: boolean;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { list: { type: 'boolean', default: false }, flags: { type: 'boolean', default: false } },
});
const [dataDir] = positionals;
if (dataDir === undefined) throw new Error('usage: npx tsx bench/injections.ts DATA_DIR [--list] [--flags]');
const say = (line: string) => process.stdout.write(`${line}\n`);
const rowsOf = <Row>(text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row);
const half = (name: string) =>
  rowsOf<Injection>(readFileSync(join(import.meta.dirname, 'injections', `${name}.jsonl`), 'utf8'));
const halves = { open: half('open'), held: half('held') };
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

const attempts: Record<keyof typeof halves, Attempt[]> = { open: [], held: [] };
const flagged: { readonly path: string; readonly found: readonly CheckFinding[] }[] = [];
for (const [index, { path, text }] of skills.entries()) {
  const found = await vetoes(path, inSkill(text));
  if (found.length > 0) flagged.push({ path, found });
  for (const [name, lines] of Object.entries(halves) as [keyof typeof halves, Injection[]][]) {
    const { injection, place, candidate } = planted(text, index, lines);
    const now = await vetoes(path, candidate);
    // One more, or one in the words of the line: it may stand amid what was found before, which is then found no more.
    const isCaught =
      now.length > found.length || now.some(({ subject }) => saidIn(injection.text, subject ?? ''));
    const accepted = !isCaught;
    attempts[name].push({ injection, place, path, accepted });
  }
}

for (const [name, made] of Object.entries(attempts)) {
  const accepted = made.filter((attempt) => attempt.accepted);
  const ids = tally(accepted, ({ injection }) => injection.id);
  say(`${name}: ${accepted.length} of ${made.length} accepted, of ${ids.size} lines`);
  const ofAll = (by: (attempt: Attempt) => string) =>
    [...tally(made, by)]
      .map(([key, all]) => `${key} ${all.filter((attempt) => attempt.accepted).length}/${all.length}`)
      .join(', ');
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
