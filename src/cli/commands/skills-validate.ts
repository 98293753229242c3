import { existsSync, readFileSync } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import type { Command } from 'commander';
import { KnackError, type Problem } from '../../errors.ts';
import { claimedNames, describeClaim } from '../../library/claimed-names.ts';
import { discoverPausing } from '../../library/reading/discover-pausing.ts';
import { nestedSkills } from '../../library/reading/nested-skills.ts';
import { dotFolderProblem, skillsInDotFolders } from '../../library/reading/skills-in-dot-folders.ts';
import { createPause, hearSignals, NO_PAUSE, type Pause } from '../../pause.ts';
import { readSkill } from '../../skill/parse.ts';
import type { Skill, SkillReading } from '../../skill/skill.ts';
import { locateWorkspace } from '../../workspace.ts';
import type { Act } from '../command.ts';
import { type Fixed, fixSkills, linesOfFixes, publicFixes } from '../fix-skills.ts';
import type { Output } from '../output.ts';
import { placesOf } from '../place-of-skill.ts';
import { inOneLine } from '../project-notes.ts';

interface Options {
  readonly fix?: boolean;
  readonly dryRun?: boolean;
}

const EXIT =
  '\nExit code 0: every skill is strict and has no error. 1: one is refused, only loadable, or has an error; warnings alone are 0. A path with no SKILL.md is 1 as well. What is found is what knack loads or refuses: a SKILL.md in the folder of another skill belongs to that, is told there and leaves the exit code as it is.';

export function configure(command: Command, act: Act): void {
  command
    .addHelpText('after', EXIT)
    .argument(
      '[paths...]',
      'skill folders, SKILL.md files, folders full of skills, or names of the library (default: those of the workspace)',
    )
    .option('--fix', 'write the strict form where that takes no judgement, and show what changes')
    .option('--dry-run', 'with --fix: show what would change and write nothing')
    .action(
      act(async (context, paths: string[], options: Options) => {
        if (options.dryRun === true && options.fix !== true)
          throw new KnackError('usage', '--dry-run shows what --fix would write: give both');
        const own = locateWorkspace(context.workspace, context.environment).skills;
        const asked = await placesOf(context, paths);
        const places = paths.length === 0 ? [own] : asked.map(({ place }) => place);
        const beside: Beside = new Map();
        let pause = createPause(context.signal, 'looking at skills');
        const found = (moved: readonly Fixed[] = []) =>
          paths.length === 0
            ? readOwn(own, beside, pause)
            : readEach(placesNow(places, moved, beside), beside, pause);
        const fixed =
          options.fix === true
            ? await fixSkills(context, {
                readings: await found(),
                places: places.filter((_, index) => asked[index]?.isByName !== true),
                readOnly: asked.flatMap(({ readOnlyRoot }) => readOnlyRoot ?? []),
                isNamed: paths.length > 0,
                write: options.dryRun !== true,
              })
            : undefined;
        // What was written is told in any case.
        if (fixed?.fixed.some(({ written }) => written)) pause = NO_PAUSE;
        const skills = await describeAll(await found(fixed?.fixed), pause);
        const failures = fixed?.failed.length ?? 0;
        const problems = [...beside.values()];
        for (const { message } of problems) context.output.note(inOneLine(message));
        const summary = {
          found: skills.length,
          loadable: skills.filter((skill) => skill.loadable).length,
          strict: skills.filter((skill) => skill.strict).length,
        };
        if (pause !== NO_PAUSE) await hearSignals(context.signal, 'looking at skills');
        context.output.result(
          { skills, summary, ...(problems.length === 0 ? {} : { problems }), ...publicFixes(fixed) },
          () =>
            [
              ...(fixed?.fixed ?? []).map(({ diff }) => diff),
              ...skills.flatMap((skill) => linesOf(skill, context.output)),
              ...(paths.length === 0 ? [`the workspace's own skills, in ${inOneLine(own)}`] : []),
              `${summary.found} found, ${summary.loadable} loadable, ${summary.strict} strict${refusedLine(summary)}${fixedLine(fixed?.fixed)}${failures === 0 ? '' : `, ${failures} failed`}`,
              ...(fixed === undefined ? [] : linesOfFixes(fixed)),
            ].join('\n'),
        );
        const isSound = skills.every((skill) => skill.strict && !skill.problems.some(isError));
        return failures === 0 && isSound && !problems.some(isError) ? 0 : 1;
      }),
    );
}

/** Skills that are read before a signal is heard. */
const AT_ONCE = 32;

/** By their messages, problems that no skill has. */
type Beside = Map<string, Problem>;

/** A file that was given its proper name is read under that. One that went away since the fix hides nothing that was written. */
function placesNow(places: readonly string[], moved: readonly Fixed[], beside: Beside): readonly string[] {
  const now = places.map(
    (place) => moved.find(({ path, written }) => written && path === place)?.to ?? place,
  );
  if (!moved.some(({ written }) => written)) return now;
  return now.filter((place) => {
    if (existsSync(place)) return true;
    const message = `${place} was there and is no longer`;
    beside.set(message, { rule: 'no-skill', severity: 'error', message });
    return false;
  });
}

function refusedLine({ found, loadable }: { readonly found: number; readonly loadable: number }): string {
  return found === loadable ? '' : `, ${found - loadable} refused`;
}

