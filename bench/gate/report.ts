import { type CaseOutcome, interval, isSound, leakOverThree } from './outcome.ts';

/** The outcomes as Markdown: sound drafts, defects by kind, defects by what shows them, three attempts. */
export function reportOf(outcomes: readonly CaseOutcome[]): string {
  const sound = outcomes.filter(isSound);
  const defects = outcomes.filter((outcome) => !isSound(outcome));
  const kinds = [...new Set(defects.map(({ gateCase }) => `${gateCase.shows} ${gateCase.kind}`))].sort(
    (left, right) => (left < right ? -1 : 1),
  );
  const { leaked, tried } = leakOverThree(defects);
  return [
    '| | drafts | passed | asked | refused | passed, 95 % |',
    '|---|---|---|---|---|---|',
    soundRow(sound),
    '',
    '| defect | shown by | drafts | refused | asked | let through | held back, 95 % | by |',
    '|---|---|---|---|---|---|---|---|',
    ...kinds.map((kind) => {
      const [shows = '', name = ''] = kind.split(' ');
      const of = ({ gateCase }: CaseOutcome) => gateCase.kind === name && gateCase.shows === shows;
      return defectRow(name, shows, defects.filter(of));
    }),
    ...(['draft', 'session'] as const).map((shows) =>
      defectRow(
        '**all**',
        shows,
        defects.filter(({ gateCase }) => gateCase.shows === shows),
        false,
      ),
    ),
    defectRow('**all**', 'either', defects, false),
    '',
    `Of three defective drafts of one session at least one gets through: ${percent(leaked, tried)} of ${tried} choices.`,
  ].join('\n');
}

/** Each sound draft that did not pass, with the reasons. */
export function wronglyHeld(outcomes: readonly CaseOutcome[]): string[] {
  return outcomes
    .filter((outcome) => isSound(outcome) && outcome.verdict !== 'pass')
    .map(({ gateCase, verdict, reasons }) => `${gateCase.id}: ${verdict}: ${reasons.join('; ')}`);
}

function soundRow(outcomes: readonly CaseOutcome[]): string {
  const [passed, asked, refused] = counts(outcomes);
  return row('sound', outcomes.length, passed, asked, refused, interval(passed, outcomes.length));
}

function defectRow(name: string, shows: string, outcomes: readonly CaseOutcome[], withRules = true): string {
  const [passed, asked, refused] = counts(outcomes);
  const held = interval(asked + refused, outcomes.length);
  const by = withRules ? tally(outcomes.flatMap((outcome) => outcome.by)) : '';
  return row(name, shows, outcomes.length, refused, asked, passed, held, by);
}

function counts(outcomes: readonly CaseOutcome[]): [passed: number, asked: number, refused: number] {
  const of = (wanted: CaseOutcome['verdict']) => outcomes.filter(({ verdict }) => verdict === wanted).length;
  return [of('pass'), of('ask'), of('reject')];
}

function tally(names: readonly string[]): string {
  return [...new Set(names)]
    .map((name) => ({ name, times: names.filter((other) => other === name).length }))
    .sort((left, right) => right.times - left.times || (left.name < right.name ? -1 : 1))
    .map(({ name, times }) => `${name} ${times}`)
    .join(', ');
}

function percent(part: number, all: number): string {
  return all === 0 ? '–' : `${Math.round((100 * part) / all)} %`;
}

function row(...cells: readonly (string | number)[]): string {
  return `| ${cells.join(' | ')} |`;
}
