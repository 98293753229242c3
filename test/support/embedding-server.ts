import { createHash } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';

/** An answer in place of vectors. */
export type Fault =
  | {
      readonly status?: number;
      readonly body: unknown;
      readonly type?: string;
      readonly headers?: Record<string, string>;
    }
  | 'hang'
  | 'break';

export interface EmbeddingRequest {
  readonly model: string;
  readonly input: readonly string[];
  readonly dimensions?: number;
}

export interface EmbeddingServer {
  /** Ends in `/v1`. */
  readonly url: string;
  readonly requests: readonly EmbeddingRequest[];
  /** The key of each request. */
  readonly keys: readonly (string | undefined)[];
  /** Texts of all requests since the last call, sorted. */
  sent(): string[];
  /** From now on; undefined for an answer as usual. `vectors` are those of the usual answer. */
  answerWith(
    fault: ((request: EmbeddingRequest, vectors: number[][]) => Fault | undefined) | undefined,
  ): void;
  close(): Promise<void>;
}

const DIMENSIONS = 256;
/** Words that a hosted model would know to be one idea. */
const SYNONYMS: Readonly<Record<string, string>> = {
  automobile: 'car',
  vehicle: 'car',
  mend: 'repair',
  fix: 'repair',
  supper: 'dinner',
  evening: 'dinner',
  meal: 'dinner',
  physician: 'doctor',
};

/**
 * A real HTTP endpoint that stands in for a hosted embedding model: hashed letters and words over a small table of
 * synonyms. It says nothing about how well a real model finds.
 */
export async function startEmbeddingServer(): Promise<EmbeddingServer> {
  const requests: EmbeddingRequest[] = [];
  const keys: (string | undefined)[] = [];
  let seen = 0;
  let faulty: (request: EmbeddingRequest, vectors: number[][]) => Fault | undefined = () => undefined;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.url !== '/v1/embeddings')
        return send(response, { status: 404, body: { error: 'no such path' } });
      const body = JSON.parse(Buffer.concat(chunks).toString()) as EmbeddingRequest;
      requests.push(body);
      keys.push(request.headers.authorization);
      const vectors = body.input.map((text) => vectorOf(text, body.dimensions ?? DIMENSIONS));
      send(response, faulty(body, vectors) ?? { body: answerOf(vectors) });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/v1`,
    requests,
    keys,
    sent() {
      const texts = requests.slice(seen).flatMap(({ input }) => input);
      seen = requests.length;
      return texts.sort();
    },
    answerWith(fault) {
      faulty = fault ?? (() => undefined);
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The body of an answer with these vectors. */
export function answerOf(vectors: readonly unknown[]): unknown {
  return {
    object: 'list',
    model: 'double',
    data: vectors.map((embedding, index) => ({ object: 'embedding', index, embedding })),
    usage: { prompt_tokens: 1, total_tokens: 1 },
  };
}

function send(response: ServerResponse, fault: Fault): void {
  if (fault === 'hang') return;
  if (fault === 'break') {
    response.destroy();
    return;
  }
  const { status = 200, body, type = 'application/json', headers = {} } = fault;
  response.writeHead(status, { 'content-type': type, ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

function vectorOf(text: string, dimensions: number): number[] {
  const vector = new Array<number>(dimensions).fill(0);
  const add = (feature: string, weight: number) => {
    const digest = createHash('sha256').update(feature).digest();
    const at = digest.readUInt32LE(0) % dimensions;
    vector[at] = (vector[at] ?? 0) + ((digest[4] ?? 0) % 2 === 0 ? weight : -weight);
  };
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    const idea = SYNONYMS[word] ?? SYNONYMS[word.replace(/s$/, '')] ?? word.replace(/(?:s|ing|ed)$/, '');
    if (idea.length < 3) continue;
    add(`word ${idea}`, 1);
    for (let at = 0; at + 3 <= idea.length; at += 1) add(`letters ${idea.slice(at, at + 3)}`, 0.25);
  }
  if (!vector.some(Boolean)) add('nothing', 1);
  return vector;
}
