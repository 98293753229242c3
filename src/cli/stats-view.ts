import { MANY_SESSIONS } from '../library/search/dead-weight.ts';
import { counted, noun } from '../text/counted.ts';
import { type Output, table } from './output.ts';
import { inOneLine } from './project-notes.ts';
import type { CatalogCost, LibraryStats, SkillStats } from './stats.ts';
import { describeFailures } from './to-repair.ts';

const HEAD = ['skill', 'entry', 'loaded', 'files', 'loads', 'last use', 'owner', 'root'];
const number = new Intl.NumberFormat('en-US');

/** The statistics of a library for a person; of each list at most `limit` lines. */
export function renderStats(stats: LibraryStats, limit: number, output: Output): string {
  if (stats.skills.length === 0) return 'no skills; put one into the workspace or add a root to knack.json';
  const bold = (text: string) => output.style('bold', text);
  const rows = stats.skills.slice(0, limit).map(row);
  return [
    table([HEAD, ...rows]),
    more(stats.skills.length - rows.length, 'skill'),
    '',
    'entry: tokens of its line in the catalog; loaded: tokens that loading it brings; files: tokens of small text files, bytes of others',
    totalsLine(stats),
    catalogLine(stats),
    '',
    ...(stats.toRepair.length === 0
      ? []
      : [
          bold('to repair'),
          ...list(
            stats.toRepair.map((each) => `${inOneLine(each.name)}: ${inOneLine(describeFailures(each))}`),
            limit,
            'none',
          ),
          '',
        ]),
    bold('near-duplicates'),
    ...list(
      stats.nearDuplicates.map(
        ({ left, right, score }) => `${score.toFixed(2)}  ${inOneLine(left)}  ${inOneLine(right)}`,
      ),
      limit,
      'none',
    ),
    '',
    bold('dead weight'),
    ...list(
      stats.deadWeight.map(({ name, matched }) =>
        matched === 0
          ? `${inOneLine(name)}: never loaded in ${counted(stats.sessions, 'session')}`
          : `${inOneLine(name)}: never loaded, although ${matched} of ${counted(stats.sessions, 'session')} spoke of such things`,
      ),
      limit,
      `none known from ${counted(stats.sessions, 'session')}${stats.sessions < MANY_SESSIONS ? `; after ${MANY_SESSIONS} every skill that was never loaded counts` : ''}`,
    ),
  ]
    .filter((line) => line !== undefined)
    .join('\n');
}

function row({ name, entry, loaded, files, text, bytes, loads, lastUse, owner, root }: SkillStats): string[] {
  const sizes = [...(text > 0 ? [number.format(text)] : []), ...(bytes > 0 ? [many(bytes, 'byte')] : [])];
  return [
    inOneLine(name),
    number.format(entry),
    number.format(loaded),
    files === 0 ? '-' : `${sizes.join(' + ') || '0'} in ${files}`,
    number.format(loads),
    lastUse === undefined ? '-' : inOneLine(lastUse.slice(0, 10)),
    owner,
    inOneLine(root),
  ];
}

function totalsLine({ totals }: LibraryStats): string {
  const files =
    totals.files === 0
      ? 'no files'
      : `${many(totals.files, 'file')} with ${many(totals.text, 'token')} and ${many(totals.bytes, 'byte')}`;
  return `${many(totals.skills, 'skill')}: ${many(totals.entry, 'token')} of entries, ${number.format(totals.loaded)} if all were loaded, ${files}; ${many(totals.loads, 'load')}`;
}

/** What a session really pays for the catalog, and where the rest of the sum is. */
export function catalogLine({
  catalog,
  totals,
}: {
  catalog: CatalogCost;
  totals: { entry: number };
}): string {
  const { tokens, budget, described, total, entries, rest } = catalog;
  const start = `catalog: ${many(tokens, 'token')} of a budget of ${number.format(budget)}`;
  if (tokens === totals.entry) return `${start}, every entry in full`;
  return `${start}. All ${many(total, 'entry', 'entries')} would take ${number.format(totals.entry)}: ${number.format(described)} are there in full (${many(entries, 'token')}), names or topics and a note on how to search stand for the others (${number.format(rest)}); raise disclosure.catalogTokens in knack.json to describe more`;
}

/** As `counted`, with marks in a large number. */
function many(count: number, one: string, several?: string): string {
  return `${number.format(count)} ${noun(count, one, several)}`;
}

function list(lines: readonly string[], limit: number, none: string): (string | undefined)[] {
  if (lines.length === 0) return [none];
  return [...lines.slice(0, limit), more(lines.length - limit, 'line')];
}

function more(count: number, what: string): string | undefined {
  if (count <= 0) return undefined;
  return `… and ${number.format(count)} more ${noun(count, what)}; --limit shows ${noun(count, 'it', 'them')}`;
}