function fixedLine(fixed: readonly Fixed[] | undefined): string {
  if (fixed === undefined) return '';
  const isDry = fixed.some(({ written }) => !written);
  return `, ${fixed.length} ${isDry ? 'would be fixed; nothing was written' : 'fixed'}`;
}

/** The skills of the writable root, which may have none or not be made yet. */
async function readOwn(dir: string, beside: Beside, pause: Pause): Promise<SkillReading[]> {
  if (!existsSync(dir)) return [];
  const { files, refused } = await discoverPausing(dir, pause);
  return files.length + refused.length === 0 ? [] : readEach([dir], beside, pause);
}

async function readEach(places: readonly string[], beside: Beside, pause: Pause): Promise<SkillReading[]> {
  const found = new Map<string, SkillReading>();
  // Two places may share some, or be one.
  for (const place of places)
    for (const [real, reading] of await readAll(place, beside, pause))
      if (!found.has(real)) found.set(real, reading);
  return [...found.values()];
}

/**
 * Every skill at a path, a file, a skill's folder or a folder of skills, with where it lies without links. One that is no
 * skill is a refused one. What could not be looked at, and that there is none, comes to `beside`.
 */
async function readAll(path: string, beside: Beside, pause: Pause): Promise<[real: string, SkillReading][]> {
  const found = await stat(path).catch((error: unknown) => {
    throw new KnackError('not-found', `${path} does not exist`, { cause: error });
  });
  if (found.isFile()) return [[await realpath(path), await readSkill(path)]];
  const { files, refused, ...others } = await discoverPausing(path, pause);
  for (const { problem } of others.passedOver) beside.set(problem.message, problem);
  const skipped = dotFolderProblem(
    path,
    skillsInDotFolders(path, others.dotFolders),
    'name such a folder to validate them',
  );
  if (skipped !== undefined) beside.set(skipped.message, skipped);
  const readings: [string, SkillReading][] = [];
  for (let start = 0; start < files.length; start += AT_ONCE) {
    await pause();
    const batch = files.slice(start, start + AT_ONCE);
    const read = await Promise.all(batch.map((file) => readSkill(file.path)));
    for (const [index, reading] of read.entries()) readings.push([batch[index]?.real ?? '', reading]);
  }
  const outside = refused.map(({ path: file, place, problem }): [string, SkillReading] => [
    place,
    { kind: 'refused', path: file, problems: [problem] },
  ]);
  if (readings.length + outside.length === 0) {
    const message = `${path} holds no skill: there is no SKILL.md in it, nor in a folder below`;
    beside.set(message, { rule: 'no-skill', severity: 'error', message });
  }
  return [...readings, ...outside];
}

/** With the names that two of them claim as problems of those that claim them as an alias, and with what lies in their folders. */
async function describeAll(readings: readonly SkillReading[], pause: Pause): Promise<Described[]> {
  const loaded = readings.flatMap((reading) => (reading.kind === 'loaded' ? [reading.skill] : []));
  const claims = claimsOf(loaded);
  const all: Described[] = [];
  for (const reading of readings) {
    await pause();
    const described = describe(reading);
    const doubled = reading.kind === 'loaded' ? doubledNames(reading.skill, claims) : [];
    all.push({ ...described, problems: [...described.problems, ...doubled, ...nestedBelow(described)] });
  }
  return all;
}

/** By the skills that have it as an alias, what is said of each name that several claim. */
function claimsOf(skills: readonly Skill[]): ReadonlyMap<Skill, readonly string[]> {
  const claims = new Map<Skill, string[]>();
  for (const claim of claimedNames(skills)) {
    const message = describeClaim(claim);
    for (const skill of claim.others) {
      const known = claims.get(skill);
      if (known === undefined) claims.set(skill, [message]);
      else known.push(message);
    }
  }
  return claims;
}

function doubledNames(skill: Skill, claims: ReturnType<typeof claimsOf>): Problem[] {
  return (claims.get(skill) ?? []).map((message) => ({
    rule: 'name-claimed-twice',
    severity: 'warning',
    message,
    line: lineOfAliases(skill),
  }));
}

type Described = ReturnType<typeof describe>;

function describe(reading: SkillReading) {
  if (reading.kind === 'refused')
    return { path: reading.path, name: null, loadable: false, strict: false, problems: reading.problems };
  const { path, name, strict, problems } = reading.skill;
  return { path, name, loadable: true, strict, problems };
}

function nestedBelow({ path }: Described): Problem[] {
  return nestedSkills(path).map(({ problem }) => problem);
}

/** Where the front matter has the aliases, else its name, which differs from the folder's then; counted from 1. */
function lineOfAliases({ path }: Skill): number {
  const lines = readFileSync(path, 'utf8').split('\n');
  const at = (key: RegExp) => lines.findIndex((line) => key.test(line)) + 1;
  return at(/^\s*["']?aliases["']?\s*:/) || at(/^["']?name["']?\s*:/) || 1;
}

function isError({ severity }: Problem): boolean {
  return severity === 'error';
}

function linesOf(skill: Described, { style }: Output): string[] {
  const verdict = skill.strict
    ? style('green', 'strict  ')
    : skill.loadable
      ? style('yellow', 'loadable')
      : style('red', 'refused ');
  return [
    `${verdict}  ${inOneLine(skill.path)}`,
    ...skill.problems.map(
      ({ severity, rule, line, message }) =>
        `    ${severity} ${rule}${line ? ` (line ${line})` : ''}: ${inOneLine(message)}`,
    ),
  ];
}
