import { isDeepStrictEqual } from 'node:util';
import { type Folder, fileText } from '../files/folder.ts';
import { splitFrontMatter } from '../skill/front-matter.ts';
import { readFrontMatter } from '../skill/read-front-matter.ts';
import type { CheckContext, CheckFinding } from './check.ts';

/** The front matter fields that a draft may set; name and version are knack's to keep. */
export const SETTABLE = [
  'description',
  'metadata.tags',
  'metadata.related_skills',
  'metadata.when_to_use',
  'metadata.when_not_to_use',
  'metadata.aliases',
];
/** Fields that a draft's text may hold beside them: other checks and knack itself look after these. */
const KEPT = new Set(['name', 'version', 'metadata.version', ...SETTABLE]);

/**
 * Fields that a change brings, changes or takes away and that are not a draft's to set, however its operations write
 * them. A person may set any field; tools that are then allowed without a question are for somebody to see.
 */
export function frontMatterFindings({
  base,
  candidate,
  draft,
  skill,
  baseSkill,
}: CheckContext): CheckFinding[] {
  if (draft === undefined) {
    const wider = skill?.allowedTools.filter((tool) => !baseSkill?.allowedTools.includes(tool)) ?? [];
    if (baseSkill === undefined || wider.length === 0) return [];
    return [
      finding(
        'allowed-tools-widened',
        'ask',
        `the skill allows more tools now: ${wider.slice(0, 10).join(', ')}`,
      ),
    ];
  }
  const [before, after] = [fieldsOf(base), fieldsOf(candidate)];
  return [...new Set([...after.keys(), ...before.keys()])]
    .filter((field) => !KEPT.has(field) && !isDeepStrictEqual(before.get(field), after.get(field)))
    .map((field) =>
      finding(
        'field-not-settable',
        'refuse',
        `a draft may change ${SETTABLE.join(', ')} of the front matter, not "${field}"`,
      ),
    );
}

/** Every field of the front matter under its dotted name; a metadata that is no map is one field. */
function fieldsOf(folder: Folder | undefined): Map<string, unknown> {
  const text = folder === undefined ? undefined : fileText(folder, 'SKILL.md');
  const found = splitFrontMatter((text ?? '').replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n'));
  if (found.kind === 'refused') return new Map();
  const read = readFrontMatter(found);
  if (read.kind === 'refused') return new Map();
  return new Map(
    Object.entries(read.value).flatMap(([key, value]): [string, unknown][] =>
      key === 'metadata' && typeof value === 'object' && !Array.isArray(value)
        ? Object.entries(value).map(([inner, each]) => [`metadata.${inner}`, each])
        : key === 'metadata' && value === ''
          ? []
          : [[key, value]],
    ),
  );
}

function finding(rule: string, severity: CheckFinding['severity'], message: string): CheckFinding {
  return { rule, severity, message, file: 'SKILL.md' };
}
