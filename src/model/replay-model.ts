import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { KnackError, messageOf } from '../errors.ts';
import type { Model, ModelReply, ModelRequest } from './model.ts';

/** One answer of a recording, with the key of the request that it answers. */
interface RecordedAnswer {
  readonly key: string;
  /** The end of the request's last message, for people who read the file. */
  readonly request: string;
  readonly reply: ModelReply;
}

export interface RecordingOptions {
  /** JSON file: `{"answers": […]}`. */
  readonly file: string;
  /** Absolute folders that differ from run to run, with the placeholders that stand for them, such as `<workspace>`. */
  readonly folders: Readonly<Record<string, string>>;
  /** The command that makes the recording anew, for the error message. */
  readonly remedy: string;
}

const VARIABLE: readonly (readonly [pattern: RegExp, placeholder: string])[] = [
  [/\b\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})?)?/g, '<date>'],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '<id>'],
  [/\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{8,64}\b/g, '<hex>'],
];

/**
 * The key of a request: sha256 (16 hex digits) of its messages, tools and wanted JSON form after normalisation.
 * Normalised are, in this order: the given folders, dates and times, UUIDs, and hexadecimal runs of 8 to 64 digits
 * that hold both a digit and a letter (ids, hashes, fences). Everything else counts, so a changed prompt, skill,
 * tool definition or transcript is another request.
 */
export function requestKey(request: ModelRequest, folders: RecordingOptions['folders']): string {
  const normalise = (_: string, value: unknown): unknown =>
    typeof value === 'string'
      ? VARIABLE.reduce(
          (text, [pattern, placeholder]) => text.replace(pattern, placeholder),
          hideFolders(value, folders),
        )
      : value;
  // String by string: in JSON an escaped line end would stand before a word as a letter.
  const normal = JSON.stringify([request.messages, request.tools ?? [], request.json ?? null], normalise);
  return createHash('sha256').update(normal).digest('hex').slice(0, 16);
}

/** A model that answers as it was recorded; a request that was not recorded rejects with `model-failed`. */
export function createReplayModel(options: RecordingOptions): Model {
  let answers: Promise<Map<string, ModelReply>> | undefined;
  return {
    id: 'recorded',
    async complete(request) {
      answers ??= readAnswers(options.file).then(
        (list) => new Map(list.map(({ key, reply }) => [key, reply])),
      );
      const key = requestKey(request, options.folders);
      const recorded = (await answers).get(key);
      if (recorded === undefined) {
        throw new KnackError(
          'model-failed',
          `no answer is recorded for this request (${key}): a prompt, skill or transcript changed since the recording. Make it anew: ${options.remedy}`,
        );
      }
      const reply = JSON.parse(showFolders(JSON.stringify(recorded), options.folders)) as ModelReply;
      if (reply.message.content !== '') request.onText?.(reply.message.content);
      return reply;
    },
  };
}

/** Passes requests on to `model` and keeps its answers in the file; what the file answers already is not asked again. */
export function createRecordingModel(model: Model, options: RecordingOptions): Model {
  // One after another and from what the file holds then: several requests may be under way.
  let written = Promise.resolve();
  const keep = async (answer: RecordedAnswer) => {
    const answers = await readAnswers(options.file);
    await writeFile(options.file, `${JSON.stringify({ answers: [...answers, answer] }, null, 2)}\n`);
  };
  return {
    id: 'recorded',
    async complete(request) {
      const key = requestKey(request, options.folders);
      const answers = await readAnswers(options.file);
      if (answers.some((answer) => answer.key === key)) return createReplayModel(options).complete(request);
      const reply = await model.complete(request);
      const last = request.messages.at(-1)?.content ?? '';
      const answer = JSON.parse(
        hideFolders(JSON.stringify({ key, request: last.slice(-160), reply }), options.folders),
      ) as RecordedAnswer;
      written = written.then(() => keep(answer));
      await written;
      return reply;
    },
  };
}

async function readAnswers(file: string): Promise<RecordedAnswer[]> {
  try {
    return (JSON.parse(await readFile(file, 'utf8')) as { answers: RecordedAnswer[] }).answers;
  } catch (error) {
    throw new KnackError('io', `cannot read the recording ${file}: ${messageOf(error)}`, { cause: error });
  }
}

function hideFolders(text: string, folders: RecordingOptions['folders']): string {
  return Object.entries(folders).reduce(
    (value, [dir, placeholder]) => value.replaceAll(dir, placeholder),
    text,
  );
}

function showFolders(text: string, folders: RecordingOptions['folders']): string {
  return Object.entries(folders).reduce(
    (value, [dir, placeholder]) => value.replaceAll(placeholder, dir),
    text,
  );
}
