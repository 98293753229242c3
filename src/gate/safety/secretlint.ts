import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

/** A secret that secretlint knows; offsets in UTF-16 units. */
export interface KnownSecret {
  readonly rule: string;
  readonly start: number;
  readonly end: number;
}

interface Report {
  readonly messages: readonly { readonly ruleId: string; readonly range: readonly [number, number] }[];
}

type Engine = Awaited<ReturnType<typeof import('@secretlint/node')['createEngine']>>;
let engine: Promise<Engine> | undefined;

/**
 * What secretlint's recommended rules find in a text. It is loaded on first use, since that takes a tenth of a
 * second. Comments that switch it off are not honoured: they would come from the text that is being judged.
 */
export async function lintSecrets(text: string): Promise<KnownSecret[]> {
  engine ??= start();
  const content = text.replace(/secretlint-/gi, (word) => '_'.repeat(word.length));
  const { output } = await (await engine).executeOnContent({ content, filePath: '/skill/text.md' });
  if (output.trim() === '') return [];
  return (JSON.parse(output) as Report[]).flatMap(({ messages }) =>
    messages.map(({ ruleId, range: [start, end] }) => ({
      rule: ruleId.replace(/^.*secretlint-rule-/, ''),
      start,
      end,
    })),
  );
}

async function start(): Promise<Engine> {
  const { createEngine } = await import('@secretlint/node');
  const { resolve } = createRequire(import.meta.url);
  const preset = resolve('@secretlint/secretlint-rule-preset-recommend');
  await stopProfiler(resolve('@secretlint/node'));
  return createEngine({
    cwd: '/',
    color: false,
    formatter: 'json',
    configFileJSON: { rules: [{ id: preset }] },
  });
}

/**
 * Secretlint keeps a mark of every step in a list that it never empties and searches from its start for each new one:
 * hundreds of texts would take minutes. Nothing here reads the marks.
 */
async function stopProfiler(secretlint: string): Promise<void> {
  const file = createRequire(secretlint).resolve('@secretlint/profiler');
  const { secretLintProfiler } = (await import(pathToFileURL(file).href)) as {
    secretLintProfiler: { mark: (marker: unknown) => void };
  };
  secretLintProfiler.mark = () => undefined;
}
