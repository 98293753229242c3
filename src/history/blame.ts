import { KnackError, messageOf } from '../errors.ts';
import type { Git } from './git.ts';
import type { BlameLine } from './history.ts';
import { type Recorded, UNNUMBERED } from './records.ts';
import type { RevisionOperation } from './revision.ts';

interface Origin {
  readonly sha: string;
  /** In the file as that commit left it. */
  readonly line: number;
  readonly text: string;
}

/**
 * Each line of the file as it was last committed, with the revision that it comes from and the turns that taught it. A
 * line that a rollback or a revocation brought back comes from where it stood before.
 */
export async function blameFile(git: Git, path: string, records: readonly Recorded[]): Promise<BlameLine[]> {
  const bySha = new Map(records.map((record) => [record.sha, record]));
  const cache = new Map<string, Promise<Origin[]>>();
  const originsAt = (sha: string) => {
    const found = cache.get(sha) ?? readOrigins(git, path, sha);
    cache.set(sha, found);
    return found;
  };
  const trace = async (origin: Origin): Promise<Origin> => {
    const { restores, revokes = [] } = bySha.get(origin.sha) ?? {};
    if (restores !== undefined && bySha.has(restores)) {
      const before = (await originsAt(restores))[origin.line - 1];
      return before === undefined ? origin : trace(before);
    }
    for (const revoked of revokes) {
      const before = earlier(records, revoked);
      const same = before && (await originsAt(before)).find(({ text }) => text === origin.text);
      if (same) return trace(same);
    }
    return origin;
  };
  const lines: BlameLine[] = [];
  for (const [index, now] of (await originsAt('HEAD')).entries()) {
    const origin = await trace(now);
    const record = bySha.get(origin.sha);
    const file = path.slice(path.indexOf('/') + 1);
    // A later operation of one draft may have written inside the lines of an earlier one.
    const taught = record?.operations.findLast((operation) => covers(operation, file, origin.line));
    const [evidence] = taught?.evidence ?? [];
    lines.push({
      line: index + 1,
      text: now.text,
      version: record?.version ?? UNNUMBERED,
      sha: origin.sha,
      actor: record?.actor ?? 'user',
      ...(taught === undefined || evidence === undefined
        ? {}
        : {
            session: evidence.session,
            events: [
              ...new Set(
                taught.evidence.filter((each) => each.session === evidence.session).map((each) => each.event),
              ),
            ],
            quote: evidence.quote,
            trust: taught.trust ?? 'unknown',
          }),
    });
  }
  return lines;
}

/** The revision before one of these. */
function earlier(records: readonly Recorded[], sha: string): string | undefined {
  return records[records.findIndex((record) => record.sha === sha) + 1]?.sha;
}

function covers(operation: RevisionOperation, file: string, line: number): boolean {
  const [first, last] = operation.lines ?? [0, -1];
  return operation.file === file && line >= first && line <= last;
}

async function readOrigins(git: Git, path: string, commit: string): Promise<Origin[]> {
  const porcelain = await git
    .run('blame', '--ignore-revs-file=', '--no-textconv', '--porcelain', commit, '--', path)
    .catch((error: unknown) => {
      if (
        error instanceof KnackError &&
        /no such path|no such ref|bad revision|ambiguous argument/i.test(messageOf(error))
      ) {
        throw new KnackError(
          'not-found',
          `${path} is not in the history; it was never committed, or not under this name`,
          { cause: error },
        );
      }
      throw error;
    });
  const origins: Origin[] = [];
  let current: { sha: string; line: number } | undefined;
  for (const line of porcelain.split('\n')) {
    const head = /^([0-9a-f]{40}) (\d+) \d+/.exec(line);
    if (head !== null) current = { sha: String(head[1]), line: Number(head[2]) };
    else if (line.startsWith('\t') && current !== undefined)
      origins.push({ ...current, text: line.slice(1).replace(/\r$/, '') });
  }
  return origins;
}
