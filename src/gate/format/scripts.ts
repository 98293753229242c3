import { KnackError } from '../../errors.ts';
import { type Folder, fileText } from '../../files/folder.ts';
import { runProcess } from '../../scripts/process.ts';
import type { CheckContext, CheckFinding } from '../check.ts';
import { isBinary } from '../texts.ts';

interface Parser {
  readonly name: string;
  readonly fits: (file: string, firstLine: string) => boolean;
  /** Each is tried on the text as standard input; it parses if one of them exits with 0. None runs it. */
  readonly commands: (text: string) => readonly (readonly string[])[];
  /** Prints the interpreter's version as `3.11`. */
  readonly version: readonly string[];
  /** Signs in a text, or in what is said of it, that it may need at least this version. */
  readonly newer: readonly (readonly [version: string, sign: RegExp])[];
}

const hasShebang = (firstLine: string, program: string) => new RegExp(`^#!.*\\b${program}`).test(firstLine);

const PARSERS: readonly Parser[] = [
  {
    name: 'python3',
    fits: (file, first) => file.endsWith('.py') || hasShebang(first, 'python'),
    commands: () => [['python3', '-I', '-c', 'import ast,sys; ast.parse(sys.stdin.buffer.read())']],
    version: ['python3', '-I', '-c', 'import sys; print("%d.%d" % sys.version_info[:2])'],
    newer: [
      ['3.14', /\bt["']|^\s*except\s+[\w.]+\s*,\s*[\w.]+(?:\s*,\s*[\w.]+)*\s*:/m],
      ['3.13', /^\s*(?:class|def|async def|type)\s+\w+\s*\[[^\]]*=/m],
      ['3.12', /^\s*type\s+\w+\s*(?:\[[^\]]*\])?\s*=|^\s*(?:class|def|async def)\s+\w+\s*\[|f-string/m],
      ['3.12', /\b[rR]?[fF][rR]?(?:"[^"\n]*\{[^}\n]*["\\]|'[^'\n]*\{[^}\n]*['\\])/],
      ['3.11', /^\s*except\s*\*|\[\s*\*\w/m],
      ['3.10', /^\s*match\s+.+:\s*(?:#.*)?$|^\s*with\s*\(/m],
      ['3.9', /^\s*@.*[[(].*\)\s*\.|^\s*@\w+\[/m],
      ['3.8', /:=|\bdef\s+\w+\([^)]*\/|f["'][^"']*\w=\}/],
    ],
  },
  {
    name: 'bash',
    fits: (file, first) =>
      (/\.(?:sh|bash)$/.test(file) && !hasShebang(first, '(?!(?:ba|da)?sh\\b)\\w+')) ||
      hasShebang(first, '(?:ba|da)?sh\\b'),
    // What a script sets for itself as it runs is unknown to a parser that runs nothing.
    commands: (text) => [
      ['bash', '--noprofile', '--norc', '-n'],
      ...(SETS_EXTGLOB.test(text) ? [['bash', '--noprofile', '--norc', '-O', 'extglob', '-n']] : []),
    ],
    version: ['bash', '--noprofile', '--norc', '-c', `printf '%s.%s' "\${BASH_VERSINFO[@]:0:2}"`],
    newer: [
      ['5.3', /\$\{[ |][^}]/],
      ['4.4', /@[QEPAaUuLKk]\}/],
      ['4.0', /\bcoproc\b|;;&|;&|\|&|&>>|\$\{\w+(?:,,?|\^\^?)/],
    ],
  },
  {
    name: 'node',
    fits: (file, first) => /\.[cm]?js$/.test(file) || hasShebang(first, 'node'),
    commands: () => [
      [process.execPath, '--check', '--input-type=module', '-'],
      [process.execPath, '--check', '--input-type=commonjs', '-'],
    ],
    version: [process.execPath, '-p', 'process.versions.node.split(".").slice(0, 2).join(".")'],
    newer: [
      ['24.0', /\b(?:await )?using\s+\w+\s*=|\(\?[ims]*(?:-[ims]+)?:/],
      ['24.0', /\bimport\s+(?:defer|source)\b/],
      ['22.0', /\b(?:import|export)\b[^;\n]*\bfrom\s*["'][^"'\n]*["']\s*with\s*\{/],
      ['20.0', /\/[dgimsuy]*v[dgimsuy]*(?=[\s.,;)])/],
    ],
  },
];

/** In a line of its own or behind another command, whatever it is set with. */
const SETS_EXTGLOB = /\bshopt\s+-s\b[^\n#]*\bextglob\b|\bbash\s+(?:-\S+\s+)*[-+]O\s+extglob\b/;
const SECONDS = 10;
const PATH = '/usr/local/bin:/usr/bin:/bin';

/** Scripts that their interpreter does not parse, and files that `tools.yaml` runs and that are not there. Runs none. */
export async function scriptFindings(
  context: CheckContext,
): Promise<{ findings: CheckFinding[]; notRun: string[] }> {
  const findings = missingScripts(context);
  const notRun = new Set<string>();
  for (const file of context.candidate.keys()) {
    const text = fileText(context.candidate, file) ?? '';
    const parser = PARSERS.find(({ fits }) => fits(file, text.slice(0, 200).split('\n')[0] ?? ''));
    if (parser === undefined || isBinary(text)) continue;
    const fault = await parse(parser, text, context);
    if (fault === 'missing') notRun.add(`${parser.name} is not there, so its scripts were not parsed`);
    else if (fault !== undefined) {
      const doubt = await newerSyntax(parser, `${text}\n${fault}`, context);
      findings.push({
        rule: doubt === undefined ? 'script-broken' : 'script-unparsed',
        severity: doubt === undefined ? 'refuse' : 'ask',
        message: `${file} does not parse: ${fault}${doubt === undefined ? '' : ` (${doubt})`}`,
        file,
        subject: fault,
      });
    }
  }
  return { findings, notRun: [...notRun] };
}

async function parse(
  parser: Parser,
  text: string,
  context: CheckContext,
): Promise<string | undefined | 'missing'> {
  let fault = 'no reason given';
  for (const command of parser.commands(text)) {
    try {
      const { exitCode, stderr, timedOut } = await ask(command, text, context);
      if (exitCode === 0) return undefined;
      fault = timedOut ? `it was not parsed within ${SECONDS} s` : reason(stderr);
    } catch (error) {
      if (error instanceof KnackError && error.code === 'not-found') return 'missing';
      throw error;
    }
  }
  return fault;
}

function ask(command: readonly string[], stdin: string, context: CheckContext) {
  return runProcess({
    command,
    env: { PATH: context.path ?? PATH, LC_ALL: 'C.UTF-8' },
    cwd: '/',
    stdin,
    timeoutSeconds: SECONDS,
    ...(context.signal === undefined ? {} : { signal: context.signal }),
  });
}

/** Why a text that this machine's interpreter does not parse may be right all the same: the verdict is not the machine's. */
async function newerSyntax(
  { name, version, newer }: Parser,
  text: string,
  context: CheckContext,
): Promise<string | undefined> {
  const wanted = newer.filter(([, sign]) => sign.test(text)).map(([since]) => since);
  if (wanted.length === 0) return undefined;
  const { stdout } = await ask(version, '', context);
  const here = stdout.trim();
  const since = wanted.find((each) => isBelow(here, each));
  return since === undefined
    ? undefined
    : `it may need ${name} ${since}, and the one of this machine is ${here}`;
}

function isBelow(version: string, other: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [otherMajor = 0, otherMinor = 0] = other.split('.').map(Number);
  return major < otherMajor || (major === otherMajor && minor < otherMinor);
}

/** The line of an interpreter's complaint that says what is wrong. */
function reason(stderr: string): string {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '');
  return (lines.find((line) => /error/i.test(line)) ?? lines.at(-1) ?? 'no reason given')
    .trim()
    .slice(0, 200);
}

function missingScripts({ skill, candidate }: CheckContext): CheckFinding[] {
  return (skill?.tools ?? []).flatMap(({ name, run }) =>
    run.kind === 'script' && !hasScript(candidate, run.script)
      ? [
          {
            rule: 'missing-file',
            severity: 'refuse' as const,
            message: `the tool "${name}" runs ${run.script}, which is not there`,
            file: candidate.has('tools.yaml') ? 'tools.yaml' : 'SKILL.md',
            subject: run.script,
          },
        ]
      : [],
  );
}

/** The script of a `params` map is given without its ending. */
function hasScript(folder: Folder, script: string): boolean {
  const path = script.replace(/^\.\//, '');
  return (
    folder.has(path) ||
    (/^scripts\/run$/.test(path) && [...folder.keys()].some((file) => file.startsWith('scripts/run.')))
  );
}
