import type { PreparedDocument } from './skill-document.ts';

/** Steps of a detail to 1. None reaches 7: `saturated` bounds it, and no body is taken for narrower than it can be. */
const STEPS = 1 << 13;
/** Documents that two bytes can number. */
const FEW_DOCUMENTS = 1 << 16;

/** Numbers of documents: two bytes each while these do. */
export type Owners = Uint16Array | Uint32Array;

/**
 * The documents of many skills turned around: for each term the documents that hold it, in a few blocks of numbers.
 * Never changes once it is made, so that libraries share it. Ten thousand skills have four million places: what a place
 * takes is most of the memory and of the time of a start. So those that hold a term in their purpose, one in ten, come
 * first within a term, and only they have a place in `purpose`.
 */
export interface Postings {
  /** Documents, numbered from 0. */
  readonly size: number;
  /** Where the places of each term begin in the blocks below, by the term's number; one more at the end. */
  readonly starts: Uint32Array;
  /** The same in `purpose`. */
  readonly meant: Uint32Array;
  /** The document of each place; they ascend within a term, first those that are for it, then the others. */
  readonly owners: Owners;
  /** As in the document. */
  readonly purpose: Float32Array;
  /** In steps: see `detailAt`. Coarser purposes change the order of hits that are nearly alike. */
  readonly detail: Uint16Array;
  /** As in the document. */
  readonly fields: Uint8Array;
}

/** Postings with the number that each document is to get, or -1 for one that is left out; numbers ascend. */
export interface PostingsPart {
  readonly postings: Postings;
  readonly numbers: Int32Array;
}

/** Turns documents around; each gets its position as its number. */
export function postingsOf(documents: readonly PreparedDocument[]): Postings {
  const blocks = createBlocks(documents.length, (count) => {
    for (const { terms, purpose } of documents)
      for (let at = 0; at < terms.length; at += 1) count(terms[at] ?? 0, (purpose[at] ?? 0) > 0);
  });
  for (const [owner, { terms, purpose, detail, fields }] of documents.entries())
    for (let at = 0; at < terms.length; at += 1)
      put(blocks, terms[at] ?? 0, owner, purpose[at] ?? 0, stepsOf(detail[at] ?? 0), fields[at] ?? 0);
  return withoutNext(blocks);
}

/** One in place of several, `size` documents in all; those of a later part have higher numbers. */
export function mergePostings(parts: readonly PostingsPart[], size: number): Postings {
  const blocks = createBlocks(size, (count) => {
    for (const { postings, numbers } of parts)
      eachPlace(postings, (term, place, purpose) => {
        if ((numbers[postings.owners[place] ?? 0] ?? -1) >= 0) count(term, purpose > 0);
      });
  });
  for (const { postings, numbers } of parts)
    eachPlace(postings, (term, place, purpose) => {
      const owner = numbers[postings.owners[place] ?? 0] ?? -1;
      if (owner >= 0)
        put(blocks, term, owner, purpose, postings.detail[place] ?? 0, postings.fields[place] ?? 0);
    });
  return withoutNext(blocks);
}

/** How strongly headings and body of a document hold a term. */
export function detailAt({ detail }: Postings, place: number): number {
  return (detail[place] ?? 0) / STEPS;
}

/** Numbers of so many documents in these bytes. */
export function ownersIn(size: number, buffer: ArrayBufferLike, start: number, bytes: number): Owners {
  return size <= FEW_DOCUMENTS
    ? new Uint16Array(buffer, start, bytes / 2)
    : new Uint32Array(buffer, start, bytes / 4);
}

/** Never 0 for a term that is held. */
function stepsOf(strength: number): number {
  return strength === 0 ? 0 : Math.max(1, Math.round(strength * STEPS));
}

/** Where the places of a term begin, and those of the documents that are for something else, and where they end. */
export function placesOf(
  { starts, meant }: Postings,
  term: number,
): [start: number, others: number, end: number] {
  const end = starts[term + 1] ?? 0;
  const start = starts[term] ?? end;
  return [start, Math.min(end, start + (meant[term + 1] ?? 0) - (meant[term] ?? 0)), end];
}

/** Calls with each place, its term, and how strongly the purpose holds that. */
function eachPlace(postings: Postings, visit: (term: number, place: number, purpose: number) => void): void {
  const { starts, meant, purpose } = postings;
  for (let term = 0; term + 1 < starts.length; term += 1) {
    const [start, others, end] = placesOf(postings, term);
    const shift = (meant[term] ?? 0) - start;
    for (let place = start; place < others; place += 1) visit(term, place, purpose[place + shift] ?? 0);
    for (let place = others; place < end; place += 1) visit(term, place, 0);
  }
}

/** Of a term in `next`: where the next document goes that is for it, where its purpose goes, and where the next other one goes. */
const CURSORS = 3;

type Blocks = Postings & { readonly next: Uint32Array };

function put(
  blocks: Blocks,
  term: number,
  owner: number,
  purpose: number,
  steps: number,
  bits: number,
): void {
  const { next } = blocks;
  const cursor = CURSORS * term + (purpose > 0 ? 0 : 2);
  const place = next[cursor] ?? 0;
  next[cursor] = place + 1;
  blocks.owners[place] = owner;
  blocks.detail[place] = steps;
  blocks.fields[place] = bits;
  if (purpose === 0) return;
  const to = next[cursor + 1] ?? 0;
  next[cursor + 1] = to + 1;
  blocks.purpose[to] = purpose;
}

/** Empty blocks of the right size. */
function createBlocks(
  size: number,
  countAll: (count: (term: number, isMeant: boolean) => void) => void,
): Blocks {
  let counts = new Uint32Array(1 << 13);
  let terms = 0;
  countAll((term, isMeant) => {
    if (2 * term + 1 >= counts.length) {
      const larger = new Uint32Array(Math.max(2 * term + 2, counts.length * 2));
      larger.set(counts);
      counts = larger;
    }
    if (term >= terms) terms = term + 1;
    const row = 2 * term + (isMeant ? 0 : 1);
    counts[row] = (counts[row] ?? 0) + 1;
  });
  const starts = new Uint32Array(terms + 1);
  const meant = new Uint32Array(terms + 1);
  const next = new Uint32Array(CURSORS * terms);
  for (let term = 0; term < terms; term += 1) {
    const [start, held] = [starts[term] ?? 0, counts[2 * term] ?? 0];
    next[CURSORS * term] = start;
    next[CURSORS * term + 1] = meant[term] ?? 0;
    next[CURSORS * term + 2] = start + held;
    meant[term + 1] = (meant[term] ?? 0) + held;
    starts[term + 1] = start + held + (counts[2 * term + 1] ?? 0);
  }
  const places = starts[terms] ?? 0;
  return {
    size,
    starts,
    meant,
    owners: size <= FEW_DOCUMENTS ? new Uint16Array(places) : new Uint32Array(places),
    purpose: new Float32Array(meant[terms] ?? 0),
    detail: new Uint16Array(places),
    fields: new Uint8Array(places),
    next,
  };
}

function withoutNext({ next: _, ...postings }: Blocks): Postings {
  return postings;
}
