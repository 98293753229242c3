import { equalFolders, fileText } from '../../files/folder.ts';
import { absorbedFindings, absorbedNames, callerFindings } from '../absorbed.ts';
import { applyDraft } from '../apply-draft.ts';
import type { Check, CheckContext, CheckFinding } from '../check.ts';
import { collapseFindings } from '../collapse.ts';
import { frontMatterFindings } from '../front-matter-findings.ts';
import { crowdedFindings } from '../full-sections.ts';
import { isOwnPath, unfitPath } from '../place-faults.ts';

/** Whether the change is what the draft says, stays within the skill (in a merge, the two) and keeps what it does not argue away. */
export const bounds: Check = {
  id: 'bounds',
  kind: 'static',
  knowsOld: false,
  run(context) {
    return Promise.resolve({
      findings: [
        ...nameFindings(context),
        ...pathFindings(context),
        ...draftFindings(context),
        ...triggerFindings(context),
        ...frontMatterFindings(context),
        ...collapseFindings(context),
        ...crowdedFindings(context),
        ...absorbedFindings(context),
        ...(context.draft?.decision === 'retire' ? callerFindings(context.name, context) : []),
      ],
    });
  },
};

function nameFindings({ name, skill, baseSkill }: CheckContext): CheckFinding[] {
  if (skill === undefined || skill.name === (baseSkill?.name ?? name)) return [];
  if (baseSkill === undefined) return [];
  return [
    refuse(
      'name-changed',
      `the skill is called "${skill.name}" now and was "${baseSkill.name}": a name does not change`,
      'SKILL.md',
    ),
  ];
}

function pathFindings({ candidate, base, draft }: CheckContext): CheckFinding[] {
  return [...candidate.keys()]
    .filter((path) => !base?.has(path))
    .flatMap((path): CheckFinding[] => {
      if (!isOwnPath(path))
        return [refuse('outside-skill', `"${path}" is not a plain path within the skill`, path)];
      const unfit = draft === undefined ? unfitPath(path) : undefined;
      return unfit === undefined
        ? []
        : [{ rule: 'unfit-path', severity: 'warn', message: `"${path}": ${unfit}`, file: path }];
    });
}

/** The draft is applied once more: what it cannot do and what it does not explain is refused. */
function draftFindings(context: CheckContext): CheckFinding[] {
  const { draft, base, candidate, name, skill, library } = context;
  if (draft === undefined) return [];
  if (draft.decision === 'nothing') {
    return equalFolders(base, candidate)
      ? []
      : [refuse('unexplained-change', 'the draft decides for nothing, yet the skill changes')];
  }
  const applied = applyDraft(draft, base, {
    name,
    version: skill?.version ?? '0.0.0',
    aliases: absorbedNames(library, draft.retires),
  });
  if ('faults' in applied) return applied.faults.map(({ check: _, ...finding }) => finding);
  return [...candidate.keys(), ...(base?.keys() ?? []), ...applied.folder.keys()]
    .filter((file, index, all) => all.indexOf(file) === index && file !== 'evals/triggers.json')
    .flatMap((file) => {
      const [now, before, drafted] = [candidate, base, applied.folder].map((folder) =>
        folder === undefined ? undefined : fileText(folder, file),
      );
      return [...unexplained(file, now, before, drafted), ...unapplied(file, now, before, drafted)];
    });
}

/** Recorded queries that neither the base has nor the draft brings. */
function triggerFindings({ draft, skill, baseSkill }: CheckContext): CheckFinding[] {
  if (draft === undefined) return [];
  const known = new Set([
    ...(baseSkill?.triggers ?? []).map(({ query, shouldTrigger }) => `${shouldTrigger} ${query}`),
    ...draft.triggers.map(({ query, should_trigger }) => `${should_trigger} ${query}`),
  ]);
  const other = skill?.triggers.find(({ query, shouldTrigger }) => !known.has(`${shouldTrigger} ${query}`));
  if (other === undefined) return [];
  const message = `the query ${JSON.stringify(other.query.slice(0, 120))} is none of the draft's triggers`;
  return [refuse('unexplained-change', message, 'evals/triggers.json')];
}

/** What the draft writes and the folder lacks: it would be judged by its evidence and never looked at. */
function unapplied(
  file: string,
  candidate: string | undefined,
  base: string | undefined,
  applied: string | undefined,
): CheckFinding[] {
  const present = new Set([...linesOf(candidate), ...linesOf(base)]);
  const lacking = linesOf(applied).find((line) => line !== '' && !isVersion(line) && !present.has(line));
  return lacking === undefined
    ? []
    : [
        refuse(
          'draft-not-applied',
          `the draft writes the line ${JSON.stringify(lacking.slice(0, 120))}, which is not there: the folder must hold what the draft makes`,
          file,
        ),
      ];
}

/** Lines that differ from the base and that applying the draft does not make; blanks and the version do not count. */
function unexplained(
  file: string,
  candidate: string | undefined,
  base: string | undefined,
  applied: string | undefined,
): CheckFinding[] {
  if (candidate === base || candidate === applied) return [];
  if (candidate === undefined)
    return [refuse('unexplained-change', `${file} is gone, which no operation of the draft says`, file)];
  const expected = new Set([...linesOf(applied), ...linesOf(base)]);
  const lines = candidate.split(/\r?\n/);
  const added = lines.findIndex(
    (line) => line.trim() !== '' && !isVersion(line) && !expected.has(line.trim()),
  );
  if (added >= 0)
    return [
      {
        ...refuse(
          'unexplained-change',
          `the line ${JSON.stringify(lines[added]?.slice(0, 120))} comes from no operation of the draft`,
          file,
        ),
        line: added + 1,
      },
    ];
  const present = new Set(linesOf(candidate));
  const lost = linesOf(applied).find(
    (line) => linesOf(base).includes(line) && !present.has(line) && !isVersion(line),
  );
  return lost === undefined
    ? []
    : [
        refuse(
          'unexplained-change',
          `the line ${JSON.stringify(lost.slice(0, 120))} is gone, which no operation of the draft says`,
          file,
        ),
      ];
}

function linesOf(text: string | undefined): string[] {
  return (text ?? '').split(/\r?\n/).map((line) => line.trim());
}

function isVersion(line: string): boolean {
  return /^\s*(?:metadata|version)\s*:/.test(line);
}

function refuse(rule: string, message: string, file?: string): CheckFinding {
  return { rule, severity: 'refuse', message, ...(file === undefined ? {} : { file }) };
}
