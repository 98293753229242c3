import semver from 'semver';
import { KnackError } from '../errors.ts';
import type { Folder } from '../files/folder.ts';
import { parseSkillFolder } from '../skill/parse.ts';
import type { Git } from './git.ts';
import { NO_VERSION, type Recorded } from './records.ts';

/**
 * The revision that a version number or a commit names; the newest of that number where all hold the same files. Throws
 * `not-found` with those that exist, and `refused` with the commits of a number that stands for different files.
 */
export async function resolveVersion(
  git: Git,
  skill: string,
  version: string,
  records: readonly Recorded[],
): Promise<Recorded> {
  const byNumber = records.filter((record) => record.version === version);
  const [named] = byNumber;
  if (named !== undefined) {
    if (byNumber.length > 1 && (await treesOf(git, skill, byNumber)).size > 1)
      throw new KnackError('refused', severalOf(skill, version, byNumber));
    return named;
  }
  const bySha = /^[0-9a-f]{4,40}$/.test(version)
    ? records.filter((record) => record.sha.startsWith(version))
    : [];
  if (bySha.length === 1 && bySha[0] !== undefined) return bySha[0];
  const [newest] = records;
  if (newest !== undefined && /^(HEAD|[0-9a-f]{7,40})$/.test(version)) {
    const sha = await git.run('rev-parse', '--verify', '--quiet', `${version}^{commit}`).then(
      (text) => text.trim(),
      () => '',
    );
    if (sha !== '') return { ...newest, sha, version };
  }
  const known = [...new Set(records.map((record) => record.version))].sort((left, right) =>
    semver.valid(left) && semver.valid(right)
      ? semver.rcompare(left, right)
      : Number(semver.valid(left) === null) - Number(semver.valid(right) === null),
  );
  throw new KnackError(
    'not-found',
    `${skill} has no version ${version}; it has ${known.length === 0 ? 'none' : known.join(', ')}`,
  );
}

/** Which trees these revisions have of the skill, in one look; one that took it out has none. */
async function treesOf(git: Git, skill: string, records: readonly Recorded[]): Promise<Set<string>> {
  const names = records.map(({ sha }) => `${sha}:./${skill}\n`).join('');
  const told = await git.feed(Buffer.from(names), 'cat-file', '--batch-check=%(objectname)');
  const lines = Buffer.from(told).toString().trimEnd().split('\n');
  return new Set(lines.map((line) => (line.endsWith(' missing') ? 'none' : line)));
}

const MOST_NAMED = 10;

function severalOf(skill: string, version: string, records: readonly Recorded[]): string {
  const hashes = records.slice(0, MOST_NAMED).map(({ sha }) => sha.slice(0, 10));
  const more = records.length > MOST_NAMED ? `; \`knack skills log ${skill}\` shows the others` : '';
  return `${version} of ${skill} stands on ${records.length} commits: name one by its hash (${hashes.join(', ')}${more})`;
}

/** The higher of two numbers; the first where the other is none. */
export function higherVersion(first: string, second: string | undefined): string {
  const other = semver.valid(second) ?? semver.coerce(second)?.version;
  return other !== undefined && semver.gt(other, first) ? other : first;
}

/** The number above the highest that was ever used; 1.0.0 for a skill without a number. */
export function nextVersionOf(
  records: readonly Recorded[],
  present: Folder | undefined,
  size: 'patch' | 'minor' | 'major',
): string {
  const reading = present === undefined ? undefined : parseSkillFolder('/skill', present);
  const now = reading?.kind === 'loaded' ? reading.skill.version : undefined;
  const numbers = [...records.map((record) => record.version), ...(now === undefined ? [] : [now])].flatMap(
    (version) => {
      const number = semver.valid(version) ?? semver.coerce(version)?.version;
      return number === undefined || version === NO_VERSION ? [] : [number];
    },
  );
  const highest = numbers.sort(semver.rcompare)[0];
  if (highest === undefined) return present === undefined ? '1.0.0' : '1.0.1';
  return semver.inc(highest, size) ?? '1.0.0';
}
