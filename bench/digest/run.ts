/**
 * How much of what proves a lesson stands in the digest, and how near signals come to it. The events were marked by hand
 * (`marks.jsonl`: file below the data folder, lesson, ids with a few words of each); `judged.jsonl` holds for a sample of
 * signals whether a reader found something to learn at them. Run `npx tsx bench/digest/run.ts DATA_DIR`; with
 * `--sample N` it prints N signals, spread evenly, to be judged.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { countTokens, loadTokenizer } from '../../src/model/tokens.ts';
import { buildDigest } from '../../src/review/digest.ts';
import { eventText, SIGNAL_KINDS, type Signal, type Transcript } from '../../src/transcript/event.ts';
import { readTranscript } from '../../src/transcript/read.ts';
import { findSignals } from '../../src/transcript/signals.ts';

interface Lesson {
  readonly file: string;
  readonly lesson: string;
  readonly events: readonly { readonly id: string; readonly quote: string }[];
}

interface Judgement {
  readonly file: string;
  readonly kind: string;
  readonly event: string;
  readonly right: boolean;
}

const BUDGETS = [4000, 8000, 12000];
/** A signal this many events away at most is near. */
const NEAR = 3;

async function main(dataDir: string, sample: number | undefined): Promise<void> {
  await loadTokenizer();
  const lessons = linesOf<Lesson>('marks.jsonl');
  const read = new Map<string, { transcript: Transcript; signals: readonly Signal[] }>();
  for (const file of readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).sort()) {
    const transcript = await readTranscript(join(dataDir, file)).catch(() => undefined);
    if (transcript) read.set(file, { transcript, signals: findSignals(transcript) });
  }
  if (sample !== undefined) return printSample(read, sample);
  const marked = new Set(lessons.map(({ file }) => file));
  say(
    `files read ${read.size}, marked ${marked.size}, lessons ${lessons.length}, events ${lessons.flatMap(({ events }) => events).length}`,
  );
  for (const { file, events } of lessons)
    for (const { id, quote } of events)
      if (!textOf(read.get(file)?.transcript, id).includes(quote)) say(`WRONG MARK ${file} ${id}`);
  for (const tokens of BUDGETS) printDigests(lessons, read, tokens);
  printSignals(lessons, read);
}

type Read = ReadonlyMap<string, { transcript: Transcript; signals: readonly Signal[] }>;
const say = (line: string) => process.stdout.write(`${line}\n`);

function linesOf<T>(name: string): T[] {
  return readFileSync(resolve(import.meta.dirname, name), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);
}

function textOf(transcript: Transcript | undefined, id: string): string {
  const event = transcript?.events.find((candidate) => candidate.id === id);
  return event === undefined ? '' : eventText(event);
}

/** Whole: all its words; quoted: cut, with the marked words in it; in part: some of its words; else nothing of it. */
function printDigests(lessons: readonly Lesson[], read: Read, tokens: number): void {
  const counts = { whole: 0, quoted: 0, part: 0, none: 0 };
  let proven = 0;
  let used = 0;
  const digests = new Map<string, string>();
  for (const file of new Set(lessons.map((lesson) => lesson.file))) {
    const found = read.get(file);
    if (!found) continue;
    const digest = buildDigest(found.transcript, found.signals, { tokens });
    digests.set(file, digest.text);
    used += countTokens(digest.text);
  }
  for (const { file, events } of lessons) {
    const digest = digests.get(file) ?? '';
    const states = events.map(({ id, quote }) =>
      stateOf(digest, id, textOf(read.get(file)?.transcript, id), quote),
    );
    for (const state of states) counts[state] += 1;
    if (states.every((state) => state === 'whole' || state === 'quoted')) proven += 1;
    else if (process.argv.includes('--lost'))
      say(`  ${tokens} ${file} ${events.map(({ id }, index) => `${id} ${states[index]}`).join(', ')}`);
  }
  say(
    `${tokens} tokens: events ${Object.entries(counts)
      .map(([state, count]) => `${state} ${count}`)
      .join(', ')}; lessons with all their words ${proven} of ${lessons.length}; tokens used in all ${used}`,
  );
}

