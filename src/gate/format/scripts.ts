import { KnackError } from '../../errors.ts';
import { type Folder, fileText } from '../../folder.ts';
import { runProcess } from '../../scripts/process.ts';
import type { CheckContext, CheckFinding } from '../check.ts';
import { isBinary } from '../texts.ts';

interface Parser {
  readonly name: string;
  readonly fits: (file: string, firstLine: string) => boolean;
  /** Each is tried on the text as standard input; it parses if one of them exits with 0. None runs it. */
  readonly commands: readonly (readonly string[])[];
}

const hasShebang = (firstLine: string, program: string) => new RegExp(`^#!.*\\b${program}`).test(firstLine);

const PARSERS: readonly Parser[] = [
  {
    name: 'python3',
    fits: (file, first) => file.endsWith('.py') || hasShebang(first, 'python'),
    commands: [['python3', '-I', '-c', 'import ast,sys; ast.parse(sys.stdin.buffer.read())']],
  },
  {
    name: 'bash',
    fits: (file, first) => /\.(?:sh|bash)$/.test(file) || hasShebang(first, '(?:ba|da)?sh\\b'),
    commands: [['bash', '--noprofile', '--norc', '-n']],
  },
  {
    name: 'node',
    fits: (file, first) => /\.[cm]?js$/.test(file) || hasShebang(first, 'node'),
    commands: [
      [process.execPath, '--check', '--input-type=module', '-'],
      [process.execPath, '--check', '--input-type=commonjs', '-'],
    ],
  },
];

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
    else if (fault !== undefined)
      findings.push({
        rule: 'script-broken',
        severity: 'refuse',
        message: `${file} does not parse: ${fault}`,
        file,
        subject: fault,
      });
  }
  return { findings, notRun: [...notRun] };
}

async function parse(
  parser: Parser,
  text: string,
  context: CheckContext,
): Promise<string | undefined | 'missing'> {
  let fault = 'no reason given';
  for (const command of parser.commands) {
    try {
      const { exitCode, stderr, timedOut } = await runProcess({
        command,
        env: { PATH: context.path ?? PATH, LC_ALL: 'C.UTF-8' },
        cwd: '/',
        stdin: text,
        timeoutSeconds: SECONDS,
        ...(context.signal === undefined ? {} : { signal: context.signal }),
      });
      if (exitCode === 0) return undefined;
      fault = timedOut ? `it was not parsed within ${SECONDS} s` : reason(stderr);
    } catch (error) {
      if (error instanceof KnackError && error.code === 'not-found') return 'missing';
      throw error;
    }
  }
  return fault;
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
