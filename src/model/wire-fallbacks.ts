import type { Wire } from './chat-wire.ts';
import type { ModelRequest } from './model.ts';
import type { RequestFault } from './request-fault.ts';

const UNSUPPORTED =
  /support|unavailable|instead|unrecogni|unknown|unexpected|not allowed|not permitted|disabled|require|enable|extra/i;

const FALLBACKS: readonly ((
  words: string,
  wire: Wire,
  request: ModelRequest,
) => Partial<Wire> | undefined)[] = [
  (words, wire) => (/stream_options|include_usage/.test(words) && wire.usage ? { usage: false } : undefined),
  (words, wire, request) =>
    // Not where a limit is merely too large, or the prompt too long.
    /max_(?:completion_)?tokens/.test(words) &&
    UNSUPPORTED.test(words) &&
    request.maxTokens !== undefined &&
    !wire.otherTokenLimit
      ? { otherTokenLimit: true }
      : undefined,
  (words, wire, request) => {
    if (request.json === undefined || wire.json === 'prompt') return undefined;
    if (!/response_format|json_schema|json_object|structured|grammar|schema/i.test(words)) return undefined;
    return { json: wire.json === 'schema' ? 'object' : 'prompt' };
  },
  (words, wire, request) =>
    // Not where the order of calls and results, or one definition, is what the server complains of.
    /\btools?\b|tool[_ -](?:use|choice|call)|function.?call/i.test(words) &&
    UNSUPPORTED.test(words) &&
    !/tool_call_id|role\W+tool|preceding/i.test(words) &&
    request.tools?.length &&
    wire.tools === 'native'
      ? { tools: 'text' }
      : undefined,
];

/** What to leave out of the next try of a request that the server refused; undefined if its words name nothing of it. */
export function fallbackFor(
  fault: RequestFault,
  wire: Wire,
  request: ModelRequest,
): Partial<Wire> | undefined {
  const { status } = fault;
  if (status !== 400 && status !== 404 && status !== 422 && status !== 501) return undefined;
  for (const fallback of FALLBACKS) {
    const change = fallback(fault.message, wire, request);
    if (change !== undefined) return change;
  }
  return undefined;
}
