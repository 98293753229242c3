import { type OpenAiEndpoint, openClient } from './openai-client.ts';
import { explainFault, RequestFault } from './request-fault.ts';

/** What an endpoint said when it was asked which models it has. `refuses`: it is there and wants another key. */
export type Reached =
  | { readonly kind: 'answers' }
  | { readonly kind: 'refuses' | 'silent'; readonly why: string };

/**
 * Asks `/models`, which costs no tokens. One that answers at all is there, also where it does not know that path. Rejects
 * with anything where `signal` aborts.
 */
export async function reachEndpoint(
  endpoint: OpenAiEndpoint & { readonly model: string },
  { signal, ms = 3000 }: { readonly signal: AbortSignal; readonly ms?: number },
): Promise<Reached> {
  const { client, faultOf } = await openClient(endpoint, async (response) => {
    await response.body?.cancel();
    return Response.json({});
  });
  const late = AbortSignal.timeout(ms);
  try {
    await client.get('/models', { signal: AbortSignal.any([signal, late]) });
    return { kind: 'answers' };
  } catch (error) {
    signal.throwIfAborted();
    const fault = late.aborted
      ? new RequestFault(`no answer in ${ms / 1000} s`, { passing: true })
      : faultOf(error);
    if (!(fault instanceof RequestFault)) throw fault;
    const why = explainFault(fault, endpoint).message;
    if (fault.status === 401 || fault.status === 403) return { kind: 'refuses', why };
    // A server that is out of order says so with a status of the 500s.
    return fault.status === undefined || (fault.status >= 500 && fault.status !== 501)
      ? { kind: 'silent', why }
      : { kind: 'answers' };
  }
}
