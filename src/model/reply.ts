import type { Wire } from './chat-wire.ts';
import type { ChatMessage, ModelReply, ModelRequest } from './model.ts';
import type { ProviderQuirks } from './provider-quirks.ts';
import type { Assembled } from './stream.ts';
import { looksLikePrintedCall, readTextCalls } from './text-tool-calls.ts';
import { countTokens } from './tokens.ts';
import { countedUsage } from './usage-claim.ts';

/** Below this many tokens a low count is no sign of a cut prompt. */
const SMALLEST_CUT = 2000;

/**
 * A whole answer in our words, to a request of `sentBytes`. Tokens are the server's where it counted them, unless its
 * count cannot be. Needs `loadTokenizer` before.
 */
export function toReply(
  request: ModelRequest,
  wire: Wire,
  quirks: ProviderQuirks,
  whole: Assembled & { readonly sentBytes: number },
): ModelReply {
  const tools = request.tools ?? [];
  const { refusal, ...fields } = whole.extra;
  const refused = whole.content === '' && typeof refusal === 'string' && refusal !== '';
  const written = refused ? refusal : whole.content;
  const textual = wire.tools === 'text' ? readTextCalls(written, tools) : { text: written, calls: [] };
  const toolCalls = whole.toolCalls.length > 0 ? whole.toolCalls : textual.calls;

  const messageTokens = sum(request.messages.flatMap(textsOf));
  const answered = [written, ...toolCalls.map((call) => `${call.name}${call.arguments}`)];
  const { usage, doubt } = countedUsage(whole, {
    sentBytes: whole.sentBytes,
    sentTokens: () => messageTokens + sum(tools.map((tool) => JSON.stringify(tool))),
    // Thoughts are part of an answer, whether they were shown or not.
    answeredBytes: Buffer.byteLength(answered.join('')) + Buffer.byteLength(JSON.stringify(whole.extra)),
    answeredTokens: () => sum(answered),
    maxTokens: request.maxTokens,
  });
  const { promptTokens } = usage;
  const promptCut = messageTokens > SMALLEST_CUT && promptTokens < messageTokens / 2;
  const warnings = [
    ...(doubt === undefined ? [] : [doubt]),
    ...(promptCut
      ? [
          `the server counted ${promptTokens} tokens where about ${messageTokens} were sent, so it cuts the front of the prompt: raise ${quirks.contextSetting}`,
        ]
      : []),
    ...(toolCalls.length === 0 && looksLikePrintedCall(written, tools)
      ? ['the model printed a tool call as text instead of making it']
      : []),
  ];
  return {
    message: {
      role: 'assistant',
      content: textual.text,
      ...(toolCalls.length > 0 ? { toolCalls } : {}),
      ...(Object.keys(fields).length > 0 ? { native: { provider: quirks.provider, fields } } : {}),
    },
    finish: refused ? 'filtered' : finishOf(whole.finish, toolCalls.length > 0),
    usage,
    ...(promptCut ? { promptCut } : {}),
    ...(warnings.length > 0 ? { warning: warnings.join('; ') } : {}),
  };
}

function finishOf(reason: string | undefined, hasCalls: boolean): ModelReply['finish'] {
  if (reason === 'length' || reason === 'max_tokens') return 'length';
  if (reason === 'content_filter') return 'filtered';
  return hasCalls ? 'tool-calls' : 'stop';
}

function textsOf(message: ChatMessage): string[] {
  const calls = message.role === 'assistant' ? (message.toolCalls ?? []) : [];
  return [message.content, ...calls.map((call) => call.arguments)];
}

/** Text by text, so that the cache knows all but the newest. */
function sum(texts: readonly string[]): number {
  return texts.reduce((total, text) => total + countTokens(text), 0);
}
