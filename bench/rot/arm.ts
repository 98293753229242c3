import { basename, join } from 'node:path';
import { type Folder, readFolder } from '../../src/files/folder.ts';
import { applyDraft } from '../../src/gate/apply-draft.ts';
import { loadTokenizer } from '../../src/model/tokens.ts';
import { reviewTranscript } from '../../src/review/review.ts';
import { sessionsOf } from '../../src/review/sessions-of.ts';
import { knackPackage } from '../../src/workspace.ts';
import { openLab, type ReviewLab } from '../../test/support/review-lab.ts';
import { folderOf } from '../../test/support/skills.ts';
import { startEndpoint } from './endpoint.ts';
import { lostQueries, type Measure, measure } from './measure.ts';
import type { Proposal } from './proposal.ts';
import { createRandom, type Random } from './random.ts';
import { type Scene, sceneOf, seenSkills, topicOf } from './scene.ts';
import { skillFile } from './skill-texts.ts';
import { soundRound } from './sound.ts';
import { TOPICS } from './topics.ts';
import { UNSOUND } from './unsound.ts';

/** `yes`: a judge that finds everything good. `none`: no judge. `ungated`: every draft that can be applied is committed. */
export type ArmKind = 'yes' | 'none' | 'ungated';

export interface Round {
  readonly number: number;
  /** `sound`, or a kind of `UNSOUND`. */
  readonly kind: string;
  readonly outcome: string;
  readonly reasons: readonly string[];
  /** What was offered last. */
  readonly offered: Proposal;
  readonly after: Measure;
  /** Queries that this round made worse: out of the first place and of the first three; and those by text alone. */
  readonly lostFirst: readonly string[];
  readonly lostTop: readonly string[];
  readonly lostOwnFirst: readonly string[];
  readonly lostOwnTop: readonly string[];
  /** Rules that this round took and that its session did not want gone. */
  readonly lostRules: readonly string[];
}

export interface Arm {
  readonly kind: ArmKind;
  readonly lab: ReviewLab;
  readonly rounds: readonly Round[];
  /** The skills that no session taught, as they were at the start. */
  readonly start: ReadonlyMap<string, Folder>;
}

const SEEDS = 6;
const ATTEMPTS = 2;
/** One offer in five is sound. */
const SOUND_SHARE = 0.2;
const FIRST_DAY = Date.parse('2026-03-01T10:00:00Z');
const DAY_MS = 24 * 60 * 60 * 1000;

/** Runs that many sessions, one a day, through the review of a fresh workspace, or past it. */
export async function runArm(
  kind: ArmKind,
  { rounds, seed, onRound }: { rounds: number; seed: number; onRound?: (round: Round) => void },
): Promise<Arm> {
  await loadTokenizer();
  const lab = await openSeeded();
  const start = await foldersIn(lab);
  const endpoint = await startEndpoint();
  const schedule = createRandom(seed);
  const done: Round[] = [];
  let before = await measure(lab.library, lab.skills);
  try {
    for (let number = 1; number <= rounds; number += 1) {
      // Details have random numbers of their own, so that every arm meets the same kinds in the same order.
      const random = createRandom(seed * 1_000_003 + number);
      const { scene, kind: offered, propose: next, takes } = nextRound(number, lab, { schedule, random });
      let latest = next();
      const propose = () => {
        latest = next();
        return latest;
      };
      endpoint.offer(propose, scene.said.quote);
      const end =
        kind === 'ungated'
          ? await commitUnchecked(lab, propose(), number)
          : await reviewTranscript(
              {
                ...lab.parts,
                reviewer: endpoint.model,
                ...(kind === 'yes' ? { judge: endpoint.model } : {}),
                now: () => new Date(FIRST_DAY + number * DAY_MS),
              },
              scene.transcript,
            );
      await lab.library.refresh();
      const after = await measure(lab.library, lab.skills);
      const wanted = new Set(takes.map((rule) => `${scene.target.name}: ${rule}`));
      const round: Round = {
        number,
        kind: offered,
        outcome: end.outcome,
        reasons: end.reasons,
        offered: latest,
        after,
        lostFirst: lostQueries(before.places, after.places, 1),
        lostTop: lostQueries(before.places, after.places, 3),
        lostOwnFirst: lostQueries(before.ownPlaces, after.ownPlaces, 1),
        lostOwnTop: lostQueries(before.ownPlaces, after.ownPlaces, 3),
        lostRules: [...before.rules].filter((rule) => !after.rules.has(rule) && !wanted.has(rule)),
      };
      done.push(round);
      onRound?.(round);
      before = after;
    }
  } finally {
    await endpoint.close();
  }
  return { kind, lab, rounds: done, start };
}