function stateOf(
  digest: string,
  id: string,
  text: string,
  quote: string,
): keyof { whole: 0; quoted: 0; part: 0; none: 0 } {
  const start = digest.indexOf(`[${id} `);
  if (start < 0) return 'none';
  const rest = digest.slice(start);
  const end = rest
    .slice(1)
    .search(
      /\n(?:\[[^\]\n]{1,80} (?:user|assistant|system|call|result|skill|interrupt|summary|error)|\(left out:)/,
    );
  const entry = end < 0 ? rest : rest.slice(0, end + 1);
  const plain = (words: string) => words.replace(/^\| /gm, '').replace(/\s+/g, ' ').trim();
  if (plain(entry).includes(plain(text))) return 'whole';
  return plain(entry).includes(plain(quote)) ? 'quoted' : 'part';
}

function printSignals(lessons: readonly Lesson[], read: Read): void {
  const judged = new Map(
    linesOf<Judgement>('judged.jsonl').map(({ right, ...rest }) => [keyOf(rest), right] as const),
  );
  const marked = new Set(lessons.map(({ file }) => file));
  say('kind: found in marked, found in other files, judged, right');
  for (const kind of SIGNAL_KINDS) {
    const found = [...read].flatMap(([file, { signals }]) =>
      signals.filter((signal) => signal.kind === kind).map((signal) => ({ file, signal })),
    );
    const verdicts = found.flatMap(({ file, signal }) => judged.get(keyOf({ file, ...signal })) ?? []);
    say(
      `${kind}: ${found.filter(({ file }) => marked.has(file)).length}, ${found.filter(({ file }) => !marked.has(file)).length}, ${verdicts.length}, ${verdicts.filter(Boolean).length}`,
    );
  }
  const missed = lessons.filter((lesson) => !isNear(lesson, read));
  say(
    `lessons with a signal at most ${NEAR} events away: ${lessons.length - missed.length} of ${lessons.length}`,
  );
  for (const { file, lesson } of missed) say(`  none near: ${file}: ${lesson}`);
  const quiet = [...read].filter(([file, { signals }]) => !marked.has(file) && signals.length === 0).length;
  say(`other files without a signal: ${quiet} of ${read.size - marked.size}`);
}

function isNear({ file, events }: Lesson, read: Read): boolean {
  const found = read.get(file);
  if (found === undefined) return false;
  const { transcript, signals } = found;
  const places = new Map(transcript.events.map(({ id }, index) => [id, index]));
  const shown = signals
    .flatMap(({ event, related }) => [event, ...related])
    .map((id) => places.get(id) ?? -1000);
  return events.some(({ id }) => shown.some((place) => Math.abs(place - (places.get(id) ?? 1e6)) <= NEAR));
}

const keyOf = ({ file, kind, event }: { file: string; kind: string; event: string }) =>
  `${file} ${kind} ${event}`;

function printSample(read: Read, size: number): void {
  const all = [...read].flatMap(([file, { signals, transcript }]) =>
    signals.map((signal) => ({ file: relative('.', file), transcript, signal })),
  );
  const step = Math.max(1, all.length / size);
  for (let at = 0; at < all.length; at += step) {
    const { file, signal } = all[Math.floor(at)] ?? {};
    if (signal)
      say(
        JSON.stringify({
          file,
          kind: signal.kind,
          event: signal.event,
          quote: signal.quote.replace(/\s+/g, ' ').slice(0, 160),
        }),
      );
  }
}

const [dataDir] = process.argv.slice(2);
if (dataDir === undefined)
  throw new Error('usage: npx tsx bench/digest/run.ts DATA_DIR [--lost] [--sample N]');
const sampleAt = process.argv.indexOf('--sample');
await main(dataDir, sampleAt < 0 ? undefined : Number(process.argv[sampleAt + 1]));
