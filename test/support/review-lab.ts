import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../src/config.ts';
import { type Folder, writeFolder } from '../../src/files/folder.ts';
import { createHistory, type History } from '../../src/history/history.ts';
import { type Library, openLibrary } from '../../src/library/library.ts';
import { createOpenAiModel } from '../../src/model/openai-model.ts';
import { createPrompts } from '../../src/model/prompts.ts';
import { loadGuidance } from '../../src/review/guidance.ts';
import { createLedger, type Ledger } from '../../src/review/ledger.ts';
import type { ReviewEvent, ReviewOutcome } from '../../src/review/outcome.ts';
import type { ReviewOptions, ReviewParts } from '../../src/review/parts.ts';
import { createPendingStore, type PendingStore } from '../../src/review/pending.ts';
import { reviewTranscript } from '../../src/review/review.ts';
import type { Transcript, TranscriptEvent } from '../../src/transcript/event.ts';
import { createRedactor } from '../../src/transcript/redact.ts';
import { createSessionLog } from '../../src/transcript/session-log.ts';
import { knackPackage } from '../../src/workspace.ts';
import { type ScriptedModel, type Step, startScriptedModel } from './scripted-model.ts';
import { folderOf, temporary } from './skills.ts';

/** A workspace with all that a review works with, over real git, real folders and a scripted model behind HTTP. */
export interface ReviewLab {
  readonly skills: string;
  readonly readOnly: string;
  readonly reviews: string;
  readonly history: History;
  readonly library: Library;
  readonly ledger: Ledger;
  readonly pending: PendingStore;
  readonly parts: ReviewParts;
  git(...args: string[]): string;
  /** Commits a skill as the reviewer does, so that it is a learned one. */
  learn(name: string, text: string): Promise<void>;
  /** Reviews with a model that gives these answers, each of which has to be asked for. */
  review(
    steps: readonly Step[],
    more?: { transcript?: Transcript; parts?: Partial<ReviewParts>; options?: ReviewOptions },
  ): Promise<LabReview>;
}

export interface LabReview {
  readonly outcome: ReviewOutcome;
  readonly events: readonly ReviewEvent[];
  readonly requests: ScriptedModel['requests'];
}

export interface LabOptions {
  readonly settings?: Partial<Config['review']>;
  /** A folder that another lab works in. */
  readonly at?: string;
  readonly readOnlySkills?: Readonly<Record<string, Folder>>;
}

const PATH = process.env['PATH'] ?? '';

export async function openLab(options: LabOptions = {}): Promise<ReviewLab> {
  const dir = options.at ?? (await temporary('review'));
  const [skills, readOnly, reviews] = ['skills', 'team', 'logs/reviews'].map((part) => join(dir, part)) as [
    string,
    string,
    string,
  ];
  await mkdir(skills, { recursive: true });
  for (const [name, folder] of Object.entries(options.readOnlySkills ?? {}))
    await writeFolder(join(readOnly, name), folder);
  await mkdir(readOnly, { recursive: true });
  const history = createHistory({ root: skills, environment: { home: dir, path: PATH } });
  await history.open();
  const library = await openLibrary({
    roots: [
      { name: 'workspace', dir: skills, writable: true },
      { name: 'team', dir: readOnly, writable: false },
    ],
  });
  const prompts = createPrompts({ packageDir: knackPackage.prompts, overridable: [] });
  const ledger = createLedger(join(dir, 'logs/ledger.jsonl'));
  const now = () => new Date('2026-03-01T10:00:00Z');
  const newId = () => randomBytes(8).toString('hex');
  const pending = createPendingStore({
    dir: join(dir, 'logs/pending'),
    skillsDir: skills,
    library,
    history,
    ledger,
    prompts,
    path: PATH,
    now,
    newId,
  });
  const parts: ReviewParts = {
    settings: {
      autonomy: 'commit',
      attempts: 3,
      digestTokens: 4000,
      maxTokens: 400_000,
      dailyTokens: 1_000_000,
      breakerRefusals: 5,
      replay: false,
      idleMinutes: 30,
      ...options.settings,
    },
    workspace: { skills, reviews },
    library,
    history,
    ledger,
    pending,
    prompts,
    guidance: await loadGuidance(knackPackage.skills),
    reviewer: undefined,
    judge: undefined,
    redactor: createRedactor(),
    path: PATH,
    now,
    newId,
  };
  return {
    skills,
    readOnly,
    reviews,
    history,
    library,
    ledger,
    pending,
    parts,
    git: (...args) =>
      execFileSync('git', ['-C', skills, ...args], {
        encoding: 'utf8',
        env: { PATH, HOME: dir, GIT_CONFIG_NOSYSTEM: '1' },
        stdio: ['ignore', 'pipe', 'pipe'],
      }).trim(),
    async learn(name, text) {
      const outcome = await history.commit({
        skill: name,
        base: undefined,
        target: folderOf({ 'SKILL.md': text }),
        to: '1.0.0',
        what: 'start',
        why: 'it was learned',
        actor: 'reviewer',
        sessions: [],
        operations: [],
      });
      if (outcome.kind !== 'committed') throw new Error(JSON.stringify(outcome));
      await library.refresh();
    },
    async review(steps, more = {}) {
      const server = await startScriptedModel(steps);
      const model = createOpenAiModel({ baseUrl: server.url, apiKey: 'none', model: 'scripted', retries: 0 });
      const events: ReviewEvent[] = [];
      try {
        const outcome = await reviewTranscript(
          { ...parts, reviewer: model, ...more.parts },
          more.transcript ?? commaSession(),
          { ...more.options, onProgress: (event) => events.push(event) },
        );
        return { outcome, events, requests: server.requests };
      } finally {
        await server.close();
      }
    },
  };
}

