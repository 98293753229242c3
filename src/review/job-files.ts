import { createHash } from 'node:crypto';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { hasSystemCode, KnackError, messageOf } from '../errors.ts';
import { readOwnFile } from '../files/own-file.ts';

/** A review that was asked for. */
export interface ReviewJob {
  readonly session: string;
  /** Absolute path of the transcript. */
  readonly file: string;
}

/** A job as it is kept until it is done. */
export interface StoredJob extends ReviewJob {
  /** The same for the same session and file. */
  readonly id: string;
  /** ISO 8601. */
  readonly added: string;
  readonly state: 'waiting' | 'failed';
  /** Of the last try. */
  readonly error?: string;
}

/** The jobs of a folder, each in a file of its own that is removed when the job is done. */
export interface JobFiles {
  /** The file by which the process that runs it claims a job. */
  claimOf(id: string): string;
  /** In the order in which they were added. A file that is no job is a failed one that says so. */
  all(): Promise<StoredJob[]>;
  read(id: string): Promise<StoredJob | undefined>;
  /** On the disk as a whole when it resolves. Throws `io`. */
  write(job: StoredJob): Promise<void>;
  remove(id: string): Promise<void>;
}

/** Runs a review of a session and removes the job that waits for it, unless it failed or was added again meanwhile. */
export async function withoutJob<T extends { readonly outcome: string }>(
  files: JobFiles,
  job: ReviewJob,
  review: () => Promise<T>,
): Promise<T> {
  const id = jobId(job);
  const added = (await files.read(id))?.added;
  const end = await review();
  if (added !== undefined && end.outcome !== 'failed' && (await files.read(id))?.added === added)
    await files.remove(id);
  return end;
}

/** The id of a job: jobs for one session of one file are one. */
export function jobId({ session, file }: ReviewJob): string {
  return createHash('sha256')
    .update(JSON.stringify([session, file]))
    .digest('hex')
    .slice(0, 12);
}

export function createJobFiles(dir: string): JobFiles {
  const pathOf = (id: string) => join(dir, `${id}.json`);
  return {
    claimOf: (id) => join(dir, `${id}.claim`),
    async all() {
      const jobs = await Promise.all((await namesIn(dir)).map((name) => readJob(join(dir, name))));
      return jobs
        .flatMap((job) => job ?? [])
        .sort((left, right) => (left.added + left.id < right.added + right.id ? -1 : 1));
    },
    read: (id) => readJob(pathOf(id)),
    async write(job) {
      const file = pathOf(job.id);
      const fresh = `${file}.${process.pid}.new`;
      try {
        await mkdir(dir, { recursive: true, mode: 0o700 });
        await writeFile(fresh, `${JSON.stringify(job)}\n`, { mode: 0o600, flush: true });
        await rename(fresh, file);
      } catch (error) {
        await rm(fresh, { force: true }).catch(() => undefined);
        throw new KnackError('io', `cannot keep the review for later in ${file}: ${messageOf(error)}`, {
          cause: error,
        });
      }
    },
    remove: (id) => rm(pathOf(id), { force: true }),
  };
}

async function namesIn(dir: string): Promise<string[]> {
  try {
    return (await readdir(dir)).filter((name) => name.endsWith('.json'));
  } catch (error) {
    if (hasSystemCode(error, 'ENOENT')) return [];
    throw new KnackError('io', `cannot read the queue ${dir}: ${messageOf(error)}`, { cause: error });
  }
}

async function readJob(file: string): Promise<StoredJob | undefined> {
  const broken = (error: string): StoredJob => ({
    id: basename(file, '.json'),
    session: '',
    file: '',
    added: '',
    state: 'failed',
    error,
  });
  try {
    const job = JSON.parse(await readOwnFile(file)) as Partial<StoredJob>;
    return typeof job.session === 'string' && typeof job.file === 'string' && typeof job.added === 'string'
      ? { ...(job as StoredJob), id: basename(file, '.json') }
      : broken(`${file} is no job; remove it`);
  } catch (error) {
    if (hasSystemCode(error, 'ENOENT')) return undefined;
    return broken(`${file} cannot be read: ${messageOf(error)}; remove it`);
  }
}
