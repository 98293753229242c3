import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { equalFolders, type Folder } from '../files/folder.ts';
import type { GateResult } from '../gate/gate.ts';
import { isReservedName } from '../gate/place-faults.ts';
import { whyDeleted } from '../history/deleted.ts';
import type { Origin, Override } from '../history/revision.ts';
import { digestOf } from '../history/tree.ts';
import { isName } from '../history/written-name.ts';
import type { Library } from '../library/library.ts';
import type { FoundSkill } from './find.ts';
import { gateImport } from './import-gate.ts';
import { numberIn, versionIn, withVersion } from './merge-versions.ts';
import type { TransferParts } from './parts.ts';
import { renamed } from './rename.ts';
import { type Source, sourceText } from './source.ts';

/** What is to become of a skill of a source. */
export type Decision = {
  /** What it is or would be called in the library. */
  readonly name: string;
  readonly found: FoundSkill;
  readonly origin: Origin;
} & (
  | { readonly kind: 'take'; readonly folder: Folder; readonly gate: GateResult }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'refused'; readonly reason: string; readonly gate?: GateResult }
);

export interface DecideRequest {
  readonly source: Source;
  readonly commit: string | undefined;
  /** Where the source lies on this disk; absolute and real. */
  readonly dir: string;
  readonly readOnly: boolean;
  readonly as: string | undefined;
  readonly allow: readonly Override[];
  /** Names that the last commit has: of no other can a skill have been deleted by hand. */
  readonly committed: ReadonlySet<string>;
}

const LONGEST_NAME = 64;

/** Decides about one skill; writes nothing. */
export async function decide(
  parts: TransferParts,
  found: FoundSkill,
  request: DecideRequest,
): Promise<Decision> {
  const { source, commit, as, allow } = request;
  const name = as ?? found.name;
  const folder = as === undefined ? found.folder : renamed(found.folder, as);
  const version = numberIn(folder);
  const origin: Origin = {
    source: sourceText(source),
    ...(source.kind === 'git' && source.ref !== undefined ? { ref: source.ref } : {}),
    ...(commit === undefined ? {} : { commit }),
    path: found.path,
    name: found.name,
    ...(version === undefined ? {} : { version }),
    tree: digestOf(folder),
  };
  const refuse = (reason: string, gate?: GateResult): Decision => ({
    kind: 'refused',
    name,
    found,
    origin,
    reason,
    ...(gate === undefined ? {} : { gate }),
  });
  if (!isName(name) || isReservedName(name) || name.length > LONGEST_NAME)
    return refuse(
      `"${name}" can be no name in the library: letters, digits and single hyphens, at most ${LONGEST_NAME}, and no command of knack; give another with --as NAME`,
    );
  const skillDir = request.readOnly ? undefined : join(request.dir, found.path);
  const taken = await whatIsThere(parts, { name, folder, origin, skillDir, committed: request.committed });
  if (taken === 'same') return { kind: 'unchanged', name, found, origin };
  if (taken !== undefined) return refuse(taken);
  const gate = await gateImport(parts, { name, candidate: folder, allow });
  if (gate.verdict !== 'pass') return refuse('the gate refuses it', gate);
  return { kind: 'take', name, found, origin, folder, gate };
}

/** Whether nothing differs but the number, which an update counts up, and how that is written. */
function isSame(present: Folder, folder: Folder): boolean {
  if (equalFolders(present, folder)) return true;
  const version = versionIn(present);
  return version !== undefined && equalFolders(withVersion(present, version), withVersion(folder, version));
}

function wayTo(name: string, known: Origin, { ref }: Origin): string {
  if (known.ref === ref) return `: knack skills update ${name} takes up what changed`;
  return `, as of ${known.ref ?? 'its default branch'}: knack skills update ${name} --to ${ref ?? 'HEAD'} goes over to ${ref ?? 'its default branch'}`;
}

/**
 * Why a name is not free; `same` where the very same skill stands there. The skill of a root that is only read may be
 * taken over into the workspace, from where it comes first: it hides nothing but what it is a copy of.
 */
async function whatIsThere(
  { library, history, workspace }: TransferParts,
  {
    name,
    folder,
    origin,
    skillDir,
    committed,
  }: {
    name: string;
    folder: Folder;
    origin: Origin;
    skillDir: string | undefined;
    committed: ReadonlySet<string>;
  },
): Promise<string | undefined> {
  const dir = join(workspace.skills, name);
  if (existsSync(dir)) {
    const present = await history.present(name);
    if (present !== undefined && isSame(present, folder)) return 'same';
    const known = (await history.origin(name))?.origin;
    if (known !== undefined && known.source === origin.source && known.path === origin.path)
      return `${name} was imported from there already${wayTo(name, known, origin)}`;
    return `there is a skill "${name}" already, in ${dir}; nothing of it was touched: --as NAME adds this one under another name`;
  }
  const deleted = committed.has(name) ? await whyDeleted(history, name) : undefined;
  if (deleted !== undefined) return deleted;
  const other = library.entries.find((entry) => entry.state !== 'refused' && entry.skill.name === name);
  if (other === undefined || other.state === 'refused') return whoseAlias(library, name);
  if (skillDir !== undefined && (await realpath(other.skill.dir)) === (await realpath(skillDir)))
    return undefined;
  return `the root "${other.root.name}" has a skill "${name}" already, which this one would hide: --as NAME adds it under another name, and knack skills add ${dirname(other.skill.dir)} --skill ${name} takes over that one to change it`;
}

/** A name wins over an alias: what asks for the one skill would get the other. */
function whoseAlias(library: Library, name: string): string | undefined {
  const holder = library.find(name);
  if (holder === undefined) return undefined;
  return `"${name}" is an alias of ${holder.name}, which this one would take over: --as NAME adds it under another name; or take the alias out of ${holder.path} first`;
}
