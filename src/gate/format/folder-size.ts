import { type Folder, fileText } from '../../files/folder.ts';
import { countTokens, loadTokenizer } from '../../model/tokens.ts';
import type { CheckContext, CheckFinding } from '../check.ts';
import { isBinary } from '../texts.ts';

/** What a learned skill's folder may hold in all, without the queries that knack records. */
const MOST = { files: 60, tokens: 40_000 } as const;
/** What one draft may add to a skill that is there: about what a session can teach, with a script. */
const MOST_ADDED = 4000;
/** Text that counts as longer than any limit without being counted. */
const LONGEST = 2_000_000;

/**
 * Whether a draft lets a skill's folder grow beyond what a reader can follow; one that makes it smaller always may. What
 * people write and import is theirs to size.
 */
export async function folderSizeFindings({ draft, base, candidate }: CheckContext): Promise<CheckFinding[]> {
  if (draft === undefined) return [];
  await loadTokenizer();
  const [was, now] = [sizeOf(base ?? new Map()), sizeOf(candidate)];
  const findings: CheckFinding[] = [];
  if (
    (now.files > MOST.files && now.files > was.files) ||
    (now.tokens > MOST.tokens && now.tokens > was.tokens)
  )
    findings.push(
      refuse(
        'folder-too-large',
        `the skill has ${now.files} files and ${now.tokens} tokens in all; at most ${MOST.files} and ${MOST.tokens}: bring together what belongs together and leave out what is no longer wanted`,
      ),
    );
  if (base !== undefined && now.tokens - was.tokens > MOST_ADDED)
    findings.push(
      refuse(
        'adds-too-much',
        `the draft adds ${now.tokens - was.tokens} tokens, at most ${MOST_ADDED}: keep what the session taught`,
      ),
    );
  return findings;
}

function sizeOf(folder: Folder): { files: number; tokens: number } {
  const files = [...folder.keys()].filter((path) => path !== 'evals/triggers.json');
  const tokens = files.reduce((sum, path) => sum + tokensOf(fileText(folder, path) ?? ''), 0);
  return { files: files.length, tokens };
}

function tokensOf(text: string): number {
  if (isBinary(text)) return 0;
  return text.length > LONGEST ? Math.ceil(text.length / 4) : countTokens(text);
}

function refuse(rule: string, message: string): CheckFinding {
  return { rule, severity: 'refuse', message, subject: rule };
}
