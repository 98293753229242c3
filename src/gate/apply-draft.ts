import { KnackError } from '../errors.ts';
import { type Folder, type FolderFile, fileText, textFile, withFile } from '../files/folder.ts';
import type { RevisionOperation } from '../history/revision.ts';
import { deleteExact, insertAfter, replaceExact, serializeSkill, setField } from '../skill/edit.ts';
import { normaliseName } from '../skill/name.ts';
import { parseSkillFolder } from '../skill/parse.ts';
import { setVersion } from '../skill/set-version.ts';
import type { CheckFinding, Finding } from './check.ts';
import type { Draft, DraftOperation } from './draft.ts';
import { SETTABLE } from './front-matter-findings.ts';
import { createLineRanges, type LineRanges } from './line-ranges.ts';
import { placeFaults } from './place-faults.ts';
import { withTriggers } from './recorded-triggers.ts';

/** The folder that a draft makes, or why it cannot be made. */
export type AppliedDraft =
  | { readonly folder: Folder; readonly operations: readonly RevisionOperation[] }
  | { readonly faults: readonly Finding[] };

/**
 * Applies the operations of a draft that concern the skill `name` to its folder, in order, and sets its version.
 * Pure. A `create` starts from nothing; in a merge the absorbing skill takes the other's name and its `aliases`; what is to
 * retire stays as it is until it goes as a whole, and its operations only name places. All faults are found in one go
 * and come back as refusals of the check `bounds`. The line ranges of the answer are those of the new files and hold the lines that each operation really changed.
 */
export function applyDraft(
  draft: Draft,
  base: Folder | undefined,
  { name, version, aliases = [] }: { name: string; version: string; aliases?: readonly string[] },
): AppliedDraft {
  const misplaced = placeFaults(draft, base, name);
  const faults: CheckFinding[] = [...misplaced];
  const ranges = createLineRanges();
  let folder: Folder = base ?? new Map<string, FolderFile>();
  for (const [index, operation] of draft.operations.entries()) {
    if (operation.skill !== name) continue;
    // A place that is refused already has no text to apply.
    if (misplaced.some(({ file }) => file === operation.file)) continue;
    const step = applyOperation(folder, operation);
    if ('fault' in step) faults.push({ ...step.fault, file: operation.file });
    else folder = write(folder, operation.file, step.text, ranges, index);
  }
  if (faults.length > 0) return { faults: faults.map(asBoundsFinding) };
  if (draft.decision === 'retire' && base !== undefined)
    return { folder: base, operations: draft.operations.map((operation) => describe(operation, undefined)) };
  const finished = finish(draft, folder, { name, version, aliases });
  if ('fault' in finished) return { faults: [asBoundsFinding(finished.fault)] };
  folder = write(folder, 'SKILL.md', finished.text, ranges);
  return {
    folder: withTriggers(folder, draft.triggers),
    operations: draft.operations.flatMap((operation, index) =>
      operation.skill === name ? [describe(operation, ranges.of(index))] : [],
    ),
  };
}

/** A finding as the check `bounds` reports it. */
function asBoundsFinding({ subject: _, ...finding }: CheckFinding): Finding {
  return { check: 'bounds', ...finding };
}

function refusal(rule: string, message: string): CheckFinding {
  return { rule, severity: 'refuse', message };
}

function applyOperation(
  folder: Folder,
  { op, file, anchor = '', text = '' }: DraftOperation,
): { text: string } | { fault: CheckFinding } {
  const present = fileText(folder, file);
  if (op === 'write_file') {
    if (folder.has(file))
      return {
        fault: refusal('overwrites-file', `${file} is there already: change it with replace or insert_after`),
      };
    return { text: text.endsWith('\n') ? text : `${text}\n` };
  }
  if (present === undefined)
    return { fault: refusal('file-missing', `${op} changes ${file}, which is not there`) };
  if (op === 'set') return setOwnField(present, file, anchor, text);
  const edited =
    op === 'replace'
      ? replaceExact(present, anchor, text)
      : op === 'insert_after'
        ? insertAfter(present, anchor, text)
        : deleteExact(present, anchor);
  if (edited.kind === 'edited') return edited;
  if (edited.fault === 'anchor-empty')
    return { fault: refusal('anchor-missing', `${op} has an empty anchor`) };
  const shown = JSON.stringify(anchor.length > 120 ? `${anchor.slice(0, 117)}...` : anchor);
  return {
    fault:
      edited.fault === 'anchor-missing'
        ? refusal('anchor-missing', `the anchor ${shown} does not stand in ${file}: copy it letter by letter`)
        : refusal(
            'anchor-ambiguous',
            `the anchor ${shown} stands more than once in ${file}: take a longer one`,
          ),
  };
}

