import { expect, test } from 'vitest';
import { skillTrials } from '../../src/review/skill-trials.ts';
import type { Transcript, TranscriptEvent } from '../../src/transcript/event.ts';
import { findSignals } from '../../src/transcript/signals.ts';
import { commaSkill, exportSkill, NOTHING } from '../support/drafts.ts';
import { type Line, sessionOf } from '../support/gate-lab.ts';
import { commaSession, openLab } from '../support/review-lab.ts';

const NOW = new Date('2026-01-09T00:00:00Z');

function load(id: string, skill = 'tea'): TranscriptEvent {
  return { id, ref: '1', kind: 'skill-load', role: 'assistant', skill, contentHash: 'h1', by: 'model' };
}

/** A session in which the skill is loaded before the rest. */
function after(lines: readonly Line[], more: Partial<Transcript['session']> = {}): Transcript {
  const session = sessionOf([['user', 'Make me some tea.'], ...lines], more);
  const [asked, ...rest] = session.events as [TranscriptEvent, ...TranscriptEvent[]];
  return { ...session, events: [asked, load('load'), ...rest] };
}

const wentOf = (session: Transcript) =>
  skillTrials(session, findSignals(session), NOW).map(
    ({ skill, outcome, event }) => `${skill} ${outcome} ${event}`,
  );

const RUN = 'run_skill_tool: {"skill":"tea","tool":"boil","params":{}}';

test.each<[title: string, lines: Line[], expected: string[]]>([
  ['nothing that shows either is no word', [['assistant', 'Here it is.']], []],
  [
    'a correction of what came of it',
    [
      ['assistant', 'Here it is, boiled to 100.'],
      ['user', 'No, that is wrong. Always heat it to 70 only, never to 100.'],
    ],
    ['tea failed e3'],
  ],
  [
    'the user takes it as good',
    [
      ['assistant', 'Here it is.'],
      ['user', 'Great, thanks.'],
    ],
    ['tea worked e3'],
  ],
  [
    'a tool of it fails',
    [
      ['call', RUN],
      ['fail', '{"status":"error","error_type":"runtime_error","message":"x"}'],
    ],
    ['tea failed e3'],
  ],
  [
    'a tool of it was called wrongly',
    [
      ['call', RUN],
      ['fail', '{"status":"error","error_type":"invalid_params","message":"x"}'],
    ],
    [],
  ],
  [
    'a tool of it fails, and then works',
    [
      ['call', RUN],
      ['fail', '{"status":"error","error_type":"runtime_error","message":"x"}'],
      ['call', RUN],
      ['ok', '{"status":"success","data":1}'],
    ],
    ['tea worked e5'],
  ],
  [
    'a tool of another skill fails',
    [
      ['call', 'run_skill_tool: {"skill":"soup","tool":"boil"}'],
      ['fail', '{"status":"error","error_type":"timeout","message":"x"}'],
    ],
    [],
  ],
  [
    'a script of it fails',
    [
      ['call', 'python3 /skills/tea/scripts/boil.py 70'],
      ['fail', 'Traceback: no kettle'],
    ],
    ['tea failed e3'],
  ],
  [
    'a script of it works',
    [
      ['call', 'python3 /skills/tea/scripts/boil.py 70'],
      ['ok', 'boiled'],
    ],
    ['tea worked e3'],
  ],
])('%s', (_, lines, expected) => {
  expect(wentOf(after(lines))).toEqual(expected);
});

test('a recorded outcome counts, and only of sessions that say what exactly was loaded', () => {
  const lines: Line[] = [['assistant', 'Here it is.']];
  expect(wentOf(after(lines, { outcome: 'success' }))).toEqual(['tea worked load']);
  expect(wentOf(after(lines, { outcome: 'success', format: 'claude-code' }))).toEqual([]);
});

test('what failed is shown to the drafter from farther away, and changes nothing else that it sees', async () => {
  const lab = await openLab();
  const names = ['one', 'two', 'three', 'four', 'five'].map((name) => `sales-exports-${name}`);
  for (const name of names) await lab.learn(name, exportSkill(name));
  const shown = async (failing: readonly string[], id: string) => {
    const toRepair = ({ name }: { name: string }) =>
      failing.includes(name)
        ? [{ skill: name, hash: '', session: 's', event: 'e', outcome: 'failed' as const, at: '' }]
        : [];
    const { requests } = await lab.review([{ json: NOTHING }], {
      transcript: commaSession(id),
      parts: { toRepair },
    });
    return names.filter((name) => String(requests[0]?.messages[1]?.content).includes(`\nname: ${name}\n`));
  };
  const nearest = await shown([], 'x1');
  const far = names.filter((name) => !nearest.includes(name));
  expect([nearest.length, far.length]).toEqual([3, 2]);
  expect(await shown([String(far[0])], 'x2')).toEqual(names.filter((name) => name !== far[1]));
});

test('a review notes it, also where it drafts nothing', async () => {
  const lab = await openLab();
  await lab.learn('decimal-comma-amounts', commaSkill(['- Add them up as they are.'], '1.0.0'));
  const noted: string[] = [];
  const hash = String(lab.library.find('decimal-comma-amounts')?.contentHash);
  const { events, ...rest } = commaSession('s1');
  const [asked, ...others] = events as [TranscriptEvent, ...TranscriptEvent[]];
  const loaded = { ...load('load', 'decimal-comma-amounts'), contentHash: hash } as TranscriptEvent;
  await lab.review([{ json: NOTHING }], {
    transcript: { ...rest, events: [asked, loaded, ...others] },
    parts: {
      usage: {
        tried: async ({ skill, outcome, hash: of, session, event }) => {
          noted.push([skill, outcome, of === hash, session, event].join(' '));
        },
      },
    },
  });
  expect(noted).toEqual(['decimal-comma-amounts failed true s1 e5']);
});
