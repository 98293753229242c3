import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { hasSystemCode, messageOf } from '../errors.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { isSpeech } from '../transcript/word-signals.ts';
import type { Step } from './steps.ts';

/** Sessions that are read at most: the newest say what is of use now. */
const MOST_SESSIONS = 200;

/** The person's words in each of the workspace's newest sessions; one that cannot be read is noted and left out. */
export async function readSessionWords(
  runtime: Runtime,
  { step, note }: { readonly step: Step; readonly note: (line: string) => void },
): Promise<string[][]> {
  const { sessions } = runtime.workspace;
  const files = (await namesIn(sessions))
    .filter((name) => name.endsWith('.jsonl'))
    // Names begin with the time.
    .sort((left, right) => (left < right ? -1 : 1))
    .slice(-MOST_SESSIONS);
  const words: string[][] = [];
  for (const [at, name] of files.entries()) {
    await step(at / files.length);
    try {
      const { session, events } = await runtime.transcript(join(sessions, name));
      if (session.purpose !== 'review') words.push(events.filter(isSpeech).map(({ text }) => text));
    } catch (error) {
      note(`${name} is left out: ${messageOf(error)}`);
    }
  }
  return words;
}

async function namesIn(dir: string): Promise<string[]> {
  try {
    return await readdir(dir);
  } catch (error) {
    if (hasSystemCode(error, 'ENOENT')) return [];
    throw error;
  }
}