function setOwnField(
  present: string,
  file: string,
  field: string,
  text: string,
): { text: string } | { fault: CheckFinding } {
  if (file !== 'SKILL.md' || !SETTABLE.includes(field))
    return {
      fault: refusal(
        'field-not-settable',
        `set may change ${SETTABLE.join(', ')} of SKILL.md, not "${field}" of ${file}`,
      ),
    };
  return orFault(() => setField(present, field, text.trim()));
}

function orFault(edit: () => string): { text: string } | { fault: CheckFinding } {
  try {
    return { text: edit() };
  } catch (error) {
    if (error instanceof KnackError && error.code === 'skill-invalid')
      return { fault: { ...refusal('field-not-settable', error.message), file: 'SKILL.md' } };
    throw error;
  }
}

function write(folder: Folder, file: string, text: string, ranges: LineRanges, index?: number): Folder {
  const before = folder.get(file);
  ranges.edit(file, before === undefined ? undefined : (fileText(folder, file) ?? ''), text, index);
  return withFile(folder, file, textFile(text, before?.executable ?? isScript(file, text)));
}

function isScript(file: string, text: string): boolean {
  return file.startsWith('scripts/') && text.startsWith('#!');
}

/** Version, alias and, for a new skill, the strict form of what the drafter wrote. */
function finish(
  draft: Draft,
  folder: Folder,
  { name, version, aliases: absorbed }: { name: string; version: string; aliases: readonly string[] },
): { text: string } | { fault: CheckFinding } {
  const text = fileText(folder, 'SKILL.md');
  if (text === undefined) return { fault: refusal('file-missing', 'there is no SKILL.md') };
  const reading = parseSkillFolder(`/${name}`, folder);
  if (reading.kind === 'refused') {
    const [problem] = reading.problems;
    return {
      fault: {
        ...refusal('unreadable', `SKILL.md could not be read: ${problem?.message ?? 'no reason given'}`),
        file: 'SKILL.md',
        ...(problem?.line === undefined ? {} : { line: problem.line }),
      },
    };
  }
  const { skill } = reading;
  // A name in another spelling is no other name.
  const aliases = skill.aliases.filter((alias) => normaliseName(alias) !== name);
  if (draft.decision === 'create' && !skill.strict)
    return {
      text: serializeSkill(
        {
          name,
          description: skill.description,
          version,
          ...(skill.tags.length > 0 ? { tags: skill.tags } : {}),
          ...(skill.relatedSkills.length > 0 ? { relatedSkills: skill.relatedSkills } : {}),
          ...(aliases.length > 0 ? { aliases } : {}),
          ...(skill.whenToUse === undefined ? {} : { whenToUse: skill.whenToUse }),
          ...(skill.whenNotToUse === undefined ? {} : { whenNotToUse: skill.whenNotToUse }),
        },
        skill.body,
      ),
    };
  const versioned = orFault(() => setVersion(text, version));
  if (
    'fault' in versioned ||
    draft.decision !== 'merge' ||
    draft.retires === undefined ||
    name !== draft.skill
  )
    return versioned;
  const names = [...new Set([...skill.aliases, draft.retires, ...absorbed])];
  return orFault(() => setField(versioned.text, 'metadata.aliases', names.join(', ')));
}

function describe(
  operation: DraftOperation,
  lines: readonly [number, number] | undefined,
): RevisionOperation {
  return {
    op: operation.op,
    file: operation.file,
    ...(lines === undefined ? {} : { lines }),
    ...(operation.claim === undefined ? {} : { claim: operation.claim }),
    evidence: operation.evidence,
  };
}
