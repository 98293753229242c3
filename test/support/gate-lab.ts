import { join } from 'node:path';
import { type Folder, writeFolder } from '../../src/files/folder.ts';
import type { CheckContext, CheckFinding, CheckId, GateInput } from '../../src/gate/check.ts';
import { CHECKS } from '../../src/gate/checks.ts';
import type { Draft, DraftOperation, Evidence } from '../../src/gate/draft.ts';
import { type Library, openLibrary } from '../../src/library/library.ts';
import { parseSkillFolder } from '../../src/skill/parse.ts';
import type { Transcript, TranscriptEvent, TranscriptSession } from '../../src/transcript/event.ts';
import { folderOf, skillText, temporary } from './skills.ts';

export const NAME = 'csv-cleaning';
const DIR = `/library/${NAME}`;

/** A folder with a strict skill of this body, and other files beside it. */
export function skillFolder(body: string, files: Readonly<Record<string, string>> = {}): Folder {
  const description = 'Cleans CSV exports before they are loaded. Use when a CSV file has broken rows.';
  return folderOf({ 'SKILL.md': skillText(NAME, body, { description }), ...files });
}

/** A library over real folders; none by default. */
export async function libraryOf(skills: Readonly<Record<string, Folder>> = {}): Promise<Library> {
  const root = await temporary('library');
  for (const [name, folder] of Object.entries(skills)) await writeFolder(join(root, name), folder);
  return openLibrary({ roots: [{ name: 'workspace', dir: root, writable: true }] });
}

export type Input = Partial<GateInput> & Pick<GateInput, 'candidate' | 'library'>;

export function gateInput(input: Input): GateInput {
  return { name: NAME, dir: DIR, ...input };
}

/** What one check alone finds, in order, as `severity rule`, and what it could not look at. */
export async function checkRules(id: CheckId, input: Input): Promise<string[]> {
  const { findings, notRun = [] } = await CHECKS[id].run(contextOf(gateInput(input)));
  return [...findings.map(brief), ...notRun.map((why) => `not run: ${why}`)];
}

/** The findings of one check alone. */
export async function checkFindings(id: CheckId, input: Input): Promise<readonly CheckFinding[]> {
  return (await CHECKS[id].run(contextOf(gateInput(input)))).findings;
}

export function brief({ severity, rule }: Pick<CheckFinding, 'severity' | 'rule'>): string {
  return `${severity} ${rule}`;
}

/** What a check sees of an input. */
export function contextOf(input: GateInput): CheckContext {
  const reading = parseSkillFolder(input.dir, input.candidate);
  const base = input.base === undefined ? undefined : parseSkillFolder(input.dir, input.base);
  return {
    ...input,
    reading,
    generated: input.draft !== undefined,
    ...(reading.kind === 'loaded' ? { skill: reading.skill } : {}),
    ...(base?.kind === 'loaded' ? { baseSkill: base.skill } : {}),
  };
}

/** A draft that patches the skill with these operations. */
export function draftOf(operations: readonly Partial<DraftOperation>[], more: Partial<Draft> = {}): Draft {
  return {
    decision: 'patch',
    skill: NAME,
    lesson: 'Rows break at line ends within quotes.',
    operations: operations.map((operation) => ({
      op: 'insert_after',
      skill: NAME,
      file: 'SKILL.md',
      evidence: [],
      ...operation,
    })),
    triggers: [],
    ...more,
  };
}

type Who = 'user' | 'assistant' | 'injected' | 'call' | 'ok' | 'fail' | 'out' | 'interrupt';
/** An event: a call is a shell command, or `tool: {json}`; results answer the last open call. */
export type Line = readonly [who: Who, text: string];

/** A session of these events, with the ids `e1`, `e2`, …; `callId` gives every call the same one. */
export function sessionOf(
  lines: readonly Line[],
  more: Partial<TranscriptSession> & { readonly callId?: string } = {},
): Transcript {
  const { callId: fixed, ...session } = more;
  let lastCall = '';
  const events = lines.map(([who, text], index): TranscriptEvent => {
    const base = { id: `e${index + 1}`, ref: `line ${index + 1}` };
    switch (who) {
      case 'call': {
        lastCall = fixed ?? `c${index + 1}`;
        const other = /^(\w+): (\{.*\})$/s.exec(text);
        return {
          ...base,
          role: 'assistant',
          kind: 'tool-call',
          callId: lastCall,
          toolName: other?.[1] ?? 'shell',
          args: other ? JSON.parse(String(other[2])) : { command: text },
        };
      }
      case 'ok':
      case 'fail':
      case 'out':
        return {
          ...base,
          role: 'tool',
          kind: 'tool-result',
          callId: lastCall,
          text,
          ...(who === 'out' ? {} : { isError: who === 'fail' }),
        };
      case 'interrupt':
        return { ...base, role: 'user', kind: 'interrupt', text };
      case 'injected':
        return { ...base, role: 'user', kind: 'text', text, injected: 'host' };
      default:
        return { ...base, role: who, kind: 'text', text };
    }
  });
  return {
    file: '/sessions/s1.jsonl',
    events,
    session: {
      id: 's1',
      agent: 'knack',
      format: 'knack',
      confidence: 1,
      stats: { lines: lines.length, badLines: [], unknownRecords: {} },
      ...session,
    },
  };
}

/** Evidence in the session `s1`. */
export function cite(event: string, quote: string, session = 's1'): Evidence {
  return { session, event, quote };
}
