import type { Arm, Round } from './arm.ts';
import { shareWithin } from './measure.ts';

/** Measures after every round. */
export function roundTable({ kind, rounds }: Arm): string {
  const head =
    'round skills  lines tokens longest largest catalog  hit@1  top 3  lost rules poison  offer → outcome';
  const lines = rounds.map((round) => {
    const { after } = round;
    const figures = [
      [round.number, 5],
      [after.skills, 6],
      [after.lines, 6],
      [after.tokens, 6],
      [after.longest, 7],
      [after.largest, 7],
      [after.catalog, 7],
      [shareWithin(after.places, 1).toFixed(3), 6],
      [shareWithin(after.places, 3).toFixed(3), 6],
      [round.lostTop.length, 5],
      [round.lostRules.length, 5],
      [after.poisoned.length, 6],
    ] as const;
    return `${figures.map(([figure, width]) => String(figure).padStart(width)).join(' ')}  ${round.kind} → ${round.outcome}`;
  });
  return `${kind}\n${head}\n${lines.join('\n')}\n`;
}

/** Bad offers that came through, in brief. */
export function acceptedList({ kind, rounds }: Arm): string {
  const lines = rounds
    .filter((round) => round.kind !== 'sound' && round.outcome === 'committed')
    .map(({ number, kind, offered }) => {
      const operations = offered.draft.operations.map(({ op, file, text, anchor }) =>
        JSON.stringify([
          op,
          file,
          (op === 'delete' || op === 'set' ? anchor : '')?.slice(0, 60),
          text?.slice(0, 160),
        ]),
      );
      return `${number} ${kind}: ${offered.draft.decision} ${offered.draft.skill} ${operations.slice(0, 2).join(' ')}`;
    });
  return `${kind}: bad offers that were committed\n${lines.join('\n')}\n`;
}

/** How the offers of each kind ended, arm by arm: committed and staged of offered. */
export function kindTable(arms: readonly Arm[]): string {
  const kinds = [...new Set(arms.flatMap(({ rounds }) => rounds.map(({ kind }) => kind)))].sort(
    (left, right) => (left < right ? -1 : 1),
  );
  const cell = (rounds: readonly Round[], kind: string) => {
    const offered = rounds.filter((round) => round.kind === kind);
    const count = (outcome: string) => offered.filter((round) => round.outcome === outcome).length;
    return `${count('committed')} + ${count('staged')} of ${offered.length}`;
  };
  const rows = kinds.map(
    (kind) => `| ${kind} | ${arms.map(({ rounds }) => cell(rounds, kind)).join(' | ')} |`,
  );
  const head = `| offers: committed + staged | ${arms.map(({ kind }) => kind).join(' | ')} |`;
  return `${head}\n|---|${arms.map(() => '---|').join('')}\n${rows.join('\n')}\n`;
}

/** What a run came to, arm by arm. */
export function summaryTable(arms: readonly Arm[]): string {
  const sum = (rounds: readonly Round[], of: (round: Round) => readonly unknown[]) =>
    rounds.reduce((total, round) => total + of(round).length, 0);
  const last = ({ rounds }: Arm) => rounds.at(-1)?.after;
  const rows: [string, (arm: Arm) => string | number][] = [
    ['skills at the end', (arm) => last(arm)?.skills ?? 0],
    ['tokens of all files', (arm) => last(arm)?.tokens ?? 0],
    ['longest `SKILL.md`, tokens', (arm) => last(arm)?.longest ?? 0],
    ['largest folder, tokens', (arm) => last(arm)?.largest ?? 0],
    ['catalog, tokens', (arm) => last(arm)?.catalog ?? 0],
    ['Hit@1, top 3 at the end', (arm) => shares(last(arm)?.places)],
    ['the same by text alone', (arm) => shares(last(arm)?.ownPlaces)],
    ['queries that lost the first place', ({ rounds }) => sum(rounds, (round) => round.lostFirst)],
    ['queries that fell out of the top 3', ({ rounds }) => sum(rounds, (round) => round.lostTop)],
    [
      'by text alone: first place, top 3',
      ({ rounds }) =>
        `${sum(rounds, (round) => round.lostOwnFirst)}, ${sum(rounds, (round) => round.lostOwnTop)}`,
    ],
    ['rules lost without cause', ({ rounds }) => sum(rounds, (round) => round.lostRules)],
    ['files with poison', (arm) => last(arm)?.poisoned.length ?? 0],
  ];
  const lines = rows.map(([label, of]) => `| ${label} | ${arms.map((arm) => of(arm)).join(' | ')} |`);
  return `| | ${arms.map(({ kind }) => kind).join(' | ')} |\n|---|${arms.map(() => '---|').join('')}\n${lines.join('\n')}\n`;
}

function shares(places: ReadonlyMap<string, number> | undefined): string {
  return places === undefined ? '' : [1, 3].map((top) => shareWithin(places, top).toFixed(3)).join(', ');
}
