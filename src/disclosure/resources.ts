import { type FileHandle, realpath } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import { hasSystemCode, messageOf } from '../errors.ts';
import { readableText, TEXT_START, withSlashes } from '../files/folder.ts';
import { openReal } from '../files/open-real.ts';
import type { Skill } from '../skill/skill.ts';
import { listResources } from './list-resources.ts';

export type ResourceReading =
  | {
      readonly kind: 'text';
      readonly text: string;
      /** Characters of the whole file. */
      readonly total: number;
      readonly nextOffset?: number;
    }
  | { readonly kind: 'binary'; readonly size: number; readonly mime: string }
  | { readonly kind: 'refused' | 'missing'; readonly message: string };

const PAGE = 20_000;
const LARGEST = 16 * 1024 * 1024;
const UNKNOWN = 'application/octet-stream';
const MIMES: Record<string, string> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.pdf': 'application/pdf',
  '.zip': 'application/zip',
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/** By the byte-order mark. */
const UTF_16 = new Map([
  ['fffe', 'text/plain; charset=utf-16le'],
  ['feff', 'text/plain; charset=utf-16be'],
]);

/**
 * One page of a resource. A path that is absolute, climbs out, holds a backslash or NUL, or leads through a link out of
 * the skill is refused before anything is read. The pages of a file put together are the file.
 */
export async function readResource(
  skill: Skill,
  path: string,
  options: { offset?: number; limit?: number } = {},
): Promise<ResourceReading> {
  const dir = withSlashes(skill.dir);
  const refusal = refusalOf(path);
  if (refusal !== undefined)
    return {
      kind: 'refused',
      message: `"${path}" ${refusal}; paths are relative to ${dir} and stay in it`,
    };
  const cannot = (error: unknown): ResourceReading => ({
    kind: 'missing',
    message: `cannot read ${path} in ${dir}: ${messageOf(error)}`,
  });
  let root: string;
  let real: string;
  try {
    root = await realpath(skill.dir);
    real = await realpath(join(root, path));
  } catch (error) {
    if (!hasSystemCode(error, 'ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG')) return cannot(error);
    const near = (await listResources(skill)).map((resource) => resource.path);
    return {
      kind: 'missing',
      message: `there is no ${path} in ${dir}; it has ${near.length === 0 ? 'no files beside SKILL.md' : near.slice(0, 20).join(', ')}`,
    };
  }
  if (real !== root && !real.startsWith(root + sep))
    return { kind: 'refused', message: `"${path}" leads out of ${dir} through a link` };
  try {
    const handle = await openReal(real);
    try {
      const file = await handle.stat();
      if (file.isFile()) return await readPage(path, handle, file.size, options);
    } finally {
      await handle.close();
    }
    return {
      kind: 'missing',
      message: `${path} is no file; list_skill_files shows the files of ${dir}`,
    };
  } catch (error) {
    return cannot(error);
  }
}

async function readPage(
  path: string,
  handle: FileHandle,
  size: number,
  { offset = 0, limit = PAGE }: { offset?: number; limit?: number },
): Promise<ResourceReading> {
  const mime = MIMES[extname(path).toLowerCase()] ?? UNKNOWN;
  if (size > LARGEST) {
    const start = await handle.read({ buffer: Buffer.alloc(TEXT_START) });
    if (mime !== UNKNOWN || start.buffer.subarray(0, start.bytesRead).includes(0))
      return { kind: 'binary', size, mime };
    return {
      kind: 'refused',
      message: `${path} has ${size} bytes, and at most ${LARGEST} are read; take what you need of it with a script`,
    };
  }
  const bytes = await handle.readFile();
  const whole = readableText(bytes);
  if (whole === undefined) return { kind: 'binary', size, mime: UTF_16.get(markOf(bytes)) ?? mime };
  const start = Math.min(Math.max(0, Math.trunc(offset)), whole.length);
  let end = Math.min(whole.length, start + Math.max(1, Math.trunc(limit)));
  // A page never ends between the halves of a character.
  if (end < whole.length && /[\ud800-\udbff]/.test(whole[end - 1] ?? '')) end += end - 1 > start ? -1 : 1;
  return {
    kind: 'text',
    text: whole.slice(start, end),
    total: whole.length,
    ...(end < whole.length ? { nextOffset: end } : {}),
  };
}

function markOf(bytes: Buffer): string {
  return bytes.toString('hex', 0, 2);
}

function refusalOf(path: string): string | undefined {
  if (path.trim() === '') return 'is empty';
  if (path.includes('\0')) return 'holds a NUL character';
  if (path.includes('\\') || /^[A-Za-z]:/.test(path)) return 'holds a backslash or a drive';
  if (path.startsWith('/') || path.startsWith('~')) return 'is absolute';
  if (path.split('/').includes('..')) return 'climbs with ..';
  return undefined;
}
