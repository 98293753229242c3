import type { Conversation } from '../agent/conversation.ts';
import { brakesOf, endsOf } from '../review/brakes.ts';
import { outcomeOf } from '../review/resume.ts';
import { runningReviews } from '../review/running-reviews.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { counted } from '../text/counted.ts';
import { inOneLine } from './project-notes.ts';

/** How a chat, its library and the reviews of its workspace stand, for `/status`. */
export async function chatStatus(runtime: Runtime, conversation: Conversation): Promise<string> {
  const { waiting, running, failed, done } = await (await runtime.queue()).status();
  const pending = await (await runtime.pending()).list();
  const { problems } = await runtime.library();
  const entries = await (await runtime.ledger()).entries();
  const { why } = brakesOf(entries, runtime.config.review, new Date());
  const last = endsOf(entries).findLast(({ tokens }) => tokens.total > 0);
  // Those of the queue, and those that somebody looks on at, here or in another process.
  const begun = await runningReviews(runtime.workspace.reviews, entries);
  const at = new Set([...running, ...begun].map(({ session }) => session));
  const left = waiting.filter(({ session }) => !at.has(session));
  return [
    `session ${conversation.id}: ${counted(conversation.usage.promptTokens, 'token')} in, ${conversation.usage.completionTokens} out; the next request has about ${conversation.contextTokens()}`,
    `loaded: ${conversation.loaded.map(({ skill, version }) => `${skill}${version === undefined ? '' : ` ${version}`}`).join(', ') || 'no skill'}`,
    candidatesLine(conversation.candidates),
    ...problems.map(({ message }) => `library: ${inOneLine(message)}`),
    `reviews: ${at.size} running, ${left.length} waiting, ${failed.length} failed${Object.entries(done)
      .map(([outcome, count]) => `, ${count} ${outcome}`)
      .join('')}`,
    ...[...at].map((session) => `  running: ${session}`),
    ...failed.map((job) => `  ${job.session}: ${job.error}`),
    ...(last === undefined
      ? []
      : [`last review: ${last.session} ended as ${outcomeOf(last)}: ${last.reasons.join('; ')}`]),
    ...(why === undefined ? [] : [`paused: ${why}`]),
    `${counted(pending.length, 'change waits', 'changes wait')} for you${pending.length > 0 ? ': knack skills pending' : ''}`,
  ].join('\n');
}

/** What fits a message is put beside it as long as there is room, and a person wants to know when there is none. */
function candidatesLine({ tokens, of, isCut }: Conversation['candidates']): string {
  const spent = `candidates: ${tokens} of ${counted(of, 'token')} beside messages of this session`;
  return isCut
    ? `${spent}; no more come, and the model has been told to search. /new begins afresh, disclosure.sessionTokens gives more`
    : spent;
}
