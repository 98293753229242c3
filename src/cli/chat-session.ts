import { existsSync } from 'node:fs';
import { clearLine, cursorTo } from 'node:readline';
import { createInterface, type Interface } from 'node:readline/promises';
import { KnackError, messageOf } from '../errors.ts';
import { nearNames } from '../library/near-names.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { ApprovalRequest } from '../tool/approval.ts';
import { askApproval, tellFlag } from './approval-question.ts';
import { endReviews } from './chat-end.ts';
import { chatSkills } from './chat-skills.ts';
import { chatStatus } from './chat-status.ts';
import type { CommandContext, ExitCode } from './command.ts';
import { noteProject } from './project-notes.ts';
import { createReviewNews } from './review-ends.ts';
import { reviewAloud } from './review-view.ts';
import { createTurnView } from './turn-view.ts';

export interface ChatOptions {
  readonly resume?: string;
  readonly allow: readonly string[];
  readonly unsandboxed?: boolean;
}

/**
 * A chat until `/quit`, the end of the input or a signal. Sessions that end are reviewed in the background; nothing
 * waits for that but the end. Answers with the exit code: 1 if a message failed with nobody there.
 */
export async function runChat(
  runtime: Runtime,
  context: CommandContext,
  options: ChatOptions,
): Promise<ExitCode> {
  const { output } = context;
  const lines = createInterface({
    input: process.stdin,
    output: output.interactive ? process.stdout : undefined,
    terminal: output.interactive,
  });
  try {
    return await chatOn(lines, runtime, context, options);
  } finally {
    // Whatever failed: a terminal that is still read keeps the process from its end.
    lines.close();
  }
}

