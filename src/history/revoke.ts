import { KnackError } from '../errors.ts';
import { equalFolders, type Folder, fileText, textFile, withFile } from '../files/folder.ts';
import { parseSkillFolder } from '../skill/parse.ts';
import { setVersion } from '../skill/set-version.ts';
import { aliasesOf, withoutAliases } from './aliases.ts';
import type { CommitOutcome, History } from './history.ts';
import { namesAlong } from './other-names.ts';
import { NO_VERSION } from './records.ts';
import type { Revision } from './revision.ts';
import { isEmptied, mergedInto, takeOutAll } from './taken-out.ts';
import { isTaughtOnlyBy, undoRevision } from './undo-revision.ts';

/** What revoking a session means for one skill. */
export interface Revocation {
  readonly skill: string;
  readonly from: string;
  /** The number that it takes, or `none` where nothing else is left of the skill. */
  readonly to: string;
  /** The revisions that the session taught, newest first. */
  readonly revisions: readonly string[];
  /** Undefined for a skill that the session had retired, which comes back. */
  readonly before: Folder | undefined;
  readonly after: Folder | undefined;
  /** The skill is out of the library and stays out: `after` is what `restore` brings back, nothing if undefined. */
  readonly out?: { readonly held: Folder; readonly last: Revision; readonly retirement: Revision };
}

/**
 * What is to be undone so that nothing is left that this session alone taught, skill by skill in the order of their
 * names; a skill that it retired comes back, and its names with it. One that is retired otherwise stays so, and what
 * `restore` would bring back is cleaned. Skills that hold nothing of it any more are left out. Throws `not-found` for a
 * session that taught nothing, and `refused` where the history is cut.
 */
export async function planRevocation(history: History, session: string): Promise<Revocation[]> {
  const cut = await history.cut(undefined);
  if (cut !== undefined) throw new KnackError('refused', `all that ${session} taught cannot be told: ${cut}`);
  const taught = (await history.logAll()).filter(({ sessions }) => sessions.some(({ id }) => id === session));
  if (taught.length === 0)
    throw new KnackError(
      'not-found',
      `no revision names the session ${session}; \`knack skills log NAME --json\` shows the sessions of each`,
    );
  const names = new Set(taught.map(({ skill }) => skill));
  const back = await retiredBy(history, [...names], session);
  for (const { into } of back) if (into !== undefined) names.add(into);
  const found: Revocation[] = [];
  for (const skill of [...names].sort((left, right) => (left < right ? -1 : 1))) {
    const freed: string[] = [];
    for (const { name, into, aliases } of back)
      if (into === skill)
        freed.push(name, ...(await namesAlong(history, skill, { along: name, names: aliases })));
    const plan = await planFor(history, skill, { session, freed });
    if (plan !== undefined) found.push(plan);
  }
  return found;
}

/** A skill that comes back, the one that absorbed it, and the names that it had beside its own. */
interface Returning {
  readonly name: string;
  readonly into: string | undefined;
  readonly aliases: readonly string[];
}

/** The skills that this session alone had taken out of the library. */
async function retiredBy(history: History, names: readonly string[], session: string): Promise<Returning[]> {
  const found: Returning[] = [];
  for (const name of names) {
    const revisions = await history.log(name);
    const [latest] = revisions;
    const last = revisions.find(({ version }) => version !== NO_VERSION);
    if (latest === undefined || last === undefined || !isRetiredBy(latest, session)) continue;
    const aliases = aliasesOf(name, await history.folderAt(name, last.sha));
    found.push({ name, into: mergedInto(latest), aliases });
  }
  return found;
}

