import { type Folder, fileText, readableText } from '../files/folder.ts';
import type { Skill } from '../skill/skill.ts';
import type { CheckContext } from './check.ts';

/** A text of a skill that can reach a prompt, and the file that a finding in it names. */
export interface SkillText {
  readonly file: string;
  readonly text: string;
  /** `file`: as on disk, so lines count; `field`: a value as read, with YAML and JSON escapes resolved. */
  readonly kind: 'file' | 'field' | 'path';
}

/** Everything of the candidate that can reach a prompt: every text file, every field as read, every path, what the history says of it. */
export function skillTexts({ candidate, skill, ...change }: CheckContext): SkillText[] {
  const files = [...candidate.keys()].flatMap((file): SkillText[] => {
    const text = checkedText(candidate, file);
    return text === undefined ? [] : [{ file, text, kind: 'file' }];
  });
  const paths = [...candidate.keys()].map((file): SkillText => ({ file, text: file, kind: 'path' }));
  const fields = skill === undefined ? [] : fieldTexts(skill);
  const said = historyTexts(change).map((text): SkillText => ({ file: 'draft.json', text, kind: 'field' }));
  return [...files, ...fields, ...paths, ...said];
}

/** What the history keeps of a change beside its files: the lesson and the title. */
export function historyTexts({ draft, title }: Pick<CheckContext, 'draft' | 'title'>): string[] {
  return [draft?.lesson, title].flatMap((text) => (text ? [text] : []));
}

/**
 * The text of a file that the checks read: whatever a reader would be given as text, and prose, scripts and settings
 * whatever their bytes, with what is no UTF-8 replaced. Undefined for other bytes, such as a picture.
 */
export function checkedText(folder: Folder, file: string): string | undefined {
  const bytes = folder.get(file)?.bytes;
  const text = bytes === undefined ? undefined : readableText(bytes);
  if (text !== undefined || bytes === undefined) return text;
  const isRead = isProse(file) || EXECUTED.test(file) || (bytes[0] === 0x23 && bytes[1] === 0x21);
  return isRead ? fileText(folder, file) : undefined;
}

const EXECUTED =
  /\.(?:sh|bash|zsh|fish|py|rb|pl|php|lua|r|[cm]?[jt]sx?|ps1|bat|cmd|sql|json|jsonl|ya?ml|toml|ini|cfg|conf|env|xml|html?|svg)$|(?:^|\/)(?:Makefile|Dockerfile)$/i;

/** Whether a text holds much that is no text, so that it is not put before a judge or a parser. */
export function isBinary(text: string): boolean {
  return text.includes('\0') || (text.match(/\uFFFD/g)?.length ?? 0) > text.length / 20;
}

/** Whether a file is prose, by its name. */
export function isProse(file: string): boolean {
  return /\.(?:md|markdown|mdx|txt|rst)$/i.test(file);
}

function fieldTexts(skill: Skill): SkillText[] {
  const own: readonly (string | undefined)[] = [
    skill.description,
    skill.label,
    skill.author,
    skill.version,
    skill.whenToUse,
    skill.whenNotToUse,
    ...skill.tags,
    ...skill.weakTags,
    ...skill.relatedSkills,
    ...skill.aliases,
    ...skill.allowedTools,
  ];
  const tools = skill.tools.flatMap(({ name, description, parameters, returns, run }) => [
    name,
    description,
    ...stringsIn([parameters, returns, run]),
  ]);
  const tests = skill.tests.flatMap(({ name, params, expect }) => [name, ...stringsIn([params, expect])]);
  return [
    ...texts('SKILL.md', own),
    ...texts('tools.yaml', tools),
    ...texts('tests.yaml', tests),
    ...texts(
      'evals/triggers.json',
      skill.triggers.map(({ query }) => query),
    ),
  ];
}

function texts(file: string, values: readonly (string | undefined)[]): SkillText[] {
  return values.flatMap((text) => (text ? [{ file, text, kind: 'field' as const }] : []));
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    Array.isArray(value) ? stringsIn(item) : [key, ...stringsIn(item)],
  );
}
