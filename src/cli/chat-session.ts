import { createInterface } from 'node:readline/promises';
import type { Conversation } from '../agent/conversation.ts';
import { KnackError, messageOf } from '../errors.ts';
import type { Runtime } from '../runtime.ts';
import type { ApprovalAnswer, ApprovalRequest } from '../tool/approval.ts';
import type { CommandContext, ExitCode } from './command.ts';
import { describeOutcome } from './review-view.ts';
import { createTurnView } from './turn-view.ts';

export interface ChatOptions {
  readonly resume?: string;
  readonly allow: readonly string[];
  readonly unsandboxed?: boolean;
}

/** How long the end of a chat waits for reviews; what is not done goes on at the next start. */
const DRAIN_MS = 5000;

/**
 * A chat until `/quit`, the end of the input or a signal. Sessions that end are reviewed in the background; nothing
 * ever waits for that but the end, for a moment. Answers with the exit code: 1 if a message failed with nobody there.
 */
export async function runChat(
  runtime: Runtime,
  context: CommandContext,
  options: ChatOptions,
): Promise<ExitCode> {
  const { output } = context;
  let exitCode: ExitCode = 0;
  const lines = createInterface({
    input: process.stdin,
    output: output.interactive ? process.stdout : undefined,
    terminal: output.interactive,
  });
  // From now on, so that lines that come while the rest opens are not lost.
  const input = lines[Symbol.asyncIterator]();
  const ask = async (request: ApprovalRequest): Promise<ApprovalAnswer> => {
    const answer = await lines.question(`allow ${request.tool} ${request.subject}? [y]es, [a]lways, [n]o `, {
      signal: request.signal,
    });
    return /^y/i.test(answer) ? 'once' : /^a/i.test(answer) ? 'always' : 'no';
  };
  const open = (resume?: string) =>
    runtime.conversation({
      cwd: context.cwd,
      allow: options.allow,
      unsandboxed: options.unsandboxed === true,
      ...(output.interactive ? { ask } : {}),
      ...(resume === undefined ? {} : { resume }),
    });
  let conversation = await open(options.resume);
  const queue = await runtime.queue();
  const idle = idleTimer(runtime.config.review.idleMinutes);
  let turn: AbortController | undefined;
  // The first Ctrl-C ends the answer; without one under way it ends the chat.
  lines.on('SIGINT', () => (turn === undefined ? lines.close() : turn.abort()));
  context.signal.addEventListener('abort', () => {
    turn?.abort();
    lines.close();
  });
  const finish = async () => {
    await conversation.end();
    await runtime.enqueueReview(conversation.id, conversation.file);
  };
  const begin = async () => {
    await finish();
    conversation = await open();
    output.print(`new session ${conversation.id}; the last one is reviewed in the background`);
  };
  const commands: Readonly<Record<string, (() => Promise<void>) | undefined>> = {
    skills: async () =>
      output.print(
        (await runtime.library()).skills.map((skill) => `${skill.name}: ${skill.description}`).join('\n'),
      ),
    status: async () => output.print(await status(runtime, conversation)),
    review: async () => {
      const transcript = await runtime.transcript(conversation.file).catch((error: unknown) => {
        throw new KnackError('not-found', `nothing was said yet: ${messageOf(error)}`, { cause: error });
      });
      output.print(describeOutcome(await runtime.review(transcript, { signal: context.signal }), output));
    },
    new: begin,
    help: async () => output.print('/skills, /NAME to load one, /review, /status, /new, /quit'),
  };

  async function answer(line: string): Promise<void> {
    if (!line.startsWith('/')) {
      const view = createTurnView(output);
      turn = new AbortController();
      try {
        const outcome = await conversation.send(line, { signal: turn.signal, onEvent: view.show });
        const rest = view.end(outcome);
        output.emit({ session: conversation.id, stop: outcome.stop, text: outcome.text });
        if (rest !== '') output.print(rest);
      } finally {
        turn = undefined;
      }
      return;
    }
    const name = line.slice(1).trim();
    const command = commands[name];
    if (command !== undefined) return command();
    const { kind, skill } = await conversation.loadSkill(name);
    output.print(
      kind === 'loaded' ? `${skill.name} goes with your next message` : `${skill.name} is loaded already`,
    );
  }

  output.print(`knack chat, session ${conversation.id}. /help lists the commands.`);
  const prompt = () => {
    if (output.interactive) lines.prompt();
  };
  lines.setPrompt('> ');
  prompt();
  try {
    for await (const line of { [Symbol.asyncIterator]: () => input }) {
      if (idle.passed()) await begin();
      idle.reset();
      if (line.trim() === '/quit' || line.trim() === '/exit') break;
      if (line.trim() !== '') {
        await answer(line.trim()).catch((error: unknown) => {
          // A fault of one message does not end a chat that has been up for days.
          if (!(error instanceof KnackError)) throw error;
          output.note(`knack: ${error.message}`);
          if (!output.interactive) exitCode = 1;
        });
      }
      prompt();
    }
  } finally {
    lines.close();
    await finish();
    const { left } = await drained(runtime, queue, output);
    if (left > 0) output.note(`${left} ${left === 1 ? 'review goes' : 'reviews go'} on at the next start`);
  }
  return exitCode;
}

async function drained(
  runtime: Runtime,
  queue: Awaited<ReturnType<Runtime['queue']>>,
  output: CommandContext['output'],
): Promise<{ left: number }> {
  const before = await queue.status();
  if (before.waiting.length + before.running.length > 0) output.note('reviewing what was said …');
  const result = await runtime.close(DRAIN_MS);
  const { done, failed } = await queue.status();
  const words = Object.entries(done).map(([outcome, count]) => `${count} ${outcome}`);
  if (words.length > 0)
    output.note(`reviews: ${words.join(', ')}; \`knack skills log\` shows what was learned`);
  for (const job of failed) output.note(`the review of ${job.session} failed: ${job.error}`);
  return result;
}

async function status(runtime: Runtime, conversation: Conversation): Promise<string> {
  const { waiting, running, failed, done } = await (await runtime.queue()).status();
  const pending = await (await runtime.pending()).list();
  return [
    `session ${conversation.id}: ${conversation.usage.promptTokens} tokens in, ${conversation.usage.completionTokens} out; the next request has about ${conversation.contextTokens()}`,
    `loaded: ${conversation.loaded.map(({ skill, version }) => `${skill}${version === undefined ? '' : ` ${version}`}`).join(', ') || 'no skill'}`,
    `reviews: ${running.length} running, ${waiting.length} waiting, ${failed.length} failed${Object.entries(
      done,
    )
      .map(([outcome, count]) => `, ${count} ${outcome}`)
      .join('')}`,
    ...failed.map((job) => `  ${job.session}: ${job.error}`),
    `${pending.length} changes wait for you${pending.length > 0 ? ': knack skills pending' : ''}`,
  ].join('\n');
}

function idleTimer(minutes: number): { passed(): boolean; reset(): void } {
  let last = performance.now();
  return {
    passed: () => performance.now() - last > minutes * 60_000,
    reset: () => {
      last = performance.now();
    },
  };
}