/** `freed`: the names that go back to skills of their own. */
async function planFor(
  history: History,
  skill: string,
  { session, freed }: { readonly session: string; readonly freed: readonly string[] },
): Promise<Revocation | undefined> {
  const present = await history.present(skill);
  const revisions = await history.log(skill);
  const [latest] = revisions;
  if (latest === undefined) return undefined;
  const last = revisions.find(({ version }) => version !== NO_VERSION);
  const isOut = present === undefined && latest.version === NO_VERSION && !isEmptied(latest);
  // Of files that a person removed without a commit the commit says so.
  const kept = latest.version === NO_VERSION ? undefined : await history.committed(skill);
  const before = present ?? (isOut && last !== undefined ? await history.folderAt(skill, last.sha) : kept);
  if (before === undefined) return undefined;
  const revoked: string[] = [];
  let folder: Folder = before;
  for (const [index, revision] of revisions.entries()) {
    if (!isTaughtBy(revision, session)) continue;
    revoked.push(revision.sha);
    // What took it out has no files, and is undone by bringing it back.
    if (revision.version === NO_VERSION) continue;
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
  }
  const unnumbered = withoutAliases(skill, withVersionOf(folder, before), freed);
  const isAsBefore = equalFolders(unnumbered, before);
  const after = (await saysNothing(history, folder, revisions)) ? undefined : unnumbered;
  const comesBack = present === undefined && after !== undefined && isRetiredBy(latest, session);
  if (isAsBefore && !comesBack) return undefined;
  const out =
    isOut && !comesBack && last !== undefined ? { out: { held: before, last, retirement: latest } } : {};
  const plan = { skill, from: latest.version, revisions: revoked, before: present, ...out };
  // As it was it has its number.
  if (isAsBefore && last !== undefined) return { ...plan, to: last.version, after };
  const to = after === undefined ? NO_VERSION : await history.nextVersion(skill, 'major');
  return { ...plan, to, after: after && withVersion(after, to) };
}

/** Commits a planned revocation. Whoever owns the skill goes on owning it. */
export function revoke(
  history: History,
  plan: Revocation,
  { session, why }: { readonly session: string; readonly why: string },
): Promise<CommitOutcome> {
  const { skill, from, to, before, after, revisions, out } = plan;
  const change = {
    skill,
    base: before,
    target: after,
    from,
    to,
    what: whatOf(plan, session),
    why,
    actor: 'rollback' as const,
    sessions: [],
    operations: [],
    revokes: revisions,
  };
  if (out === undefined) return history.commit(change);
  const { held, last, retirement } = out;
  if (after === undefined) {
    const { revokes: _, ...rest } = change;
    const again = { ...rest, target: held, to: last.version, what: 'as it was, to be taken out for good' };
    return history.commitOut({ held: { ...again, restores: last.sha }, out: change });
  }
  return history.commitOut({
    // A line that stays is looked for in what was taken out.
    held: { ...change, target: after, revokes: [retirement.sha, ...revisions] },
    // Whatever had taken it out goes on saying so.
    out: { ...retirement, base: after, target: undefined, from: to, to: NO_VERSION },
  });
}

function whatOf({ before, after, out }: Revocation, session: string): string {
  if (before === undefined && out === undefined) return `bring back what ${session} retired`;
  return after === undefined ? takeOutAll(session) : `take out what ${session} taught`;
}

function isRetiredBy(revision: Revision, session: string): boolean {
  return revision.version === NO_VERSION && isTaughtBy(revision, session);
}

function isTaughtBy({ sessions, operations }: Revision, session: string): boolean {
  const isAlone = sessions.length > 0 && sessions.every(({ id }) => id === session);
  return isAlone || operations.some((operation) => isTaughtOnlyBy(operation, session));
}

/** Headings alone teach nothing, unless somebody else than a review has a hand in one. */
async function saysNothing(
  history: History,
  folder: Folder,
  revisions: readonly Revision[],
): Promise<boolean> {
  if ([...folder.keys()].some((path) => path !== 'SKILL.md' && !path.startsWith('evals/'))) return false;
  const lines = bodyOf(folder).filter((line) => line.trim() !== '');
  if (lines.some((line) => !line.startsWith('#'))) return false;
  if (lines.length === 0) return true;
  const made = new Set<string>();
  for (const [index, { skill, sha, actor, version }] of revisions.entries()) {
    if (actor !== 'reviewer' || version === NO_VERSION) continue;
    const earlier = revisions[index + 1];
    const isFirst = earlier === undefined || earlier.version === NO_VERSION;
    const before = new Set(isFirst ? [] : bodyOf(await history.folderAt(skill, earlier.sha)));
    for (const line of bodyOf(await history.folderAt(skill, sha))) if (!before.has(line)) made.add(line);
  }
  return lines.every((line) => made.has(line));
}

/** The lines below the front matter. */
function bodyOf(folder: Folder): string[] {
  const text = fileText(folder, 'SKILL.md') ?? '';
  return text.replace(/^---\r?\n[\s\S]*?\n---[ \t]*(?:\r?\n|$)/, '').split('\n');
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
  return withFile(folder, 'SKILL.md', textFile(setVersion(text, version)));
}
