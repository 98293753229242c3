import { createHash } from 'node:crypto';
import { type Folder, fileText } from '../files/folder.ts';
import { eventText, type TranscriptEvent } from '../transcript/event.ts';
import { createRedactor } from '../transcript/redact.ts';
import type { ResultStatus } from '../transcript/results.ts';
import { isMoved, retiredText } from './absorbed.ts';
import type { CheckContext } from './check.ts';
import type { DraftOperation } from './draft.ts';
import { type Cited, lookUp } from './evidence/cited.ts';
import { isBinary } from './texts.ts';

/** What a judge reads, as parts that nothing within them can close. */
export interface JudgeMaterial {
  /** The parts with the old files first, or with the new ones first. */
  readonly text: (order: 'old-first' | 'new-first') => string;
  /** Whether these words stand somewhere in the parts; blanks and line breaks count as one. */
  readonly holds: (quote: string) => boolean;
  readonly hasEvidence: boolean;
  /** Changed files that were too long or no text, and so cannot be judged. */
  readonly unseen: readonly string[];
}

/** A changed file longer than this is not judged. */
const LONGEST_FILE = 60_000;
const NEIGHBOUR = 400;
const EVENT = 2400;

interface Part {
  readonly name: string;
  readonly text: string;
}

/** Gathers both versions, the cited places with their surroundings and the digest; never the drafter's reasons. */
export function judgeMaterial(context: CheckContext): JudgeMaterial {
  const { base, candidate, draft, evidence = [], digest } = context;
  const changed = changedFiles(base, candidate);
  const hasEvidence = draft !== undefined && evidence.length > 0;
  const oldParts = filesOf('old', base ?? new Map(), changed, '(there is no such skill yet)');
  const newParts =
    draft?.decision === 'retire'
      ? [{ name: 'new', text: '(the skill goes: it would be taken out of the library)' }]
      : filesOf('new', candidate, changed, '(no files)');
  const others: Part[] = [
    {
      name: 'evidence',
      text: hasEvidence
        ? describeOperations(draft.operations, context)
        : '(none was given: this change was not drafted from a session)',
    },
    ...(digest === undefined ? [] : [{ name: 'digest', text: digest }]),
  ];
  const retires = draft?.retires;
  const gone = retiredText(context);
  if (retires !== undefined && gone !== undefined)
    oldParts.push({
      name: 'old',
      text: `file: SKILL.md of "${retires}", which goes; its name stays as an alias\n${gone}`,
    });
  const parts = [...oldParts, ...newParts, ...others];
  const mark = createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
  const fence = ({ name, text }: Part) => `<<${name} ${mark}\n${text}\n${mark} ${name}>>`;
  const searched = parts.map(({ text }) => squeezed(text));
  return {
    text: (order) =>
      [...(order === 'old-first' ? [...oldParts, ...newParts] : [...newParts, ...oldParts]), ...others]
        .map(fence)
        .join('\n\n'),
    holds: (quote) => {
      const wanted = squeezed(quote);
      return wanted.length >= 3 && searched.some((text) => text.includes(wanted));
    },
    hasEvidence,
    unseen: changed.filter((file) => [base ?? new Map(), candidate].some((folder) => isUnseen(folder, file))),
  };
}

function squeezed(text: string): string {
  return text.replace(/\s+/g, ' ').trim().toLowerCase();
}

/** `SKILL.md`, which is always shown, and every file that differs but for the queries that knack records. */
function changedFiles(base: Folder | undefined, candidate: Folder): string[] {
  const all = [...new Set(['SKILL.md', ...candidate.keys(), ...(base?.keys() ?? [])])];
  return all.filter((file) => {
    if (file === 'SKILL.md') return true;
    if (file === 'evals/triggers.json') return false;
    const [before, after] = [base?.get(file), candidate.get(file)];
    return before === undefined || after === undefined || Buffer.compare(before.bytes, after.bytes) !== 0;
  });
}

function isUnseen(folder: Folder, file: string): boolean {
  const text = fileText(folder, file);
  return text !== undefined && (text.length > LONGEST_FILE || isBinary(text));
}

function filesOf(name: 'old' | 'new', folder: Folder, files: readonly string[], none: string): Part[] {
  const parts = files.flatMap((file): Part[] => {
    const text = fileText(folder, file);
    if (text === undefined || isUnseen(folder, file)) return [];
    return [{ name, text: `file: ${file}\n${text}` }];
  });
  return parts.length > 0 ? parts : [{ name, text: none }];
}

const redactor = createRedactor();

/** Each change with what it rests on; an event is printed where it is cited first and only named after that. */
function describeOperations(operations: readonly DraftOperation[], context: CheckContext): string {
  const { evidence = [], draft } = context;
  const printed = new Map<TranscriptEvent, number>();
  return operations
    .map((operation, index) => {
      const { cited } = lookUp(operation.evidence, evidence, operation.file);
      const { op, file, anchor, text, claim } = operation;
      const place = operation.skill === draft?.retires ? `${file} of ${draft.retires}` : file;
      const moved = isMoved(operation, context);
      return [
        `change ${index + 1}: ${op} in ${place}${claim === undefined ? '' : `, given as a ${claim}`}`,
        ...(anchor === undefined ? [] : ['at:', anchor]),
        ...(text === undefined || op === 'write_file' ? [] : ['text:', text]),
        ...(moved ? [`rests on "${draft?.retires}", where it stands word for word`] : []),
        ...(cited.length === 0 && !moved ? ['rests on: nothing that was found'] : []),
        ...cited.map((each) => {
          const before = printed.get(each.event);
          if (before === undefined) printed.set(each.event, index + 1);
          return describeCited(each, before);
        }),
      ].join('\n');
    })
    .join('\n\n');
}

function describeCited({ evidence, transcript, event, index, pair }: Cited, printed?: number): string {
  const head = `rests on event ${event.id} of session ${transcript.session.id} (${kindOf(event, pair?.status)}), quoted: ${redactor.text(evidence.quote)}`;
  if (printed !== undefined) return `${head}\n  (the event stands whole under change ${printed})`;
  const [before, after] = [transcript.events[index - 1], transcript.events[index + 1]];
  return [
    head,
    ...(before === undefined ? [] : [`  before it, ${kindOf(before)}: ${brief(before, NEIGHBOUR)}`]),
    `  the event: ${around(event, evidence.quote)}`,
    ...(after === undefined ? [] : [`  after it, ${kindOf(after)}: ${brief(after, NEIGHBOUR)}`]),
  ].join('\n');
}

function kindOf(event: TranscriptEvent, status?: ResultStatus): string {
  const injected = event.injected === undefined ? '' : `, put there by a program: ${event.injected}`;
  switch (event.kind) {
    case 'tool-call':
      return `call of ${event.toolName}`;
    case 'tool-result':
      return status === undefined || status === 'unknown'
        ? 'result of a call'
        : `result of a call that ${status === 'success' ? 'worked' : 'failed'}`;
    default:
      return `${event.kind} of the ${event.role}${injected}`;
  }
}

function brief(event: TranscriptEvent, limit: number): string {
  const text = redactor.text(eventText(event));
  return text.length <= limit ? text : `${text.slice(0, limit)} […]`;
}

/** The part of a long event that holds the quote. */
function around(event: TranscriptEvent, quote: string): string {
  const text = redactor.text(eventText(event));
  if (text.length <= EVENT) return text;
  const at = Math.max(0, text.indexOf(redactor.text(quote)));
  const start = Math.max(0, at - EVENT / 2);
  return `${start > 0 ? '[…] ' : ''}${text.slice(start, start + EVENT)} […]`;
}
