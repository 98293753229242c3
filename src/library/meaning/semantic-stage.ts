import { KnackError, messageOf } from '../../errors.ts';
import { type Embedder, EmbeddingFault } from '../../model/embedding-model.ts';
import type { Skill } from '../../skill/skill.ts';
import { UNRELATED } from '../search/similarity-floor.ts';
import { embedTexts } from './embed-texts.ts';
import { boundedText, embeddedText, RECIPE } from './embedded-text.ts';
import { type Nearest, type SkillVectors, skillVectors } from './skill-vectors.ts';
import { keptVector, keyOfText, openVectorCache, type VectorCache } from './vector-cache.ts';

/** The part of search that asks an embedding model. What fails in it is said once a process, and search goes on without. */
export interface SemanticStage {
  /**
   * Embeds what has no vector yet. Waits for the next vectors for a while and then does without. Throws
   * `aborted` alone; what was done until then is kept.
   */
  prepare(skills: readonly Skill[], options: PrepareOptions): Promise<void>;
  /**
   * Undefined where there is no answer in time. Skills without a vector are embedded meanwhile, in the background where
   * they are many. Never throws.
   */
  nearest(skills: readonly Skill[], query: string, signal?: AbortSignal): Promise<Nearest | undefined>;
  /** How many of these skills have a vector, and where the vectors are kept. */
  kept(skills: readonly Skill[]): Promise<{ readonly count: number; readonly file: string }>;
  /** Stops what goes on in the background and waits for its end. */
  close(): Promise<void>;
}

export interface PrepareOptions {
  readonly signal: AbortSignal;
  readonly onProgress?: (done: number, of: number) => void;
}

export interface SemanticStageParts {
  readonly embedder: Embedder;
  /** Folder that keeps the vectors. */
  readonly dir: string;
  /** Sees every text before it leaves; the same text has to come out the same. */
  readonly redact: (text: string) => string;
  /** Gets a line for the person, at most one of each kind. */
  readonly note: (line: string) => void;
  /** Milliseconds. */
  readonly now: () => number;
  /** Milliseconds that a query may take. @default 2000 */
  readonly queryMs?: number;
  /** Milliseconds that `prepare` waits for the next vectors of skills. @default 20000 */
  readonly idleMs?: number;
}

/** Characters of a text that are looked at; far fewer are sent. */
const LONGEST_READ = 20_000;
/** So many are waited for before a query is answered. */
const FEW = 32;
/** Milliseconds without asking after a fault, doubled with each that follows. */
const SHORTEST_PAUSE = 30_000;
const LONGEST_PAUSE = 600_000;
/** The file is written anew when it holds so many times what the library needs, and a few. */
const MOST_STALE = 3;

