import { counted } from '../text/counted.ts';
import type { Added } from '../transfer/add.ts';
import { clip, type Output } from './output.ts';
import { inOneLine } from './project-notes.ts';

/** Beyond so many of a kind those that are fine are told in one line. */
const MOST_FINE = 40;
const MOST_NAMED = 3;

const FINE = { unchanged: 'there already', 'would-add': 'would be added', added: 'added' } as const;
const COLOUR = {
  added: 'green',
  'would-add': 'green',
  unchanged: 'dim',
  refused: 'red',
  failed: 'red',
} as const;

/** What became of the skills that are fine, a line each or, of very many, one for a kind. */
export function fineLines(skills: readonly Added[], output: Output): string[] {
  return (['unchanged', 'would-add', 'added'] as const).flatMap((kind) => {
    const found = skills.filter(({ outcome }) => outcome === kind);
    if (found.length <= MOST_FINE) return found.map((skill) => lineOf(skill, output));
    // A skill that is there, but for which something went wrong, is told of by itself.
    const [plain, others] = [true, false].map((isPlain) =>
      found.filter(({ reason }) => (reason === undefined) === isPlain),
    ) as [Added[], Added[]];
    const names = plain.slice(0, MOST_NAMED).map(({ name }) => name);
    const more = plain.length - names.length;
    const cut = plain.filter(({ leftOut }) => leftOut.length > 0).length;
    return [
      `${output.style(COLOUR[kind], `${plain.length} ${FINE[kind]}`)}: ${names.join(', ')}${more > 0 ? ` … and ${more} more` : ''}${cut > 0 ? `; of ${counted(cut, 'skill')} files were left out` : ''}; --json has all`,
      ...others.map((skill) => lineOf(skill, output)),
    ];
  });
}

/** A line for each skill that was refused or failed. */
export function unfitLines(skills: readonly Added[], output: Output): string[] {
  return (['refused', 'failed'] as const).flatMap((kind) =>
    skills.filter(({ outcome }) => outcome === kind).map((skill) => lineOf(skill, output)),
  );
}

function lineOf({ name, outcome, version, reason, leftOut }: Added, output: Output): string {
  const number = version === undefined || version === 'unnumbered' ? '' : ` ${inOneLine(version)}`;
  const why = reason === undefined ? '' : `: ${inOneLine(reason)}`;
  const without = leftOut.length === 0 ? '' : ` (left out: ${clip(inOneLine(leftOut.join(', ')), 200)})`;
  return `${output.style(COLOUR[outcome], outcome)} ${name}${number}${why}${without}`;
}
