import { KnackError } from '../errors.ts';
import type { Draft, DraftOperation } from '../gate/draft.ts';
import type { BlameLine, History } from '../history/history.ts';
import type { RevisionOperation } from '../history/revision.ts';
import { leastTrusted, type Trust } from '../history/trust.ts';

/** What the trust of a draft's operations is worked out with. */
export interface TrustSources {
  readonly draft: Draft;
  /** Of each operation of the draft by its own evidence; see `trustsOf`. */
  readonly trusts: readonly (Trust | undefined)[];
  /** The skill that is written, where its history knows it. */
  readonly skill: string | undefined;
  readonly history: History;
}

/**
 * The operations that a draft makes of one skill, each with the least trusted speaker in its lineage: among the turns
 * that it cites, behind the learned lines that it rewrites, and behind those that a merge brings over. What rests on a
 * line of which this is unknown has none itself, unless it is foreign anyhow.
 */
export async function withTrust(
  operations: readonly RevisionOperation[],
  { draft, trusts, skill, history }: TrustSources,
): Promise<readonly RevisionOperation[]> {
  const written = draft.operations.flatMap((operation, index) =>
    draft.decision === 'retire' || operation.skill === draft.skill ? [{ operation, own: trusts[index] }] : [],
  );
  const blamed = new Map<string, Promise<BlameLine[]>>();
  const linesOf = (name: string | undefined, file: string): Promise<BlameLine[]> => {
    if (name === undefined) return Promise.resolve([]);
    const key = `${name}/${file}`;
    const lines = blamed.get(key) ?? blame(history, name, file);
    blamed.set(key, lines);
    return lines;
  };
  const retires = draft.decision === 'merge' ? draft.retires : undefined;
  const result: RevisionOperation[] = [];
  for (const [index, described] of operations.entries()) {
    const { operation, own } = written[index] ?? {};
    if (operation === undefined) {
      result.push(described);
      continue;
    }
    const earlier = [
      ...rewritten(operation, rewrites(operation) ? await linesOf(skill, operation.file) : []),
      ...movedIn(operation, retires === undefined ? [] : await linesOf(retires, 'SKILL.md')),
    ];
    const trust = leastOf([
      ...(operation.evidence.length > 0 ? [own ?? ('unknown' as const)] : []),
      ...earlier.flatMap((line) => line.trust ?? []),
    ]);
    result.push(trust === undefined ? described : { ...described, trust });
  }
  return result;
}

function leastOf(all: readonly (Trust | 'unknown')[]): Trust | undefined {
  const known = leastTrusted(all.filter((each) => each !== 'unknown'));
  return all.includes('unknown') && known !== 'foreign' ? undefined : known;
}

function rewrites({ op }: DraftOperation): boolean {
  return op === 'replace' || op === 'set';
}

/** The lines, as they were last committed, that an operation writes anew. */
function rewritten({ op, anchor = '' }: DraftOperation, lines: readonly BlameLine[]): BlameLine[] {
  if (op === 'set') {
    const field = anchor.split('.').at(-1) ?? '';
    return lines.filter(({ text }) => text.trimStart().startsWith(`${field}:`)).slice(0, 1);
  }
  const at = lines
    .map(({ text }) => text)
    .join('\n')
    .indexOf(anchor.replaceAll('\r\n', '\n'));
  if (anchor === '' || at < 0) return [];
  let start = 0;
  return lines.filter(({ text }) => {
    const [first, end] = [start, start + text.length];
    start = end + 1;
    return first < at + anchor.length && end >= at && text.trim() !== '';
  });
}

/** The lines of a skill that goes which an operation brings over word for word. */
function movedIn({ text = '' }: DraftOperation, lines: readonly BlameLine[]): BlameLine[] {
  const moved = new Set(text.split('\n').map((line) => line.trim()));
  return lines.filter((line) => line.text.trim() !== '' && moved.has(line.text.trim()));
}

async function blame(history: History, name: string, file: string): Promise<BlameLine[]> {
  return history.blame(name, file).catch((error: unknown) => {
    // It was never committed.
    if (error instanceof KnackError && error.code === 'not-found') return [];
    throw error;
  });
}