/** A semantic stage over one embedder. Asks and reads nothing before it is used. */
export function createSemanticStage(parts: SemanticStageParts): SemanticStage {
  const { embedder, redact, note, queryMs = 2000, idleMs = 20_000 } = parts;
  const closing = new AbortController();
  const keys = new WeakMap<Skill, string>();
  const refused = new Set<string>();
  const noted = new Set<string>();
  let opened: Promise<VectorCache> | undefined;
  let filling: Promise<void> | undefined;
  let pause = 0;
  let pausedUntil = 0;
  /** Of the skills and the cache as they were when they were last asked for, with whether nothing was missing. */
  let latest: { skills: readonly Skill[]; size: number; vectors: SkillVectors; isWhole: boolean } | undefined;

  const cacheOf = () => {
    opened ??= openVectorCache(parts.dir, embedder.id);
    return opened;
  };
  const noteOnce = (kind: string, line: string) => {
    if (!noted.has(kind)) note(line);
    noted.add(kind);
  };
  // Redaction first: half a secret is not known for one.
  const outgoing = (text: string) => boundedText(redact(text.slice(0, LONGEST_READ)));
  const keyOf = (skill: Skill) => {
    const known = keys.get(skill) ?? keyOfText(`${RECIPE}\n${embeddedText(skill)}`);
    keys.set(skill, known);
    return known;
  };

  /** Texts by key that have no vector, as they are before redaction; the unrelated ones first. */
  function missing(cache: VectorCache, skills: readonly Skill[]): Map<string, string> {
    const texts = new Map<string, string>();
    const isOpen = (key: string) => cache.get(key) === undefined && !refused.has(key);
    for (const [key, text] of UNRELATED) if (isOpen(key)) texts.set(key, text);
    for (const skill of skills) if (isOpen(keyOf(skill))) texts.set(keyOf(skill), embeddedText(skill));
    return texts;
  }

  function failed(error: unknown): void {
    // Query and skills fail together: that is one fault.
    if (parts.now() < pausedUntil) return;
    pause = Math.min(Math.max(2 * pause, SHORTEST_PAUSE), LONGEST_PAUSE);
    pausedUntil = parts.now() + pause;
    noteOnce('fault', `search goes by words alone: ${messageOf(error)}`);
  }

  async function fill(skills: readonly Skill[], { signal, onProgress }: PrepareOptions): Promise<void> {
    const cache = await cacheOf();
    const texts = missing(cache, skills);
    if (texts.size === 0) return;
    const unwritable = (why: string | undefined) => {
      if (why !== undefined) noteOnce('file', `vectors of skills cannot be kept: ${why}`);
    };
    let done = 0;
    onProgress?.(0, texts.size);
    await embedTexts(embedder, [...texts], {
      signal: AbortSignal.any([signal, closing.signal]),
      prepare: outgoing,
      async onVectors(vectors) {
        checkDimensions(cache, [...vectors.values()][0]);
        unwritable(await cache.add(vectors));
        done += vectors.size;
        onProgress?.(done, texts.size);
      },
      onRefused(key, why) {
        refused.add(key);
        noteOnce('refused', `a skill is found by its words alone: ${why}`);
      },
    });
    const needed = new Set([...UNRELATED.keys(), ...skills.map(keyOf)]);
    if (cache.size > MOST_STALE * needed.size + 100) unwritable(await cache.keepOnly(needed));
  }

  /** What is not embedded when one fill ends waits for the next query. */
  function fillBehind(skills: readonly Skill[]): Promise<void> {
    filling ??= fill(skills, { signal: closing.signal })
      .catch((error: unknown) => {
        if (!closing.signal.aborted) failed(error);
      })
      .finally(() => {
        filling = undefined;
      });
    return filling;
  }

  function checkDimensions(cache: VectorCache, vector: Float32Array | undefined): void {
    if (vector === undefined || cache.dimensions === undefined || vector.length === cache.dimensions) return;
    throw new EmbeddingFault(
      `the embedding model answered with ${vector.length} numbers where the vectors kept of it have ${cache.dimensions}, so it is another one under the same name; remove ${cache.file} to embed the skills anew`,
      false,
    );
  }

  function latestOf(cache: VectorCache, skills: readonly Skill[]): typeof latest {
    return latest?.skills === skills && latest.size === cache.size ? latest : undefined;
  }

  function vectorsOf(cache: VectorCache, skills: readonly Skill[]): SkillVectors {
    const known = latestOf(cache, skills);
    if (known !== undefined) return known.vectors;
    const isWhole = missing(cache, skills).size === 0;
    const vectors = skillVectors(cache, skills, keyOf);
    latest = { skills, size: cache.size, vectors, isWhole };
    return vectors;
  }

  return {
    async prepare(skills, options) {
      if (filling !== undefined) await untilEnd(filling, options.signal);
      if (parts.now() < pausedUntil) return;
      const stalled = new AbortController();
      let timer: NodeJS.Timeout | undefined;
      try {
        await fill(skills, {
          signal: AbortSignal.any([options.signal, stalled.signal]),
          onProgress(done, of) {
            clearTimeout(timer);
            timer = setTimeout(() => stalled.abort(), idleMs);
            options.onProgress?.(done, of);
          },
        });
      } catch (error) {
        if (options.signal.aborted)
          throw new KnackError('aborted', 'stopped while skills were embedded; what was done is kept', {
            cause: error,
          });
        failed(
          stalled.signal.aborted ? `no vectors of skills in ${idleMs / 1000} s (${messageOf(error)})` : error,
        );
      } finally {
        clearTimeout(timer);
      }
    },
    async nearest(skills, query, signal = closing.signal) {
      const text = outgoing(query);
      if (text === '' || skills.length === 0 || parts.now() < pausedUntil) return undefined;
      const cache = await cacheOf();
      const late = AbortSignal.timeout(queryMs);
      const within = AbortSignal.any([signal, closing.signal, late]);
      try {
        const open = latestOf(cache, skills)?.isWhole ? 0 : missing(cache, skills).size;
        const filled = open === 0 ? undefined : fillBehind(skills);
        const [vector] = await embedder.embed([text], within);
        if (filled !== undefined && open <= FEW) await untilEnd(filled, within);
        checkDimensions(cache, vector);
        const near = vector && vectorsOf(cache, skills).nearest(keptVector(vector));
        if (near !== undefined) pause = 0;
        return near;
      } catch (error) {
        if (!signal.aborted && !closing.signal.aborted)
          failed(
            late.aborted ? `no vector of the query in ${queryMs / 1000} s (${messageOf(error)})` : error,
          );
        return undefined;
      }
    },
    async kept(skills) {
      const cache = await cacheOf();
      return {
        count: skills.filter((skill) => cache.get(keyOf(skill)) !== undefined).length,
        file: cache.file,
      };
    },
    async close() {
      closing.abort();
      await filling;
    },
  };
}

/** Waits for the end of something that never fails, or until the signal. */
async function untilEnd(work: Promise<void>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const stopped = new Promise<void>((resolve) =>
    signal.addEventListener('abort', () => resolve(), { once: true }),
  );
  await Promise.race([work, stopped]);
}
