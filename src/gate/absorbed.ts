import { type Folder, fileText, textFile } from '../files/folder.ts';
import type { Library } from '../library/library.ts';
import { deleteExact } from '../skill/edit.ts';
import { parseSkillFolder } from '../skill/parse.ts';
import type { CheckContext, CheckFinding } from './check.ts';
import { collapseFindings } from './collapse.ts';
import type { DraftOperation } from './draft.ts';
import { markdownLines } from './markdown.ts';

/**
 * What a merge would lose with the skill that goes: rules that the absorbing one does not have and for which no `delete`
 * with evidence speaks, files beside its text, and other skills that call its tools.
 */
export function absorbedFindings(context: CheckContext): CheckFinding[] {
  const { draft, candidate, skill } = context;
  if (draft?.decision !== 'merge' || draft.retires === undefined || skill === undefined) return [];
  const { retires, operations } = draft;
  const gone = retiredFolder(context);
  const text = gone === undefined ? undefined : fileText(gone, 'SKILL.md');
  if (gone === undefined || text === undefined)
    return [refuse('skill-unknown', `there is no skill "${retires}" to absorb`)];
  const before = withoutHeadings(text);
  const reading = parseSkillFolder(`/${retires}`, new Map([['SKILL.md', textFile(before)]]));
  const lost =
    reading.kind === 'loaded'
      ? collapseFindings({
          ...context,
          base: new Map([['SKILL.md', textFile(before)]]),
          // Its length is nothing to the other one's.
          baseSkill: { ...reading.skill, body: '' },
          draft: {
            ...draft,
            decision: 'patch',
            operations: operations.filter((each) => each.skill === retires),
          },
        })
      : [
          refuse(
            'unreadable',
            `SKILL.md of "${retires}" could not be read, so that nothing tells what it says`,
          ),
        ];
  return [
    ...lost.map((finding) => ({
      ...finding,
      message: `of "${retires}", which goes: ${finding.message.replace('keep it,', 'bring it over word for word,')}`,
    })),
    ...operations
      .filter((operation) => operation.skill === retires)
      .flatMap((each) => leavingFindings(each, text)),
    ...[...gone.keys()]
      .filter((file) => file !== 'SKILL.md' && file !== 'evals/triggers.json' && !candidate.has(file))
      .map((file) =>
        refuse(
          'loses-file',
          `"${retires}" has the file ${file}, which would go with it: write it or leave the two apart`,
        ),
      ),
    ...callerFindings(retires, context),
  ];
}

/** An operation on the skill that goes says which of its rules goes with it, and why. */
function leavingFindings({ op, skill, file, anchor = '' }: DraftOperation, text: string): CheckFinding[] {
  if (op !== 'delete' || file !== 'SKILL.md')
    return [
      refuse(
        'outside-skill',
        `${op} changes ${file} of "${skill}", which goes as a whole: only a delete in SKILL.md says what goes with it`,
      ),
    ];
  const deleted = deleteExact(text, anchor);
  return deleted.kind === 'edited'
    ? []
    : [
        refuse(
          deleted.fault,
          `the anchor ${JSON.stringify(anchor.slice(0, 120))} does not stand once in "${skill}"`,
        ),
      ];
}

/** Other skills that call tools of one that goes: no alias answers for a tool. */
export function callerFindings(name: string, { library }: Pick<CheckContext, 'library'>): CheckFinding[] {
  const callers = library
    .edges()
    .filter(({ kind, to, from }) => kind === 'calls' && to === name && from !== name);
  return [...new Set(callers.map(({ from }) => from))].map((caller) =>
    refuse('leaves-dangling', `"${caller}" calls a tool of "${name}", which would not exist any more`),
  );
}

/** What the skill that a merge retires answers to beside its name; what another answers to is that one's. */
export function absorbedNames(library: Library, retires: string | undefined): readonly string[] {
  const gone = retires === undefined ? undefined : library.find(retires);
  if (gone === undefined || gone.name !== retires) return [];
  return gone.aliases.filter((alias) => library.find(alias)?.name === retires);
}

/** Whether a text only moves here, word for word, from the skill that a merge retires: what it rests on stands there. */
export function isMoved(
  { op, skill, anchor = '', text = '' }: DraftOperation,
  context: CheckContext,
): boolean {
  const { draft } = context;
  if (draft?.decision !== 'merge' || skill === draft.retires || text.trim() === '') return false;
  if (op !== 'insert_after' && !(op === 'replace' && text.includes(anchor))) return false;
  const known = new Set([
    ...wordings(retiredText(context) ?? ''),
    ...(op === 'replace' ? wordings(anchor) : []),
  ]);
  return wordings(text).every((line) => known.has(line));
}

/** `SKILL.md` of the skill that a merge retires. */
export function retiredText(context: CheckContext): string | undefined {
  const gone = context.draft?.decision === 'merge' ? retiredFolder(context) : undefined;
  return gone && fileText(gone, 'SKILL.md');
}

/** The files of the skill that a merge retires: those given, else what the library has of it. */
function retiredFolder({ draft, library, retires }: CheckContext): Folder | undefined {
  if (retires !== undefined) return retires;
  const skill = library.find(draft?.retires ?? '');
  return (
    skill &&
    new Map([['SKILL.md', textFile(`---\nname: ${skill.name}\ndescription: "."\n---\n${skill.body}`)]])
  );
}

/** Headings blanked out, everything else at its place. */
function withoutHeadings(text: string): string {
  return markdownLines(text)
    .map(({ text: line, front, code }) =>
      !front && !code && /^\s{0,3}#{1,6}\s/.test(line) ? ' '.repeat(line.length) : line,
    )
    .join('\n');
}

function wordings(text: string): string[] {
  return text.split('\n').flatMap((line) => line.replace(/^\s*(?:[-*+]|\d{1,3}[.)])\s+/, '').trim() || []);
}

function refuse(rule: string, message: string): CheckFinding {
  return { rule, severity: 'refuse', message, file: 'SKILL.md' };
}
