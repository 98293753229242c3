import { fileText } from '../../files/folder.ts';
import { isMoved } from '../absorbed.ts';
import type { Check, CheckContext, CheckFinding } from '../check.ts';
import type { DraftOperation } from '../draft.ts';
import { authorityFindings } from '../evidence/authority.ts';
import { lookUp } from '../evidence/cited.ts';
import { claimFindings, nameOf } from '../evidence/claims.ts';

/** Front matter fields that say nothing that would need proof. */
const PLAIN_FIELDS = new Set([
  'metadata.tags',
  'metadata.related_skills',
  'metadata.aliases',
  'metadata.when_not_to_use',
]);

/** Whether each operation rests on events that exist, say what is quoted and are of the kind that its claim needs. */
export const evidence: Check = {
  id: 'evidence',
  kind: 'static',
  knowsOld: false,
  run(context) {
    const { draft, evidence: transcripts } = context;
    if (draft === undefined)
      return notRun(transcripts?.length ? 'there is no draft' : 'no evidence was given, and no draft');
    const missing = draft.operations.filter((each) => !isMoved(each, context)).flatMap(withoutEvidence);
    if (transcripts === undefined || transcripts.length === 0)
      return Promise.resolve({
        findings: missing,
        notRun: ['no evidence was given, so no quote was looked up'],
      });
    return Promise.resolve({
      findings: [...missing, ...draft.operations.flatMap((operation) => ofOperation(operation, context))],
    });
  },
};

function notRun(why: string) {
  return Promise.resolve({ findings: [], notRun: [why] });
}

function withoutEvidence(operation: DraftOperation): CheckFinding[] {
  const { op, file, anchor = '', text = '', evidence: citations } = operation;
  if (
    citations.length > 0 ||
    (op === 'set' && PLAIN_FIELDS.has(anchor)) ||
    (['insert_after', 'write_file'].includes(op) && text.trim() === '')
  )
    return [];
  return [
    {
      rule: 'no-evidence',
      severity: 'refuse',
      message: `${nameOf(operation)} cites nothing: each operation that changes what the skill says needs evidence`,
      file,
      subject: `${op} ${anchor} ${text}`,
    },
  ];
}

function ofOperation(operation: DraftOperation, context: CheckContext): CheckFinding[] {
  const { evidence: transcripts = [], base } = context;
  const { cited, findings } = lookUp(operation.evidence, transcripts, operation.file);
  const baseText =
    base === undefined ? '' : [...base.keys()].map((file) => fileText(base, file) ?? '').join('\n');
  return [
    ...findings.map((finding) => ({ ...finding, message: `${nameOf(operation)}: ${finding.message}` })),
    // What moves was proved where it comes from.
    ...(isMoved(operation, context) ? [] : claimFindings(operation, cited)),
    ...authorityFindings(operation, transcripts, { cited, baseText }),
  ];
}
