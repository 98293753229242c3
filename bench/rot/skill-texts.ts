import type { Topic } from './topics.ts';

/** `SKILL.md` of a topic with these rules. */
export function skillFile(
  { name, title, description }: Pick<Topic, 'name' | 'title' | 'description'>,
  rules: readonly string[],
  version?: string,
): string {
  const metadata = version === undefined ? '' : `metadata:\n  version: "${version}"\n`;
  return `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n${metadata}---\n\n# ${title}\n\n${listOf(rules)}\n`;
}

export function listOf(rules: readonly string[]): string {
  return rules.map((rule) => `- ${rule}`).join('\n');
}

/** The list items of a skill's text, as they stand. */
export function rulesIn(text: string): string[] {
  return text.split('\n').flatMap((line) => (line.startsWith('- ') ? [line.slice(2)] : []));
}

const PAIRS: readonly (readonly [RegExp, string])[] = [
  [/\bKeep\b/g, 'Always keep'],
  [/\bPut\b/g, 'Place'],
  [/\bbefore\b/g, 'ahead of'],
  [/\bGive\b/g, 'Provide'],
  [/\bNever\b/g, 'Do not ever'],
  [/\beach\b/g, 'every'],
  [/\bevery\b/g, 'each and every'],
  [/\bwithout\b/g, 'with no'],
  [/\bLeave\b/g, 'Please leave'],
  [/\bthe\b/g, 'any'],
];
const OPENINGS = [
  'In general,',
  'Note:',
  'As a rule,',
  'Remember:',
  'It matters that you',
  'Once more:',
  'To be clear,',
  'At all times,',
];

/** The same rule in other words, another one for each number. */
export function reworded(rule: string, number: number): string {
  const opening = OPENINGS[number % OPENINGS.length] ?? '';
  const [from, to] = PAIRS[number % PAIRS.length] ?? [/$^/, ''];
  const text = rule.replace(from, to);
  return number % 3 === 2
    ? `${text.replace(/\.$/, '')}, without exception (${opening.replace(/\W/g, ' ').trim().toLowerCase()}).`
    : `${opening} ${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}
