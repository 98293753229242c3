import { type Embedder, EmbeddingFault } from '../../model/embedding-model.ts';

type KeyedText = readonly [key: string, text: string];

export interface EmbedTextsOptions {
  readonly signal: AbortSignal;
  /** Makes of a text what is sent. */
  readonly prepare: (text: string) => string;
  /** Gets the vectors of a batch by key as soon as they are there. */
  readonly onVectors: (vectors: ReadonlyMap<string, Float32Array>) => Promise<void>;
  /** Gets a text that the server will not take, while it takes others. */
  readonly onRefused: (key: string, why: string) => void;
}

const BATCH = 32;
const AT_ONCE = 2;
/** Single texts refused before any was taken: then it is not the texts. */
const MOST_REFUSED = 3;

/**
 * Embeds many texts, some at a time. A batch that the server refuses is sent in halves, so that one text does not keep
 * the others out. Throws what the embedder throws; the vectors that came before were handed over.
 */
export async function embedTexts(
  embedder: Embedder,
  texts: readonly KeyedText[],
  options: EmbedTextsOptions,
): Promise<void> {
  const open = Array.from({ length: Math.ceil(texts.length / BATCH) }, (_, index) =>
    texts.slice(index * BATCH, (index + 1) * BATCH),
  );
  const failed = new AbortController();
  const signal = AbortSignal.any([options.signal, failed.signal]);
  let taken = 0;
  let refused = 0;

  async function embed(batch: readonly KeyedText[]): Promise<void> {
    let vectors: readonly Float32Array[];
    try {
      vectors = await embedder.embed(
        batch.map(([, text]) => options.prepare(text)),
        signal,
      );
    } catch (error) {
      if (!(error instanceof EmbeddingFault && error.ofTexts)) throw error;
      const [first, ...others] = batch;
      if (first === undefined) return;
      if (others.length > 0) {
        const half = Math.ceil(batch.length / 2);
        await embed(batch.slice(0, half));
        return embed(batch.slice(half));
      }
      refused += 1;
      if (taken === 0 && refused >= MOST_REFUSED) throw error;
      return options.onRefused(first[0], error.message);
    }
    taken += batch.length;
    await options.onVectors(new Map(batch.flatMap(([key], index) => entry(key, vectors[index]))));
  }

  async function work(): Promise<void> {
    for (let batch = open.shift(); batch !== undefined; batch = open.shift()) await embed(batch);
  }

  const workers = Array.from({ length: AT_ONCE }, () =>
    work().catch((error: unknown) => {
      // The other one is not worth going on with; what made it stop is what counts.
      if (!failed.signal.aborted) failed.abort(error);
    }),
  );
  await Promise.all(workers);
  if (failed.signal.aborted) throw failed.signal.reason;
}

function entry(key: string, vector: Float32Array | undefined): [string, Float32Array][] {
  return vector === undefined ? [] : [[key, vector]];
}