const CALL = { role: 'assistant', kind: 'tool-call', toolName: 'shell', ref: '1' } as const;
const RESULT = { role: 'tool', kind: 'tool-result', toolName: 'shell', isError: false, ref: '1' } as const;
const SAID = { role: 'assistant', kind: 'text', ref: '1' } as const;
const ASKED = { role: 'user', kind: 'text', ref: '1' } as const;

export const CORRECTION =
  'No, that is wrong. The amounts have decimal commas; always turn them into points before adding.';

/** A session in which the user corrects a sum: decimal commas were cut off. */
export function commaSession(id = 'session-1', more: readonly TranscriptEvent[] = []): Transcript {
  return {
    file: `/sessions/${id}.jsonl`,
    session: {
      id,
      agent: 'knack',
      format: 'knack',
      confidence: 1,
      stats: { lines: 9, badLines: [], unknownRecords: {} },
    },
    events: [
      { ...ASKED, id: 'e1', text: 'Please add up the amounts in the sales export.' },
      { ...CALL, id: 'e2', callId: 'c1', args: { command: "awk -F';' '{s+=$2} END {print s}' sales.csv" } },
      { ...RESULT, id: 'e3', callId: 'c1', text: '3', exitCode: 0 },
      { ...SAID, id: 'e4', text: 'The sum is 3.' },
      { ...ASKED, id: 'e5', text: CORRECTION },
      {
        ...CALL,
        id: 'e6',
        callId: 'c2',
        args: { command: "sed 's/,/./g' sales.csv | awk -F';' '{s+=$2} END {print s}'" },
      },
      { ...RESULT, id: 'e7', callId: 'c2', text: '4.75', exitCode: 0 },
      { ...SAID, id: 'e8', text: 'The sum is 4.75.' },
      { ...ASKED, id: 'e9', text: 'Right, thanks.' },
      ...more,
    ],
  };
}

/** Writes a session as a chat writes its own: `ID.jsonl` in `dir`. Answers with the file. */
export async function logSession(dir: string, { session, events }: Transcript): Promise<string> {
  const file = join(dir, `${session.id}.jsonl`);
  const log = createSessionLog({
    file,
    header: { id: session.id, started: '2026-01-01T00:00:00Z', cwd: '/', model: 'm', purpose: 'chat' },
  });
  for (const { ref: _, ...event } of events) await log.append(event);
  await log.close();
  return file;
}

/** A session without a signal. */
export function quietSession(id = 'quiet-1'): Transcript {
  const { session, ...rest } = commaSession(id);
  return {
    ...rest,
    session,
    events: [
      { ...ASKED, id: 'e1', text: 'What does this file hold?' },
      { ...SAID, id: 'e2', text: 'Sales of one month.' },
    ],
  };
}
