import { KnackError } from '../errors.ts';
import { equalFolders, type Folder, fileText, textFile, withFile } from '../folder.ts';
import { setField } from '../skill/edit.ts';
import { parseSkillFolder } from '../skill/parse.ts';
import type { CommitOutcome, History } from './history.ts';
import { NO_VERSION } from './records.ts';
import type { Revision } from './revision.ts';
import { isTaughtOnlyBy, undoRevision } from './undo-revision.ts';

/** What revoking a session means for one skill. */
export interface Revocation {
  readonly skill: string;
  readonly from: string;
  /** The number that it takes, or `none` where nothing else is left of the skill. */
  readonly to: string;
  /** The revisions that the session taught, newest first. */
  readonly revisions: readonly string[];
  readonly before: Folder;
  readonly after: Folder | undefined;
}

/**
 * What is to be undone so that nothing is left that this session alone taught, skill by skill in the order of their
 * names. Skills that it taught and that hold nothing of it any more are left out. Throws `not-found` for a session that
 * taught nothing.
 */
export async function planRevocation(history: History, session: string): Promise<Revocation[]> {
  const taught = (await history.logAll()).filter(({ sessions }) => sessions.some(({ id }) => id === session));
  if (taught.length === 0)
    throw new KnackError(
      'not-found',
      `no revision names the session ${session}; \`knack skills log NAME --json\` shows the sessions of each`,
    );
  const names = [...new Set(taught.map(({ skill }) => skill))].sort((left, right) => (left < right ? -1 : 1));
  const found: Revocation[] = [];
  for (const skill of names) {
    const plan = await planFor(history, skill, session);
    if (plan !== undefined) found.push(plan);
  }
  return found;
}

async function planFor(history: History, skill: string, session: string): Promise<Revocation | undefined> {
  const before = await history.present(skill);
  if (before === undefined) return undefined;
  const revisions = await history.log(skill);
  const [latest] = revisions;
  if (latest === undefined) return undefined;
  const revoked: string[] = [];
  let folder: Folder = before;
  for (const [index, revision] of revisions.entries()) {
    if (!isTaughtBy(revision, session)) continue;
    const earlier = revisions[index + 1];
    folder = undoRevision(
      folder,
      {
        revision,
        before:
          earlier === undefined || earlier.version === NO_VERSION
            ? undefined
            : await history.folderAt(skill, earlier.sha),
        after: await history.folderAt(skill, revision.sha),
      },
      session,
    );
    revoked.push(revision.sha);
  }
  const unnumbered = withVersionOf(folder, before);
  if (equalFolders(unnumbered, before)) return undefined;
  const after = saysNothing(folder) ? undefined : folder;
  const to = after === undefined ? NO_VERSION : await history.nextVersion(skill, 'major');
  return {
    skill,
    from: latest.version,
    to,
    revisions: revoked,
    before,
    after: after && withVersion(after, to),
  };
}

/** Commits a planned revocation. Whoever owns the skill goes on owning it. */
export function revoke(
  history: History,
  plan: Revocation,
  { session, why }: { readonly session: string; readonly why: string },
): Promise<CommitOutcome> {
  const { skill, from, to, before, after, revisions } = plan;
  return history.commit({
    skill,
    base: before,
    target: after,
    from,
    to,
    what:
      after === undefined ? `take out what ${session} taught: all of it` : `take out what ${session} taught`,
    why,
    actor: 'rollback',
    sessions: [],
    operations: [],
    revokes: revisions,
  });
}

function isTaughtBy({ sessions, operations }: Revision, session: string): boolean {
  const isAlone = sessions.length > 0 && sessions.every(({ id }) => id === session);
  return isAlone || operations.some((operation) => isTaughtOnlyBy(operation, session));
}

/** Headings alone teach nothing. */
function saysNothing(folder: Folder): boolean {
  const others = [...folder.keys()].some((path) => path !== 'SKILL.md' && !path.startsWith('evals/'));
  const body = (fileText(folder, 'SKILL.md') ?? '').replace(/^---\r?\n[\s\S]*?\n---[ \t]*(?:\r?\n|$)/, '');
  return !others && body.replace(/^#.*$/gm, '').trim() === '';
}

function versionOf(folder: Folder): string | undefined {
  const reading = parseSkillFolder('/skill', folder);
  return reading.kind === 'loaded' ? reading.skill.version : undefined;
}

function withVersionOf(folder: Folder, other: Folder): Folder {
  const version = versionOf(other);
  return version === undefined ? folder : withVersion(folder, version);
}

function withVersion(folder: Folder, version: string): Folder {
  const text = fileText(folder, 'SKILL.md');
  if (text === undefined || versionOf(folder) === version) return folder;
  return withFile(folder, 'SKILL.md', textFile(setField(text, 'metadata.version', version)));
}
