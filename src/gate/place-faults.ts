import type { Folder } from '../files/folder.ts';
import type { CheckFinding } from './check.ts';
import type { Draft, DraftOperation } from './draft.ts';

/** The longest name that file systems hold, in bytes, with room for what a writer puts behind it. */
const LONGEST_NAME = 200;
/** Names that Windows keeps for devices, also with an ending. */
const DEVICE = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?:\.|$)/i;
/** Words that are no name of a skill: commands of the conversation and of the command line, and device names. */
const RESERVED_NAMES = new Set(
  'review new help quit exit status skills con nul aux prn com1 com2 com3 com4 lpt1 lpt2 lpt3'.split(' '),
);

/** What a draft may not touch: another skill, a path that is none, what only knack writes, a name that is taken. */
export function placeFaults(draft: Draft, base: Folder | undefined, name: string): CheckFinding[] {
  const own = draft.decision === 'merge' ? [draft.skill, draft.retires] : [draft.skill];
  return [
    ...skillFaults(draft, base, name),
    ...(own.includes(name)
      ? []
      : [refusal('outside-skill', `the draft is about "${draft.skill}", not about "${name}"`)]),
    ...draft.operations.flatMap((operation) => operationFaults(operation, draft, own)),
    ...retireFaults(draft),
  ];
}

/** A skill is taken out for what is wrong in it: each operation names such a place, and changes nothing else. */
function retireFaults({ decision, operations }: Draft): CheckFinding[] {
  if (decision !== 'retire') return [];
  if (operations.length === 0)
    return [
      refusal(
        'retire-without-place',
        'no operation names what is wrong in the skill, so nothing says why it goes',
      ),
    ];
  return operations
    .filter(({ op, file }) => op !== 'delete' || file !== 'SKILL.md')
    .map(({ op, file }) => ({
      ...refusal(
        'retire-edits',
        `${op} changes ${file}, but the skill goes as a whole: take a delete for each rule that is wrong`,
      ),
      file,
    }));
}

function skillFaults({ decision }: Draft, base: Folder | undefined, name: string): CheckFinding[] {
  const faults: CheckFinding[] = [];
  if (decision === 'create' && base !== undefined)
    faults.push(refusal('skill-exists', `there is a skill "${name}" already: patch it instead`));
  if (decision !== 'create' && base === undefined)
    faults.push(refusal('skill-unknown', `there is no skill "${name}" to ${decision}`));
  if (decision === 'create' && isReservedName(name))
    faults.push(
      refusal('name-reserved', `"${name}" is a command or a device: take a name that says the task`),
    );
  return faults;
}

function operationFaults(
  { skill, file, op }: DraftOperation,
  { decision }: Draft,
  own: readonly (string | undefined)[],
): CheckFinding[] {
  const fault = (rule: string, message: string) => [{ ...refusal(rule, message), file }];
  if (!own.includes(skill))
    return fault(
      'outside-skill',
      `${op} changes "${skill}", but the draft is about "${own.join('" and "')}"`,
    );
  if (!isOwnPath(file))
    return fault(
      'outside-skill',
      `${op} names the file "${file}", which is not a plain path within the skill`,
    );
  const unfit = unfitPath(file);
  if (unfit !== undefined) return fault('unfit-path', `${op} names the file "${file}": ${unfit}`);
  if (isTriggersFile(file))
    return fault(
      'triggers-written',
      `${op} writes ${file}, which knack keeps: queries belong into the draft's triggers`,
    );
  if (
    op === 'write_file' &&
    /(^|\/)skill\.md$/i.test(file) &&
    !(decision === 'create' && file === 'SKILL.md')
  )
    return file === 'SKILL.md'
      ? []
      : fault(
          'outside-skill',
          `${file} would be another skill inside this one, or the same in another spelling`,
        );
  return [];
}

/** Whether this is a relative path with `/` that stays within the folder and touches nothing hidden. */
export function isOwnPath(path: string): boolean {
  return (
    path !== '' &&
    !/[\\\0-\x1f\x7f]/.test(path) &&
    path.split('/').every((part) => part !== '' && !part.startsWith('.') && part.trim() === part) &&
    !/^[a-zA-Z]:/.test(path)
  );
}

/** Why a path cannot stand in a skill everywhere; undefined if it can. */
export function unfitPath(path: string): string | undefined {
  const parts = path.split('/');
  if (
    Buffer.byteLength(path) > 4 * LONGEST_NAME ||
    parts.some((part) => Buffer.byteLength(part) > LONGEST_NAME)
  )
    return `a name has at most ${LONGEST_NAME} bytes`;
  if (parts.slice(0, -1).some((part) => /^skill\.md$/i.test(part))) return 'SKILL.md is a file and no folder';
  if (parts.some((part) => part.toLowerCase() === 'node_modules'))
    return 'node_modules is no part of a skill';
  const foreign = parts.find((part) => /[<>:"|?*]/.test(part) || /[. ]$/.test(part) || DEVICE.test(part));
  return foreign === undefined ? undefined : `Windows cannot hold "${foreign}"`;
}

/** Whether a name is a command of knack or a device, and so none of a skill. */
export function isReservedName(name: string): boolean {
  return RESERVED_NAMES.has(name.trim().toLowerCase());
}

/** Whether a path is that of the recorded queries, in any spelling. */
function isTriggersFile(path: string): boolean {
  return path.normalize('NFKC').toLowerCase() === 'evals/triggers.json';
}

function refusal(rule: string, message: string): CheckFinding {
  return { rule, severity: 'refuse', message };
}