async function chatOn(
  lines: Interface,
  runtime: Runtime,
  context: CommandContext,
  options: ChatOptions,
): Promise<ExitCode> {
  const { output } = context;
  let exitCode: ExitCode = 0;
  // From now on, so that lines that come while the rest opens are not lost.
  const input = lines[Symbol.asyncIterator]();
  const ask = async (request: ApprovalRequest) =>
    output.interactive ? askApproval(lines, request, output) : tellFlag(request, output);
  const sessions = new Set<string>();
  const open = async (resume?: string) => {
    const opened = await runtime.conversation({
      cwd: context.cwd,
      allow: options.allow,
      unsandboxed: options.unsandboxed === true,
      ask,
      ...(resume === undefined ? {} : { resume }),
    });
    sessions.add(opened.id);
    return opened;
  };
  let conversation = await open(options.resume);
  const queue = await runtime.queue();
  const news = createReviewNews({ queue, pending: () => runtime.pending() }, output);
  const idle = idleTimer(runtime.config.review.idleMinutes);
  let turn: AbortController | undefined;
  // The first Ctrl-C ends the answer, then a review; without one under way it ends the chat.
  lines.on('SIGINT', () => {
    const running = turn ?? reviewing?.stop;
    if (running === undefined || running.signal.aborted) lines.close();
    else running.abort();
  });
  context.signal.addEventListener('abort', () => {
    turn?.abort();
    lines.close();
  });
  const finish = async () => {
    await conversation.end();
    if (await isToEndAsBefore(runtime, conversation.file))
      return output.note(
        `the review of ${conversation.id} failed and nothing was said since, so it is not tried again by itself; \`knack review\` tries again`,
      );
    await runtime.enqueueReview(conversation.id, conversation.file);
    tellWhenDone();
  };
  const begin = async () => {
    await finish();
    conversation = await open();
    output.print(`new session ${conversation.id}; the last one is reviewed in the background`);
  };
  let closed = false;
  lines.on('close', () => {
    closed = true;
  });
  const prompt = (keepsCursor = false) => {
    // A closed one would begin to read again, and the process would never end.
    if (output.interactive && !closed) lines.prompt(keepsCursor);
  };
  /** A line is being answered: what else there is to say waits for the next prompt. */
  let isAnswering = false;
  const tellWhenDone = () => {
    queue
      .onIdle()
      .then(async () => {
        const isFree = () => output.interactive && !isAnswering && !closed;
        if (!isFree() || !(await news.collect()) || !isFree()) return;
        clearLine(process.stdout, 0);
        cursorTo(process.stdout, 0);
        news.tell();
        prompt(true);
      })
      .catch((error: unknown) => output.note(`knack: ${messageOf(error)}`));
  };
  let reviewing: { readonly stop: AbortController; readonly ended: Promise<void> } | undefined;
  const review = async () => {
    if (reviewing !== undefined) throw new KnackError('conflict', 'a review is under way; Ctrl-C ends it');
    const transcript = await runtime.transcript(conversation.file).catch((error: unknown) => {
      throw new KnackError('not-found', `nothing was said yet: ${messageOf(error)}`, { cause: error });
    });
    const stop = new AbortController();
    const ended = reviewAloud(runtime, transcript, {
      output,
      signal: AbortSignal.any([stop.signal, context.signal]),
    });
    // With nobody there the lines are a script, whose next one waits for this.
    if (!output.interactive) return ended;
    reviewing = {
      stop,
      ended: ended
        .catch((error: unknown) => output.note(`knack: ${messageOf(error)}`))
        .finally(() => {
          reviewing = undefined;
          prompt();
        }),
    };
  };
  const commands = new Map<string, (words: string) => Promise<void>>([
    ['skills', async (words) => output.print(await chatSkills(runtime, words))],
    ['review', review],
    ['status', async () => output.print(await chatStatus(runtime, conversation))],
    ['new', begin],
    ['help', async () => output.print(COMMAND_HELP)],
  ]);

  async function answer(line: string): Promise<void> {
    if (!line.startsWith('/')) {
      const view = createTurnView(output, runtime.config.model.assistant);
      turn = new AbortController();
      try {
        const outcome = await conversation.send(line, { signal: turn.signal, onEvent: view.show });
        const rest = view.end(outcome);
        output.emit({ session: conversation.id, stop: outcome.stop, text: outcome.text });
        if (rest !== '') output.print(rest);
      } finally {
        view.stop();
        turn = undefined;
      }
      return;
    }
    const asked = line.slice(1).trim();
    const [first = '', ...words] = asked.split(/\s+/);
    const command = commands.get(first === 'skills' ? first : asked);
    if (command !== undefined) return command(words.join(' '));
    const { kind, name } = await conversation.loadSkill(asked).catch(async (error: unknown) => {
      if (!(error instanceof KnackError) || error.code !== 'not-found') throw error;
      const names = (await runtime.library()).skills.map((each) => each.name);
      throw unknownCommand(asked, [...commands.keys(), 'quit', ...names], error);
    });
    output.print(kind === 'loaded' ? `${name} goes with your next message` : `${name} is loaded already`);
  }

  noteProject(runtime.project(), output);
  output.print(`knack chat, session ${conversation.id}. /help lists the commands.`);
  lines.setPrompt('> ');
  prompt();
  tellWhenDone();
  try {
    for await (const line of { [Symbol.asyncIterator]: () => input }) {
      isAnswering = true;
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
      await news.collect();
      news.tell();
      isAnswering = false;
      prompt();
    }
  } finally {
    lines.close();
    await reviewing?.ended;
    await finish();
    await endReviews(runtime, { queue, news, sessions, output, signal: context.signal });
  }
  return exitCode;
}

const COMMAND_HELP = '/skills [WORDS], /NAME to load one, /review, /status, /new, /help, /quit';

function unknownCommand(name: string, names: readonly string[], cause: unknown): KnackError {
  const near = nearNames(name, names).map((each) => `/${each}`);
  const guess = near.length === 0 ? '' : ` Did you mean ${near.join(' or ')}?`;
  return new KnackError(
    'not-found',
    `there is no command and no skill "/${name}".${guess} There are ${COMMAND_HELP}`,
    { cause },
  );
}

/** Whether a review of just this session failed: once more would cost the same, and no one asked for it. */
async function isToEndAsBefore(runtime: Runtime, file: string): Promise<boolean> {
  if (!existsSync(file)) return false;
  return (await runtime.lastFailure(await runtime.transcript(file))) !== undefined;
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