/** A workspace with the first topics, and the bundled skills beside it. */
export async function openSeeded(): Promise<ReviewLab> {
  const bundled = [
    'clarify-request',
    'code-review',
    'decision-record',
    'fix-a-bug',
    'git-commit',
    'jq-json',
    'skill-authoring',
  ];
  const readOnlySkills: Record<string, Folder> = {};
  for (const name of bundled) readOnlySkills[name] = await readFolder(join(knackPackage.skills, name));
  const lab = await openLab({ readOnlySkills, settings: { attempts: ATTEMPTS } });
  for (const topic of TOPICS.slice(0, SEEDS)) {
    const triggers = topic.asks.map((query, index) => ({ query, should_trigger: index < 2 }));
    const outcome = await lab.history.commit({
      skill: topic.name,
      base: undefined,
      target: folderOf({
        'SKILL.md': skillFile(topic, topic.rules, '1.0.0'),
        'evals/triggers.json': `${JSON.stringify(triggers, null, 2)}\n`,
      }),
      to: '1.0.0',
      what: 'start',
      why: 'it was there from the start',
      actor: 'reviewer',
      sessions: [],
      operations: [],
    });
    if (outcome.kind !== 'committed') throw new Error(JSON.stringify(outcome));
  }
  await lab.library.refresh();
  return lab;
}

async function foldersIn(lab: ReviewLab): Promise<Map<string, Folder>> {
  const own = lab.library.skills.filter(({ dir }) => dir.startsWith(`${lab.skills}/`));
  const folders = new Map<string, Folder>();
  for (const { dir } of own) folders.set(basename(dir), await readFolder(dir));
  return folders;
}

interface NextRound {
  readonly scene: Scene;
  readonly kind: string;
  readonly propose: () => Proposal;
  readonly takes: readonly string[];
}

function nextRound(
  number: number,
  lab: ReviewLab,
  { schedule, random }: { schedule: Random; random: Random },
): NextRound {
  const session = `session-${number}`;
  const skills = seenSkills(lab.library, lab.skills);
  const [isSound, kind] = [schedule.next() < SOUND_SHARE, schedule.pick(Object.keys(UNSOUND))];
  if (isSound) {
    const { scene, proposal, takes } = soundRound(session, skills, random);
    return { scene, kind: 'sound', propose: () => proposal, takes };
  }
  const ways = UNSOUND[kind] ?? [];
  const withRules = skills.filter(({ name, rules }) => rules.length > 2 && topicOf(name) !== undefined);
  const target = random.pick(withRules.length > 0 ? withRules : skills);
  const topic = topicOf(target.name) ?? random.pick(TOPICS);
  const rule = random.pick([...topic.rules, ...topic.more]);
  const scene = sceneOf(session, skills, random, { topic, target, sentences: [rule] });
  return { scene, kind, propose: () => random.pick(ways)(scene), takes: [] };
}

/** What a loop without a gate does: the draft is applied to what stands there, and committed. */
async function commitUnchecked(
  lab: ReviewLab,
  { draft, abstract }: Proposal,
  number: number,
): Promise<{ outcome: string; reasons: readonly string[] }> {
  const { history } = lab;
  const skill = draft.skill ?? '';
  const base = await history.present(skill);
  const version = await history.nextVersion(skill, draft.change ?? 'patch');
  const applied = applyDraft(draft, draft.decision === 'create' ? undefined : base, { name: skill, version });
  if ('faults' in applied)
    return { outcome: 'inapplicable', reasons: applied.faults.map(({ message }) => message) };
  const outcome = await history.commit({
    skill,
    base,
    target: applied.folder,
    to: version,
    what: abstract.title,
    why: draft.lesson,
    actor: 'reviewer',
    review: `ungated-${number}`,
    sessions: sessionsOf(draft),
    operations: applied.operations,
  });
  return { outcome: outcome.kind, reasons: [] };
}
